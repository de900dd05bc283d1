import Bus
import Instruments
import Logging
import MarketData
import Metrics
import NIOCore
import Venues
import Web
import Wire

/// The prices of all markets of one venue, from its tickers to the bus, whether anybody follows them or not.
///
/// It runs beside the feed of the venue and shares its ``VenueGate``: its requests are among those that can
/// wait, and a pause that the venue asks for holds for all. It proves
/// nothing and stores nothing; when it fails, its parts are not told any more and age.
actor TickerFeed {
    /// What a feed needs.
    struct Parts: Sendable {
        let http: HTTPClient
        let publisher: PublisherVoice
        let loop: any EventLoop
        let clock: @Sendable () -> Timestamp
        let logger: Logger
        /// Shared with the feed of the venue.
        let gate: VenueGate
        /// The keys that the venue's servers may have.
        var pins = KeyPins.any
        /// Which servers are reached by way of a proxy.
        var proxies = WebProxies()
    }

    /// How long names are good for, in nanoseconds: an hour.
    static let namesPatience: Int64 = 3_600_000_000_000
    /// The longest answer that is taken: some two thousand markets with all that a venue may say of them.
    static let maximumBytes = 32 << 20

    let parts: Parts
    let metrics: TickerMetrics
    var tickers: VenueTickers
    var table: TickerTable
    private var topics: [Int: PublisherTopic] = [:]
    var namedAt: Timestamp?
    /// When something was pushed last.
    var pushedAt: Timestamp?
    var isTroubled = false
    var unreadableLog: Timestamp?

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        parts.loop.executor.asUnownedSerialExecutor()
    }

    /// The feed of a venue; `nil` where the venue has no such tickers, or nobody wants them.
    init?(_ configuration: VenueConfiguration, _ parts: Parts) {
        guard configuration.pricesAllMarkets, let tickers = VenueTickers(configuration) else { return nil }
        self.parts = parts
        self.tickers = tickers
        // Two rounds, and what an answer may take.
        table = TickerTable(tickers.venue, patience: 2 * tickers.period + 20_000_000_000)
        metrics = TickerMetrics(tickers.venue)
    }

    /// Runs until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.poll() }
            group.addTask { await self.tell() }
            if let url = tickers.streamURL { group.addTask { await self.keepOpen(url) } }
        }
    }

    /// What the broker wants to hear again.
    func hear(_ event: PublisherEvent) { if event == .brokerAppeared { table.owe() } }

    /// Takes what was answered or pushed; `page` as for ``TickerTable/take(_:of:at:)``.
    func take(_ rows: TickerRows, of page: Int?) {
        let now = parts.clock()
        table.take(rows, of: page, at: now)
        metrics.markets.record(table.count)
        if rows.unnamed > 0 { metrics.unnamed.increment(by: rows.unnamed) }
        guard rows.unreadable > 0 || !rows.isWhole else { return }
        metrics.unreadable.increment(by: max(rows.unreadable, 1))
        // A row that cannot be read comes again with each answer.
        if let last = unreadableLog, now.nanoseconds(since: last) < 600_000_000_000 { return }
        unreadableLog = now
        parts.logger.warning(
            "Some tickers could not be read",
            metadata: ["rows": "\(rows.unreadable)", "whole": "\(rows.isWhole)"])
    }

    // MARK: - To the bus

    /// Tells each second what is due.
    private func tell() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(1))
            publish(at: parts.clock())
        }
    }

    private func publish(at now: Timestamp) {
        let due = table.takeDue(at: now)
        guard !due.isEmpty else { return }
        var batch = OutboundBatch()
        for part in due {
            guard let topic = topic(of: part.number) else { continue }
            batch.append(.marketTickers(part), to: topic)
        }
        guard !parts.publisher.offer(&batch) else { return }
        metrics.refused.increment(by: due.count)
        for part in due { table.owe(part.number) }
    }

    private func topic(of part: Int) -> PublisherTopic? {
        if let known = topics[part] { return known }
        // No topic is free above a bound that is far more than what is followed.
        let topic = try? parts.publisher.topic(Topic.marketTickers(tickers.venue, part: part))
        topics[part] = topic
        return topic
    }
}
