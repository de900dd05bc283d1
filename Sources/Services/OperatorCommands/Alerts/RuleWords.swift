import Alerting
import Instruments
import MarketData

/// Conditions in a few words.
enum RuleWords {
    static func condition(_ condition: AlertCondition) -> String {
        switch condition {
        case .crosses(let price, let way, let level): return "\(price.rawValue) \(way.rawValue) \(level)"
        case .leaves(let price, let low, let high): return "\(price.rawValue) leaves \(low)...\(high)"
        case .change(let change):
            let size =
                switch change.size {
                case .percent(let percent): "\(percent) %"
                case .amount(let amount): amount.description
                }
            return "\(change.price.rawValue) moves \(size) within \(time(change.within))"
        case .volume(.above(let size, let within)): return "volume \(size) within \(time(within))"
        case .volume(.times(let factor, let within, _)):
            return "volume \(factor) times the mean within \(time(within))"
        case .spread(let above): return "spread \(above)"
        case .imbalance(_, let way, let level): return "imbalance \(way.rawValue) \(level)"
        case .trade(let size, let side): return "\(side.map { $0.name + " " } ?? "")trade over \(size)"
        case .candle(let interval, let way, let level):
            return "\(time(interval)) close \(way.rawValue) \(level)"
        case .indicator(let interval, let indicator): return "\(time(interval)) \(words(indicator))"
        case .feed(let change): return "feed \(change.rawValue)"
        case .portfolio(let id, let metric, let way, let level):
            return "\(metric.rawValue) of \(id) \(way.rawValue) \(level)"
        case .listing(let venue, let base, let quote):
            return "listing on \(venue) of \(base ?? "*")/\(quote ?? "*")"
        }
    }

    static func repetition(_ repetition: Repetition) -> String {
        switch repetition {
        case .once: return "once"
        case .recurring(let cooldown, let hysteresis):
            let back = hysteresis.units == 0 ? "" : ", back \(hysteresis)"
            return "every \(time(cooldown))\(back)"
        }
    }

    private static func words(_ indicator: IndicatorCondition) -> String {
        switch indicator {
        case .rsi(let period, let way, let level): "RSI \(period) \(way.rawValue) \(level)"
        case .macd(let fast, let slow, let signal, let way):
            "MACD \(fast)/\(slow)/\(signal) \(way.rawValue)"
        case .ema(let fast, let slow, let way): "EMA \(fast)/\(slow) \(way.rawValue)"
        case .bollinger(let period, let deviations, let side):
            "Bollinger \(period), \(deviations), \(side.rawValue)"
        }
    }

    private static func time(_ nanoseconds: Int64) -> String {
        let units: [(Int64, String)] = [
            (86_400_000_000_000, "d"), (3_600_000_000_000, "h"), (60_000_000_000, "m"), (1_000_000_000, "s"),
        ]
        let unit = units.first { nanoseconds % $0.0 == 0 } ?? (1, "ns")
        return nanoseconds == 0 ? "0s" : "\(nanoseconds / unit.0)\(unit.1)"
    }
}
