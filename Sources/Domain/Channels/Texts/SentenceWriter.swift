import Alerting
import Instruments

extension Notice {
    /// Whether the value went up; `nil` when nobody can tell.
    var isUp: Bool? {
        guard let price else { return nil }
        if let previous, !previous.isEqual(to: price) { return previous < price }
        guard let level else { return nil }
        return level.isEqual(to: price) ? condition?.looksUp : level < price
    }
}

extension AlertCondition {
    /// The direction that the condition itself names.
    fileprivate var looksUp: Bool? {
        switch self {
        case .crosses(_, let direction, _), .candle(_, let direction, _),
            .portfolio(_, _, let direction, _):
            direction == .either ? nil : direction == .above
        case .spread: true
        default: nil
        }
    }
}

/// Says in one sentence why a rule fired.
struct SentenceWriter {
    let language: Language

    func sentence(_ notice: Notice, subject: String) -> String {
        guard let condition = notice.condition else { return notice.reason }
        switch condition {
        case .crosses(let kind, _, _): return passed(notice, price(kind))
        case .leaves(let kind, _, _): return left(notice, price(kind))
        case .candle(let interval, _, _):
            return passed(notice, language.text(.close, ["window": language.duration(interval)]))
        case .spread: return passed(notice, language.text(.spread))
        case .portfolio(_, let metric, _, _): return passed(notice, language.text(key(metric)))
        case .change(let change): return moved(notice, change)
        case .volume(.above(let size, let within)):
            return language.text(
                .volume, ["window": language.duration(within), "size": language.numbers.text(size)])
        case .volume(.times(let factor, let within, _)):
            return language.text(
                .volumeTimes, ["window": language.duration(within), "factor": language.numbers.text(factor)])
        case .imbalance(_, let way, let level):
            let key: TextKey = Self.pick(way, .imbalanceRose, .imbalanceFell, .imbalance)
            return language.text(key, ["level": language.numbers.text(level)])
        case .trade(let size, _):
            let values = ["size": language.numbers.text(size), "price": money(notice.price, notice)]
            return language.text(.largeTrade, values)
        case .indicator(_, let indicator): return signalled(indicator)
        case .feed(.stale): return language.text(.feedStale)
        case .feed(.resynced): return language.text(.feedResynced)
        case .listing: return language.text(.listed, ["subject": subject])
        }
    }

    private func passed(_ notice: Notice, _ what: String) -> String {
        guard let isUp = notice.isUp, notice.previous != nil else { return filled(.reached, notice, what) }
        return filled(isUp ? .rose : .fell, notice, what)
    }

    private func left(_ notice: Notice, _ what: String) -> String {
        guard let isUp = notice.isUp else { return filled(.reached, notice, what) }
        return filled(isUp ? .leftUpwards : .leftDownwards, notice, what)
    }

    private func filled(_ key: TextKey, _ notice: Notice, _ what: String) -> String {
        language.text(
            key,
            ["what": what, "price": money(notice.price, notice), "level": money(notice.level, notice)])
    }

    private func moved(_ notice: Notice, _ change: ChangeCondition) -> String {
        guard let isUp = notice.isUp, notice.previous != nil else { return notice.reason }
        let values = [
            "what": price(change.price), "previous": money(notice.previous, notice),
            "price": money(notice.price, notice), "window": language.duration(change.within),
        ]
        return language.text(isUp ? .movedUp : .movedDown, values)
    }

    /// Names of indicators are the same in all languages of the trade.
    private func signalled(_ indicator: IndicatorCondition) -> String {
        switch indicator {
        case .rsi(let period, let way, let level):
            return language.text(
                Self.pick(way, .indicatorRose, .indicatorFell, .indicatorLevel),
                ["indicator": "RSI(\(period))", "level": language.numbers.text(level)])
        case .macd(let fast, let slow, let signal, let way):
            return crossed("MACD(\(fast), \(slow), \(signal))", way)
        case .ema(let fast, let slow, let way): return crossed("EMA(\(fast), \(slow))", way)
        case .bollinger(let period, let deviations, let side):
            let way: CrossingDirection = side == .either ? .either : side == .upper ? .above : .below
            return crossed("Bollinger(\(period), \(deviations))", way)
        }
    }

    private func crossed(_ name: String, _ way: CrossingDirection) -> String {
        language.text(Self.pick(way, .indicatorUp, .indicatorDown, .indicatorCross), ["indicator": name])
    }

    /// The text of the direction that a rule waits for; of one that takes either, that which names none.
    private static func pick(
        _ way: CrossingDirection, _ above: TextKey, _ below: TextKey, _ either: TextKey
    ) -> TextKey {
        switch way {
        case .above: above
        case .below: below
        case .either: either
        }
    }

    private func money(_ number: DecimalNumber?, _ notice: Notice) -> String {
        number.map { language.money($0, notice) } ?? "?"
    }

    private func price(_ kind: PriceKind) -> String {
        let key: TextKey =
            switch kind {
            case .last: .priceLast
            case .bid: .priceBid
            case .ask: .priceAsk
            case .mid: .priceMid
            case .mark: .priceMark
            case .index: .priceIndex
            }
        return language.text(key)
    }

    private func key(_ metric: PortfolioMetric) -> TextKey {
        switch metric {
        case .value: .portfolioValue
        case .profit: .portfolioProfit
        case .dayChange: .portfolioDay
        }
    }
}
