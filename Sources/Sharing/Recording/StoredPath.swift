@_spi(Reflection) import Swift

/// Key paths of stored properties by their names, which are the same in every process.
///
/// How a key path describes itself tells the names of stored properties; of anything that is
/// computed it tells an address.
enum StoredPath {
  /// The names that lead from the root to where a key path leads, as `name.first`; `nil` where not
  /// all of them are stored properties of structs.
  static func names(of path: AnyKeyPath) -> String? {
    let description = "\(path)"
    guard !description.contains("<computed") else { return nil }
    let root = type(of: path).rootType
    // The root's own name may hold any number of dots.
    let components = description.split(separator: ".")
    for count in 1..<max(2, components.count) {
      let names: String = components.suffix(count).joined(separator: ".")
      if find(names, in: root) == path { return names }
    }
    return nil
  }

  /// The key path of the names; `nil` where there is none.
  static func find(_ names: String, in root: Any.Type) -> AnyKeyPath? {
    var path: AnyKeyPath?
    var type: Any.Type = root
    for name in names.split(separator: ".") {
      guard let next = field(String(name), of: type) else { return nil }
      guard let last = path else {
        path = next
        type = Swift.type(of: next).valueType
        continue
      }
      guard let longer = last.appending(path: next) else { return nil }
      path = longer
      type = Swift.type(of: longer).valueType
    }
    return path
  }

  private static func field(_ name: String, of type: Any.Type) -> AnyKeyPath? {
    func open<Root>(_ root: Root.Type) -> AnyKeyPath? {
      var found: AnyKeyPath?
      // Fields to which no key path can lead are passed over.
      let options = _EachFieldOptions(rawValue: 1 << 1)
      _ = _forEachFieldWithKeyPath(of: root, options: options) { label, path in
        guard String(cString: label) == name else { return true }
        found = path
        return false
      }
      return found
    }
    return _openExistential(type, do: open)
  }
}
