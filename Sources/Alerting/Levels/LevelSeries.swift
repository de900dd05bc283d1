import Instruments

/// One stream of values with the levels that rules watch on it.
///
/// Between two neighbouring levels nothing can happen: `quietLow...quietHigh` is that stretch, so a value
/// within it costs two comparisons, however many levels there are.
struct LevelSeries: Sendable {
    /// What the values are of.
    let key: SeriesKey
    /// Decimal places of everything here; it only grows.
    private(set) var scale: Scale
    /// Whether a value has been seen.
    private(set) var hasValue = false
    /// The last value that was evaluated.
    private(set) var value: Int64 = 0
    /// When that was.
    private(set) var time = Timestamp.zero
    private(set) var quietLow = Int64.max
    private(set) var quietHigh = Int64.min
    /// Levels that a rising value passes at `previous < level <= current`.
    private(set) var rising = LevelIndex()
    /// Levels that a falling value passes at `previous > level >= current`.
    private(set) var falling = LevelIndex()
    /// Rules that wait for the first value, to fire if it is already where it is to go.
    var waiting: [UInt32] = []
    /// A rule whose condition holds and whose time has not passed yet.
    struct Pending: Sendable {
        var deadline: Timestamp
        var slot: UInt32
        /// The value before it began to hold; `nil` when there was none.
        var from: DecimalNumber?
    }

    /// Those that wait for their time, in no order.
    private(set) var pending: [Pending] = []
    /// The earliest of those.
    private(set) var nextDeadline = Timestamp(nanoseconds: .max)
    /// Whether any rule looks at the series in another way than by level.
    var hasWatchers = false

    init(key: SeriesKey, scale: Scale) {
        self.key = key
        self.scale = scale
    }

    /// Whether a value at the same scale can change nothing.
    @inline(__always)
    func isQuiet(_ next: Int64, _ scale: Scale, _ time: Timestamp) -> Bool {
        next >= quietLow && next <= quietHigh && scale == self.scale && time < nextDeadline
    }

    /// Takes a value without looking at levels.
    @inline(__always)
    mutating func take(_ next: Int64, at time: Timestamp) {
        value = next
        self.time = time
        hasValue = true
    }

    /// The units of a decimal at this scale; `nil` when it is finer or does not fit.
    func units(_ units: Int64, at other: Scale) -> Int64? {
        guard other < scale else { return other == scale ? units : nil }
        let (product, overflow) = units.multipliedReportingOverflow(by: scale.power / other.power)
        return overflow ? nil : product
    }

    /// Tags of the levels passed on the way from the last value to another.
    func passed(to next: Int64, into tags: inout [UInt32]) {
        if next > value {
            rising.collect(value + 1...next, into: &tags)
        } else if next < value {
            falling.collect(next...value - 1, into: &tags)
        }
    }

    mutating func insert(_ level: Int64, _ tag: LevelTag, rises: Bool) {
        if rises { rising.insert(level, tag) } else { falling.insert(level, tag) }
        narrow(level, rises: rises)
    }

    /// Adds a level that nothing sees before ``arrange()``.
    mutating func gather(_ level: Int64, _ tag: LevelTag, rises: Bool) {
        if rises { rising.gather(level, tag) } else { falling.gather(level, tag) }
    }

    /// Puts what was gathered into its order.
    mutating func arrange() {
        rising.arrange()
        falling.arrange()
        settle()
    }

    mutating func remove(_ level: Int64, _ tag: LevelTag, rises: Bool) {
        // What lies between two levels stays quiet when a level goes: the stretch is only smaller than it
        // could be.
        _ = rises ? rising.remove(level, tag) : falling.remove(level, tag)
    }

    /// Finds the stretch around the value in which nothing can happen.
    mutating func settle() {
        guard hasValue else { return }
        guard waiting.isEmpty else {
            // Any value is news to a rule that has seen none.
            quietLow = .max
            quietHigh = .min
            return
        }
        // Rising levels divide below themselves, falling ones above.
        quietLow = .min
        quietHigh = .max
        if let level = rising.last(atMost: value) { quietLow = level }
        if value > .min, let level = falling.last(atMost: value - 1) { quietLow = max(quietLow, level + 1) }
        if value < .max, let level = rising.first(atLeast: value + 1) { quietHigh = level - 1 }
        if let level = falling.first(atLeast: value) { quietHigh = min(quietHigh, level) }
    }

    private mutating func narrow(_ level: Int64, rises: Bool) {
        guard hasValue else { return }
        if rises {
            if level <= value {
                quietLow = max(quietLow, level)
            } else {
                quietHigh = min(quietHigh, level - 1)
            }
        } else {
            if level >= value {
                quietHigh = min(quietHigh, level)
            } else {
                quietLow = max(quietLow, level + 1)
            }
        }
    }

    /// The rules that watch a level here, each once.
    var slots: [UInt32] {
        var slots: Set<UInt32> = []
        rising.forEachTag { slots.insert($0.slot) }
        falling.forEachTag { slots.insert($0.slot) }
        return slots.sorted()
    }

    /// Goes over to a finer scale without levels, which the caller enters again.
    mutating func refine(to finer: Scale) -> Bool {
        let (product, overflow) = value.multipliedReportingOverflow(by: finer.power / scale.power)
        guard !overflow else { return false }
        value = product
        scale = finer
        // The caller knows the exact levels and enters them again.
        rising = LevelIndex()
        falling = LevelIndex()
        quietLow = .max
        quietHigh = .min
        return true
    }

    // MARK: - Deadlines

    mutating func wait(_ entry: Pending) {
        pending.append(entry)
        nextDeadline = min(nextDeadline, entry.deadline)
    }

    mutating func cancelWait(_ slot: UInt32) {
        pending.removeAll { $0.slot == slot }
        nextDeadline = pending.map(\.deadline).min() ?? Timestamp(nanoseconds: .max)
    }

    /// Takes out what is due at a time, in the order of deadlines.
    mutating func takeDue(at time: Timestamp) -> [Pending] {
        guard time >= nextDeadline else { return [] }
        let due = pending.filter { $0.deadline <= time }.sorted { $0.deadline < $1.deadline }
        pending.removeAll { $0.deadline <= time }
        nextDeadline = pending.map(\.deadline).min() ?? Timestamp(nanoseconds: .max)
        return due
    }
}
