import AccountStore
import GatewayFrame
import Synchronization

/// Counts the live connections of each user, and of each address that names no user: nobody takes all.
package final class LiveConnectionLimit: Sendable {
    /// One connection; free again when nobody holds it.
    final class Permit: Sendable {
        private let liveLimit: LiveConnectionLimit
        private let caller: RateLimiter.Caller

        fileprivate init(_ liveLimit: LiveConnectionLimit, _ caller: RateLimiter.Caller) {
            self.liveLimit = liveLimit
            self.caller = caller
        }

        deinit { liveLimit.leave(caller) }
    }

    private let taken = Mutex<[RateLimiter.Caller: Int]>([:])
    private let ofUser: Int
    private let ofAddress: Int

    /// - Parameters:
    ///   - ofUser: Connections of one user at once.
    ///   - ofAddress: Connections of one address without a user.
    package init(ofUser: Int = 200, ofAddress: Int = 2_048) {
        self.ofUser = ofUser
        self.ofAddress = ofAddress
    }

    /// How many are taken.
    package var count: Int { taken.withLock { $0.values.reduce(0, +) } }

    /// Takes a seat.
    ///
    /// - Throws: `rate-limited` when the caller has as many as one may have.
    func take(_ identity: Identity?, from address: String) throws(Problem) -> Permit {
        let caller = identity.map { RateLimiter.Caller.user($0.user.description) } ?? .at(address)
        let limit = identity == nil ? ofAddress : ofUser
        let isFree = taken.withLock { taken in
            guard taken[caller, default: 0] < limit else { return false }
            taken[caller, default: 0] += 1
            return true
        }
        guard isFree else {
            let whose = identity == nil ? "address" : "user"
            var problem = Problem(
                .rateLimited, "one \(whose) has at most \(limit) live connections; close some")
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
