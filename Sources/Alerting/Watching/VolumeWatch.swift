import Instruments

/// What was traded in the last while, in a bounded ring of sums, and whether that is much.
///
/// `above` looks at the 64th of the window that contains the instant and the 63 before; `times` compares the
/// stretch of one window that contains the instant, counted from 1970, with the mean of whole ones before it.
struct VolumeWatch: Hashable, Sendable {
    private struct Sum: Hashable, Sendable {
        var number: Int64
        /// At 18 decimal places.
        var size: Int128
    }

    /// Enough of it, and less at the last trade.
    struct Burst {
        var size: DecimalNumber
        var least: DecimalNumber
    }

    let condition: VolumeCondition
    private var sums: [Sum] = []
    /// The stretch of the first trade: what was before it is not known.
    private var first: Int64?
    private var held = false

    init(_ condition: VolumeCondition) { self.condition = condition }

    /// Takes a trade; a burst when it is the first to make enough.
    mutating func update(_ size: DecimalNumber, at time: Timestamp) -> Burst? {
        let isEnough = add(size, at: time)
        defer { held = isEnough }
        guard isEnough, !held else { return nil }
        let least: DecimalNumber
        switch condition {
        case .above(let size, _): least = size
        case .times(let factor, _, _): least = factor
        }
        return Burst(size: VolumeWatch.decimal(current(at: time)), least: least)
    }

    /// Forgets everything, as after a hole in the data.
    mutating func clear() {
        sums.removeAll(keepingCapacity: true)
        first = nil
        held = false
    }

    /// Nanoseconds of the window.
    var within: Int64 {
        switch condition {
        case .above(_, let within), .times(_, let within, _): within
        }
    }

    /// Why a rule fires at a burst.
    func cause(_ burst: Burst) -> Firing.Cause {
        switch condition {
        case .above: .traded(burst.size, within: within)
        case .times: .tradedTimes(burst.size, within: within)
        }
    }

    private var width: Int64 {
        switch condition {
        case .above: max(1, within / ChangeWatch.parts)
        case .times: within
        }
    }

    private mutating func add(_ size: DecimalNumber, at time: Timestamp) -> Bool {
        let number = max(time.nanoseconds.floored(by: width), sums.last?.number ?? .min)
        if first == nil { first = number }
        let units = VolumeWatch.units(size)
        if let last = sums.indices.last, sums[last].number == number {
            sums[last].size += units
        } else {
            sums.append(Sum(number: number, size: units))
            let kept =
                if case .times(_, _, let count) = condition { Int64(count) + 1 } else { ChangeWatch.parts }
            sums.removeFirst(sums.prefix { $0.number <= number - kept }.count)
        }
        switch condition {
        case .above(let least, _): return sums.reduce(0) { $0 + $1.size } >= VolumeWatch.units(least)
        case .times(let factor, _, let count):
            guard let first, number - first > Int64(count), let now = sums.last else { return false }
            let before = sums.dropLast().reduce(Int128(0)) { $0 + $1.size }
            guard before > 0 else { return false }
            let (left, over) = now.size.multipliedReportingOverflow(
                by: Int128(count) * Int128(factor.scale.power))
            let (right, under) = before.multipliedReportingOverflow(by: Int128(factor.units))
            return over || (!under && left >= right)
        }
    }

    private func current(at time: Timestamp) -> Int128 {
        switch condition {
        case .above: sums.reduce(0) { $0 + $1.size }
        case .times: sums.last?.size ?? 0
        }
    }

    private static func units(_ size: DecimalNumber) -> Int128 {
        Int128(size.units) * Int128(Scale.maximum.power / size.scale.power)
    }

    /// The sum for a person, without trailing zeros; digits that do not fit are cut.
    private static func decimal(_ units: Int128) -> DecimalNumber {
        var units = units
        var places = 18
        while places > 0, units % 10 == 0 || Int64(exactly: units) == nil {
            units /= 10
            places -= 1
        }
        return DecimalNumber(units: Int64(clamping: units), scale: Scale(places) ?? .zero)
    }
}

extension VolumeWatch {
    /// What it remembers, for ``takeOver(_:)``.
    var kept: [Int64] {
        var numbers: [Int64] = [first == nil ? 0 : 1, first ?? 0, held ? 1 : 0, Int64(sums.count)]
        for sum in sums {
            numbers += [sum.number, Int64(sum.size >> 64), Int64(truncatingIfNeeded: sum.size)]
        }
        return numbers
    }

    /// Goes on from there; false, and unchanged, when the numbers cannot be that.
    mutating func takeOver(_ kept: [Int64]) -> Bool {
        var state = KeptState(kept)
        guard let hasFirst = state.flag(), let first = state.place(), let held = state.flag(),
            let count = state.count(upTo: kept.count)
        else { return false }
        var sums: [Sum] = []
        for _ in 0..<count {
            // As much as 2^36 trades of the greatest size there is.
            guard let number = state.place(), let high = state.count(upTo: 1 << 36), let low = state.next()
            else { return false }
            sums.append(Sum(number: number, size: Int128(high) << 64 | Int128(UInt64(bitPattern: low))))
        }
        guard state.isEmpty else { return false }
        (self.first, self.held, self.sums) = (hasFirst ? first : nil, held, sums)
        return true
    }
}
