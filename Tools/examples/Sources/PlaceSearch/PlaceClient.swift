import ComposableArchitecture

struct Place: Codable, Equatable, Identifiable, Sendable {
  var id: Int
  var name: String
}

struct Forecast: Codable, Equatable, Sendable {
  var degrees: [Double]
}

struct SearchFailure: Error, Codable, CustomStringConvertible {
  var description = "The server does not answer."
}

@DependencyClient
struct PlaceClient: Sendable {
  var forecast: @Sendable (_ for: Place) async throws -> Forecast
  var search: @Sendable (_ query: String) async throws -> [Place]
}

extension PlaceClient: DependencyKey {
  static let liveValue = Self(
    forecast: { place in Forecast(degrees: [20, 21.5, Double(place.id)]) },
    search: { query in
      [Place(id: 1, name: "Brooklyn"), Place(id: 2, name: "Brunswick")]
        .filter { $0.name.hasPrefix(query) }
    }
  )

  static let testValue = Self()
}

extension DependencyValues {
  var placeClient: PlaceClient {
    get { self[PlaceClient.self] }
    set { self[PlaceClient.self] = newValue }
  }
}
