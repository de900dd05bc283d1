import Instruments

/// Reads times as people's files write them.
package enum TimeText {
    /// Parses `2021-07-22T22:36:07.865Z` and its kin: a space for the T, seconds left out, an offset such as
    /// `+02:00`, or ` UTC` at the end.
    ///
    /// - Parameters:
    ///   - text: The time.
    ///   - zone: The offset in seconds of a text without one; `nil` when it must say.
    /// - Returns: The instant.
    /// - Throws: ``Fault``.
    static func parse(_ text: String, zone: Int?) throws(Fault) -> Timestamp {
        let bytes = Array(text.utf8)
        guard bytes.count >= 16, bytes[10] == 0x54 || bytes[10] == 0x20 else { throw .malformed }
        var end = 16
        if end < bytes.count, bytes[end] == 0x3A {
            end += 3
            if end < bytes.count, bytes[end] == 0x2E {
                end += 1
                while end < bytes.count, bytes[end] &- 0x30 < 10 { end += 1 }
            }
        }
        guard end <= bytes.count else { throw .malformed }
        let offset = try offset(String(decoding: bytes[end...], as: UTF8.self), zone)
        var clock = bytes[..<end]
        clock[10] = 0x54
        if end == 16 { clock += ":00".utf8 }
        clock.append(0x5A)
        guard let time = Timestamp(iso8601: String(decoding: clock, as: UTF8.self)) else { throw .malformed }
        let moment = time.adding(nanoseconds: -Int64(offset) * 1_000_000_000)
        // An offset may lead out of the years that are read: what is written would not be read again.
        guard (1678...2261).contains(moment.civilDay.year) else { throw .malformed }
        return moment
    }

    /// Why a text is no time.
    enum Fault: Error {
        case malformed
        case noZone
    }

    /// Seconds east of Greenwich.
    static func offset(_ text: String, _ zone: Int?) throws(Fault) -> Int {
        let name = text.first == " " ? String(text.dropFirst()) : text
        if ["Z", "UTC", "GMT", "z"].contains(name) { return 0 }
        if name.isEmpty {
            guard let zone else { throw .noZone }
            return zone
        }
        let digits = name.dropFirst().filter { $0 != ":" }
        guard let sign = name.first, sign == "+" || sign == "-", digits.count == 2 || digits.count == 4,
            let value = Int(digits), digits.allSatisfy({ $0.isASCII && $0.isNumber })
        else { throw .malformed }
        let (hours, minutes) = digits.count == 2 ? (value, 0) : (value / 100, value % 100)
        guard hours <= 18, minutes < 60 else { throw .malformed }
        return (sign == "-" ? -1 : 1) * (hours * 3_600 + minutes * 60)
    }

    /// Turns `31.12.2020 23:59[:59]` and `31/12/2020 …` into the order of ISO 8601; other texts stay.
    package static func dayFirst(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard bytes.count >= 16, bytes[2] == 0x2E || bytes[2] == 0x2F, bytes[5] == bytes[2] else {
            return text
        }
        let parts = [bytes[6..<10], [0x2D], bytes[3..<5], [0x2D], bytes[0..<2], bytes[10...]]
        return String(decoding: parts.joined(), as: UTF8.self)
    }

    /// Turns `Jan. 05, 2021, 03:04 PM` into the order of ISO 8601; other texts stay.
    package static func monthName(_ text: String) -> String {
        let words = text.split { $0 == " " || $0 == "," || $0 == "." }.map(String.init)
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        guard words.count >= 5, let month = months.firstIndex(of: String(words[0].prefix(3))),
            let colon = words[3].firstIndex(of: ":"), let hour = Int(words[3][..<colon])
        else { return text }
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let isAfternoon = words[4].uppercased() == "PM"
        let clock = hour % 12 + (isAfternoon ? 12 : 0)
        let day = words[1].count == 1 ? "0" + words[1] : words[1]
        return "\(words[2])-\(two(month + 1))-\(day) \(two(clock))\(words[3][colon...])"
    }
}
