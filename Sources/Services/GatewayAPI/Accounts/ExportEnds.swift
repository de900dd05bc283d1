import Metrics
import Store
import Synchronization

/// How exports ended before they were whole.
final class ExportEnds: Sendable {
    private let ends = Mutex<[String: Int]>([:])
    private let counters: [String: Counter]
    private static let otherReason = "failed"

    init() {
        let reasons = ExportPipe.Refused.allCases.map(\.rawValue) + [Self.otherReason]
        counters = Dictionary(
            uniqueKeysWithValues: reasons.map { reason in
                (reason, Counter(label: "gateway_exports_ended_total", dimensions: [("reason", reason)]))
            })
    }

    /// Counts one by its reason.
    func note(_ error: any Error) {
        var refused = (error as? StoreError)?.bodyError as? ExportPipe.Refused
        // Whose connection is gone is waited for by nobody.
        var cause = error as? StoreError
        if case .transaction(let failure)? = cause { cause = failure.begin ?? failure.body as? StoreError }
        if case .cancelled? = cause { refused = .closed }
        let reason = refused?.rawValue ?? Self.otherReason
        ends.withLock { $0[reason, default: 0] += 1 }
        counters[reason]?.increment()
    }

    /// How many ended early, by reason.
    var ended: [String: Int] { ends.withLock { $0 } }
}
