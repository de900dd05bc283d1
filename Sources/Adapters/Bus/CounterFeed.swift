import Metrics

/// Feeds a metric from a running total, about once a second, so that no metric is touched per message.
package struct CounterFeed {
    private let counter: Counter
    private var reported: UInt64 = 0

    /// A metric with this label; dimensions are bounded by configuration.
    package init(_ label: String, _ dimensions: [(String, String)]) {
        counter = Counter(label: label, dimensions: dimensions)
    }

    /// Adds what the total has grown by since the last report.
    package mutating func report(_ total: UInt64) {
        guard total > reported else { return }
        counter.increment(by: Int64(clamping: total - reported))
        reported = total
    }
}
