import Instruments

/// How long a receiver asks us to wait (RFC 9110, 10.2.3).
enum RetryAfter {
    /// What is asked for beyond this is not waited for: no receiver may put off an alert for days.
    static let longest: Int64 = 24 * 3_600

    /// The header's value, as seconds or as a date.
    static func duration(_ answer: Answer, now: Timestamp) -> Duration? {
        let header = answer.headers.first { $0.name.lowercased() == "retry-after" }
        let text = header.map { $0.value.filter { $0 != " " && $0 != "\t" } }
        guard let header, let text, !text.isEmpty else { return nil }
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return bounded(seconds: Int64(text) ?? longest)
        }
        guard let time = HTTPDate.time(header.value, now: now) else { return nil }
        let nanoseconds = time.nanoseconds(since: now)
        return bounded(seconds: nanoseconds / 1_000_000_000 + (nanoseconds % 1_000_000_000 > 0 ? 1 : 0))
    }

    /// A decimal number of seconds as Telegram (whole) and Discord (with a fraction) put it into the body.
    static func duration(seconds text: String) -> Duration? {
        guard let number = try? DecimalNumber(parsing: text), number.units >= 0 else { return nil }
        let unit = number.scale.power
        return bounded(seconds: number.units / unit + (number.units % unit > 0 ? 1 : 0))
    }

    private static func bounded(seconds: Int64) -> Duration { .seconds(min(max(seconds, 0), longest)) }
}
