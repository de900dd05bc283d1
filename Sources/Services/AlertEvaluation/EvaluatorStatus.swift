import Alerting
import Bus
import Instruments
import Metrics

/// What an evaluator says about itself.
struct EvaluatorFigures: Sendable {
    var counts: EvaluatorCore.Counts
    var isSynchronized: Bool
    var shards = 0
    var rules = 0
    var instruments = 0
    /// Instruments whose trades cannot be believed.
    var blind = 0
    /// Trades that wait for the stored tape.
    var held = 0
    var dropped: UInt64 = 0
    var commits = CommitFigures.Totals()
    var queue = CommitQueue.Figures()
    var gaps: UInt64 = 0

    init(_ core: borrowing EvaluatorCore) {
        counts = core.counts
        isSynchronized = core.isSynchronized
        for shard in core.shards {
            guard let shard else { continue }
            shards += 1
            rules += shard.rules.count
        }
        for index in core.places.values where core.followers[index].id.isTraded {
            instruments += 1
            if core.followers[index].phase != .live { blind += 1 }
            held += core.followers[index].pending.count
            dropped &+= core.followers[index].dropped
        }
    }
}

/// Publishes `service.status` and the metrics, once a second.
final class EvaluatorStatus: Sendable {
    private let voice: StatusVoice
    private let totals: RunningTotals
    private let levels: [Gauge]

    private static let counters = [
        "alert_trades_total", "alert_missed_trades_total", "alert_quotes_total", "alert_candles_total",
        "alert_messages_malformed_total", "alert_doubts_total", "alert_rules_refused_total",
        "alert_states_lost_total", "alert_commits_total", "alert_firings_total",
        "alert_firings_overtaken_total", "alert_commit_failures_total", "alert_shards_given_up_total",
    ]
    private static let gauges = [
        "alert_shards_owned", "alert_rules", "alert_instruments", "alert_instruments_blind",
        "alert_trades_held", "alert_trades_let_go", "alert_firings_waiting", "alert_firings_waiting_max",
    ]

    /// - Throws: `BusError` when the instance's name makes no topic: then nobody could see it.
    init(publisher: Publisher, instance: String, started: Timestamp) throws(BusError) {
        voice = try StatusVoice(of: AlertEvaluator.service, instance: instance, started: started, publisher)
        totals = RunningTotals(Self.counters)
        levels = Self.gauges.map { Gauge(label: $0) }
    }

    func report(_ figures: EvaluatorFigures) {
        let counts = figures.counts
        totals.report([
            counts.trades, counts.missedTrades, counts.quotes, counts.candles, counts.malformed,
            counts.doubts, counts.refusedRules, counts.lostStates, figures.commits.commits,
            figures.commits.told,
            figures.commits.overtaken, figures.commits.failures, figures.queue.givenUp,
        ])
        let values = [
            figures.shards, figures.rules, figures.instruments, figures.blind, figures.held,
            Int(clamping: figures.dropped), figures.queue.waiting, figures.queue.highWater,
        ]
        for (gauge, value) in zip(levels, values) { gauge.record(value) }
        publish(figures)
    }

    private func publish(_ figures: EvaluatorFigures) {
        voice.say(
            ServiceStatus(
                isReady: figures.isSynchronized && figures.shards > 0,
                figures: [
                    "shards": Int64(figures.shards), "rules": Int64(figures.rules),
                    "instruments": Int64(figures.instruments), "blind": Int64(figures.blind),
                    "trades": Int64(clamping: figures.counts.trades),
                    "missed_trades": Int64(clamping: figures.counts.missedTrades),
                    "firings": Int64(clamping: figures.commits.told),
                    "firings_waiting": Int64(figures.queue.waiting), "gaps": Int64(clamping: figures.gaps),
                ]))
    }
}
