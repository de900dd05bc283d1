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
        switch condition.decision {
        case .change(let change): .change(ChangeWatch(change))
        case .volume(let volume): .volume(VolumeWatch(volume))
        case .imbalance(let levels, let direction, let level):
            .imbalance(ImbalanceWatch(levels: levels, direction: direction, level: level))
        case .trade(let size, let side): .trade(largerThan: size, side: side)
        case .signal(let signal, _, _, _):
            condition.input.interval.map { .indicator(interval: $0, CandleSignal(signal)) }
        case .feed(let change): .feed(change)
        case .listing(let base, let quote): .listing(base: base, quote: quote)
        case .level, .band: nil
        }
    }

    /// In the place of a body that is being changed, so that what it remembers is not copied.
    private static let taken = Body.trade(largerThan: DecimalNumber(units: 0, scale: .zero), side: nil)

    /// Lets a change of such prices see one; a move when it is the first one to be far enough.
    mutating func see(
        _ kind: PriceKind, _ price: ExactValue, at time: Timestamp
    ) -> (condition: ChangeCondition, move: ChangeWatch.Move)? {
        guard case .change(var watch) = body, watch.condition.price == kind else { return nil }
        body = Watch.taken
        let move = watch.update(price, at: time)
        body = .change(watch)
        return move.map { (watch.condition, $0) }
    }

    /// Lets a volume see a trade; why its rule fires when it is the first one to make enough.
    mutating func see(_ size: DecimalNumber, at time: Timestamp) -> (
        cause: Firing.Cause, least: DecimalNumber
    )? {
        guard case .volume(var watch) = body else { return nil }
        body = Watch.taken
        let burst = watch.update(size, at: time)
        body = .volume(watch)
        return burst.map { (watch.cause($0), $0.least) }
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

    /// How its condition stands, for a person; `nil` where nothing of it is kept, or nothing came yet.
    var standing: String? {
        switch body {
        case .change(let watch): watch.standing
        case .volume(let watch): watch.standing
        case .imbalance, .trade, .indicator, .feed, .listing: nil
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

extension DecimalNumber {
    /// The same in the words of Statistics.
    var signalled: CandleSignal.Decimal { .init(units, places: scale.places) }
}

extension CrossingDirection {
    /// The same in the words of Statistics.
    var crossing: CandleSignal.Crossing {
        switch self {
        case .above: .above
        case .below: .below
        case .either: .either
        }
    }
}
