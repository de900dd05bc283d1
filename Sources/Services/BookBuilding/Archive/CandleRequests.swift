import Instruments
import Logging
import MarketData
import MarketState
import MarketStore
import Metrics
import Store
import Venues
import Web

/// Asks venues for their own candles, one question at a time and venue.
///
/// No more often than half of what the venue allows, shared among the instances: the other half is
/// feed-ingestor's. Each instrument waits at most once, so their number bounds the queues.
final class CandleRequests: Sendable {
    struct Request: Sendable {
        let index: Int
        let id: InstrumentID
        let instrument: Instrument?
        let question: CandleRefetch.Question
    }

    struct Answer: Sendable {
        let index: Int
        let question: CandleRefetch.Question
        /// `nil` when the venue could not be asked, or said nothing that can be understood.
        let candles: [Candle]?
    }

    /// The questions to one venue.
    private struct VenueQueue: Sendable {
        let history: VenueCandleHistory
        let queue = ReadQueue<Request>(workers: 1)
    }

    private let lanes: [Venue: VenueQueue]
    private let client = HTTPClient()
    private let sharers: @Sendable () -> Int
    private let logger: Logger
    private let asked = Counter(label: "book_candle_requests_total")
    private let failures = Counter(label: "book_candle_request_failures_total")
    private let mended = Counter(label: "book_candles_mended_total")

    /// Venues that allow more are asked so many times a second all the same.
    private static let mostPerSecond: Int64 = 4

    /// - Parameters:
    ///   - restURL: Before a slash and a venue's name; `nil` for each venue's public address.
    ///   - sharers: Instances that ask the same venues.
    ///   - logger: Is told once in a row of a venue that does not answer.
    init(
        restURL: String?, sharers: @escaping @Sendable () -> Int, logger: Logger
    ) {
        self.sharers = sharers
        self.logger = logger
        var lanes: [Venue: VenueQueue] = [:]
        for description in VenueCatalogue.standard.descriptions {
            let venue = description.venue
            let history = VenueCandleHistory(description, restURL: restURL.map { "\($0)/\(venue)" })
            lanes[venue] = history.map { VenueQueue(history: $0) }
        }
        self.lanes = lanes
    }

    /// The lengths that each venue has.
    var intervals: [Venue: Set<CandleInterval>] {
        lanes.mapValues { lane in
            Set(CandleInterval.allCases.filter { lane.history.lengths.contains($0.seconds) })
        }
    }

    /// A question waits.
    func offer(_ request: Request) {
        lanes[request.id.venue]?.queue.offer(request)
    }

    /// Asks until it is cancelled.
    func run(_ deliver: @escaping @Sendable (Answer) -> Void) async {
        await withTaskGroup(of: Void.self) { group in
            for lane in lanes.values { group.addTask { await self.serve(lane, deliver) } }
            await group.waitForAll()
        }
    }

    private func serve(_ lane: VenueQueue, _ deliver: (Answer) -> Void) async {
        var isTroubled = false
        for await _ in lane.queue.signals {
            while let request = lane.queue.take(), !Task.isCancelled {
                let (candles, pause, problem) = await ask(request, lane.history)
                if let problem, !isTroubled {
                    logger.warning(
                        "A venue does not give its candles",
                        metadata: ["instrument": "\(request.id)", "error": "\(problem)"])
                }
                isTroubled = problem != nil
                deliver(Answer(index: request.index, question: request.question, candles: candles))
                try? await Task.sleep(for: max(pause, Self.pace(of: lane.history) * sharers()))
            }
        }
    }

    /// How long after a question the next one may follow, if nobody else asks.
    private static func pace(of history: VenueCandleHistory) -> Duration {
        let allowed = Int64(history.pace.cost) * history.pace.refillEvery * 2
        return .nanoseconds(max(allowed, 1_000_000_000 / mostPerSecond))
    }

    private func ask(
        _ request: Request, _ history: VenueCandleHistory
    ) async -> (candles: [Candle]?, pause: Duration, problem: String?) {
        guard let instrument = request.instrument else { return (nil, .zero, nil) }
        let (interval, span) = (request.question.interval, request.question.span)
        let page = history.page(
            of: request.id.symbol, seconds: interval.seconds, from: span.lowerBound, to: span.upperBound)
        asked.increment()
        do {
            let response = try await client.get(page.url)
            guard response.status == 200 else {
                failures.increment()
                return (nil, Self.pause(after: response), "status \(response.status)")
            }
            let candles = try response.body.withUnsafeBytes { body in
                // They are over by the venue's clock, which is not ours when a session is played again.
                try history.parse(body, of: page, at: span.upperBound)
            }
            let rows = candles.compactMap { CandleRow($0, interval, of: instrument)?.candle }
            mended.increment(by: rows.count)
            return (rows, .zero, nil)
        } catch {
            failures.increment()
            return (nil, .zero, Task.isCancelled ? nil : "\(error)")
        }
    }

    /// What a venue is owed that refuses.
    ///
    /// Source: Binance, "Limits": 429 breaks a limit, 418 is a ban for not having stopped; read 2026-11.
    private static func pause(after response: HTTPResponse) -> Duration {
        let least: Duration =
            switch response.status {
            case 429: .seconds(10)
            case 403, 418: .seconds(60)
            default: .zero
            }
        return max(least, response.retryAfter ?? .zero)
    }
}
