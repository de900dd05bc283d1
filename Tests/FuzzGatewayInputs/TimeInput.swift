import Instruments

@testable import Alerting
@testable import Channels
@testable import LedgerFiles

/// Times as programs, people, mail and the web write them.
enum TimeInput {
    /// A time is written as the same time; what is none of a form is refused by it.
    static func read(_ bytes: [UInt8]) {
        let text = bytes.asText
        if let time = Timestamp(iso8601: text) {
            precondition(Timestamp(iso8601: time.iso8601) == time, "a time changed on its way")
            precondition(Timestamp(iso8601: time.plain) == time, "a time changed in its short form")
        }
        readFiles(text)
        let now = Timestamp(nanoseconds: 1_800_000_000_000_000_000)
        for moment in [now, Timestamp(nanoseconds: .min), Timestamp(nanoseconds: .max)] {
            guard let date = HTTPDate.time(text, now: moment) else { continue }
            precondition(
                HTTPDate.time(HTTPDate.mailText(date), now: moment) == nil, "a date of mail, not HTTP")
        }
        if let duration = RuleDuration.parse(text) {
            precondition(RuleDuration.parse(RuleDuration.text(duration)) == duration, "another duration")
            _ = RuleDuration.about(duration)
        }
        if let hours = ActiveHours.hours(text) {
            precondition(
                (0..<1_440).contains(hours.from) && (1...1_440).contains(hours.to), "no hours of a day")
        }
        if let wait = RetryAfter.duration(seconds: text) {
            precondition(wait >= .zero && wait <= .seconds(RetryAfter.longest), "a long wait")
        }
    }

    private static func readFiles(_ text: String) {
        for zone in [nil, 0, 18 * 3_600 + 59 * 60, -18 * 3_600 - 59 * 60] {
            for form in [text, TimeText.dayFirst(text), TimeText.monthName(text)] {
                guard let time = try? TimeText.parse(form, zone: zone) else { continue }
                precondition((try? TimeText.parse(time.plain, zone: nil)) == time, "another time")
            }
        }
        if let zone = ImportOptions.zone(text) {
            precondition(abs(zone) < 19 * 3_600, "a zone of \(zone) seconds")
        }
    }
}
