import Alerting
import Instruments
import MarketData

/// What fired, in the words of the model.
struct NaiveFiring: Equatable, CustomStringConvertible {
    var rule: String
    var epoch: UInt32
    var time: Int64
    var late: Int64
    var price: DecimalNumber?
    var tradeID: String?
    /// 1 upwards, -1 downwards, 0 neither.
    var way = 0

    var description: String {
        "\(rule)#\(epoch) at \(time) late \(late) price \(price.map(\.description) ?? "-") \(tradeID ?? "-") \(way)"
    }
}

/// Looks at every rule at every value, with exact fractions and without any index: what the engine must
/// equal.
struct NaiveAlerts {
    /// A rule with its own state.
    final class Entry {
        let rule: AlertRule
        let key: SeriesKey?
        var epoch: UInt32 = 0
        var isDone = false
        var fired: Int64?
        /// After a firing: which way it went, until the value has moved back.
        var mustReturnFrom: Int?
        var holds: (until: Int64, way: Int)?
        var isNew: Bool
        var history = NaiveHistory()

        init(_ rule: AlertRule, key: SeriesKey?) {
            self.rule = rule
            self.key = key
            isNew = rule.whenAlready
        }

        func copy() -> Entry {
            let other = Entry(rule, key: key)
            (other.epoch, other.isDone, other.fired) = (epoch, isDone, fired)
            (other.mustReturnFrom, other.holds, other.isNew) = (mustReturnFrom, holds, isNew)
            other.history = history
            return other
        }
    }

    var entries: [String: Entry] = [:]
    var values: [SeriesKey: Amount] = [:]
    var unproven: Set<AlertSource> = [.trades, .book, .reference]
    var firings: [NaiveFiring] = []

    // MARK: - Rules

    mutating func add(_ rule: AlertRule, epoch: UInt32 = 0, at time: Int64) {
        let entry = Entry(rule, key: NaiveAlerts.key(rule))
        entry.epoch = epoch
        entries[rule.id.description] = entry
        guard entry.isNew, let key = entry.key, let value = values[key], !isUnproven(key) else { return }
        greet(entry, value, Moment(time: time))
    }

    // MARK: - Values

    struct Moment {
        var time: Int64
        var late: Int64 = 0
        var tradeID: String?
    }

    mutating func see(_ key: SeriesKey, _ value: DecimalNumber, _ moment: Moment, endsHolding: Bool = true) {
        see(key, Amount(value), moment, endsHolding: endsHolding)
    }

    /// A value of a series: every rule is looked at.
    mutating func see(_ key: SeriesKey, _ value: Amount, _ moment: Moment, endsHolding: Bool = true) {
        if endsHolding { passTime(key, to: moment) }
        let previous = values[key]
        values[key] = value
        for name in entries.keys.sorted() {
            guard let entry = entries[name], entry.key == key, !entry.isDone else { continue }
            if let previous { step(entry, from: previous, to: value, moment) }
            if entry.isNew { greet(entry, value, moment) }
        }
    }

    /// Conditions that have held for their time.
    mutating func passTime(_ key: SeriesKey, to moment: Moment) {
        for entry in entries.values where entry.key == key && !entry.isDone {
            guard let holds = entry.holds, holds.until <= moment.time else { continue }
            entry.holds = nil
            fire(entry, holds.way, Moment(time: holds.until, late: moment.late), values[key])
        }
    }

    private mutating func step(
        _ entry: Entry, from previous: Amount, to value: Amount, _ moment: Moment
    ) {
        if let holds = entry.holds, !isBeyond(entry, value, holds.way) { entry.holds = nil }
        if let way = entry.mustReturnFrom, hasReturned(entry, value, way) { entry.mustReturnFrom = nil }
        let way: Int
        if isUp(entry, previous, value) {
            way = 1
        } else if isDown(entry, previous, value) {
            way = -1
        } else {
            return
        }
        entry.isNew = false
        if expires(entry, moment.time) { return }
        if entry.rule.sustain > 0 {
            guard entry.mustReturnFrom == nil, entry.holds == nil else { return }
            entry.holds = (moment.time + entry.rule.sustain, way)
        } else if entry.mustReturnFrom == nil {
            fire(entry, way, moment, value)
        }
    }

    private mutating func greet(_ entry: Entry, _ value: Amount, _ moment: Moment) {
        entry.isNew = false
        guard !entry.isDone else { return }
        let way: Int
        if isThere(entry, value, 1) { way = 1 } else if isThere(entry, value, -1) { way = -1 } else { return }
        if expires(entry, moment.time) { return }
        if entry.rule.sustain > 0 {
            if entry.holds == nil { entry.holds = (moment.time + entry.rule.sustain, way) }
        } else {
            fire(entry, way, moment, value)
        }
    }

    mutating func fire(_ entry: Entry, _ way: Int, _ moment: Moment, _ value: Amount?) {
        if expires(entry, moment.time) { return }
        if case .recurring(let cooldown, _) = entry.rule.repetition, let fired = entry.fired,
            moment.time - fired < cooldown
        {
            return
        }
        if let active = entry.rule.active, !NaiveAlerts.isActive(active, moment.time) { return }
        entry.epoch += 1
        entry.fired = moment.time
        firings.append(
            NaiveFiring(
                rule: entry.rule.id.description, epoch: entry.epoch, time: moment.time, late: moment.late,
                price: value.map(NaiveAlerts.shown), tradeID: moment.tradeID, way: entry.key == nil ? 0 : way)
        )
        switch entry.rule.repetition {
        case .once: entry.isDone = true
        case .recurring(_, let hysteresis):
            guard hysteresis.units > 0, entry.key != nil else { return }
            if let value, hasReturned(entry, value, way) { return }
            entry.mustReturnFrom = way
        }
    }

    /// Rules whose time was over a minute ago are done, unless what they look at cannot be believed.
    func endExpired(at time: Int64) {
        for entry in entries.values {
            guard let expires = entry.rule.expires, time >= expires.nanoseconds + 60_000_000_000 else {
                continue
            }
            if isUnproven(entry) { continue }
            entry.isDone = true
        }
    }

    private func expires(_ entry: Entry, _ time: Int64) -> Bool {
        guard let expires = entry.rule.expires, time >= expires.nanoseconds else { return false }
        entry.isDone = true
        return true
    }

    // MARK: - Where a value is

    /// The edges in the words of the rule: the level that is risen to and the one that is fallen to.
    private func edges(_ rule: AlertRule) -> (up: DecimalNumber?, down: DecimalNumber?, band: Bool) {
        switch rule.condition.decision {
        case .level(let way, let level):
            (way == .below ? nil : level, way == .above ? nil : level, false)
        case .band(let low, let high): (high, low, true)
        default: (nil, nil, false)
        }
    }

    private func isUp(_ entry: Entry, _ previous: Amount, _ value: Amount) -> Bool {
        let edges = edges(entry.rule)
        guard let up = edges.up else { return false }
        guard edges.band, let low = edges.down else {
            return compare(previous, up) < 0 && compare(value, up) >= 0
        }
        return compare(previous, low) >= 0 && compare(previous, up) <= 0 && compare(value, up) > 0
    }

    private func isDown(_ entry: Entry, _ previous: Amount, _ value: Amount) -> Bool {
        let edges = edges(entry.rule)
        guard let down = edges.down else { return false }
        guard edges.band, let high = edges.up else {
            return compare(previous, down) > 0 && compare(value, down) <= 0
        }
        return compare(previous, down) >= 0 && compare(previous, high) <= 0 && compare(value, down) < 0
    }

    /// Whether the condition still holds.
    private func isBeyond(_ entry: Entry, _ value: Amount, _ way: Int) -> Bool {
        let edges = edges(entry.rule)
        if way > 0, let up = edges.up { return edges.band ? compare(value, up) > 0 : compare(value, up) >= 0 }
        if way < 0, let down = edges.down {
            return edges.band ? compare(value, down) < 0 : compare(value, down) <= 0
        }
        return false
    }

    private func isThere(_ entry: Entry, _ value: Amount, _ way: Int) -> Bool {
        if case .level(.either, let level) = entry.rule.condition.decision {
            return way > 0 && compare(value, level) == 0
        }
        return isBeyond(entry, value, way)
    }

    private func hasReturned(_ entry: Entry, _ value: Amount, _ way: Int) -> Bool {
        guard case .recurring(_, let back) = entry.rule.repetition else { return true }
        let edges = edges(entry.rule)
        if way > 0, let up = edges.up { return value <= Amount(up) - Amount(back) }
        if let down = edges.down { return value >= Amount(down) + Amount(back) }
        // Reached upwards by an `either` that lies exactly on its level.
        return true
    }

    /// -1, 0 or 1, exact.
    private func compare(_ value: Amount, _ level: DecimalNumber) -> Int {
        let level = Amount(level)
        return value < level ? -1 : value > level ? 1 : 0
    }

    /// A value as a person is told it: cut to what a decimal holds.
    static func shown(_ value: Amount) -> DecimalNumber {
        var text = value.description
        while true {
            if let number = try? DecimalNumber(parsing: text) { return number.normalized }
            text.removeLast()
            if text.hasSuffix(".") { text.removeLast() }
        }
    }

    private static func isActive(_ active: ActiveHours, _ time: Int64) -> Bool {
        // The tests' zone is two hours east of Greenwich.
        let seconds = time / 1_000_000_000 + (active.timeZone == "Test/East" ? 7_200 : 0)
        var minute = Int(seconds / 60 % 1_440)
        var day = Int((seconds / 86_400 + 3) % 7)
        let end = active.to > active.from ? active.to : active.to + 1_440
        if active.to <= active.from, minute < active.to {
            minute += 1_440
            day = (day + 6) % 7
        }
        return minute >= active.from && minute < end && active.days >> UInt8(day) & 1 == 1
    }

    private func isUnproven(_ entry: Entry) -> Bool {
        if let key = entry.key { return isUnproven(key) }
        return switch entry.rule.condition.decision {
        case .change(let change): entry.rule.instrument.map { isUnproven(.price($0, change.price)) } ?? false
        case .imbalance: unproven.contains(.book)
        case .feed, .listing: false
        default: unproven.contains(.trades)
        }
    }

    private func isUnproven(_ key: SeriesKey) -> Bool {
        switch key {
        case .price(_, .last), .close: unproven.contains(.trades)
        case .price(_, .mark), .price(_, .index): unproven.contains(.reference)
        case .portfolio, .derivative: false
        default: unproven.contains(.book)
        }
    }

    static func key(_ rule: AlertRule) -> SeriesKey? {
        guard let id = rule.instrument else { return nil }
        guard rule.condition.hasLevel else { return nil }
        return switch rule.condition.input {
        case .price(let kind): .price(id, kind)
        case .spread: .spread(id)
        case .closes(let interval): .close(id, interval: interval)
        default: nil
        }
    }
}
