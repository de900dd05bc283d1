import AccountStore
import GatewayFrame
import Instruments
import Logging
import PortfolioStore
import Store

extension Gateway {
    /// What belongs to one user: watchlists, alerts, channels, portfolios, and what is shown of them.
    func addOwnedRoutes(to routes: RouteTable) {
        addWatchlistRoutes(to: routes)
        addAlertRoutes(to: routes)
        addConditionRoutes(to: routes)
        addAlertProbeRoutes(to: routes)
        addChannelRoutes(to: routes)
        addDeliveryRoutes(to: routes)
        addPortfolioRoutes(to: routes)
        addTransactionRoutes(to: routes)
        addImportRoutes(to: routes)
        addLedgerRoute(to: routes)
        addValueRoutes(to: routes)
        addLotSettingsRoutes(to: routes)
        addPlanRoutes(to: routes)
        addShareRoutes(to: routes)
        addSummaryRoutes(to: routes)
        addDemoRoutes(to: routes)
    }

    /// Runs a transaction that sees and changes the rows of whoever asks, and no others.
    ///
    /// - Parameters:
    ///   - context: Who asks.
    ///   - database: Other connections than where requests run that nobody waits for long.
    ///   - options: How it is run.
    ///   - body: What it does.
    /// - Returns: What `body` returns.
    /// - Throws: `Problem` for what a person can change; `StoreError`.
    func own<Value: Sendable>(
        _ context: GatewayContext, on database: Database? = nil, _ options: TransactionOptions = .standard,
        _ body: @escaping @Sendable (borrowing Session, UserID) throws -> Value
    ) async throws -> Value {
        let who = try context.who
        let value = try await act(as: who.user, on: database, options, body)
        if who.isTerminal, who.user == .localOperator { await adoptLate() }
        return value
    }

    /// Reads what may take long, when it is the turn of whoever asks.
    ///
    /// - Throws: As ``own(_:on:_:_:)``; `throttled` where too much of theirs waits.
    func ownLong<Value: Sendable>(
        _ context: GatewayContext,
        _ body: @escaping @Sendable (borrowing Session, UserID) throws -> Value
    ) async throws -> Value {
        try await inTurn(context) { try await own(context, on: services.slow, .snapshot, body) }
    }

    /// Reads and reckons what may take long, when it is the turn of whoever asks.
    func inTurn<Value>(_ context: GatewayContext, _ work: () async throws -> Value) async throws -> Value {
        try await services.turns.take(.user(try context.who.user), work)
    }

    /// What whoever asks makes of their own: a transaction as that of ``own(_:on:_:_:)``.
    ///
    /// - Throws: `unauthenticated`.
    func creation<Answer: KeepableAnswer>(
        _ context: GatewayContext, _ options: TransactionOptions = .standard,
        _ make: @escaping @Sendable (borrowing Session, UserID) throws -> Answer
    ) throws(Problem) -> Creation<Answer> {
        let who = try context.who
        let creation = Creation(
            options.limited(to: who.user.rawValue), refusal: { try await problem($0) }
        ) { session in
            try make(session, who.user)
        }
        guard who.isTerminal, who.user == .localOperator else { return creation }
        return creation.followed(by: { await adoptLate() })
    }

    /// Gives what was made without an account to the first operator, should there be one since the request
    /// was let in: nobody would see it again.
    func adoptLate() async {
        do {
            try await services.database.withSession { session in
                if try session.hasOperator() { try session.adoptTerminal() }
            }
        } catch {
            services.logger.warning(
                "What the terminal made is not the first operator's yet", metadata: ["error": "\(error)"])
        }
    }

    /// The same for a user who is known otherwise, such as the owner of a link.
    func act<Value: Sendable>(
        as user: UserID, on database: Database? = nil, _ options: TransactionOptions = .standard,
        _ body: @escaping @Sendable (borrowing Session, UserID) throws -> Value
    ) async throws -> Value {
        do {
            return try await (database ?? services.database).transaction(as: user, options) {
                try body($0, user)
            }
        } catch {
            throw try await problem(error)
        }
    }
}

/// A place in a list that is ordered by time and key.
struct TimeCursor {
    var time: Timestamp
    var id: UniqueID

    init(_ time: Timestamp, _ id: UniqueID) {
        self.time = time
        self.id = id
    }

    /// - Throws: `invalid-field` for anything but ``text``.
    init?(_ text: String?) throws(Problem) {
        guard let text else { return nil }
        let parts = text.split(separator: " ").map(String.init)
        guard parts.count == 2, let nanoseconds = Int64(parts[0]), let id = UniqueID(parts[1]) else {
            throw .invalid("cursor", nil, accepted: "the \"next\" of a page of this list")
        }
        self.init(Timestamp(nanoseconds: nanoseconds), id)
    }

    /// As a cursor has it.
    var text: String { "\(time.nanoseconds) \(id)" }
}
