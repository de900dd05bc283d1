import Instruments
import MarketData
import Statistics

/// A rule that is not decided by a level: it looks at every event of its kind.
struct Watch: Hashable, Sendable {
    /// What it looks at, with what it remembers.
    enum Body: Hashable, Sendable {
        case change(ChangeWatch)
        case volume(VolumeWatch)
        case imbalance(ImbalanceWatch)
        case trade(largerThan: DecimalNumber, side: Side?)
        case indicator(interval: Int64, CandleSignal)
        case feed(FeedChange)
        case listing(base: String?, quote: String?)
    }

    let slot: UInt32
    var body: Body

    /// What decides a condition without a level; `nil` for one that has a level.
    static func body(of condition: AlertCondition) -> Body? {
        switch condition {
        case .change(let change): .change(ChangeWatch(change))
        case .volume(let volume): .volume(VolumeWatch(volume))
        case .imbalance(let levels, let direction, let level):
            .imbalance(ImbalanceWatch(levels: levels, direction: direction, level: level))
        case .trade(let size, let side): .trade(largerThan: size, side: side)
        case .indicator(let interval, let indicator):
            .indicator(interval: interval, CandleSignal(indicator.signal))
        case .feed(let change): .feed(change)
        case .listing(_, let base, let quote): .listing(base: base, quote: quote)
        case .crosses, .leaves, .spread, .candle, .portfolio: nil
        }
    }

    /// Forgets what a hole in the data makes worthless.
    mutating func clear() {
        switch body {
        case .change(var watch):
            watch.clear()
            body = .change(watch)
        case .volume(var watch):
            watch.clear()
            body = .volume(watch)
        case .imbalance(var watch):
            watch.clear()
            body = .imbalance(watch)
        case .trade, .indicator, .feed, .listing: break
        }
    }

    /// Whose data it needs; `nil` when the data's own state is what it is about.
    var source: AlertSource? {
        switch body {
        case .change(let watch):
            watch.condition.price.source
        case .volume, .trade, .indicator: .trades
        case .imbalance: .book
        case .listing: .reference
        case .feed: nil
        }
    }
}

extension IndicatorCondition {
    /// The same in the words of Statistics.
    var signal: CandleSignal.Kind {
        switch self {
        case .rsi(let period, let direction, let level):
            .rsi(period: period, direction.crossing, level: .init(level.units, places: level.scale.places))
        case .macd(let fast, let slow, let signal, let direction):
            .macd(fast: fast, slow: slow, signal: signal, direction.crossing)
        case .ema(let fast, let slow, let direction):
            .ema(fast: fast, slow: slow, direction.crossing)
        case .bollinger(let period, let deviations, let side):
            .bollinger(
                period: period, deviations: .init(deviations.units, places: deviations.scale.places),
                side == .either ? .either : side == .upper ? .above : .below)
        }
    }
}

extension CrossingDirection {
    fileprivate var crossing: CandleSignal.Crossing {
        switch self {
        case .above: .above
        case .below: .below
        case .either: .either
        }
    }
}
