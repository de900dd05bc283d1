import Synchronization

/// Metrics of some running totals, each fed as ``CounterFeed`` does.
package final class RunningTotals: Sendable {
    private let feeds: Mutex<[CounterFeed]>

    package init(_ labels: [String], dimensions: [(String, String)] = []) {
        feeds = Mutex(labels.map { CounterFeed($0, dimensions) })
    }

    /// Takes the totals of now, in the order of the labels.
    package func report(_ totals: [UInt64]) {
        feeds.withLock { feeds in
            for (index, total) in totals.enumerated() { feeds[index].report(total) }
        }
    }
}
