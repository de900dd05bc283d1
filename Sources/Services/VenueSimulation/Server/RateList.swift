import Instruments

/// Reference rates of the simulator's own in the European Central Bank's form: plausible, and nobody's.
///
/// Each is the same whenever it is asked for: a usual rate that moves by at most a percent from day to day.
///
/// Source: European Central Bank, "Euro foreign exchange reference rates", section for developers, read
/// 2026-11.
struct RateList: Sendable {
    /// Ten-thousandths of a currency for one euro.
    private static let usual: [(code: String, units: Int64)] = [
        ("USD", 11_500), ("JPY", 1_720_000), ("CZK", 243_000), ("DKK", 74_600), ("GBP", 8_700),
        ("HUF", 3_850_000), ("PLN", 42_500), ("RON", 50_800), ("SEK", 109_500), ("CHF", 9_350),
        ("NOK", 117_000), ("TRY", 490_000), ("AUD", 17_700), ("BRL", 61_800), ("CAD", 16_200),
        ("CNY", 82_000), ("HKD", 89_500), ("INR", 1_020_000), ("KRW", 16_700_000), ("MXN", 213_000),
        ("NZD", 20_300), ("SGD", 15_000), ("THB", 374_000), ("ZAR", 200_000),
    ]
    /// Days of the long file: ten years.
    private static let days: Int64 = 3_653
    /// Nanoseconds.
    private static let length: Int64 = 86_400_000_000_000

    /// What the day is taken from.
    let now: Timestamp

    /// The answer to a request behind `/ecb`.
    func answer(_ address: RequestAddress) -> RESTAnswer {
        let today = now.nanoseconds / Self.length
        switch address.path {
        case "/stats/eurofxref/eurofxref-daily.xml": return file((today - 6)...today, limit: 1)
        case "/stats/eurofxref/eurofxref-hist-90d.xml": return file((today - 90)...today)
        case "/stats/eurofxref/eurofxref-hist.xml": return file((today - Self.days)...today)
        default: return RESTAnswer(status: 404, "not found")
        }
    }

    /// The working days of some days, the newest first.
    private func file(_ days: ClosedRange<Int64>, limit: Int = .max) -> RESTAnswer {
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Envelope>\n<Cube>\n"
        // Day 0 was a Thursday.
        for day in days.reversed().filter({ ($0 + 3) % 7 < 5 }).prefix(limit) {
            let date = Timestamp(nanoseconds: day * Self.length).iso8601(fractionDigits: 0).prefix(10)
            text += "<Cube time='\(date)'>\n"
            for (place, rate) in Self.usual.enumerated() {
                text += "<Cube currency='\(rate.code)' rate='\(Self.decimal(rate.units, day, place))'/>\n"
            }
            text += "</Cube>\n"
        }
        return RESTAnswer(status: 200, text + "</Cube>\n</Envelope>\n")
    }

    private static func decimal(_ usual: Int64, _ day: Int64, _ place: Int) -> String {
        var random = SplitMix64(seed: UInt64(bitPattern: day &* 64 &+ Int64(place)))
        let moved = usual + usual * (Int64(random.next() % 2_001) - 1_000) / 100_000
        let fraction = String(10_000 + moved % 10_000).dropFirst()
        return "\(moved / 10_000).\(fraction)"
    }
}
