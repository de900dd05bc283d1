import Instruments

/// What was traded in the last while, and whether that is much.
///
/// `above` looks at the window that ends at the instant, exactly up to the bound of ``WindowQueue``; `times`
/// compares the stretch of one window that contains the instant, counted from 1970, with the mean of whole
/// ones before it.
struct VolumeWatch: Hashable, Sendable {
    private struct Sum: Hashable, Sendable {
        /// Nanoseconds for `above`, stretches since 1970 for `times`.
        var number: Int64
        var size: Amount
    }

    /// Enough of it, and less at the last trade.
    struct Burst {
        var size: DecimalNumber
        var least: DecimalNumber
    }

    let condition: VolumeCondition
    private var sums = WindowQueue<Sum>()
    /// Of all sums.
    private var total = Amount.zero
    /// The stretch of the first trade: what was before it is not known.
    private var first: Int64?
    private var held = false

    init(_ condition: VolumeCondition) { self.condition = condition }

    /// Takes a trade; a burst when it is the first to make enough.
    mutating func update(_ size: DecimalNumber, at time: Timestamp) -> Burst? {
        settle(before: time.nanoseconds)
        add(Amount(size), at: time.nanoseconds)
        let isEnough = isEnough
        defer { held = isEnough }
        guard isEnough, !held else { return nil }
        switch condition {
        case .above(let size, _): return Burst(size: VolumeWatch.decimal(total), least: size)
        case .times(let factor, _, _):
            return Burst(size: VolumeWatch.decimal(sums.last?.size ?? .zero), least: factor)
        }
    }

    /// Forgets everything, as after a hole in the data.
    mutating func clear() {
        sums.removeAll()
        total = .zero
        first = nil
        held = false
    }

    /// What was traded in the window, for a person; `nil` before the first trade.
    var standing: String? {
        guard let last = sums.last else { return nil }
        switch condition {
        case .above:
            return "\(VolumeWatch.decimal(total)) was traded in the window"
        case .times(_, _, let count):
            let mean = (total - last.size).divided(by: Amount(units: Int64(count)), places: 18) ?? .zero
            return "\(VolumeWatch.decimal(last.size)) was traded in the window, "
                + "\(VolumeWatch.decimal(mean)) is the mean of the \(count) before it"
        }
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

    /// Lets time alone act until just before an instant: what has left the window is not enough any more, so
    /// that the next trade may make it so again.
    private mutating func settle(before time: Int64) {
        guard held, let last = sums.last else { return }
        switch condition {
        case .above(let least, let within):
            var rest = total
            for sum in sums.all {
                guard sum.number < time - within else { break }
                rest -= sum.size
            }
            held = rest >= Amount(least)
        case .times(_, let within, _):
            // Between both lies a stretch in which nothing was traded.
            if time.floored(by: within) - last.number > 1 { held = false }
        }
    }

    private mutating func add(_ size: Amount, at time: Int64) {
        // A venue's time that goes back counts as the last one.
        let number: Int64
        let oldest: Int64
        switch condition {
        case .above(_, let within):
            number = max(time, sums.last?.number ?? time)
            oldest = number < .min + within ? .min : number - within + 1
        case .times(_, let within, let count):
            number = max(time.floored(by: within), sums.last?.number ?? .min)
            oldest = number - Int64(count)
        }
        if first == nil { first = number }
        total += size
        if let last = sums.last, last.number == number {
            sums.last = Sum(number: number, size: last.size + size)
        } else {
            sums.append(Sum(number: number, size: size))
        }
        while let first = sums.first, first.number < oldest {
            total -= first.size
            sums.removeFirst()
        }
        guard case .above(_, let within) = condition else { return }
        sums.bound(grain: max(1, within / WindowQueue<Sum>.grains), time: \.number, join: VolumeWatch.join)
    }

    private static func join(_ older: Sum, _ newer: Sum) -> Sum {
        Sum(number: newer.number, size: older.size + newer.size)
    }

    private var isEnough: Bool {
        switch condition {
        case .above(let least, _): return total >= Amount(least)
        case .times(let factor, _, let count):
            guard let first, let now = sums.last, now.number - first > Int64(count) else { return false }
            let before = total - now.size
            return before.isPositive && now.size * Amount(units: Int64(count)) >= before * Amount(factor)
        }
    }

    /// The sum for a person, without trailing zeros; digits that do not fit are cut.
    private static func decimal(_ sum: Amount) -> DecimalNumber {
        let wide = (sum.wideUnits ?? sum.rounded(places: 0).wideUnits) ?? (.max, 0)
        return DecimalNumber(cutting: wide.units, places: wide.places)
    }
}

extension VolumeWatch {
    /// Tells these numbers from those of earlier forms.
    private static let form: Int64 = 1_001
    /// Sums that a state keeps as they are; above it they are kept to a 256th of the window.
    private static let keptLimit = 512
    private static let keptGrains: Int64 = 256

    /// What it remembers, for ``takeOver(_:)``.
    var kept: [Int64] {
        var sums = sums
        if case .above(_, let within) = condition {
            sums.bound(
                to: VolumeWatch.keptLimit, grain: max(1, within / VolumeWatch.keptGrains), time: \.number,
                join: VolumeWatch.join)
        }
        var numbers = [VolumeWatch.form, first == nil ? 0 : 1, first ?? 0, held ? 1 : 0, Int64(sums.count)]
        for sum in sums.all {
            // No sum of sizes of at most 19 digits is longer than that in whole units.
            let wide = (sum.size.wideUnits ?? sum.size.rounded(places: 0).wideUnits) ?? (.max, 0)
            numbers += [sum.number] + WatchStateReader.parts(of: wide.units) + [Int64(wide.places)]
        }
        return numbers
    }

    /// Goes on from there; false, and unchanged, when the numbers cannot be that.
    mutating func takeOver(_ kept: [Int64]) -> Bool {
        var state = WatchStateReader(kept)
        guard state.next() == VolumeWatch.form, let hasFirst = state.flag(), let first = state.place(),
            let held = state.flag(), let count = state.count(upTo: kept.count)
        else { return false }
        var sums: [Sum] = []
        for _ in 0..<count {
            guard let number = state.place(), let units = state.wide(), units != .min,
                let places = state.count(upTo: Scale.maximum.places),
                sums.last.map({ $0.number < number }) ?? true
            else { return false }
            sums.append(Sum(number: number, size: Amount(wideUnits: units, places: places)))
        }
        guard state.isEmpty else { return false }
        (self.first, self.held) = (hasFirst ? first : nil, held)
        self.sums.replace(with: sums)
        total = sums.reduce(.zero) { $0 + $1.size }
        return true
    }
}
