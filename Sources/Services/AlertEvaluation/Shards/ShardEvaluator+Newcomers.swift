import Alerting
import Instruments

/// A doubt of which some are told whom it had not been told to.
struct LateDoubt: Sendable {
    var instrument: InstrumentID
    var source: AlertSource
    var since: Timestamp
    var reason: String
    var rules: [RuleID]
}

extension ShardEvaluator {
    /// Notes who was made just now.
    mutating func welcome(_ rule: AlertRule, at now: Timestamp) { newcomers.add(rule, at: now) }

    /// Tells newcomers, some time after they came, of a doubt that the others were told of before.
    ///
    /// Where a feed follows the instrument they only have to wait a little, and nobody is told.
    /// - Returns: Sources that others wait for of which nobody was told yet.
    mutating func tellNewcomers(
        _ market: MarketHandle, _ instrument: InstrumentID, isFollowed: Bool, at now: Timestamp
    ) -> Set<AlertSource> {
        var untold: Set<AlertSource> = []
        let due = now.adding(nanoseconds: -engine.blindAfter)
        for source in AlertSource.allCases where newcomers.wait(for: source, of: instrument) {
            if engine.isProven(source, of: market) {
                _ = newcomers.take(source, of: instrument, upTo: now)
            } else if isFollowed {
                continue
            } else if let doubt = engine.toldDoubt(source, of: market) {
                let rules = newcomers.take(source, of: instrument, upTo: due)
                guard !rules.isEmpty else { continue }
                lateDoubts.append(
                    LateDoubt(
                        instrument: instrument, source: source, since: doubt.since, reason: doubt.reason,
                        rules: rules))
            } else {
                untold.insert(source)
            }
        }
        return untold
    }
}
