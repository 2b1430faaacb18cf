import ComposableArchitecture
import EditorCore
import Foundation
import RetraceCommands

let tool = RetraceTool(name: "editor") { Editor() }
if tool.handles() { exit(await tool.run()) }
exit(await EditorProgram.run(Array(CommandLine.arguments.dropFirst()), verbs: tool.verbs))
