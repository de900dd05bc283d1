import CoreMetrics
import Synchronization

/// A counter: one atomic number.
final class CounterValue: CounterHandler {
    private let value = Atomic<Int64>(0)

    var current: Int64 { value.load(ordering: .relaxed) }

    func increment(by amount: Int64) { value.wrappingAdd(amount, ordering: .relaxed) }

    func reset() { value.store(0, ordering: .relaxed) }
}

/// A number that goes up and down, and a counter of fractions: the bits of one `Double`.
final class GaugeValue: MeterHandler, RecorderHandler, FloatingPointCounterHandler {
    private let bits = Atomic<UInt64>(0)

    var current: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

    func set(_ value: Int64) { set(Double(value)) }

    func set(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }

    func record(_ value: Int64) { set(Double(value)) }

    func record(_ value: Double) { set(value) }

    func increment(by amount: Double) { add(amount) }

    func decrement(by amount: Double) { add(-amount) }

    func reset() { set(0.0) }

    private func add(_ amount: Double) {
        guard amount.isFinite else { return }
        var old = bits.load(ordering: .relaxed)
        while true {
            let new = (Double(bitPattern: old) + amount).bitPattern
            let (exchanged, original) = bits.weakCompareExchange(
                expected: old, desired: new, ordering: .relaxed)
            if exchanged { return }
            old = original
        }
    }
}

/// A distribution in fixed buckets: one atomic count each, and a sum.
///
/// Nothing is locked, so a scrape may see a value counted whose part of the sum has not come yet.
final class HistogramValue: RecorderHandler, TimerHandler {
    /// Upper bounds, ascending; what is above the last counts only in the total.
    let bounds: [Double]
    private let counts: AtomicCounts
    private let sum = GaugeValue()
    private let scale: Double

    /// - Parameters:
    ///   - bounds: Upper bounds, ascending.
    ///   - scale: What recorded values are divided by: 1e9 for nanoseconds shown as seconds.
    init(bounds: [Double], scale: Double = 1) {
        self.bounds = bounds
        self.scale = scale
        counts = AtomicCounts(count: bounds.count + 1)
    }

    /// Counts per bucket, the one above the last bound included, and the sum of all values.
    var current: (counts: [Int64], sum: Double) { (counts.all, sum.current) }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        guard value.isFinite else { return }
        let scaled = value / scale
        // A dozen bounds: a scan costs less than a search.
        let bucket = bounds.firstIndex { scaled <= $0 } ?? bounds.count
        counts.increment(bucket)
        sum.increment(by: scaled)
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration)) }
}

/// A fixed number of atomic counters in one block.
///
// SAFETY: the block is allocated and initialised before anybody else can see the object, freed in deinit, and
// every access in between is an atomic operation on one of its `count` cells, checked by a precondition.
final class AtomicCounts: @unchecked Sendable {
    private let cells: UnsafeMutablePointer<Atomic<Int64>>
    private let count: Int

    init(count: Int) {
        self.count = count
        cells = .allocate(capacity: count)
        for index in 0..<count { (cells + index).initialize(to: Atomic(0)) }
    }

    deinit {
        cells.deinitialize(count: count)
        cells.deallocate()
    }

    func increment(_ index: Int) {
        precondition((0..<count).contains(index), "no such counter")
        cells[index].wrappingAdd(1, ordering: .relaxed)
    }

    var all: [Int64] { (0..<count).map { cells[$0].load(ordering: .relaxed) } }
}
