import SwiftSyntax

extension ExprSyntax {
  /// The longest literal that is handed to a schema, in bytes: it is compiled once more there.
  private static let literalLimit = 2_000

  /// The source of a default value that is the same wherever and whenever it is evaluated: a literal,
  /// or a list of them.
  ///
  /// Nil for everything else, and for texts of several lines, which would have to keep their
  /// indentation.
  var recordedLiteral: String? {
    guard self.isPlainLiteral, self.trimmedLength.utf8Length <= Self.literalLimit else {
      return nil
    }
    return self.trimmedDescription
  }

  private var isPlainLiteral: Bool {
    switch self.kind {
    case .integerLiteralExpr, .floatLiteralExpr, .booleanLiteralExpr, .nilLiteralExpr:
      return true
    case .stringLiteralExpr:
      guard let string = self.as(StringLiteralExprSyntax.self) else { return false }
      return string.openingQuote.tokenKind == .stringQuote
        && string.segments.allSatisfy { $0.is(StringSegmentSyntax.self) }
    case .prefixOperatorExpr:
      guard let signed = self.as(PrefixOperatorExprSyntax.self), signed.operator.text == "-" else {
        return false
      }
      return [.integerLiteralExpr, .floatLiteralExpr].contains(signed.expression.kind)
    case .arrayExpr:
      return self.as(ArrayExprSyntax.self)?.elements.allSatisfy { $0.expression.isPlainLiteral }
        ?? false
    case .dictionaryExpr:
      guard case .elements(let elements)? = self.as(DictionaryExprSyntax.self)?.content else {
        return true
      }
      return elements.allSatisfy { $0.key.isPlainLiteral && $0.value.isPlainLiteral }
    default: return false
    }
  }
}
