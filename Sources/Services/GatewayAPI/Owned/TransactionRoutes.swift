import AccountStore
import Accounts
import GatewayFrame
import Hummingbird
import Instruments
import Portfolio
import PortfolioStore
import Shapes
import Store

/// One transaction, or every revision of it.
private enum TransactionAnswer: RouteAnswer {
    case current(ShownTransaction)
    case revisions([ShownTransaction])

    static var documents: [AnswerDocument] {
        let schema = Schema.anyOf([ShownTransaction.schema, Page<ShownTransaction>.schema])
        return [
            AnswerDocument(
                status: 200, text: "The transaction; with history its revisions, the first one first.",
                content: ("application/json", schema, schema.sample))
        ]
    }

    var response: Response {
        switch self {
        case .current(let row): OK(row).response
        case .revisions(let rows): Page(rows).response
        }
    }
}

/// Transactions that are removed together.
private struct TransactionSelection: WireInput {
    static let shape = InputShape("TransactionSelection", Self.init(numbers:action:)) {
        InputField("numbers", numbers, "All of them are removed, or none.", example: [1])
        InputField("action", .choice(TransactionAction.self), example: "remove")
    }

    private static let numbers = InputKind.list(.integer)
        .map(accepted: "1...10000 numbers") {
            (1...10_000).contains($0.count) && $0.allSatisfy { $0 > 0 } ? $0 : nil
        }
        .documented(.array(.integer(in: 1...Int64.max), 1...10_000))

    var numbers: [Int]
    var action: TransactionAction
}

/// What can be done to several transactions at once.
private enum TransactionAction: String, CaseIterable, Sendable {
    case remove
}

/// In which order transactions are listed.
private enum TransactionOrder: String, CaseIterable, Sendable {
    case time, number
}

extension Gateway {
    private static let order = Parameter.choice(
        "order", "The latest first, or by number.", TransactionOrder.self, default: .time)
    private static let recorded = Parameter.time(
        "as_recorded", "With order=number as they were recorded at this time.")
    private static let asset = Parameter.text("asset", "Only those that name it.", example: "BTC")
    private static let wallet = Parameter.text("wallet", "Only those from or to it.", example: "Cold")
    private static let kind = Parameter.choice("kind", "Only those.", TransactionKind.self)
    private static let newAsset = Parameter.flag(
        "new_asset", "Takes an asset that no market of this installation trades.")
    private static let history = Parameter.flag("history", "Every revision, as a list.")
    private static let revision = Parameter.integer(
        "revision", "Only if this revision is in force; 0 for any.", in: 0...Int(Int32.max), default: 0)

    func addTransactionRoutes(to routes: RouteTable) {
        let all = "/v1/portfolios/{id}/transactions"
        routes.get(
            all, .scope(.portfolioRead),
            Operation(
                "listTransactions", .portfolios,
                "The transactions in force, the latest first; one that is to come says until when it waits."
            ), query: .page + [Self.asset, Self.wallet, Self.kind, Self.order, Self.recorded]
        ) { context in try await listTransactions(context) }
        routes.create(
            all, .scope(.portfolioWrite),
            Operation(
                "addTransaction", .portfolios,
                """
                Adds a transaction; one with a known external id and the same content is answered with 200 \
                and not added.
                """), query: [Self.newAsset]
        ) { (body: NewTransaction, context) in try addTransaction(body, context) }
        routes.create(
            "\(all)/bulk", .scope(.portfolioWrite),
            Operation(
                "changeTransactions", .portfolios,
                "Removes transactions, all of those named or none; their revisions stay.",
                problems: [.conflict])
        ) { (body: TransactionSelection, context) in
            let (id, now) = (try context.portfolioID(), services.clock())
            let numbers = body.numbers.map(Int64.init)
            return try creation(context) { session, user in
                switch body.action {
                case .remove: try session.removeTransactions(numbers, from: id, of: user, at: now)
                }
                return NoContent()
            }
        }
        addOneTransactionRoutes(to: routes)
    }

    private func addOneTransactionRoutes(to routes: RouteTable) {
        let one = "/v1/portfolios/{id}/transactions/{number}"
        routes.get(
            one, .scope(.portfolioRead),
            Operation("transaction", .portfolios, "One transaction, or with history every revision of it."),
            query: [Self.history]
        ) { context in
            let (id, number, now) = (try context.portfolioID(), try context.number(), services.clock())
            let revisions = try await own(context) { session, user in
                _ = try session.portfolio(id, of: user)
                return try session.transactionHistory(number, of: id, by: user)
            }
            if try context.query[Self.history] {
                guard !revisions.isEmpty else { throw Problem.notFound("transaction \(number)") }
                return TransactionAnswer.revisions(revisions.map { ShownTransaction($0, at: now) })
            }
            guard let row = revisions.last, row.superseded == nil else {
                throw Problem.notFound("transaction \(number)")
            }
            return TransactionAnswer.current(ShownTransaction(row, at: now))
        }
        routes.put(
            one, .scope(.portfolioWrite),
            Operation(
                "changeTransaction", .portfolios, "Says a transaction anew; the earlier revision stays.",
                problems: [.conflict, .preconditionFailed]), query: [Self.revision, Self.newAsset]
        ) { (body: NewTransaction, context) in OK(try await changeTransaction(body, context)) }
        routes.delete(
            one, .scope(.portfolioWrite),
            Operation(
                "removeTransaction", .portfolios, "Removes a transaction; its revisions stay.",
                problems: [.conflict])
        ) { context in
            let (id, number, now) = (try context.portfolioID(), try context.number(), services.clock())
            try await own(context) { try $0.removeTransactions([number], from: id, of: $1, at: now) }
            return NoContent()
        }
    }

    private func listTransactions(_ context: GatewayContext) async throws -> Page<ShownTransaction> {
        let order = try context.query[Self.order] ?? .time
        let list = order == .time ? "transactions" : "transactions by number"
        let (id, question) = (try context.portfolioID(), try context.page(of: list))
        let filter = TransactionFilter(
            asset: try context.query[Self.asset], wallet: try context.query[Self.wallet],
            kind: try context.query[Self.kind])
        let moment = try context.query[Self.recorded]
        if let moment, order == .time {
            throw Problem.invalid("as_recorded", moment.plain, accepted: "a time with order=number only")
        }
        var place: (time: Timestamp, number: Int64)?
        if let text = question.after {
            let parts = text.split(separator: " ").compactMap { Int64($0) }
            guard parts.count == 2, parts[1] < .max else {
                throw Problem.invalid("cursor", nil, accepted: "the \"next\" of a page of this list")
            }
            place = (Timestamp(nanoseconds: parts[0]), parts[1])
        }
        let last = place
        var rows = try await own(context) { session, user in
            _ = try session.portfolio(id, of: user)
            switch order {
            case .time:
                return try session.transactions(
                    of: id, by: user, filter, after: last, limit: question.limit + 1)
            case .number:
                let change = try moment.map { try session.lastChange(of: id, by: user, at: $0) }
                return try session.transactions(
                    of: id, by: user, filter, asOf: change, in: ((last?.number ?? 0) + 1)...,
                    limit: question.limit + 1)
            }
        }
        let hasMore = rows.count > question.limit
        if hasMore { rows.removeLast() }
        let next = rows.last.map { "\($0.transaction.time.nanoseconds) \($0.number)" }
        let now = services.clock()
        return Page(
            rows.map { ShownTransaction($0, at: now) },
            next: hasMore ? next.map { Cursor.text(list, $0) } : nil)
    }

    private func addTransaction(
        _ body: NewTransaction, _ context: GatewayContext
    ) throws -> Creation<CreatedOrKnown<ShownTransaction>> {
        let (id, now) = (try context.portfolioID(), services.clock())
        let (isNew, limits) = (try context.query[Self.newAsset], services.configuration.quotas.portfolio)
        return try creation(context) { session, user in
            let base = try session.portfolio(id, of: user).base
            let new = try body.transaction(base: base)
            if !isNew { try session.refuseUnknownAsset(of: new, of: user) }
            let added = try session.addTransactions([new], to: id, of: user, limits: limits, at: now)
            let number = added.numbers?.lowerBound ?? added.known[0]
            guard
                let row = try session.rowsInForce(of: id, by: user, numbers: number.map { [$0] } ?? []).first
            else { throw Problem(.conflict, "the transaction was removed meanwhile") }
            // What is there already, with the same external id and content, is no second one.
            return CreatedOrKnown(
                ShownTransaction(row, at: now),
                madeAt: added.numbers == nil ? nil : "/v1/portfolios/\(id)/transactions/\(row.number)")
        }
    }

    private func changeTransaction(
        _ body: NewTransaction, _ context: GatewayContext
    ) async throws -> ShownTransaction {
        let (id, number, now) = (try context.portfolioID(), try context.number(), services.clock())
        let (revision, isNew) = (try context.query[Self.revision], try context.query[Self.newAsset])
        let limits = services.configuration.quotas.portfolio
        return try await own(context) { session, user in
            let base = try session.portfolio(id, of: user).base
            let new = try body.transaction(base: base)
            if !isNew { try session.refuseUnknownAsset(of: new, of: user) }
            let row = try session.editTransaction(
                number, in: id, of: user, expecting: revision == 0 ? nil : Int32(revision),
                limits: limits, at: now
            ) { _ in new }
            return ShownTransaction(row, at: now)
        }
    }
}

extension GatewayContext {
    /// The number of a transaction, from the path.
    ///
    /// - Throws: `not-found` for what cannot be one.
    fileprivate func number() throws(Problem) -> Int64 {
        let text = try path("number")
        guard let number = Int64(text), number > 0 else {
            throw .notFound("transaction \"\(text.prefix(40))\"")
        }
        return number
    }
}

extension Session {
    /// - Throws: `Problem` for an asset that nobody knows.
    func refuseUnknownAsset(of row: Transaction, of user: UserID) throws {
        guard let unknown = try unknownAsset(in: row, by: user) else { return }
        throw Problem.invalid(
            unknown.field, "\(unknown.asset)",
            accepted: "\(unknown.accepted); ?new_asset=true takes it as it is")
    }
}
