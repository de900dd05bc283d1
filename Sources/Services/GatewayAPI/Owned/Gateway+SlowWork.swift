import AccountStore
import GatewayFrame
import PortfolioStore
import Store

extension Gateway {
    /// As ``own(_:_:_:)``, for exports, imports and reports: on connections of their own, so that nobody who
    /// signs in or asks for a price waits for them.
    ///
    /// - Throws: `Problem` for what a person can change; `StoreError`.
    func ownSlowly<Value: Sendable>(
        _ context: GatewayContext, _ options: TransactionOptions = .snapshot,
        _ body: @escaping @Sendable (borrowing Session, UserID) throws -> Value
    ) async throws -> Value {
        let who = try context.who
        let value = try await actSlowly(as: who.user, options, body)
        if who.isTerminal, who.user == .localOperator { await adoptLate() }
        return value
    }

    /// The same for a user who is known otherwise, such as the owner of a link.
    func actSlowly<Value: Sendable>(
        as user: UserID, _ options: TransactionOptions = .snapshot,
        _ body: @escaping @Sendable (borrowing Session, UserID) throws -> Value
    ) async throws -> Value {
        do {
            return try await services.slow.transaction(as: user, options) { try body($0, user) }
        } catch {
            throw try await problem(error)
        }
    }
}
