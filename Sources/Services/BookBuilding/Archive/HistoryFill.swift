import Instruments
import Logging
import MarketData
import MarketState
import MarketStore
import ServiceLifecycle
import Store
import Venues
import Web

/// Fetches the past of what is followed from its venues, so that a chart is there before its tape is: days
/// and hours of a year, and minutes of a week.
///
/// Each instrument once in a process, days first; what is stored is not asked for again and not replaced. The
/// venues' pace is kept, half of it: the other half is ``CandleRequests``'.
struct HistoryFill: Service {
    /// How far each length goes back, in days.
    private static let spans: [(interval: CandleInterval, days: Int64)] = [
        (.day, 365), (.hour, 365), (.minute, 7),
    ]
    /// How often it looks for instruments that are new.
    private static let look = Duration.seconds(5)
    /// Venues that allow more are asked no more often: nobody waits for a whole year of minutes.
    private static let leastPause = Duration.milliseconds(400)

    private let database: Database
    /// Before a slash and a venue's name; `nil` for each venue's public address.
    private let restURL: String?
    private let now: @Sendable () -> Timestamp
    private let logger: Logger
    private let client = HTTPClient()

    init(
        database: Database, restURL: String?, now: @escaping @Sendable () -> Timestamp, logger: Logger
    ) {
        self.database = database
        self.restURL = restURL
        self.now = now
        self.logger = logger
    }

    /// Runs until graceful shutdown or cancellation.
    ///
    /// - Throws: Nothing but what the lifecycle throws.
    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown {
                var done: Set<InstrumentID> = []
                while true {
                    done.formUnion(await fill(besides: done))
                    try await Task.sleep(for: Self.look)
                }
            }
        } catch is CancellationError {}
    }

    /// Fills what has a tape and was not filled yet, venue by venue at the same time.
    private func fill(besides done: Set<InstrumentID>) async -> [InstrumentID] {
        let new: [Instrument]
        do {
            let tapes = try await database.tapes().filter { !done.contains($0) }
            guard !tapes.isEmpty else { return [] }
            let known = try await database.instruments()
            new = known.filter { tapes.contains($0.id) }
        } catch {
            // It is looked for again.
            return []
        }
        let venues = Dictionary(grouping: new, by: \.id.venue)
        return await withTaskGroup(of: [InstrumentID].self) { group in
            for (venue, instruments) in venues {
                group.addTask { await fill(instruments, of: venue) }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// Those that need not be asked for again, which are all that the venue answered about.
    private func fill(_ instruments: [Instrument], of venue: Venue) async -> [InstrumentID] {
        let address = restURL.map { "\($0)/\(venue)" }
        guard let history = VenueCandleHistory(venue: venue, restURL: address) else {
            return instruments.map(\.id)
        }
        for (interval, days) in Self.spans where history.lengths.contains(interval.seconds) {
            for instrument in instruments {
                do {
                    try await fill(instrument, interval, days: days, from: history)
                } catch {
                    if Task.isCancelled { return [] }
                    logger.warning(
                        "A venue's history cannot be had",
                        metadata: ["instrument": "\(instrument.id)", "error": "\(error)"])
                    return []
                }
            }
        }
        return instruments.map(\.id)
    }

    private func fill(
        _ instrument: Instrument, _ interval: CandleInterval, days: Int64, from history: VenueCandleHistory
    ) async throws {
        // The newest one that is over is the builder's own, which may be about to be stored.
        let end = interval.start(of: now()).adding(nanoseconds: -interval.nanoseconds)
        let reach = history.reach.map { Int64($0) * interval.seconds } ?? .max
        let seconds = min(days * 86_400, reach)
        let first = interval.start(of: end.adding(nanoseconds: -seconds * 1_000_000_000))
        let runs = try await database.candleRuns(of: instrument.id, interval, from: first, to: end)
        var next = first
        while next < end {
            if let run = runs.first(where: { $0.from <= next && next < $0.to }) {
                next = run.to
                continue
            }
            let page = history.page(
                of: instrument.id.symbol, seconds: interval.seconds, from: next, to: end)
            try await store(page, interval, of: instrument, history)
            next = page.to
            let pace = 2 * history.pace.refillEvery * Int64(history.pace.cost)
            try await Task.sleep(for: max(.nanoseconds(pace), Self.leastPause))
        }
    }

    private func store(
        _ page: HistoryPage, _ interval: CandleInterval, of instrument: Instrument,
        _ history: VenueCandleHistory
    ) async throws {
        let answer = try await client.get(page.url)
        let candles = try answer.body.withUnsafeBytes { body in
            guard answer.status == 200 else { throw history.refusal(body) }
            return try history.parse(body, of: page, at: page.to)
        }
        var batch = CandleBatch()
        for candle in candles {
            guard let row = CandleRow(candle, interval, of: instrument) else { continue }
            batch.append(row, of: instrument.id)
        }
        _ = try await database.fill(batch)
    }
}
