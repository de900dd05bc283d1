import Instruments

/// The prices of the last while, and whether they moved far enough.
///
/// It compares with the price that was in force when the window began, or with the lowest and the highest one
/// since then: exactly, up to the bound of ``WindowQueue``.
struct ChangeWatch: Hashable, Sendable {
    let condition: ChangeCondition
    private var windows: [PriceWindow]
    private var last: PriceWindow.Entry?
    private var held = false

    init(_ condition: ChangeCondition) {
        self.condition = condition
        windows = (condition.anchor == .start ? [.first] : [.lowest, .highest]).map { PriceWindow($0) }
    }

    /// A move that is far enough and was not at the last price: where it began.
    struct Move {
        var from: DecimalNumber
        var least: DecimalNumber
    }

    /// Takes a price; a move when it is the first one to be far enough.
    mutating func update(_ price: ExactValue, at time: Timestamp) -> Move? {
        settle(before: time.nanoseconds)
        enter(price, time.nanoseconds)
        let anchor = moved(to: price)
        defer { held = anchor != nil }
        guard let anchor, !held else { return nil }
        let least: DecimalNumber
        switch condition.size {
        case .percent(let size), .amount(let size): least = size
        }
        return Move(from: anchor.decimal, least: least)
    }

    /// The last price and what it is compared with, for a person; `nil` before the first.
    var standing: String? {
        guard let last, let low = windows.first?.price, let high = windows.last?.price else { return nil }
        let now = "the last price is \(last.price.decimal)"
        switch condition.anchor {
        case .start: return "\(now); the window began at \(low.decimal)"
        case .extreme:
            return "\(now); the window's lowest is \(low.decimal), its highest \(high.decimal)"
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

    /// Lets time alone act until just before an instant: a move that has left the window is no move any more,
    /// so that the next price may begin another one.
    private mutating func settle(before time: Int64) {
        guard held, let last, time > last.time + 1 else { return }
        for index in windows.indices {
            windows[index].say(last.price, at: time - 1, within: condition.within)
        }
        held = moved(to: last.price) != nil
    }

    /// A venue's time that goes back counts as the last one.
    private mutating func enter(_ price: ExactValue, _ time: Int64) {
        let time = max(time, last?.time ?? time)
        last = PriceWindow.Entry(price: price, time: time)
        for index in windows.indices { windows[index].say(price, at: time, within: condition.within) }
    }

    /// The price that the move began at, when it is far enough.
    private func moved(to price: ExactValue) -> ExactValue? {
        guard let low = windows.first?.price, let high = windows.last?.price else { return nil }
        if condition.direction != .down, isEnough(from: low, to: price) { return low }
        if condition.direction != .up, isEnough(from: high, to: price, falls: true) { return high }
        return nil
    }

    private func isEnough(from anchor: ExactValue, to price: ExactValue, falls: Bool = false) -> Bool {
        guard falls ? price < anchor : anchor < price else { return false }
        // As far as two values can be from one another, without a sign: 128 bits.
        let change = UInt128(
            truncatingIfNeeded: falls ? anchor.units &- price.units : price.units &- anchor.units)
        switch condition.size {
        case .percent(let size):
            guard anchor.units > 0 else { return false }
            let left = change.multipliedFullWidth(by: UInt128(100) * UInt128(size.scale.power.magnitude))
            let right = anchor.units.magnitude.multipliedFullWidth(by: UInt128(size.units.magnitude))
            return (left.high, left.low) >= (right.high, right.low)
        case .amount(let size): return change >= ExactValue(size).units.magnitude
        }
    }
}

extension ChangeWatch {
    /// Tells these numbers from those of earlier forms.
    private static let form: Int64 = 1_001

    /// What it remembers, for ``takeOver(_:)``.
    var kept: [Int64] {
        var numbers = [ChangeWatch.form, held ? 1 : 0, last == nil ? 0 : 1]
        numbers += WatchStateReader.parts(of: last?.price.units ?? 0) + [last?.time ?? 0]
        for window in windows { numbers += window.kept(within: condition.within) }
        return numbers
    }

    /// Goes on from there; false, and unchanged, when the numbers cannot be that.
    mutating func takeOver(_ kept: [Int64]) -> Bool {
        var state = WatchStateReader(kept)
        guard state.next() == ChangeWatch.form, let held = state.flag(), let hasLast = state.flag(),
            let price = state.wide(), let time = state.place()
        else { return false }
        var windows = windows
        for index in windows.indices {
            guard windows[index].takeOver(&state) else { return false }
        }
        guard state.isEmpty else { return false }
        (self.held, self.windows) = (held, windows)
        last = hasLast ? PriceWindow.Entry(price: ExactValue(units: price), time: time) : nil
        return true
    }
}
