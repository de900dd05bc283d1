import Metrics
import Synchronization

/// Counters of what is counted elsewhere as running totals: only their growth is added.
package final class RunningTotals: Sendable {
    private let counters: [Counter]
    private let reported: Mutex<[UInt64]>

    package init(_ labels: [String], dimensions: [(String, String)] = []) {
        counters = labels.map { Counter(label: $0, dimensions: dimensions) }
        reported = Mutex([UInt64](repeating: 0, count: labels.count))
    }

    /// Takes the totals of now, in the order of the labels.
    package func report(_ totals: [UInt64]) {
        reported.withLock { reported in
            for (index, total) in totals.enumerated() where total > reported[index] {
                counters[index].increment(by: total - reported[index])
                reported[index] = total
            }
        }
    }
}
