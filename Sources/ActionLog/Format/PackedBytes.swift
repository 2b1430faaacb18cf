internal import CLZ4

/// Bytes packed as the log's blocks are, for files that stand beside a log.
package enum PackedBytes {
  /// Packs bytes; `nil` where that makes them no smaller.
  package static func pack(_ raw: [UInt8]) -> [UInt8]? {
    let bound = Int(LZ4_compressBound(Int32(clamping: raw.count)))
    guard bound > 0 else { return nil }
    let packed = [UInt8](unsafeUninitializedCapacity: bound) { target, count in
      count = raw.withUnsafeBytes { source in
        target.withMemoryRebound(to: CChar.self) { target in
          Int(
            LZ4_compress_default(
              source.bindMemory(to: CChar.self).baseAddress, target.baseAddress,
              Int32(source.count), Int32(target.count)))
        }
      }
    }
    return packed.isEmpty || packed.count >= raw.count ? nil : packed
  }

  /// Unpacks bytes; `nil` where they are not what so many bytes were packed to.
  package static func unpack(_ packed: UnsafeRawBufferPointer, size: Int) -> [UInt8]? {
    guard size > 0, let wanted = Int32(exactly: size), let given = Int32(exactly: packed.count)
    else { return nil }
    let raw = [UInt8](unsafeUninitializedCapacity: size) { target, count in
      let unpacked = target.withMemoryRebound(to: CChar.self) { target in
        LZ4_decompress_safe(
          packed.bindMemory(to: CChar.self).baseAddress, target.baseAddress, given, wanted)
      }
      count = max(0, Int(unpacked))
    }
    return raw.count == size ? raw : nil
  }

  /// The checksum that the log's blocks have, CRC32C.
  package static func sum(_ bytes: [UInt8]) -> UInt32 { checksum(0, bytes[...]) }

  /// The checksum that the log's blocks have, CRC32C.
  package static func sum(_ bytes: UnsafeRawBufferPointer) -> UInt32 { checksum(0, bytes) }
}
