import Metrics
import Store
import Synchronization

/// How many take everything along at once: each holds a connection of the database while it lasts.
final class ExportLimit: Sendable {
    /// A place inside; free again when it is left, or nobody holds it.
    final class Permit: Sendable {
        private let door: ExportLimit
        private let isInside = Mutex(true)

        fileprivate init(_ door: ExportLimit) { self.door = door }

        deinit { leave() }

        /// Gives the place back, once: whoever still sends what was read holds no connection any more.
        func leave() {
            let wasInside = isInside.withLock { isInside in
                defer { isInside = false }
                return isInside
            }
            if wasInside { door.inside.withLock { $0 -= 1 } }
        }
    }

    /// At most so many at once.
    let limit: Int
    private let inside = Mutex(0)
    private let ends = Mutex<[String: Int]>([:])
    private let counters: [String: Counter]
    private static let otherReason = "failed"

    init(_ limit: Int) {
        self.limit = limit
        let reasons = ExportPipe.Refused.allCases.map(\.rawValue) + [Self.otherReason]
        counters = Dictionary(
            uniqueKeysWithValues: reasons.map { reason in
                (reason, Counter(label: "gateway_exports_ended_total", dimensions: [("reason", reason)]))
            })
    }

    /// Lets one in; `nil` when there are enough.
    func enter() -> Permit? {
        let isFree = inside.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
        return isFree ? Permit(self) : nil
    }

    /// Counts one that ended before it was whole, by its reason.
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
