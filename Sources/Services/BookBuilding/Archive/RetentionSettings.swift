import MarketState
import MarketStore
import Operations

/// How long each kind of rows is kept, as it is configured: whole days such as `7d`, or `forever`.
///
/// Keys: `retention.trades`, and `retention.candles.1s` to `retention.candles.1w`. What a setting does not
/// name keeps its default, see `RetentionPolicy.standard`.
enum RetentionSettings {
    private static let candles = "retention.candles"
    private static let longest = 36_500

    /// Each kind with its setting.
    static let all: [(kind: PartitionKind, setting: Setting<String>)] = PartitionKind.all.map { kind in
        let name: String
        let rows: String
        switch kind {
        case .trades: (name, rows) = ("retention.trades", "trades")
        case .candles(let length):
            (name, rows) = ("\(candles).\(length.rawValue)", "candles of \(length.rawValue)")
        }
        return (
            kind, .text(name, default: text(RetentionPolicy.standard[kind]), "How long \(rows) are kept.")
        )
    }

    /// Reads what was configured.
    ///
    /// - Throws: `ConfigurationError` naming the key, the value and what is accepted.
    static func policy(_ settings: Settings) throws(ConfigurationError) -> RetentionPolicy {
        var policy = RetentionPolicy.standard
        for (kind, setting) in all {
            let text = settings[setting]
            if text == "forever" {
                policy[kind] = nil
                continue
            }
            guard text.hasSuffix("d"), let days = Int(text.dropLast()), (1...longest).contains(days) else {
                throw settings.refusal(
                    setting, value: text, accepted: "1d to \(longest)d, or forever")
            }
            policy[kind] = .seconds(days * 86_400)
        }
        return policy
    }

    private static func text(_ span: Duration?) -> String {
        span.map { "\($0.components.seconds / 86_400)d" } ?? "forever"
    }
}
