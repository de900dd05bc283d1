import Instruments

/// The prices of the last while in at most 65 stretches of time, and whether they moved far enough.
///
/// A stretch is a 64th of the window, counted from 1970. The window at an instant is the stretch that
/// contains it, the 63 before, and the price that was in force when the first of them began.
struct ChangeWatch: Hashable, Sendable {
    private struct Stretch: Hashable, Sendable {
        var number: Int64
        var first: Int64
        var low: Int64
        var high: Int64
        var last: Int64
    }

    static let parts: Int64 = 64
    let condition: ChangeCondition
    private var scale: Scale
    /// The price in force when the window begins; `nil` when nothing is known from before it.
    private var before: Int64?
    private var stretches: [Stretch] = []
    private var held = false

    init(_ condition: ChangeCondition) {
        self.condition = condition
        scale = .zero
    }

    /// A move that is far enough and was not at the last price: where it began.
    struct Move {
        var from: DecimalNumber
        var least: DecimalNumber
    }

    /// Takes a price; a move when it is the first one to be far enough.
    mutating func update(_ units: Int64, _ scale: Scale, at time: Timestamp) -> Move? {
        guard let price = align(units, scale) else { return nil }
        enter(price, time.nanoseconds.floored(by: condition.within / ChangeWatch.parts))
        let anchor = moved(to: price)
        defer { held = anchor != nil }
        guard let anchor, !held else { return nil }
        let least: DecimalNumber
        switch condition.size {
        case .percent(let size), .amount(let size): least = size
        }
        return Move(from: DecimalNumber(units: anchor, scale: self.scale), least: least)
    }

    /// Begins again at the last price, as after a firing.
    mutating func restart() {
        guard let last = stretches.last else { return }
        before = nil
        held = false
        stretches = [
            Stretch(number: last.number, first: last.last, low: last.last, high: last.last, last: last.last)
        ]
    }

    /// Forgets everything, as after a hole in the data.
    mutating func clear() {
        before = nil
        held = false
        stretches.removeAll(keepingCapacity: true)
    }

    private mutating func enter(_ price: Int64, _ number: Int64) {
        // A venue's time that goes back counts with the newest stretch.
        if let last = stretches.indices.last, stretches[last].number >= number {
            stretches[last].low = min(stretches[last].low, price)
            stretches[last].high = max(stretches[last].high, price)
            stretches[last].last = price
            return
        }
        stretches.append(Stretch(number: number, first: price, low: price, high: price, last: price))
        let gone = stretches.prefix { $0.number <= number - ChangeWatch.parts }.count
        if gone > 0 {
            before = stretches[gone - 1].last
            stretches.removeFirst(gone)
        }
    }

    /// The price that the move began at, when it is far enough.
    private func moved(to price: Int64) -> Int64? {
        let start = before ?? stretches.first?.first ?? price
        var low = start
        var high = start
        if condition.anchor == .extreme {
            for stretch in stretches {
                low = min(low, stretch.low)
                high = max(high, stretch.high)
            }
        }
        if condition.direction != .down, isEnough(from: low, to: price) { return low }
        if condition.direction != .up, isEnough(from: high, to: price, falls: true) { return high }
        return nil
    }

    private func isEnough(from anchor: Int64, to price: Int64, falls: Bool = false) -> Bool {
        let rise = Int128(price) - Int128(anchor)
        let change = falls ? -rise : rise
        guard change > 0 else { return false }
        switch condition.size {
        case .percent(let size):
            guard anchor > 0 else { return false }
            // 63 + 7 + 14 bits on the left, 63 + 63 on the right: nothing can overflow.
            return change * Int128(100 * size.scale.power) >= Int128(size.units) * Int128(anchor)
        case .amount(let size):
            return change >= Int128(Threshold(size, at: scale).ceiling)
        }
    }

    private mutating func align(_ units: Int64, _ other: Scale) -> Int64? {
        if other > scale {
            let factor = other.power / scale.power
            scale = other
            guard multiply(factor) else {
                clear()
                return units
            }
        }
        let (product, overflow) = units.multipliedReportingOverflow(by: scale.power / other.power)
        return overflow ? nil : product
    }

    private mutating func multiply(_ factor: Int64) -> Bool {
        var fits = true
        func times(_ value: Int64) -> Int64 {
            let (product, overflow) = value.multipliedReportingOverflow(by: factor)
            if overflow { fits = false }
            return product
        }
        before = before.map(times)
        for index in stretches.indices {
            stretches[index].first = times(stretches[index].first)
            stretches[index].low = times(stretches[index].low)
            stretches[index].high = times(stretches[index].high)
            stretches[index].last = times(stretches[index].last)
        }
        return fits
    }
}

extension ChangeWatch {
    /// What it remembers, for ``takeOver(_:)``.
    var kept: [Int64] {
        var numbers: [Int64] = [
            Int64(scale.rawValue), before == nil ? 0 : 1, before ?? 0, held ? 1 : 0, Int64(stretches.count),
        ]
        for stretch in stretches {
            numbers += [stretch.number, stretch.first, stretch.low, stretch.high, stretch.last]
        }
        return numbers
    }

    /// Goes on from there; false, and unchanged, when the numbers cannot be that.
    mutating func takeOver(_ kept: [Int64]) -> Bool {
        var state = KeptState(kept)
        guard let places = state.count(upTo: Scale.maximum.places), let scale = Scale(places),
            let hasBefore = state.flag(), let before = state.next(), let held = state.flag(),
            let count = state.count(upTo: Int(ChangeWatch.parts) + 1)
        else { return false }
        var stretches: [Stretch] = []
        for _ in 0..<count {
            guard let number = state.place(), let first = state.next(), let low = state.next(),
                let high = state.next(), let last = state.next()
            else { return false }
            stretches.append(Stretch(number: number, first: first, low: low, high: high, last: last))
        }
        guard state.isEmpty else { return false }
        (self.scale, self.before, self.held) = (scale, hasBefore ? before : nil, held)
        self.stretches = stretches
        return true
    }
}
