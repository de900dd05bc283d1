import Instruments

/// The prices of the last while, and whether they moved far enough.
///
/// It compares with the price that was in force when the window began, or with the lowest and the highest one
/// since then: exactly, up to the bound of ``WindowQueue``.
struct ChangeWatch: Hashable, Sendable {
    let condition: ChangeCondition
    private var scale: Scale
    private var windows: [PriceWindow]
    private var last: PriceWindow.Entry?
    private var held = false

    init(_ condition: ChangeCondition) {
        self.condition = condition
        scale = .zero
        windows = (condition.anchor == .start ? [.first] : [.lowest, .highest]).map { PriceWindow($0) }
    }

    /// A move that is far enough and was not at the last price: where it began.
    struct Move {
        var from: DecimalNumber
        var least: DecimalNumber
    }

    /// Takes a price; a move when it is the first one to be far enough.
    mutating func update(_ units: Int64, _ scale: Scale, at time: Timestamp) -> Move? {
        guard let price = align(units, scale) else { return nil }
        enter(price, time.nanoseconds)
        let anchor = moved(to: price)
        defer { held = anchor != nil }
        guard let anchor, !held else { return nil }
        let least: DecimalNumber
        switch condition.size {
        case .percent(let size), .amount(let size): least = size
        }
        return Move(from: DecimalNumber(units: anchor, scale: self.scale), least: least)
    }

    /// The last price and what it is compared with, for a person; `nil` before the first.
    var standing: String? {
        guard let last, let low = windows.first?.price, let high = windows.last?.price else { return nil }
        func text(_ units: Int64) -> String { DecimalNumber(units: units, scale: scale).description }
        switch condition.anchor {
        case .start: return "the last price is \(text(last.price)); the window began at \(text(low))"
        case .extreme:
            return "the last price is \(text(last.price)); the window's lowest is \(text(low)), its highest "
                + "\(text(high))"
        }
    }

    /// Begins again at the last price, as after a firing.
    mutating func restart() {
        guard let last else { return }
        clear()
        enter(last.price, last.time)
    }

    /// Forgets everything, as after a hole in the data.
    mutating func clear() {
        last = nil
        held = false
        for index in windows.indices { windows[index].clear() }
    }

    /// A venue's time that goes back counts as the last one.
    private mutating func enter(_ price: Int64, _ time: Int64) {
        let time = max(time, last?.time ?? time)
        last = PriceWindow.Entry(price: price, time: time)
        for index in windows.indices { windows[index].say(price, at: time, within: condition.within) }
    }

    /// The price that the move began at, when it is far enough.
    private func moved(to price: Int64) -> Int64? {
        guard let low = windows.first?.price, let high = windows.last?.price else { return nil }
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
        let (units, other) = other.trimming(units, to: scale)
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
        for index in windows.indices where !windows[index].multiply(by: factor) { return false }
        guard let before = last else { return true }
        let (price, overflow) = before.price.multipliedReportingOverflow(by: factor)
        last = PriceWindow.Entry(price: price, time: before.time)
        return !overflow
    }
}

extension ChangeWatch {
    /// Tells these numbers from those of an earlier form, which began with a scale.
    private static let form: Int64 = 1_000

    /// What it remembers, for ``takeOver(_:)``.
    var kept: [Int64] {
        var numbers = [ChangeWatch.form, Int64(scale.rawValue), held ? 1 : 0]
        numbers += [last == nil ? 0 : 1, last?.price ?? 0, last?.time ?? 0]
        for window in windows { numbers += window.kept(within: condition.within) }
        return numbers
    }

    /// Goes on from there; false, and unchanged, when the numbers cannot be that.
    mutating func takeOver(_ kept: [Int64]) -> Bool {
        var state = KeptState(kept)
        guard state.next() == ChangeWatch.form, let places = state.count(upTo: Scale.maximum.places),
            let scale = Scale(places), let held = state.flag(), let hasLast = state.flag(),
            let price = state.next(), let time = state.place()
        else { return false }
        var windows = windows
        for index in windows.indices {
            guard windows[index].takeOver(&state) else { return false }
        }
        guard state.isEmpty else { return false }
        (self.scale, self.held, self.windows) = (scale, held, windows)
        last = hasLast ? PriceWindow.Entry(price: price, time: time) : nil
        return true
    }
}
