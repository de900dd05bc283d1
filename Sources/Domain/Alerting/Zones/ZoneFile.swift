import Instruments

extension ZoneOffsets {
    /// Reads a compiled time zone, with its rule for the years to come up to 2100.
    ///
    /// Source: RFC 8536, "The Time Zone Information Format (TZif)", versions 2 and later.
    ///
    /// `nil` for bytes that are no such file.
    ///
    /// - Parameters:
    ///   - name: The name that rules use.
    ///   - bytes: The file.
    public init?(name: String, zoneFile bytes: [UInt8]) {
        var file = ZoneFile(bytes)
        guard let spans = file.spans() else { return nil }
        self.init(name: name, spans: spans)
    }
}

/// A compiled time zone, read from its first byte to its last.
struct ZoneFile {
    private struct Counts {
        var utc = 0
        var standard = 0
        var leaps = 0
        var times = 0
        var types = 0
        var characters = 0

        func size(timeBytes: Int) -> Int {
            times * (timeBytes + 1) + types * 6 + characters + leaps * (timeBytes + 4) + standard + utc
        }
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// The offsets and from when on they hold; `nil` when the bytes make no sense.
    mutating func spans() -> [ZoneOffsets.Span]? {
        // The first block has 32-bit times and is only there for old readers.
        guard let first = header(), take(first.size(timeBytes: 4)) != nil, let counts = header(),
            let block = take(counts.size(timeBytes: 8)), counts.types > 0
        else { return nil }
        let times = (0..<counts.times).map { Self.number(block, $0 * 8, 8) }
        let kinds = (0..<counts.times).map { Int(block[block.startIndex + counts.times * 8 + $0]) }
        let offsets = (0..<counts.types).map {
            Int32(truncatingIfNeeded: Self.number(block, counts.times * 9 + $0 * 6, 4))
        }
        guard kinds.allSatisfy({ $0 < counts.types }) else { return nil }
        var spans = [ZoneOffsets.Span(from: Timestamp(nanoseconds: .min), seconds: offsets[0])]
        for (time, kind) in zip(times, kinds) {
            spans.append(.init(from: Self.instant(time), seconds: offsets[kind]))
        }
        guard rest.popFirst() == 0x0A, let end = rest.firstIndex(of: 0x0A) else { return nil }
        let footer = rest[..<end]
        guard !footer.isEmpty else { return spans }
        guard let rule = ZoneRule(footer) else { return nil }
        return spans + rule.spans(after: times.last ?? .min)
    }

    private mutating func header() -> Counts? {
        guard let bytes = take(44), bytes.starts(with: Array("TZif".utf8)),
            bytes[bytes.startIndex + 4] >= 0x32
        else { return nil }
        let numbers = (0..<6).map { Int(Self.number(bytes, 20 + $0 * 4, 4)) }
        guard numbers.allSatisfy({ (0...65_536).contains($0) }) else { return nil }
        return Counts(
            utc: numbers[0], standard: numbers[1], leaps: numbers[2], times: numbers[3], types: numbers[4],
            characters: numbers[5])
    }

    private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// A signed number, the most significant byte first.
    private static func number(_ bytes: ArraySlice<UInt8>, _ place: Int, _ size: Int) -> Int64 {
        let start = bytes.startIndex + place
        var number: Int64 = bytes[start] & 0x80 == 0 ? 0 : -1
        for byte in bytes[start..<start + size] { number = number << 8 | Int64(byte) }
        return number
    }

    static func instant(_ seconds: Int64) -> Timestamp {
        let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return Timestamp(nanoseconds: overflow ? (seconds < 0 ? .min : .max) : nanoseconds)
    }
}
