import Instruments

/// Dates as HTTP (RFC 9110, 5.6.7) and mail (RFC 5322, 3.3) write them.
enum HTTPDate {
    private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// `Sun, 06 Nov 1994 08:49:37 +0000`.
    static func mailText(_ time: Timestamp) -> String {
        let (year, month, day) = time.civilDay
        let clock = time.iso8601(fractionDigits: 0).dropFirst(11).prefix(8)
        let date = "\(day < 10 ? "0" : "")\(day) \(months[Int(month) - 1]) \(year)"
        return "\(days[CivilTime.weekday(time)]), \(date) \(clock) +0000"
    }

    /// Reads any of HTTP's three forms; `nil` for anything else.
    ///
    /// `now` tells the century of a year of two digits: it is at most 50 years ahead.
    static func time(_ text: String, now: Timestamp) -> Timestamp? {
        let words = text.split { " ,-".contains($0) }.map(String.init)
        if words.count == 6, words[5] == "GMT" {
            return time(day: words[1], month: words[2], year: words[3], clock: words[4], now)
        }
        if words.count == 5 {
            return time(day: words[2], month: words[1], year: words[4], clock: words[3], now)
        }
        return nil
    }

    private static func time(
        day: String, month: String, year: String, clock: String, _ now: Timestamp
    ) -> Timestamp? {
        guard let month = months.firstIndex(of: month), var number = Int64(year), (0...9_999).contains(number)
        else { return nil }
        if year.utf8.count == 2 {
            let thisYear = now.civilDay.year
            number += thisYear / 100 * 100
            if number > thisYear + 50 { number -= 100 }
        }
        let date = "\(padded(String(number), 4))-\(padded(String(month + 1), 2))-\(padded(day, 2))"
        return Timestamp(iso8601: "\(date)T\(clock)Z")
    }

    private static func padded(_ digits: String, _ width: Int) -> String {
        String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
