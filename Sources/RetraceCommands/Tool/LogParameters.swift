internal import CommandLineKit

/// The parameters that several verbs share.
enum LogParameters {
  static let log = Argument<String>(
    "log", .path(completion: .directory), help: "The log's directory, as session.retrace.")

  static let json = Flag("json", help: "Print JSON Lines, for programs.")

  static let showOutput = Flag(
    "show-output", help: "Let through what reducers print, on standard error.")

  static let color = StandardParameters.color

  /// One action.
  static func action(required: Bool, help: String) -> Argument<Address> {
    Argument("address", .address, required: required, help: help)
  }

  /// What an address may be, as the end of a verb's discussion.
  static let addresses = """
    An address is the number of an action: 1200. 'end' is the last one, -5 the fifth from the \
    end. It is about the log's last run and the only stream in it unless it says more: \
    2:cart/1200 is action 1200 of stream cart in run 2.
    """

  static let ranges = """
    A range is two of them, as 1000-1200, or one that is open at its end, as 1000-. The stream is \
    said once, in front: 2:cart/1000-1200.
    """
}

extension ValueParser where Value == Address {
  static var address: ValueParser {
    ValueParser { (text: String) throws(ValueError) -> Address in
      do throws(AddressError) {
        return try Address(text)
      } catch { throw ValueError(error.message) }
    }
  }
}

extension ValueParser where Value == AddressRange {
  static var range: ValueParser {
    ValueParser { (text: String) throws(ValueError) -> AddressRange in
      do throws(AddressError) {
        return try AddressRange(text)
      } catch { throw ValueError(error.message) }
    }
  }
}

extension ValueParser where Value == Bound {
  static var bound: ValueParser {
    ValueParser { (text: String) throws(ValueError) -> Bound in
      do throws(BoundError) {
        return try Bound(text)
      } catch { throw ValueError(error.message) }
    }
  }
}

extension ValueParser where Value == StreamReference {
  static var stream: ValueParser {
    ValueParser { (text: String) throws(ValueError) -> StreamReference in
      do throws(AddressError) {
        return try StreamReference(text)
      } catch { throw ValueError(error.message) }
    }
  }
}
