import MacroImplementations
@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling
import SwiftSyntaxMacros

/// Finds a macro's code for the compiler.
struct Provider: PluginProvider {
  func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
    guard let type = macroTypes[typeName] else { throw UnknownMacro(name: typeName) }
    return type
  }
}

struct UnknownMacro: Error, CustomStringConvertible {
  var name: String
  var description: String { "The macro plug-in has no macro named '\(name)'." }
}

let connection = try StandardIOMessageConnection()
let listener = CompilerPluginMessageListener(connection: connection, provider: Provider())
try listener.main()
