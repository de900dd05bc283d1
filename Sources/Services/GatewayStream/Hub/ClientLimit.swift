import AccountStore
import GatewayFrame
import Metrics
import Synchronization

/// Counts what each user has of something, and each address that names no user: nobody takes all.
package final class ClientLimit: Sendable {
    /// One of them; free again when nobody holds it.
    final class Permit: Sendable {
        private let limit: ClientLimit
        /// Whom it is counted for.
        let caller: RateLimiter.Caller

        fileprivate init(_ limit: ClientLimit, _ caller: RateLimiter.Caller) {
            self.limit = limit
            self.caller = caller
        }

        deinit { limit.leave(caller) }
    }

    private let taken = Mutex<[RateLimiter.Caller: Int]>([:])
    private let things: String
    private let ofUser: Int
    private let ofAddress: Int
    private let refused: Counter

    /// - Parameters:
    ///   - things: What is counted, in plural, for people.
    ///   - ofUser: How many one user has at most.
    ///   - ofAddress: How many one address without a user has at most, of IPv6 its network.
    package init(of things: String, ofUser: Int, ofAddress: Int) {
        self.things = things
        self.ofUser = ofUser
        self.ofAddress = ofAddress
        refused = Counter(label: "gateway_client_limits_refused_total", dimensions: [("of", things)])
    }

    /// How many are taken.
    package var count: Int { taken.withLock { $0.values.reduce(0, +) } }

    /// Takes one for who asks.
    ///
    /// - Throws: `rate-limited` with the number when the client has as many as one may have.
    func take(_ identity: Identity?, from address: String) throws(Problem) -> Permit {
        try take(for: identity.map { .user($0.user.description) } ?? .at(address))
    }

    /// Takes one for who is counted already.
    ///
    /// - Throws: As ``take(_:from:)``.
    func take(for caller: RateLimiter.Caller) throws(Problem) -> Permit {
        let isUser = if case .address = caller { false } else { true }
        let limit = isUser ? ofUser : ofAddress
        let isFree = taken.withLock { taken in
            guard taken[caller, default: 0] < limit else { return false }
            taken[caller, default: 0] += 1
            return true
        }
        guard isFree else {
            refused.increment()
            var problem = Problem(
                .rateLimited, "one \(isUser ? "user" : "address") has at most \(limit) \(things); close some")
            problem.retryAfter = 5
            throw problem
        }
        return Permit(self, caller)
    }

    private func leave(_ caller: RateLimiter.Caller) {
        taken.withLock { taken in
            let rest = taken[caller, default: 1] - 1
            taken[caller] = rest > 0 ? rest : nil
        }
    }
}
