import Foundation
import RetraceCommands

exit(await RetraceTool(name: "retrace").run())
