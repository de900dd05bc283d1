import Instruments

/// One stream of values with the levels that rules watch on it.
///
/// Between two neighbouring levels nothing can happen: `quietLow...quietHigh` is that stretch, so a value
/// within it costs two comparisons, however many levels there are.
struct LevelSeries: Sendable {
    /// What the values are of.
    let key: SeriesKey
    /// Whether a value has been seen.
    private(set) var hasValue = false
    /// The last value that was evaluated, as it was said.
    private var units: Int64 = 0
    private var scale = Scale.zero
    /// The same exactly, where no decimal holds it; nothing is quiet around such a one.
    private var wide: ExactValue?
    /// When that was.
    private(set) var time = Timestamp.zero
    /// Units of `scale`.
    private var quietLow = Int64.max
    private var quietHigh = Int64.min
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

    init(key: SeriesKey) { self.key = key }

    /// The last value that was evaluated.
    var reading: Reading { wide.map { Reading($0) } ?? Reading(DecimalNumber(units: units, scale: scale)) }

    /// Whether a value of the same scale as the last one can change nothing.
    @inline(__always)
    func isQuiet(_ next: Int64, _ scale: Scale, _ time: Timestamp) -> Bool {
        next >= quietLow && next <= quietHigh && scale == self.scale && time < nextDeadline
    }

    /// Takes a value that is quiet.
    @inline(__always)
    mutating func take(_ next: Int64, at time: Timestamp) {
        units = next
        self.time = time
    }

    /// Takes a value without looking at levels; nothing is quiet before ``settle()``.
    mutating func take(_ reading: Reading, at time: Timestamp) {
        (units, scale, wide) = (reading.said.units, reading.said.scale, reading.wide)
        self.time = time
        hasValue = true
        (quietLow, quietHigh) = (.max, .min)
    }

    /// Tags of the levels passed on the way from one value to another.
    func passed(from value: ExactValue, to next: ExactValue, into tags: inout [UInt32]) {
        if next > value {
            rising.collect(value.next...next, into: &tags)
        } else if next < value {
            falling.collect(next...value.before, into: &tags)
        }
    }

    mutating func insert(_ level: ExactValue, _ tag: LevelTag, rises: Bool) {
        if rises { rising.insert(level, tag) } else { falling.insert(level, tag) }
        narrow(level, rises: rises)
    }

    /// Adds a level that nothing sees before ``arrange()``.
    mutating func gather(_ level: ExactValue, _ tag: LevelTag, rises: Bool) {
        if rises { rising.gather(level, tag) } else { falling.gather(level, tag) }
    }

    /// Puts what was gathered into its order.
    mutating func arrange() {
        rising.arrange()
        falling.arrange()
        settle()
    }

    mutating func remove(_ level: ExactValue, _ tag: LevelTag, rises: Bool) {
        // What lies between two levels stays quiet when a level goes: the stretch is only smaller than it
        // could be.
        _ = rises ? rising.remove(level, tag) : falling.remove(level, tag)
    }

    /// Finds the stretch around the value in which nothing can happen.
    mutating func settle() {
        guard hasValue else { return }
        (quietLow, quietHigh) = (.max, .min)
        // Any value is news to a rule that has seen none.
        guard waiting.isEmpty, wide == nil else { return }
        // Rising levels divide below themselves, falling ones above.
        let value = reading.exact
        var (low, high) = (ExactValue.least, ExactValue.greatest)
        if let level = rising.last(atMost: value) { low = level }
        if let level = falling.last(atMost: value.before) { low = max(low, level.next) }
        if let level = rising.first(atLeast: value.next) { high = level.before }
        if let level = falling.first(atLeast: value) { high = min(high, level) }
        (quietLow, quietHigh) = (low.ceiling(at: scale), high.floor(at: scale))
    }

    private mutating func narrow(_ level: ExactValue, rises: Bool) {
        guard hasValue, quietLow <= quietHigh else { return }
        let isBelow = rises ? level <= reading.exact : level < reading.exact
        if isBelow {
            quietLow = max(quietLow, (rises ? level : level.next).ceiling(at: scale))
        } else {
            quietHigh = min(quietHigh, (rises ? level.before : level).floor(at: scale))
        }
    }

    /// The rules that watch a level here, each once.
    var slots: [UInt32] {
        var slots: Set<UInt32> = []
        rising.forEachTag { slots.insert($0.slot) }
        falling.forEachTag { slots.insert($0.slot) }
        return slots.sorted()
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
