import ComposableArchitecture
import Foundation

// "Shared state": strategies of one's own, one that reads and writes, one that only reads.

public final class CustomSharedKey<Value: Sendable>: SharedKey {
  public struct ID: Hashable {
    let name: String
  }

  private let name: String
  private let vault: Vault

  init(name: String, vault: Vault) {
    self.name = name
    self.vault = vault
  }

  public var id: ID { ID(name: self.name) }

  public func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>) {
    guard let value = self.vault.values.value[self.name] as? Value
    else { return continuation.resumeReturningInitialValue() }
    continuation.resume(returning: value)
  }

  public func subscribe(
    context: LoadContext<Value>, subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription {
    SharedSubscription {}
  }

  public func save(_ value: Value, context: SaveContext, continuation: SaveContinuation) {
    self.vault.values.withValue { $0[self.name] = value }
    continuation.resume()
  }
}

/// Where the values are kept: a dependency, so that each test has its own.
public final class Vault: Sendable, DependencyKey {
  let values = LockIsolated<[String: any Sendable]>([:])

  public static let liveValue = Vault()
  public static var testValue: Vault { Vault() }
}

extension SharedReaderKey {
  public static func custom<Value>(_ name: String) -> Self
  where Self == CustomSharedKey<Value> {
    @Dependency(Vault.self) var vault
    return CustomSharedKey(name: name, vault: vault)
  }
}

struct RemoteConfig: Equatable, Sendable {
  var showsBanner = false
}

/// A configuration that a server holds.
struct RemoteConfigKey: SharedReaderKey {
  var id: String { "remote-config" }

  func load(context: LoadContext<RemoteConfig>, continuation: LoadContinuation<RemoteConfig>) {
    continuation.resume(returning: RemoteConfig(showsBanner: true))
  }

  func subscribe(
    context: LoadContext<RemoteConfig>, subscriber: SharedSubscriber<RemoteConfig>
  ) -> SharedSubscription {
    subscriber.yield(RemoteConfig(showsBanner: true))
    return SharedSubscription {}
  }
}

extension SharedReaderKey where Self == RemoteConfigKey.Default {
  static var remoteConfig: Self {
    Self[RemoteConfigKey(), default: RemoteConfig()]
  }
}
