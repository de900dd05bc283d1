import Instruments
import PortfolioStore
import Synchronization

/// What links show, for as long as a look lasts.
///
/// A view is reckoned from a whole ledger, and anybody who has the link may ask as often as they like: who
/// comes within some seconds is given what the one before was. A change of the portfolio makes another.
/// Whether a link is open still is not kept here.
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
        /// When it was made, by a clock that nobody sets.
        let made: Timestamp
        let view: View

        func isFresh(at now: Timestamp) -> Bool { now.nanoseconds - made.nanoseconds < freshNanoseconds }
    }

    private let clock: @Sendable () -> Timestamp
    private let entries = Mutex<[Key: Entry]>([:])

    init(clock: @escaping @Sendable () -> Timestamp) { self.clock = clock }

    /// The view of a portfolio where it was made within some seconds, else a new one.
    ///
    /// - Parameters:
    ///   - portfolio: Which.
    ///   - change: The number of its last change.
    ///   - make: Reckons it. Two at once reckon twice.
    /// - Returns: The view, at most ``freshNanoseconds`` old.
    /// - Throws: What `make` throws; then nothing is kept.
    func view(
        of portfolio: PortfolioID, change: Int64, _ make: () async throws -> View
    ) async throws -> View {
        let (key, now) = (Key(portfolio: portfolio, change: change), clock())
        if let known = entries.withLock({ $0[key] }), known.isFresh(at: now) { return known.view }
        let view = try await make()
        // A large ledger takes longer than a view is fresh: counted from its end it serves who waited for it.
        let made = clock()
        entries.withLock { entries in
            if entries.count >= Self.limit { entries = entries.filter { $0.value.isFresh(at: made) } }
            if entries.count < Self.limit { entries[key] = Entry(made: made, view: view) }
        }
        return view
    }
}
