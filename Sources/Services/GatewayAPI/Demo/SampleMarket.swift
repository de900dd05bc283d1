import GatewayFrame
import Instruments
import MarketData
import MarketState
import Venues

/// What the sample's transactions and rules are about, and what it costs: the simulator's own candles, asked
/// for as any venue's.
struct SampleMarket: Sendable {
    typealias Get = @Sendable (String) async throws -> [UInt8]

    /// In the order in which they are listed.
    static let watched = [
        "kraken:BTC/USD", "kraken:ETH/USD", "binance:SOLUSDT", "binance:BNBUSDT", "kraken:XRP/USD",
        "binance:DOGEUSDT", "binance:ADAUSDT", "binance:LINKUSDT", "binance:AVAXUSDT", "binance:PEPEUSDT",
    ].compactMap(InstrumentID.init)
    /// What the portfolio holds, priced by a venue that gives two years of days at once.
    static let held = [
        "BTC": "binance:BTCUSDT", "ETH": "binance:ETHUSDT", "SOL": "binance:SOLUSDT",
        "LINK": "binance:LINKUSDT",
    ]
    private static let day: Int64 = 86_400_000_000_000

    /// By asset: the price at the beginning of each day of two years, earliest first.
    let days: [Asset: [(time: Timestamp, price: Amount)]]
    /// What the first of the watched costs now.
    let price: DecimalNumber

    /// Asks the simulator.
    ///
    /// - Throws: `unavailable` where it does not answer, `conflict` where it has no such market.
    init(at now: Timestamp, from url: String, _ get: Get) async throws {
        let today = Timestamp(nanoseconds: now.nanoseconds / Self.day * Self.day)
        var days: [Asset: [(time: Timestamp, price: Amount)]] = [:]
        for (code, name) in Self.held {
            guard let instrument = InstrumentID(name) else { continue }
            let candles = try await Self.candles(
                instrument, .day, today.adding(nanoseconds: -SampleLedger.days * Self.day)..<today,
                from: url, get)
            days[Asset(rawValue: code)] = candles.map { (time: $0.start, price: Amount($0.open)) }
        }
        let first = Self.watched[0]
        let recent = now.adding(nanoseconds: -3_600_000_000_000)..<now
        guard let last = try await Self.candles(first, .minute, recent, from: url, get).last,
            days.values.allSatisfy({ $0.count > SampleLedger.days / 2 })
        else {
            throw Problem(
                .conflict,
                "this demo plays recordings: the sample is of the market that it plays without any")
        }
        self.days = days
        price = last.close
    }

    private static func candles(
        _ id: InstrumentID, _ interval: CandleInterval, _ span: Range<Timestamp>, from url: String,
        _ get: Get
    ) async throws -> [HistoryCandle] {
        guard let history = VenueCandleHistory(venue: id.venue, restURL: "\(url)/\(id.venue)") else {
            return []
        }
        let from = interval.start(of: span.lowerBound)
        let page = history.page(
            of: id.symbol, seconds: interval.seconds, from: from, to: span.upperBound)
        let body: [UInt8]
        do {
            body = try await get(page.url)
        } catch {
            throw Problem(.unavailable, "the simulator does not answer; try again in a moment")
        }
        // What a simulator of other venues says is no candle.
        let read = try? body.withUnsafeBytes { try history.parse($0, of: page, at: span.upperBound) }
        return read ?? []
    }
}
