#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

extension DependencyValues {
  /// The session that data is fetched through: the shared one in the program, and one that fails
  /// each request in tests.
  public var urlSession: URLSession {
    get { self[URLSessionKey.self] }
    set { self[URLSessionKey.self] = newValue }
  }

  private enum URLSessionKey: DependencyKey {
    static var liveValue: URLSession { .shared }
    static var testValue: URLSession {
      let configuration = URLSessionConfiguration.ephemeral
      configuration.protocolClasses = [UnimplementedURLProtocol.self]
      return URLSession(configuration: configuration)
    }
  }
}

/// Fails each request.
private final class UnimplementedURLProtocol: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { true }

  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    // No issue: this is no task of the test's, so that the issue would be no test's either.
    let text = #"Unimplemented: @Dependency(\.urlSession)"#
    client?.urlProtocol(
      self,
      didFailWithError: URLError(
        .unsupportedURL, userInfo: [NSLocalizedDescriptionKey: text]))
  }

  override func stopLoading() {}
}
