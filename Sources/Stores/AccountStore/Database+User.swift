package import Store

extension Database {
    /// Runs a transaction that sees and changes the rows of one user only, see ``GatewayRole``.
    ///
    /// - Throws: As ``transaction(_:_:)``.
    package func transaction<Value: Sendable>(
        as user: UserID, _ options: TransactionOptions = .standard,
        _ body: @escaping @Sendable (borrowing Session) throws -> Value
    ) async throws(StoreError) -> Value {
        try await transaction(options.limited(to: user.rawValue), body)
    }
}
