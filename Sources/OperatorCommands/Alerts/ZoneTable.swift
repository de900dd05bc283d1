import Alerting
import Glibc
import Instruments

/// Time zones by name, read through the C library.
enum ZoneTable {
    private static let day: Int64 = 86_400
    /// 1970 to 2100, in seconds.
    private static let range: Range<Int64> = 0..<4_102_444_800

    /// The offsets of a zone; `nil` when the system does not know it.
    ///
    /// It sets the process's own zone for a moment, so only a command with one thread may call it.
    static func offsets(_ name: String) -> ZoneOffsets? {
        let isName = name.utf8.allSatisfy { byte in
            byte == 0x2F || byte == 0x5F || byte == 0x2B || byte == 0x2D || (0x30...0x39).contains(byte)
                || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        }
        guard isName, !name.isEmpty, !name.hasPrefix("/") else { return nil }
        guard name != "UTC" else { return .utc }
        guard isZone("/usr/share/zoneinfo/\(name)") else { return nil }
        let before = getenv("TZ").map { String(cString: $0) }
        setenv("TZ", ":\(name)", 1)
        tzset()
        defer {
            if let before { setenv("TZ", before, 1) } else { unsetenv("TZ") }
            tzset()
        }
        var spans = [span(from: range.lowerBound)]
        var time = range.lowerBound
        while time < range.upperBound {
            let next = time + day
            if offset(next) != offset(time) { spans.append(span(from: change(between: time, and: next))) }
            time = next
        }
        return ZoneOffsets(name: name, spans: spans)
    }

    /// Whether the file begins as compiled zones do; the C library takes anything else for UTC.
    private static func isZone(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var magic = [UInt8](repeating: 0, count: 4)
        return read(descriptor, &magic, 4) == 4 && magic.elementsEqual("TZif".utf8)
    }

    /// The first second with the later offset; offsets change once a day at the most.
    private static func change(between early: Int64, and late: Int64) -> Int64 {
        let target = offset(late)
        var (low, high) = (early, late)
        while high - low > 1 {
            let middle = (low + high) / 2
            if offset(middle) == target { high = middle } else { low = middle }
        }
        return high
    }

    private static func span(from seconds: Int64) -> ZoneOffsets.Span {
        ZoneOffsets.Span(from: Timestamp(nanoseconds: seconds * 1_000_000_000), seconds: offset(seconds))
    }

    private static func offset(_ seconds: Int64) -> Int32 {
        var time = time_t(seconds)
        var parts = tm()
        localtime_r(&time, &parts)
        return Int32(parts.tm_gmtoff)
    }
}
