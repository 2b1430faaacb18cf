import Foundation

struct Recipe: Equatable, Identifiable, Codable, Sendable {
  let id: UUID
  var title = ""
  var steps: [String] = []
}
