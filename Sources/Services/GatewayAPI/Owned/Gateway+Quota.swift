import AccountStore
import AlertStore
import GatewayFrame
import Store

extension Gateway {
    /// Runs a transaction as ``own(_:on:_:_:)`` does that may want more instruments for whoever asks.
    ///
    /// - Throws: `Problem`, also where those are more than a user may have followed; `StoreError`.
    func ownWithinQuota<Value: Sendable>(
        _ context: GatewayContext,
        _ body: @escaping @Sendable (borrowing Session, UserID) throws -> Value
    ) async throws -> Value {
        let limit = services.configuration.instrumentsPerUser
        return try await own(context) { session, user in
            let quota = try InstrumentQuota(limit, of: user, in: session)
            let value = try body(session, user)
            try quota.check(in: session)
            return value
        }
    }

    /// The same for what whoever asks makes of their own.
    ///
    /// - Throws: `unauthenticated`.
    func creationWithinQuota<Answer: KeepableAnswer>(
        _ context: GatewayContext, _ make: @escaping @Sendable (borrowing Session, UserID) throws -> Answer
    ) throws(Problem) -> Creation<Answer> {
        let limit = services.configuration.instrumentsPerUser
        return try creation(context) { session, user in
            let quota = try InstrumentQuota(limit, of: user, in: session)
            let answer = try make(session, user)
            try quota.check(in: session)
            return answer
        }
    }
}
