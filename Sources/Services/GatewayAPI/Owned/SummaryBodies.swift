import AlertStore
import Instruments
import PortfolioStore
import Shapes

/// What a widget shows.
struct SummaryBody: WireBody {
    static let shape = BodyShape<SummaryBody>("Summary") {
        Field("time", \.time.plain, "Of when it is.", as: .time, example: "2026-11-21T12:00:00Z")
        Field("instruments", \.instruments)
        Field(
            "portfolio", \.portfolio,
            "The first by name; null where there is none or the token may not see it.",
            example: SummaryPortfolio.document.sample)
        Field(
            "alerts", \.alerts, "Null where the token may not see them.",
            example: SummaryAlerts.document.sample)
    }

    /// Bytes that the answer never reaches.
    static let limit = 2_000

    var time: Timestamp
    var instruments: [SummaryInstrument]
    var portfolio: SummaryPortfolio?
    var alerts: SummaryAlerts?

    /// The JSON; the last instruments are left out where there is no room for them.
    var small: WrittenJSON<SummaryBody> {
        var summary = self
        while true {
            let bytes = summary.json
            if bytes.count < Self.limit || summary.instruments.isEmpty { return WrittenJSON(bytes) }
            summary.instruments.removeLast()
        }
    }
}

/// What is known of an instrument now.
struct SummaryInstrument: WireBody {
    static let shape = BodyShape<SummaryInstrument>("SummaryInstrument") {
        Field("instrument", \.instrument, example: "kraken:BTC/USD")
        Field(
            "last", \.quote?.last, "The last price, in the quote asset.", as: .nullable(.decimal),
            example: "61000.5")
        Field(
            "change_percent", \.quote?.changePercent, "The change of a day, in percent.",
            as: .nullable(.decimal), example: "1.2")
        Field("stale", \.stale, "Why the price is not of now; null when it is.")
    }

    var instrument: InstrumentID
    /// `nil` where nothing was heard.
    var quote: LiveMarket.Quote?

    private var stale: String? {
        guard let quote else { return "no price was heard" }
        return quote.stale.map { SummaryText.cut($0) }
    }
}

/// What a portfolio is worth.
struct SummaryPortfolio: WireBody {
    static let shape = BodyShape<SummaryPortfolio>("SummaryPortfolio") {
        Field("id", \.row.id.rawValue)
        Field("name", \.row.name, example: "Main")
        Field("base", \.base, "The currency of both values.", example: "USD")
        Field(
            "value", \.value, "Null while a price is missing.", as: .nullable(.decimal), example: "15250")
        Field("known_value", \.knownValue, "Of what has a price.", as: .decimal, example: "15250")
        Field("stale", \.isStale, "Whether a price is not of now.", example: false)
    }

    var row: StoredPortfolio
    var base: String
    var value: String?
    var knownValue: String
    var isStale: Bool
}

/// How often rules fired.
struct SummaryAlerts: WireBody {
    static let shape = BodyShape<SummaryAlerts>("SummaryAlerts") {
        Field("fired_24h", \.count, "How often rules fired in the last 24 hours.", example: 0)
        Field("last", \.last, "The last time.")
    }

    var count: Int64
    var last: SummaryFiring?
}

/// The last time that a rule fired.
struct SummaryFiring: WireBody {
    static let shape = BodyShape<SummaryFiring>("SummaryFiring") {
        Field("rule", \.firing.rule)
        Field("instrument", \.firing.instrument, example: "kraken:BTC/USD")
        Field(
            "reason", { SummaryText.cut($0.firing.reason) }, "Why it fired, one sentence.",
            example: "last price rose to 61000.5")
        Field("fired", \.firing.fired.plain, as: .time, example: "2026-11-21T12:00:00Z")
    }

    var firing: DeliveredFiring
}

/// Sentences for a widget.
enum SummaryText {
    /// Bytes of a sentence.
    private static let sentence = 160

    /// As many whole characters of a text as a sentence may have bytes.
    static func cut(_ text: String) -> String {
        guard text.utf8.count > sentence else { return text }
        var cut = ""
        for character in text {
            guard cut.utf8.count + character.utf8.count <= sentence - 3 else { break }
            cut.append(character)
        }
        return cut + "…"
    }
}
