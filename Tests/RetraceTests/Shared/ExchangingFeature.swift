import ComposableArchitecture
import Foundation

/// A feature whose effects give its shared values other references.
@Reducer
struct Tuner {
  struct Station: Codable, Equatable, Sendable {
    var name = "Radio"
    var motto = "Music"
    var host: String?
  }

  @Reducer
  struct Preset {
    struct State: Equatable, Identifiable {
      var id: Int
      @Shared var channel: Int
      var seen: [Int] = []
    }

    enum Action {
      case load(String)
      case look
      case up
    }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .load(let key):
          return .run { [channel = state.$channel] _ in
            try await channel.load(.inMemory("exchange-\(key)"))
          }
        case .look: state.seen.append(state.channel)
        case .up: state.$channel.withLock { $0 += 1 }
        }
        return .none
      }
    }
  }

  struct State: Equatable {
    @Shared(.inMemory("exchange-one")) var channel = 1
    @Shared(.inMemory("exchange-three")) var volume = 30
    @SharedReader(.inMemory("exchange-three")) var shown = 30
    @Shared(.inMemory("exchange-station")) var station = Station()
    @Shared(value: "nothing") var title: String
    var presets: IdentifiedArrayOf<Preset.State> = []
    var named: [String: Preset.State] = [:]
    var seen: [String] = []
  }

  enum Action {
    /// An effect has the channel be a new value.
    case assign(Int)
    /// The reducer does.
    case assignHere(Int)
    /// An effect puts in place what the reducer has made.
    case assignMade
    /// An effect exchanges something that no state holds, and that is the channel's value at first.
    case assignElsewhere
    /// An effect has the title be a part of the station.
    case assignPart(host: Bool)
    /// An effect has the title be a part of something that no state holds.
    case assignUnknown
    /// An effect has the title be a property of something that no state holds.
    case assignStranger
    /// Another thread exchanges the channel while the reducer runs, and another action follows.
    case assignWhileItRuns(Int)
    case hire(String?)
    case load(String)
    case look
    case louder
    case name(String)
    case preset(IdentifiedActionOf<Preset>)
    case show(String)
    case store(Int, isShared: Bool)
    case tell(Int)
    case up
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .assign(let number):
        return .run { [channel = state.$channel] _ in
          await Task.detached { channel.projectedValue = Shared(value: number) }.value
        }
      case .assignHere(let number): state.$channel = Shared(value: number)
      case .assignMade:
        let made = Shared(value: state.channel * 100)
        return .run { [channel = state.$channel] _ in channel.projectedValue = made }
      case .assignElsewhere:
        return .run { [channel = state.$channel] _ in
          let other = Shared(reference: channel.reference)
          other.projectedValue = Shared(value: 1_000)
        }
      case .assignPart(let ofHost):
        return .run { [title = state.$title, station = state.$station] _ in
          if !ofHost {
            title.projectedValue = station.motto
          } else if let host = Shared(station.host) {
            title.projectedValue = host
          }
        }
      case .assignStranger:
        return .run { [title = state.$title] _ in
          title.projectedValue = Shared(value: Station(name: "Stranger")).name
        }
      case .assignUnknown:
        return .run { [title = state.$title] _ in
          title.projectedValue = Shared(value: [Station(name: "Unknown")])[0].name
        }
      case .assignWhileItRuns(let number):
        let channel = state.$channel
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
          channel.projectedValue = Shared(value: number)
          done.signal()
        }
        done.wait()
        return .send(.up)
      case .hire(let host): state.$station.withLock { $0.host = host }
      case .load(let key):
        return .run { [channel = state.$channel] _ in
          try await channel.load(.inMemory("exchange-\(key)"))
        }
      case .look:
        state.seen.append("\(state.channel) \(state.volume) \(state.shown) \(state.title)")
      case .louder: state.$volume.withLock { $0 += 1 }
      case .name(let name): state.$title.withLock { $0 = name }
      case .preset: break
      case .show(let key):
        return .run { [shown = state.$shown] _ in
          try await shown.load(.inMemory("exchange-\(key)"))
        }
      case .store(let id, let isShared):
        let channel = isShared ? state.$channel : Shared(value: id)
        state.presets.append(Preset.State(id: id, channel: channel))
        state.named["preset \(id)"] = Preset.State(id: id, channel: channel)
      case .tell(let number):
        return .run { _ in
          @Shared(.inMemory("exchange-two")) var two = 0
          $two.withLock { $0 = number }
        }
      case .up: state.$channel.withLock { $0 += 1 }
      }
      return .none
    }
    .forEach(\.presets, action: \.preset) { Preset() }
  }
}
