import AlertStore
import Logging
import Metrics

extension AlertEvaluator {
    /// Removes what rules did long ago; one instance does it.
    func sweepHistory() async {
        while !Task.isCancelled {
            var isUnfinished = false
            do {
                for sweep in try await database.sweepHistory(configuration.retention) {
                    isUnfinished = isUnfinished || sweep.isUnfinished
                    guard sweep.removed > 0 else { continue }
                    Counter(label: "alert_history_removed_total", dimensions: [("kind", sweep.kind.rawValue)])
                        .increment(by: sweep.removed)
                    logger.notice(
                        "What rules did long ago is removed",
                        metadata: ["kind": "\(sweep.kind.rawValue)", "rows": "\(sweep.removed)"])
                }
            } catch {
                if !Task.isCancelled {
                    logger.warning("History could not be removed", metadata: ["error": "\(error)"])
                }
            }
            // The rest of a backlog soon, after others had their turn.
            try? await Task.sleep(for: .seconds(isUnfinished ? 10 : 600))
        }
    }
}
