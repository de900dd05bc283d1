public import Alerting
import Instruments

extension ZoneOffsets {
    /// Reads a compiled time zone (TZif, RFC 9636) of version 2 or later, as far as the year 2100.
    ///
    /// Returns `nil` for bytes that are none, and for files of more than 64 KiB.
    public init?(name: String, zoneFile bytes: [UInt8]) {
        guard bytes.count <= 65_536, let first = ZoneHeader(bytes, at: 0), first.version >= 2,
            let header = ZoneHeader(bytes, at: ZoneHeader.size + first.dataSize(timeSize: 4)),
            let spans = header.spans(bytes)
        else { return nil }
        let end = header.start + header.dataSize(timeSize: 8)
        guard end < bytes.count, bytes[end] == 0x0A else { return nil }
        let footer = bytes[(end + 1)...].prefix { $0 != 0x0A }
        guard !footer.isEmpty else {
            self.init(name: name, spans: spans)
            return
        }
        guard let rule = ZoneRule(String(decoding: footer, as: UTF8.self)) else { return nil }
        let last = spans.last?.from ?? Timestamp(nanoseconds: .min)
        self.init(name: name, spans: spans + rule.spans.filter { $0.from > last })
    }
}

/// The counts at the start of a block of TZif, and where its data begins.
private struct ZoneHeader {
    static let size = 44

    var version: Int
    var start: Int
    private var isUniversal, isStandard, leaps, times, types, letters: Int

    init?(_ bytes: [UInt8], at offset: Int) {
        guard offset + ZoneHeader.size <= bytes.count, bytes[offset...].starts(with: "TZif".utf8) else {
            return nil
        }
        version = Int(bytes[offset + 4]) - 0x30
        let counts = (0..<6).map { Int(ZoneHeader.integer(bytes, offset + 20 + $0 * 4, 4)) }
        (isUniversal, isStandard, leaps) = (counts[0], counts[1], counts[2])
        (times, types, letters) = (counts[3], counts[4], counts[5])
        start = offset + ZoneHeader.size
        guard counts.allSatisfy({ (0...65_536).contains($0) }), types > 0 else { return nil }
    }

    func dataSize(timeSize: Int) -> Int {
        times * (timeSize + 1) + types * 6 + letters + leaps * (timeSize + 4) + isStandard + isUniversal
    }

    /// The offsets one after the other; before the first change the first type holds.
    func spans(_ bytes: [UInt8]) -> [ZoneOffsets.Span]? {
        guard start + dataSize(timeSize: 8) <= bytes.count else { return nil }
        let kinds = start + times * 8
        func offset(_ type: Int) -> Int32? {
            guard type < types else { return nil }
            let seconds = ZoneHeader.integer(bytes, kinds + times + type * 6, 4)
            return (-100_000...100_000).contains(seconds) ? Int32(seconds) : nil
        }
        guard let first = offset(0) else { return nil }
        var spans = [ZoneOffsets.Span(from: Timestamp(nanoseconds: .min), seconds: first)]
        for index in 0..<times {
            guard let seconds = offset(Int(bytes[kinds + index])) else { return nil }
            let time = ZoneHeader.integer(bytes, start + index * 8, 8)
            spans.append(ZoneOffsets.Span(from: ZoneRule.instant(time), seconds: seconds))
        }
        return spans
    }

    private static func integer(_ bytes: [UInt8], _ offset: Int, _ size: Int) -> Int64 {
        let value = bytes[offset..<offset + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return size == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
    }
}
