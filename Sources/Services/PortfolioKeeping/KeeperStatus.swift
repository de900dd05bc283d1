import Bus
import Instruments
import Metrics
import Portfolio
import Synchronization
import Wire

/// What the service says about itself.
struct KeeperFigures: Sendable {
    var portfolios: Int
    var prices: Int
    var rates: Int
    var updates: UInt64
    var published: UInt64
    var refused: UInt64
    var malformed: UInt64
    var isSynchronized: Bool

    init(_ core: borrowing KeeperCore) {
        portfolios = core.count
        prices = core.prices
        rates = core.rateCount
        updates = core.board.updates
        published = core.published
        refused = core.refused
        malformed = core.malformed
        isSynchronized = core.isSynchronized
    }
}

/// Publishes `service.status` and the metrics.
final class KeeperStatus: Sendable {
    private let publisher: Publisher
    private let instance: String
    private let started: Timestamp
    private let topic: PublisherTopic?
    private let portfolios = Gauge(label: "portfolio_portfolios")
    private let prices = Gauge(label: "portfolio_prices")
    private let running: [Counter]
    private let reported = Mutex<[UInt64]>([])

    private static let labels = [
        "portfolio_holdings_updated_total", "portfolio_valuations_published_total",
        "portfolio_publications_refused_total", "portfolio_messages_malformed_total",
        "portfolio_readings_failed_total",
    ]

    init(publisher: Publisher, instance: String, started: Timestamp) {
        self.publisher = publisher
        self.instance = instance
        self.started = started
        topic = try? publisher.topic(Topic.serviceStatus(service: "portfolio-service", instance: instance))
        running = Self.labels.map { Counter(label: $0) }
    }

    func report(_ figures: KeeperFigures, _ counters: PublisherCounters, _ failures: UInt64) {
        let totals = [
            figures.updates, figures.published, figures.refused, figures.malformed, failures,
        ]
        let before = reported.withLock { reported in
            defer { reported = totals }
            return reported
        }
        for (index, total) in totals.enumerated() {
            let growth = total &- (index < before.count ? before[index] : 0)
            if growth > 0 { running[index].increment(by: growth) }
        }
        portfolios.record(figures.portfolios)
        prices.record(figures.prices)
        publish(figures, counters)
    }

    private func publish(_ figures: KeeperFigures, _ counters: PublisherCounters) {
        guard let topic else { return }
        var status = Bitpal_V1_ServiceStatus()
        status.service = "portfolio-service"
        status.instance = instance
        status.startedUnixNanos = started.nanoseconds
        status.isReady = figures.isSynchronized
        status.figures = [
            "portfolios": Int64(figures.portfolios), "prices": Int64(figures.prices),
            "rates": Int64(figures.rates),
            "holdings_updated": Int64(clamping: figures.updates),
            "valuations": Int64(clamping: figures.published),
            "malformed": Int64(clamping: figures.malformed),
            "messages_sent": Int64(clamping: counters.sent),
            "messages_refused": Int64(clamping: counters.refused),
        ]
        var batch = OutboundBatch()
        batch.append(.serviceStatus(status), to: topic)
        publisher.offer(&batch)
    }
}
