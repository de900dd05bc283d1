package import AccountStore
import HTTPTypes
package import Instruments
import Store
import Synchronization

/// Counts what everybody asks for: per address, per user, per token; and codes that a user has sent to
/// channels, which may be somebody else's.
///
/// By a clock that nobody sets. In this process only: several gateways allow several times as much. Bounded:
/// past ``limit`` callers those with nothing to remember are forgotten, and then all.
package final class RateLimiter: Sendable {
    /// Whom a request is counted for.
    package enum Caller: Hashable, Sendable {
        case address(String)
        case user(String)
        case token(String)
        case codes(String)

        /// The caller at an IP address, by its ``AddressBlock``.
        package static func at(_ address: String) -> Caller { .address(AddressBlock.of(address)) }
    }

    /// What is told to the client.
    package struct Outcome: Hashable, Sendable {
        var decision: RateLimit.Decision
        var policy: RateLimit.Policy

        /// The headers of the answer.
        ///
        /// Source: the IETF's draft "RateLimit header fields for HTTP", in its form with one header a figure.
        func write(to headers: inout HTTPFields) {
            headers[.rateLimitLimit] = "\(policy.burst)"
            headers[.rateLimitRemaining] = "\(max(decision.remaining, 0))"
            headers[.rateLimitReset] = "\(Self.seconds(decision.resetAfter))"
            headers[.rateLimitPolicy] = "\(policy.burst);w=\(Self.seconds(policy.burst * policy.interval))"
        }

        /// What a refused client is told.
        var problem: Problem {
            var problem = Problem(.rateLimited, "too many requests; wait, or ask for less at once")
            problem.retryAfter = Int(max(Self.seconds(decision.retryAfter), 1))
            write(to: &problem.headers)
            return problem
        }

        private static func seconds(_ nanoseconds: Int64) -> Int64 {
            (nanoseconds + 999_999_999) / 1_000_000_000
        }
    }

    /// The most callers remembered.
    static let limit = 100_000

    private let callers = Mutex<[Caller: RateLimit]>([:])
    private let perMinute: Int64
    /// The heaviest request that there is a route for.
    private let heaviest = Atomic<Int64>(1)
    /// Twenty within any hour: ten at once, and one more every six minutes.
    private let ofCodes = RateLimit.Policy(burst: 10, interval: 360_000_000_000)

    /// - Parameter perMinute: Of an address and of a token; a user has twice that, so that a program that
    ///   asks without end leaves its owner the other half. A quarter of a minute's may come at once, and
    ///   never less than the heaviest request.
    init(perMinute: Int) { self.perMinute = Int64(perMinute) }

    /// Makes room for a route's requests, however few are allowed a minute: what costs more than may come at
    /// once would be refused for ever.
    func makeRoom(for weight: Int) {
        _ = heaviest.max(Int64(weight), ordering: .relaxed)
    }

    private func policy(_ perMinute: Int64) -> RateLimit.Policy {
        let least = max(heaviest.load(ordering: .relaxed), 10)
        return RateLimit.Policy(
            burst: min(max(perMinute / 4, least), 1_000_000), interval: max(60_000_000_000 / perMinute, 1))
    }

    /// Takes the cost of a request.
    ///
    /// - Parameters:
    ///   - weight: What it costs.
    ///   - caller: Whom it is counted for.
    ///   - now: The time.
    ///   - before: What the same caller has paid for it already, and pays again to repeat it: who comes when
    ///     told to finds both.
    /// - Returns: What is left.
    /// - Throws: `rate-limited`.
    @discardableResult
    package func take(
        _ weight: Int, for caller: Caller, at now: Timestamp, before: Int = 0
    ) throws(Problem) -> Outcome {
        let policy =
            switch caller {
            case .address, .token: policy(perMinute)
            case .user: policy(perMinute * 2)
            case .codes: ofCodes
            }
        var decision = callers.withLock { callers in
            if callers.count >= Self.limit, callers[caller] == nil {
                callers = callers.filter { !$0.value.isIdle(at: now) }
                if callers.count >= Self.limit { callers.removeAll() }
            }
            return callers[caller, default: RateLimit()].take(Int64(weight), of: policy, at: now)
        }
        if !decision.isAllowed { decision.retryAfter += Int64(before) * policy.interval }
        let outcome = Outcome(decision: decision, policy: policy)
        guard decision.isAllowed else { throw outcome.problem }
        return outcome
    }

    /// Takes the cost of a request of somebody's; what a token is refused costs its owner nothing.
    ///
    /// - Returns: The standing of the token or of its user, whichever has less left.
    /// - Throws: `rate-limited`.
    @discardableResult
    package func take(_ weight: Int, for identity: Identity, at now: Timestamp) throws(Problem) -> Outcome {
        var ofToken: Outcome?
        if case .token(let id) = identity.credential {
            ofToken = try take(weight, for: .token(id.description), at: now)
        }
        let ofUser = try take(weight, for: .user(identity.user.description), at: now)
        guard let ofToken, ofToken.decision.remaining < ofUser.decision.remaining else { return ofUser }
        return ofToken
    }
}

extension HTTPField.Name {
    static let rateLimitLimit = HTTPField.Name("RateLimit-Limit") ?? .via
    static let rateLimitRemaining = HTTPField.Name("RateLimit-Remaining") ?? .via
    static let rateLimitReset = HTTPField.Name("RateLimit-Reset") ?? .via
    static let rateLimitPolicy = HTTPField.Name("RateLimit-Policy") ?? .via
}
