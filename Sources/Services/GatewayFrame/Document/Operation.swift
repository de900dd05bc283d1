package import Accounts
package import Shapes

/// What the API's document says of a route besides what its types say.
package struct Operation: Sendable {
    /// The parts of the API, in the order of the document.
    package enum Tag: String, CaseIterable, Sendable {
        case market = "Market"
        case accounts = "Accounts"
        case watchlists = "Watchlists"
        case alerts = "Alerts"
        case portfolios = "Portfolios"
        case stream = "Stream"
        case service = "Service"

        var text: String {
            switch self {
            case .market:
                "Instruments, prices, books, trades and candles. Open to everybody where the installation says so."
            case .accounts: "Signing in, settings, tokens and devices."
            case .watchlists: "Lists of instruments, in the order that their owner gives them."
            case .alerts: "Rules, what they found, and how it is told."
            case .portfolios: "Transactions, and what they come to."
            case .stream: "Everything that changes, as it changes."
            case .service: "The gateway itself."
            }
        }
    }

    /// Names it among all; clients are made with it.
    var id: String
    var tag: Tag
    /// One sentence.
    var summary: String
    /// What else there is to know.
    var description: String
    /// How it may fail besides the ways that all routes of its kind have in common.
    var problems: Set<ProblemAnswer>
    /// What it leaves in the audit log; each route of accounts that changes something says so.
    var audit: AuditRule?

    package init(
        _ id: String, _ tag: Tag, _ summary: String, _ description: String = "",
        problems: Set<ProblemAnswer> = []
    ) {
        (self.id, self.tag, self.summary, self.description) = (id, tag, summary, description)
        self.problems = problems
    }

    /// The same for a route that leaves one entry in the audit log, with one of these words.
    package func audited(_ actions: AuditAction...) -> Operation {
        var operation = self
        operation.audit = .entry(actions)
        return operation
    }

    /// The same for a route that leaves none, and why.
    package func unaudited(_ reason: String) -> Operation {
        var operation = self
        operation.audit = .nothing(reason)
        return operation
    }
}

/// A parameter behind the question mark, a header, or a part of the path, as the document shows it.
package struct ParameterDocument: Sendable {
    /// Where it stands in a request.
    package enum Place: String, Sendable { case query, header, path }

    var name: String
    var place: Place
    var text: String
    var schema: Schema
    var example: DocumentNode?
    var isRequired: Bool

    package init(
        name: String, place: Place = .query, text: String, schema: Schema, example: DocumentNode? = nil,
        isRequired: Bool = false
    ) {
        (self.name, self.place, self.text) = (name, place, text)
        (self.schema, self.example, self.isRequired) = (schema, example, isRequired)
    }

    var node: DocumentNode {
        var members: [DocumentNode.Member] = [
            .init("name", .text(name)), .init("in", .text(place.rawValue)),
        ]
        if isRequired || place == .path { members.append(.init("required", true)) }
        if !text.isEmpty { members.append(.init("description", .text(text))) }
        members.append(.init("schema", schema.node))
        if let example { members.append(.init("example", example)) }
        return .object(members)
    }
}

extension ParameterDocument {
    /// The parts of paths by their names.
    static func path(_ name: String) -> ParameterDocument {
        switch name {
        case "instrument":
            ParameterDocument(
                name: name, place: .path,
                text: "VENUE:SYMBOL, percent-encoded where the symbol has a slash.", schema: .text(),
                example: "kraken:BTC%2FUSD")
        case "pair":
            ParameterDocument(
                name: name, place: .path, text: "Base and quote asset, such as BTC-USD.", schema: .text(),
                example: "BTC-USD")
        case "number":
            ParameterDocument(
                name: name, place: .path, text: "Counted within its portfolio.",
                schema: .integer(in: 1...Int64.max), example: 1)
        case "coin":
            ParameterDocument(
                name: name, place: .path, text: "Its key, code or name.", schema: .text(), example: "bitcoin")
        case "code":
            ParameterDocument(
                name: name, place: .path, text: "Of an asset.", schema: .text(length: 1...64), example: "BTC")
        case "token":
            ParameterDocument(
                name: name, place: .path, text: "The text of the link.", schema: .text(), example: "abc")
        default:
            ParameterDocument(
                name: name, place: .path, text: "", schema: .text("uuid"), example: .text(Schema.sampleID))
        }
    }

    /// Makes a repeated request one that is done once.
    package static let idempotencyKey = ParameterDocument(
        name: "Idempotency-Key", place: .header,
        text: "1 to 200 printable characters; the same request with it is done once in 24 hours.",
        schema: .text(length: 1...200))
}
