import Accounts
import GatewayFrame
import HTTPTypes
import Hummingbird
import LedgerFiles
import NIOCore
import PortfolioStore
import Shapes
import Store

/// A portfolio as our own JSON, which ``LedgerJSON`` writes.
private enum PortfolioDocument: Described {
    static let document = BodyDocument(
        "PortfolioDocument", "With history also what is no more, in further lists.",
        PortfolioSettings.document.fields
            + [FieldDocument("transactions", .array(.body(NewTransaction.self), nil))])
}

extension Gateway {
    private static let format = Parameter.choice(
        "format", "csv unless said otherwise.", ExportForm.self, default: .csv)
    private static let recorded = Parameter.time("as_recorded", "As they were recorded at this time.")
    private static let withHistory = Parameter.flag(
        "history",
        """
        With format=json also what is no more: every revision, the changes, imports, days and links. An \
        import leaves these alone.
        """)

    func addExportRoute(to routes: RouteTable) {
        var answer = AnswerDocument(
            status: 200, text: "The file.",
            content: ("text/csv", .text(), "time,kind,wallet,asset,amount\n"))
        let document = Schema.body(PortfolioDocument.self)
        answer.otherForms = [("application/json", document, document.sample)]
        let operation = Operation(
            "exportTransactions", .portfolios,
            "A portfolio as our own CSV or JSON; an import of it gives the same ledger.",
            """
            CSV is the ledger alone. JSON is one document with the currency, wallets, lot settings, targets \
            and transactions.
            """)
        routes.add(
            .get, "/v1/portfolios/{id}/export", RouteRules(access: .scope(.portfolioRead), weight: 10),
            RouteDocument(
                operation: operation,
                parameters: [Self.format.document, Self.recorded.document, Self.withHistory.document],
                answers: [answer])
        ) { _, context in try await export(context) }
    }

    private func export(_ context: GatewayContext) async throws -> Response {
        let form = try context.query[Self.format] ?? .csv
        let (id, moment) = (try context.portfolioID(), try context.query[Self.recorded])
        let hasHistory = try context.query[Self.withHistory]
        guard !hasHistory || form == .json else {
            throw Problem.invalid("history", "true", accepted: "true only with format=json")
        }
        let bytes = try await ownLong(context) { session, user in
            let portfolio = try session.portfolio(id, of: user)
            guard form == .csv else {
                return try session.document(of: portfolio, at: moment, withHistory: hasHistory)
            }
            return LedgerCSV.write(try session.ledger(of: portfolio, at: moment).imported.transactions)
        }
        return Self.file(bytes, form == .csv ? "text/csv; charset=utf-8" : "application/json")
    }

    /// A file for a person.
    static func file(_ bytes: [UInt8], _ type: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: type, .cacheControl: CachePolicy.never.cacheControl],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
