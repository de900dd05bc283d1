import Bus
import Instruments
import Metrics
import Venues
import Web

/// What an operator sees of one venue; the parts of its feed count together.
final class FeedMetrics {
    let reconnects: Counter
    let refused: Counter
    let tradesRefused: Counter
    let commandsDropped: Counter
    let holes: Counter
    private let venue: String
    private let totals: RunningTotals

    init(venue: Venue) {
        let name = venue.rawValue
        self.venue = name
        func counter(_ label: String) -> Counter { Counter(label: label, dimensions: [("venue", name)]) }
        reconnects = counter("feed_reconnects_total")
        refused = counter("feed_messages_refused_total")
        tradesRefused = counter("feed_trades_refused_total")
        commandsDropped = counter("feed_commands_dropped_total")
        holes = counter("feed_trade_holes_total")
        totals = RunningTotals(
            [
                "feed_messages_received_total", "feed_messages_malformed_total",
                "feed_messages_unexpected_total", "feed_checksums_total", "feed_checksums_right_total",
                "feed_sequence_gaps_total", "feed_book_resyncs_total", "feed_changes_stale_total",
                "feed_subscriptions_refused_total", "feed_book_deltas_total", "feed_book_snapshots_total",
                "feed_trades_total", "feed_events_unpublishable_total", "feed_trades_unusable_total",
            ], dimensions: [("venue", name)])
    }

    func report(_ venue: VenueCounters, _ composed: FeedComposer.Counts) {
        totals.report([
            venue.messages, venue.malformed, venue.unexpected, venue.checksums, venue.checksumsRight,
            venue.gaps,
            venue.resyncs, venue.staleDropped, venue.refused, composed.deltas, composed.snapshots,
            composed.trades,
            composed.unpublishable, venue.unusableTrades,
        ])
    }

    func requested(status: Int) { requested(outcome: "\(status / 100)xx") }

    func requested(error: WebError) { requested(outcome: "\(error.label)") }

    /// Rotations are rare as well.
    func rotated(outcome: String) {
        Counter(label: "feed_rotations_total", dimensions: [("venue", venue), ("outcome", outcome)])
            .increment()
    }

    /// Requests are rare: their counter is made when it is needed, one a word of a bounded set.
    private func requested(outcome: String) {
        Counter(label: "feed_requests_total", dimensions: [("venue", venue), ("outcome", outcome)])
            .increment()
    }

    func audited(_ report: AuditReport) {
        let outcome = !report.isDone ? "failed" : report.differences.isEmpty ? "equal" : "different"
        Counter(label: "feed_audits_total", dimensions: [("venue", venue), ("outcome", outcome)]).increment()
    }
}
