import AccountStore
import GatewayFrame
import GatewayStream
import Instruments
import Metrics
import Synchronization

/// Counts the whole books that are followed because a client asked for them, so that nobody takes the place
/// of all others' books.
///
/// By a clock that nobody sets. Bounded: past ``limit`` clients those are forgotten whose books are, and then
/// all.
final class BookBudget: Sendable {
    /// The most clients remembered.
    static let limit = 10_000

    private let asked = Mutex<[RateLimiter.Caller: [InstrumentID: Timestamp]]>([:])
    private let share: StreamBudgets.Share
    private let clock: @Sendable () -> Timestamp
    private let refused = Counter(
        label: "gateway_client_limits_refused_total", dimensions: [("of", "whole books")])

    init(_ share: StreamBudgets.Share, clock: @escaping @Sendable () -> Timestamp) {
        (self.share, self.clock) = (share, clock)
    }

    /// Counts a book for who asks for it, until it is asked for no more.
    ///
    /// - Throws: `rate-limited` with the number when so many other books are followed for the client.
    func take(_ id: InstrumentID, for identity: Identity?, from address: String) throws(Problem) {
        let caller = identity.map { RateLimiter.Caller.user($0.user.description) } ?? .at(address)
        let limit = identity == nil ? share.perAddress : share.perUser
        let now = clock()
        let isFree = asked.withLock { asked in
            if asked.count >= Self.limit, asked[caller] == nil {
                asked = asked.filter { $0.value.values.contains { Self.isFollowed($0, now) } }
                if asked.count >= Self.limit { asked.removeAll() }
            }
            var books = asked[caller, default: [:]].filter { Self.isFollowed($0.value, now) }
            let isFree = books[id] != nil || books.count < limit
            if isFree { books[id] = now }
            asked[caller] = books
            return isFree
        }
        guard !isFree else { return }
        refused.increment()
        let whose = identity == nil ? "address" : "user"
        var problem = Problem(
            .rateLimited,
            "one \(whose) has at most \(limit) whole books within five minutes; "
                + "ask for fewer, or subscribe to their best levels")
        problem.retryAfter = 60
        throw problem
    }

    /// Whether a book that was asked for then is followed still.
    private static func isFollowed(_ time: Timestamp, _ now: Timestamp) -> Bool {
        now.nanoseconds(since: time) <= MarketView.patience
    }
}
