import Instruments
import PortfolioStore
import Synchronization

/// What links show, for as long as a look lasts.
///
/// A view is reckoned from a whole ledger, and anybody who has the link may ask as often as they like: all who
/// ask at once get one answer, and who comes within some seconds the same. A change of the portfolio makes
/// another. Whether a link is open still is not kept here.
final class SharedViews<View: Sendable>: Sendable {
    /// So long a view is of now.
    static var freshNanoseconds: Int64 { 5_000_000_000 }
    /// Views that are kept at most.
    static var limit: Int { 1_000 }

    private struct Key: Hashable {
        let portfolio: PortfolioID
        let change: Int64
    }

    private struct Entry {
        /// When it was begun, by a clock that nobody sets.
        let begun: Timestamp
        let task: Task<View, any Error>
    }

    private let clock: @Sendable () -> Timestamp
    private let entries = Mutex<[Key: Entry]>([:])

    init(clock: @escaping @Sendable () -> Timestamp) { self.clock = clock }

    /// The view of a portfolio, or what keeps it from being made.
    ///
    /// - Parameters:
    ///   - portfolio: Which.
    ///   - change: The number of its last change.
    ///   - make: Reckons it; the first who asks runs it for all.
    func view(
        of portfolio: PortfolioID, change: Int64, _ make: @escaping @Sendable () async throws -> View
    ) async throws -> View {
        let (key, now) = (Key(portfolio: portfolio, change: change), clock())
        let task = entries.withLock { entries in
            if let known = entries[key], now.nanoseconds - known.begun.nanoseconds < Self.freshNanoseconds {
                return known.task
            }
            if entries.count >= Self.limit {
                entries = entries.filter {
                    now.nanoseconds - $0.value.begun.nanoseconds < Self.freshNanoseconds
                }
            }
            let task = Task { try await make() }
            if entries.count < Self.limit { entries[key] = Entry(begun: now, task: task) }
            return task
        }
        do {
            return try await task.value
        } catch {
            // What failed is tried again by the next one.
            entries.withLock { if $0[key]?.task == task { $0[key] = nil } }
            throw error
        }
    }
}
