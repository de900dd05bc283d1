import Alerting
import Instruments
import MarketData

/// Everything that a rule without a level ever saw, since it was made or began again.
struct NaiveHistory {
    var prices: [(time: Int64, price: Amount)] = []
    var sizes: [(time: Int64, size: Amount)] = []
    /// Whether the condition held at the last look.
    var held = false
    /// Where the balance of the book was.
    var side: Int?

    /// Whether the newest price is far enough from where it is compared with, and was not before: neither at
    /// the last price nor a nanosecond before the newest.
    mutating func moves(_ change: ChangeCondition) -> Bool {
        guard let now = prices.last else { return false }
        if let last = prices.dropLast().last, now.time - 1 > last.time {
            held = held && isFar(change, Array(prices.dropLast()) + [(now.time - 1, last.price)])
        }
        let isFar = isFar(change, prices)
        defer { held = isFar }
        return isFar && !held
    }

    /// Whether the last of some prices is far enough from where it is compared with.
    private func isFar(_ change: ChangeCondition, _ prices: [(time: Int64, price: Amount)]) -> Bool {
        guard let now = prices.last else { return false }
        let begins = now.time - change.within
        let before = prices.last { $0.time <= begins }
        let within = prices.filter { $0.time > begins }
        let start = (before ?? within[0]).price
        var low = start
        var high = start
        if change.anchor == .extreme {
            low = min(start, within.map(\.price).min() ?? start)
            high = max(start, within.map(\.price).max() ?? start)
        }
        let price = now.price
        func isEnough(_ anchor: Amount, _ change: Amount, _ size: ChangeCondition.Size) -> Bool {
            guard change.isPositive else { return false }
            switch size {
            // Of nothing or less there is no percentage.
            case .percent(let size):
                return anchor.isPositive && change * Amount(units: 100) >= Amount(size) * anchor
            case .amount(let size): return change >= Amount(size)
            }
        }
        let rises = change.direction != .down && isEnough(low, price - low, change.size)
        let falls = change.direction != .up && isEnough(high, high - price, change.size)
        return rises || falls
    }

    /// Whether enough was traded, and was not before: neither at the last trade nor a nanosecond before the
    /// newest, nor in a whole stretch between both.
    mutating func trades(_ volume: VolumeCondition) -> Bool {
        guard let now = sizes.last, let first = sizes.first else { return false }
        let isEnough: Bool
        switch volume {
        case .above(let least, let within):
            func sum(_ sizes: some Sequence<(time: Int64, size: Amount)>, at time: Int64) -> Amount {
                sizes.filter { $0.time > time - within }.reduce(Amount.zero) { $0 + $1.size }
            }
            if let last = sizes.dropLast().last, now.time - 1 > last.time {
                held = held && sum(sizes.dropLast(), at: now.time - 1) >= Amount(least)
            }
            isEnough = sum(sizes, at: now.time) >= Amount(least)
        case .times(let factor, let within, let count):
            let window = now.time / within
            if let last = sizes.dropLast().last, window - last.time / within > 1 { held = false }
            let current = sizes.filter { $0.time / within == window }.reduce(Amount.zero) {
                $0 + $1.size
            }
            let before = sizes.filter {
                $0.time / within < window && $0.time / within >= window - Int64(count)
            }
            .reduce(Amount.zero) { $0 + $1.size }
            isEnough =
                window - first.time / within > Int64(count) && before.isPositive
                && current * Amount(units: Int64(count)) >= before * Amount(factor)
        }
        defer { held = isEnough }
        return isEnough && !held
    }

    /// Whether the balance passes the level.
    mutating func tips(
        _ bids: [BookLevel], _ asks: [BookLevel], _ direction: CrossingDirection, _ level: DecimalNumber
    ) -> Bool {
        let bid = bids.reduce(Int128(0)) { $0 + Int128($1.size.rawValue) }
        let ask = asks.reduce(Int128(0)) { $0 + Int128($1.size.rawValue) }
        guard bid + ask > 0 else { return false }
        let difference = (bid - ask) * Int128(level.scale.power) - Int128(level.units) * (bid + ask)
        let now = difference < 0 ? -1 : difference > 0 ? 1 : 0
        defer { side = now }
        guard let side else { return false }
        let rose = side < 0 && now >= 0
        let fell = side > 0 && now <= 0
        return (rose && direction != .below) || (fell && direction != .above)
    }
}

extension NaiveAlerts {
    /// A trade, for the rules that look at each.
    mutating func watchTrade(_ id: InstrumentID, _ trade: Trade, _ moment: Moment) {
        let price = Amount(trade.price.decimal(trade.priceScale))
        let size = trade.size.decimal(trade.sizeScale)
        watchPrice(id, .last, price, moment)
        for name in entries.keys.sorted() {
            guard let entry = entries[name], entry.rule.instrument == id, !entry.isDone else { continue }
            switch entry.rule.condition.decision {
            case .volume(let volume):
                entry.history.sizes.append((moment.time, Amount(size)))
                if entry.history.trades(volume) { fire(entry, 0, moment, price) }
            case .trade(let least, let side):
                let isLarger =
                    Int128(size.units) * Int128(least.scale.power) > Int128(least.units)
                    * Int128(size.scale.power)
                if isLarger, side == nil || side == trade.side { fire(entry, 0, moment, price) }
            default: continue
            }
        }
    }

    /// A price, for the rules that look at its changes.
    mutating func watchPrice(_ id: InstrumentID, _ kind: PriceKind, _ price: Amount, _ moment: Moment) {
        for name in entries.keys.sorted() {
            guard let entry = entries[name], entry.rule.instrument == id, !entry.isDone,
                case .change(let change) = entry.rule.condition.decision, change.price == kind
            else { continue }
            entry.history.prices.append((moment.time, price))
            guard entry.history.moves(change) else { continue }
            let epoch = entry.epoch
            fire(entry, 0, moment, price)
            if entry.epoch > epoch {
                entry.history = NaiveHistory()
                entry.history.prices = [(moment.time, price)]
            }
        }
    }

    /// A book, for the rules that look at its balance.
    mutating func watchBook(_ id: InstrumentID, _ quote: BookQuote, _ moment: Moment) {
        for name in entries.keys.sorted() {
            guard let entry = entries[name], entry.rule.instrument == id, !entry.isDone,
                case .imbalance(let levels, let direction, let level) = entry.rule.condition.decision
            else { continue }
            let tips = entry.history.tips(
                Array(quote.bids.prefix(levels)), Array(quote.asks.prefix(levels)), direction, level)
            if tips { fire(entry, 0, moment, nil) }
        }
    }

    /// What a hole makes worthless.
    mutating func forget(_ source: AlertSource, of id: InstrumentID) {
        for entry in entries.values where entry.rule.instrument == id {
            switch entry.rule.condition.decision {
            case .change, .volume: if source == .trades { entry.history = NaiveHistory() }
            case .imbalance: if source == .book { entry.history = NaiveHistory() }
            default: continue
            }
        }
    }
}
