import ActionCoding
import Testing

struct RecordDigestTests {
  // Published with the algorithm, or by its ports.
  @Test(arguments: [
    ("", "ef46db3751d8e999"), ("a", "d24ec4f1a98c6e5b"), ("abc", "44bc2cf5ad770999"),
    ("xxhash", "32dd38952c4bc720"),
    ("Nobody inspects the spammish repetition", "fbcea83c8a378bf1"),
  ])
  func publishedVectors(text: String, digest: String) {
    #expect(RecordDigest(of: Array(text.utf8)).description == digest)
  }

  /// The buffer and the sums of the reference implementation's sanity check.
  @Test(
    arguments: [
      (0, 0xef46_db37_51d8_e999), (1, 0x4fce_394c_c889_52d8), (14, 0xcffa_8db8_81bc_3a3d),
      (101, 0x0eab_5433_84f8_78ad),
    ] as [(Int, UInt64)])
  func sanityVectors(count: Int, digest: UInt64) {
    var generator: UInt32 = 2_654_435_761
    let bytes = (0..<count).map { _ -> UInt8 in
      defer { generator = generator &* generator }
      return UInt8(generator >> 24)
    }
    #expect(RecordDigest(of: bytes) == RecordDigest(value: digest))
  }

  @Test func everyByteCounts() {
    for count in 0..<100 {
      let bytes = [UInt8](repeating: 7, count: count)
      let digest = RecordDigest(of: bytes)
      for index in bytes.indices {
        var other = bytes
        other[index] = 8
        #expect(RecordDigest(of: other) != digest)
      }
      #expect(RecordDigest(of: bytes + [7]) != digest)
    }
  }

  // Where the bytes lie does not matter.
  @Test func unalignedBytes() {
    let bytes = (0..<200).map { UInt8(truncatingIfNeeded: $0) }
    bytes.withUnsafeBytes { buffer in
      for start in 1..<9 {
        let part = UnsafeRawBufferPointer(rebasing: buffer[start..<(start + 150)])
        #expect(RecordDigest(of: part) == RecordDigest(of: Array(bytes[start..<(start + 150)])))
      }
    }
  }

  @Test func theTextHasSixteenDigits() {
    #expect(RecordDigest(value: 0xab).description == "00000000000000ab")
  }
}
