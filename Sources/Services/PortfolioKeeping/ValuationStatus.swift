import Bus
import Instruments
import Metrics
import Portfolio

/// What the service says about itself.
struct ValuationFigures: Sendable {
    var portfolios: Int
    var prices: Int
    var rates: Int
    var updates: UInt64
    var published: UInt64
    var refused: UInt64
    var malformed: UInt64
    var isSynchronized: Bool

    init(_ core: borrowing ValuationCore) {
        portfolios = core.count
        prices = core.prices
        rates = core.rateCount
        updates = core.valuations.updates
        published = core.published
        refused = core.refused
        malformed = core.malformed
        isSynchronized = core.isSynchronized
    }
}

/// Publishes `service.status` and the metrics.
final class ValuationStatus: Sendable {
    private let voice: StatusVoice?
    private let portfolios = Gauge(label: "portfolio_portfolios")
    private let prices = Gauge(label: "portfolio_prices")
    private let totals: RunningTotals

    private static let labels = [
        "portfolio_holdings_updated_total", "portfolio_valuations_published_total",
        "portfolio_publications_refused_total", "portfolio_messages_malformed_total",
        "portfolio_readings_failed_total",
    ]

    init(publisher: Publisher, instance: String, started: Timestamp) {
        // Whose name makes no topic is not in `bitpal status`, and works all the same.
        voice = try? StatusVoice(of: "portfolio-service", instance: instance, started: started, publisher)
        totals = RunningTotals(Self.labels)
    }

    func report(_ figures: ValuationFigures, _ counters: PublisherCounters, _ failures: UInt64) {
        totals.report([
            figures.updates, figures.published, figures.refused, figures.malformed, failures,
        ])
        portfolios.record(figures.portfolios)
        prices.record(figures.prices)
        publish(figures, counters)
    }

    private func publish(_ figures: ValuationFigures, _ counters: PublisherCounters) {
        voice?.say(
            ServiceStatus(
                isReady: figures.isSynchronized,
                figures: [
                    "portfolios": Int64(figures.portfolios), "prices": Int64(figures.prices),
                    "rates": Int64(figures.rates),
                    "holdings_updated": Int64(clamping: figures.updates),
                    "valuations": Int64(clamping: figures.published),
                    "malformed": Int64(clamping: figures.malformed),
                    "messages_sent": Int64(clamping: counters.sent),
                    "messages_refused": Int64(clamping: counters.refused),
                ]))
    }
}
