extension EngineState {
    /// The version of the byte form; bytes of an earlier one are read, those of a later one refused.
    public static let version: UInt16 = 4

    private static let mark: [UInt8] = Array("BPES".utf8)
    /// Mark, version, length.
    private static let headerSize = 10
    /// Bytes of the checksum.
    private static let checkSize = 8

    /// The byte form: mark, version, length of what follows, the values, and a check sum over all before it.
    public var bytes: [UInt8] {
        var body = StateWriter()
        body.write(self)
        var writer = StateWriter()
        for byte in EngineState.mark { writer.number(byte) }
        writer.number(EngineState.version)
        writer.number(UInt32(body.bytes.count))
        var bytes = writer.bytes + body.bytes
        let check = EngineState.check(bytes[...])
        withUnsafeBytes(of: check.littleEndian) { bytes.append(contentsOf: $0) }
        return bytes
    }

    /// Reads the byte form.
    ///
    /// - Throws: ``EngineStateFault`` for any bytes that ``bytes`` did not make.
    public init(bytes: [UInt8]) throws(EngineStateFault) {
        guard bytes.count >= EngineState.headerSize + EngineState.checkSize else {
            throw EngineStateFault(reason: "\(bytes.count) are too few")
        }
        guard bytes.starts(with: EngineState.mark) else { throw EngineStateFault(reason: "the mark differs") }
        var header = StateReader(bytes, EngineState.mark.count..<EngineState.headerSize)
        let version = try header.number(UInt16.self)
        guard (1...EngineState.version).contains(version) else {
            throw EngineStateFault(reason: "they are of version \(version)")
        }
        let end = bytes.count - EngineState.checkSize
        guard Int(try header.number(UInt32.self)) == end - EngineState.headerSize else {
            throw EngineStateFault(reason: "the length differs")
        }
        var check = StateReader(bytes, end..<bytes.count)
        guard try check.number(UInt64.self) == EngineState.check(bytes[..<end]) else {
            throw EngineStateFault(reason: "the check sum differs")
        }
        var reader = StateReader(bytes, EngineState.headerSize..<end, version: version)
        self = try reader.state()
        guard reader.isAtEnd else { throw EngineStateFault(reason: "something follows") }
    }

    /// FNV-1a of 64 bits: finds what breaks by accident.
    private static func check(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return sum
    }
}
