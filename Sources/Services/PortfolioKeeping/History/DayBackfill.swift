import Instruments
import Logging
import MarketData
import MarketState
import MarketStore
import Portfolio
import PortfolioStore
import Store
import Venues
import Web

/// Fetches the daily candles that the history of held assets needs, from the venues that trade them.
///
/// Each market is asked once a day for the days that are not stored, and again when an earlier day is
/// wanted. What a venue does not have stays unknown.
actor DayBackfill {
    /// Nanoseconds.
    private static let day: Int64 = 86_400_000_000_000

    private let database: Database
    /// Where venues are asked instead of their public addresses; `/VENUE` is appended.
    private let root: String?
    private let logger: Logger
    private let get: @Sendable (String) async throws -> (status: Int, body: [UInt8])
    /// The first day that was asked for and the day of asking.
    private var asked: [InstrumentID: (since: Timestamp, on: Timestamp)] = [:]

    init(
        database: Database, root: String?, logger: Logger,
        get: @escaping @Sendable (String) async throws -> (status: Int, body: [UInt8])
    ) {
        self.database = database
        self.root = root
        self.logger = logger
        self.get = get
    }

    /// One that asks by HTTP.
    init(database: Database, root: String?, logger: Logger) {
        let client = HTTPClient()
        self.init(database: database, root: root, logger: logger) { url in
            let answer = try await client.get(url)
            return (answer.status, answer.body)
        }
    }

    /// Fetches what is missing for assets, each since the instant that it is held.
    ///
    /// - Throws: `StoreError` or `CancellationError`; a venue that does not answer is noted and asked again.
    func fetch(_ assets: [Asset: Timestamp], in base: Asset, at now: Timestamp) async throws {
        let today = Self.start(of: now)
        let markets = try await database.withSession { session in
            try session.historyMarkets(of: assets, in: base).map { HistoryMarket($0.market, $0.since) }
        }
        for market in markets {
            let since = Self.start(of: market.since)
            if let last = asked[market.instrument.id], last.since <= since, last.on == today { continue }
            do {
                try await fetch(market.instrument, since, today)
                asked[market.instrument.id] = (since, today)
            } catch let error as StoreError {
                throw error
            } catch {
                try Task.checkCancellation()
                logger.warning(
                    "Daily candles could not be fetched",
                    metadata: ["instrument": "\(market.instrument.id)", "error": "\(error)"])
            }
        }
    }

    private func fetch(_ market: Instrument, _ since: Timestamp, _ today: Timestamp) async throws {
        let venue = market.id.venue
        guard since < today,
            let history = VenueCandleHistory(venue: venue, restURL: root.map { "\($0)/\(venue)" })
        else { return }
        let runs = try await database.candleRuns(of: market.id, .day, from: since, to: today)
        var next = since
        while next < today {
            if let run = runs.first(where: { $0.from <= next && next < $0.to }) {
                next = run.to
                continue
            }
            // One page may cover days that are stored already: they are not replaced.
            let page = history.page(
                of: market.id.symbol, seconds: CandleInterval.day.seconds, from: next, to: today)
            try await fetch(page, of: market, history, at: today)
            next = page.to
            try await Task.sleep(for: .nanoseconds(history.pace.refillEvery * Int64(history.pace.cost)))
        }
    }

    private func fetch(
        _ page: HistoryPage, of market: Instrument, _ history: VenueCandleHistory, at now: Timestamp
    ) async throws {
        let answer = try await get(page.url)
        let candles = try answer.body.withUnsafeBytes { body in
            guard answer.status == 200 else { throw history.refusal(body) }
            return try history.parse(body, of: page, at: now)
        }
        var batch = CandleBatch()
        for candle in candles {
            guard let row = CandleRow(candle, .day, of: market) else { continue }
            batch.append(row, of: market.id)
        }
        _ = try await database.fill(batch)
    }

    private static func start(of time: Timestamp) -> Timestamp {
        let rest = time.nanoseconds % day
        return time.adding(nanoseconds: rest < 0 ? -rest - day : -rest)
    }
}

/// A market and since when its closes are wanted.
private struct HistoryMarket: Sendable {
    let instrument: Instrument
    let since: Timestamp

    init(_ instrument: Instrument, _ since: Timestamp) {
        self.instrument = instrument
        self.since = since
    }
}
