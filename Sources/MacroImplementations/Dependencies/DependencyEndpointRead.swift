import SwiftSyntax

/// How an endpoint takes part in a recording, as far as its syntax tells.
enum EndpointRecording {
  /// Its calls are recorded, and played back in a replay.
  case calls
  /// They can't be; what stands in for it is called in a replay.
  case absent
  /// Reducers can't call it.
  case none

  init(_ function: FunctionTypeSyntax) {
    guard function.effectSpecifiers?.asyncSpecifier == nil else {
      self = .none
      return
    }
    let isPlain: Bool =
      !function.throwsTypedError && !function.givesNothingBack
      && !function.returnClause.type.hasSpecifiers
      && function.parameters.allSatisfy { parameter in
        // A closure need not outlive the call, so that it can't be handed on as a value.
        parameter.ellipsis == nil && !parameter.type.hasSpecifiers
          && parameter.type.function == nil && !parameter.type.hasAttributes
      }
    self = isPlain ? .calls : .absent
  }
}

extension ClientProperty {
  /// The name of the property that holds what the endpoint is until it is given a body.
  var standInName: String { "_standIn_" + plainName }

  /// Whether the endpoint is used by reducers, which are recorded.
  var recording: EndpointRecording { function.map(EndpointRecording.init) ?? .none }

  /// The statements of the endpoint's getter.
  func getter(storage: String) -> String {
    guard let function, recording != .none else { return storage }
    let labels: String = function.parameters.map { "\($0.secondName?.text ?? "_"):" }.joined()
    let signature: String = labels.isEmpty ? plainName : "\(plainName)(\(labels))"
    guard recording == .calls else {
      return """
        _endpointIsReplayed(Self.self, "\(signature)") ? Self.\(standInName) : \(storage)
        """
    }
    let names: String = function.parameters.enumerated().map { "p\($0.offset)" }
      .joined(separator: ", ")
    let parameters: String = names.isEmpty ? "" : " \(names)"
    let isThrowing: Bool = function.effectSpecifiers?.throwsClause != nil
    let effect: String = isThrowing ? "try " : ""
    let method: String = isThrowing ? "throwingValue" : "value"
    return """
      guard let read = _endpointRead(Self.self, "\(signature)") else {
        return \(storage)
      }
      return { [live = \(storage), standIn = Self.\(standInName)]\(parameters) in
        \(effect)read.\(method)\(names.isEmpty ? "" : "(\(names))") {
          \(effect)live(\(names))
        } standIn: {
          \(effect)standIn(\(names))
        }
      }
      """
  }
}

extension TypeSyntax {
  /// Whether something like `inout` or `sending` stands before the type.
  fileprivate var hasSpecifiers: Bool {
    self.as(AttributedTypeSyntax.self)?.specifiers.isEmpty == false
  }

  /// Whether something like `@autoclosure` stands before the type.
  fileprivate var hasAttributes: Bool {
    self.as(AttributedTypeSyntax.self)?.attributes.isEmpty == false
  }

  /// The type as a function's, if it is one.
  fileprivate var function: FunctionTypeSyntax? {
    ClientProperty.function(self)
  }
}

extension FunctionTypeSyntax {
  /// Whether the type of the errors that the function may throw is written out.
  fileprivate var throwsTypedError: Bool {
    guard effectSpecifiers?.throwsClause?.type != nil else { return false }
    return !throwsAnyError
  }

  /// Whether the function does not return.
  fileprivate var givesNothingBack: Bool {
    ["Never", "Swift.Never"].contains(returnClause.type.trimmedDescription)
  }
}
