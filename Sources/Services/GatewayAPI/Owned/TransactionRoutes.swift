import AccountStore
import Accounts
import Hummingbird
import Instruments
import JSON
import LedgerFiles
import Portfolio
import PortfolioStore
import Store

extension Gateway {
    func addTransactionRoutes(to routes: RouteTable) {
        let all = "/v1/portfolios/{id}/transactions"
        let one = "/v1/portfolios/{id}/transactions/{number}"
        routes.get(all, .scope(.portfolioRead), query: .page + ["asset", "wallet", "kind"]) { _, context in
            try await listTransactions(context)
        }
        routes.post(all, .scope(.portfolioWrite), creates: true, query: ["new_asset"]) { _, context in
            try await addTransaction(context)
        }
        routes.get(one, .scope(.portfolioRead), query: ["history"]) { _, context in
            let (id, number) = (try context.portfolioID(), try context.number())
            let revisions = try await own(context) { session, user in
                _ = try session.portfolio(id, of: user)
                return try session.transactionHistory(number, of: id, by: user)
            }
            if try context.query.flag("history") {
                guard !revisions.isEmpty else { throw Problem.notFound("transaction \(number)") }
                return OwnedAnswer.page(revisions.map(Self.item), next: nil)
            }
            guard let row = revisions.last, row.superseded == nil else {
                throw Problem.notFound("transaction \(number)")
            }
            return OwnedAnswer.json(Self.item(row))
        }
        routes.put(one, .scope(.portfolioWrite), query: ["revision", "new_asset"]) { _, context in
            let (id, number, now) = (try context.portfolioID(), try context.number(), services.clock())
            let revision = try context.query.integer("revision", in: 0...Int(Int32.max), default: 0)
            let (body, isNew) = (try Self.transactionBody(context), try context.query.flag("new_asset"))
            let row = try await own(context) { session, user in
                let base = try session.portfolio(id, of: user).base
                let new = try Self.transaction(body, base: base)
                if !isNew { try session.refuseUnknownAsset(of: new, of: user) }
                return try session.editTransaction(
                    number, in: id, of: user, expecting: revision == 0 ? nil : Int32(revision), at: now
                ) { _ in new }
            }
            return OwnedAnswer.json(Self.item(row))
        }
        routes.delete(one, .scope(.portfolioWrite)) { _, context in
            let (id, number, now) = (try context.portfolioID(), try context.number(), services.clock())
            try await own(context) { try $0.removeTransactions([number], from: id, of: $1, at: now) }
            return .noContent
        }
    }

    private func listTransactions(_ context: GatewayContext) async throws -> Response {
        let (id, question) = (try context.portfolioID(), try context.page(of: "transactions"))
        let filter = TransactionFilter(
            asset: try context.query.text("asset"), wallet: try context.query.text("wallet"),
            kind: try context.query.choice("kind", TransactionKind.self))
        var place: (time: Timestamp, number: Int64)?
        if let text = question.after {
            let parts = text.split(separator: " ").compactMap { Int64($0) }
            guard parts.count == 2 else {
                throw Problem.invalid("cursor", nil, accepted: "the \"next\" of a page of this list")
            }
            place = (Timestamp(nanoseconds: parts[0]), parts[1])
        }
        let last = place
        var rows = try await own(context) { session, user in
            _ = try session.portfolio(id, of: user)
            return try session.transactions(
                of: id, by: user, filter, after: last, limit: question.limit + 1)
        }
        let hasMore = rows.count > question.limit
        if hasMore { rows.removeLast() }
        let next = rows.last.map { "\($0.transaction.time.nanoseconds) \($0.number)" }
        return OwnedAnswer.page(
            rows.map(Self.item), next: hasMore ? next.map { Cursor.text("transactions", $0) } : nil)
    }

    private func addTransaction(_ context: GatewayContext) async throws -> Response {
        let (id, now) = (try context.portfolioID(), services.clock())
        let (body, isNew) = (try Self.transactionBody(context), try context.query.flag("new_asset"))
        let (row, isAdded) = try await own(context) { session, user in
            let base = try session.portfolio(id, of: user).base
            let new = try Self.transaction(body, base: base)
            if !isNew { try session.refuseUnknownAsset(of: new, of: user) }
            let added = try session.addTransactions([new], to: id, of: user, at: now)
            let number = added.numbers?.lowerBound ?? added.known[0]
            let stored = try session.ledgerRows(of: id, by: user).first { $0.number == number }
            return (stored, added.numbers != nil)
        }
        guard let row else { throw Problem(.conflict, "the transaction was removed meanwhile") }
        // What is there already, with the same external id and content, is no second one.
        guard isAdded else { return OwnedAnswer.json(Self.item(row)) }
        return OwnedAnswer.created("/v1/portfolios/\(id)/transactions/\(row.number)", Self.item(row))
    }

    private static func item(_ row: StoredTransaction) -> [UInt8] {
        OwnedAnswer.item { PortfolioJSON.write(row, to: &$0) }
    }

    /// The body, which is an object, as it was sent.
    static func transactionBody(_ context: GatewayContext) throws(Problem) -> [UInt8] {
        let bytes = Array(context.body.readableBytesView)
        guard case .object(let members) = try JSONInput.read(bytes) else {
            throw .invalid("body", nil, accepted: "one transaction, an object")
        }
        for field in ["amount", "counter_amount", "fee_amount"] { try checkAmount(members[field], field) }
        return bytes
    }

    /// Amounts are texts here, though our files take bare numbers, too: most clients have rounded a number
    /// before it leaves them.
    private static func checkAmount(_ value: JSONValue?, _ field: String) throws(Problem) {
        switch value {
        case .number: break
        case .string(let text):
            guard text.contains(where: \.isWhitespace) else { return }
        default: return
        }
        throw .invalid(field, value?.shown, accepted: "a decimal in quotes, without blanks, such as \"0.1\"")
    }

    /// One transaction in the form of our own JSON files.
    static func transaction(_ object: [UInt8], base: Asset) throws(Problem) -> Transaction {
        do {
            return try LedgerJSON.read([0x5B] + object + [0x5D], base: base).transactions[0]
        } catch {
            throw Problem(ofTransaction: error)
        }
    }
}

extension Problem {
    /// What is wrong with a transaction that came by itself: no line of a file.
    fileprivate init(ofTransaction fault: FileFault) {
        let name = fault.field.isEmpty ? "body" : fault.field
        self.init(.invalidField, "\(name): \(fault.reason)")
        field = name
        accepted = Self.acceptedInTransaction(fault.field)
    }

    private static func acceptedInTransaction(_ field: String) -> String? {
        switch field {
        case "time": "a time with its zone, such as \"2026-01-31T12:00:00Z\""
        case "kind": TransactionKind.allCases.map(\.rawValue).joined(separator: ", ")
        case "amount", "counter_amount", "fee_amount":
            "a decimal in quotes, not negative, with at most 120 digits on each side of the point"
        case "asset", "counter_asset", "fee_asset": "the name of an asset, such as \"BTC\""
        case "wallet", "to_wallet": "the name of a wallet"
        default: nil
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
