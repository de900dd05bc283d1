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
        guard case .level(let direction, _) = decision, direction != .either else { return nil }
        return direction == .above
    }
}

/// Says in one sentence why a rule fired.
struct SentenceWriter {
    let language: Language

    func sentence(_ notice: Notice, subject: String) -> String {
        guard let condition = notice.condition else { return notice.reason }
        switch condition.decision {
        case .level: return passed(notice, name(condition.input))
        case .band: return left(notice, name(condition.input))
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
        // Names of indicators are the same in all languages of the trade.
        case .signal(_, let name, let way, let level?):
            return language.text(
                Self.pick(way, .indicatorRose, .indicatorFell, .indicatorLevel),
                ["indicator": name, "level": language.numbers.text(level)])
        case .signal(_, let name, let way, nil):
            return language.text(
                Self.pick(way, .indicatorUp, .indicatorDown, .indicatorCross), ["indicator": name])
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
            ["what": what, "price": value(notice.price, notice), "level": value(notice.level, notice)])
    }

    /// A value that has a level: money, but for figures of derivatives.
    private func value(_ number: DecimalNumber?, _ notice: Notice) -> String {
        guard case .derivative? = notice.condition?.input else { return money(number, notice) }
        return number.map { language.numbers.text($0) } ?? "?"
    }

    private func moved(_ notice: Notice, _ change: ChangeCondition) -> String {
        guard let isUp = notice.isUp, notice.previous != nil else { return notice.reason }
        let values = [
            "what": price(change.price), "previous": money(notice.previous, notice),
            "price": money(notice.price, notice), "window": language.duration(change.within),
        ]
        return language.text(isUp ? .movedUp : .movedDown, values)
    }

    /// What a value is of, as the subject of a sentence.
    private func name(_ input: ConditionInput) -> String {
        switch input {
        case .price(let kind): price(kind)
        case .closes(let interval): language.text(.close, ["window": language.duration(interval)])
        case .spread: language.text(.spread)
        case .figure(_, let metric): language.text(key(metric))
        case .derivative(.funding): language.text(.fundingRate)
        case .derivative(.openInterest): language.text(.openInterest)
        // Nothing of these is a value that has a level.
        case .trades, .levels, .feed, .listings: ""
        }
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
