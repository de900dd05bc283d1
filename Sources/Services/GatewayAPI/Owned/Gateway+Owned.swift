import AccountStore
import Hummingbird
import Instruments
import JSON
import NIOCore
import Store

extension Gateway {
    /// What belongs to one user: watchlists, alerts, channels, portfolios, and what is shown of them.
    func addOwnedRoutes(to routes: RouteTable) {
        addWatchlistRoutes(to: routes)
        addAlertRoutes(to: routes)
        addAlertProbeRoutes(to: routes)
        addChannelRoutes(to: routes)
        addDeliveryRoutes(to: routes)
        addPortfolioRoutes(to: routes)
        addTransactionRoutes(to: routes)
        addImportRoutes(to: routes)
        addValueRoutes(to: routes)
        addLotSettingsRoutes(to: routes)
        addPlanRoutes(to: routes)
        addShareRoutes(to: routes)
        addSummaryRoutes(to: routes)
    }

    /// Runs a transaction that sees and changes the rows of whoever asks, and no others.
    ///
    /// - Throws: `Problem` for what a person can change; `StoreError`.
    func own<Value: Sendable>(
        _ context: GatewayContext, _ options: TransactionOptions = .standard,
        _ body: @escaping @Sendable (borrowing Session, UserID) throws -> Value
    ) async throws -> Value {
        try await act(as: try context.who.user, options, body)
    }

    /// The same for a user who is known otherwise, such as the owner of a link.
    func act<Value: Sendable>(
        as user: UserID, _ options: TransactionOptions = .standard,
        _ body: @escaping @Sendable (borrowing Session, UserID) throws -> Value
    ) async throws -> Value {
        do {
            return try await services.database.transaction(as: user, options) { try body($0, user) }
        } catch {
            throw try await problem(error)
        }
    }
}

/// Answers that are written by the functions of the command line.
enum OwnedAnswer {
    /// One object, or anything else that is JSON.
    static func json(_ bytes: [UInt8], status: HTTPResponse.Status = .ok) -> Response {
        Response.json(ByteBuffer(bytes: bytes), status: status)
    }

    /// An object by its members.
    static func object(
        status: HTTPResponse.Status = .ok, _ members: (inout JSONWriter) throws -> Void
    ) rethrows -> Response {
        var line = JSONWriter()
        line.beginObject()
        try members(&line)
        line.endObject()
        return json(line.bytes, status: status)
    }

    /// What was made, and where it is.
    static func created(_ path: String, _ bytes: [UInt8]) -> Response {
        var response = json(bytes, status: .created)
        response.headers[.location] = path
        return response
    }

    /// A part of a list whose items are JSON already.
    static func page(_ items: [[UInt8]], next: String?) -> Response {
        object { line in
            line.key("items")
            line.beginArray()
            for item in items { line.raw(item.last == 0x0A ? Array(item.dropLast()) : item) }
            line.endArray()
            line.pair("next", next)
        }
    }

    /// An object that is one item of a list.
    static func item(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var line = JSONWriter()
        line.beginObject()
        members(&line)
        line.endObject()
        return line.bytes
    }

    /// The part of a bounded list that was asked for; its places are the keys of its items.
    static func page<Row>(
        _ rows: [Row], of list: String, _ question: PageQuestion, key: (Row) -> String,
        item: (Row) -> [UInt8]
    ) throws(Problem) -> Response {
        var start = 0
        if let after = question.after {
            guard let place = rows.firstIndex(where: { key($0) == after }) else {
                throw .invalid("cursor", nil, accepted: "the \"next\" of a page of this list, which changed")
            }
            start = place + 1
        }
        let part = rows[start...].prefix(question.limit)
        let hasMore = start + part.count < rows.count
        return page(
            part.map(item), next: hasMore ? part.last.map { Cursor.text(list, key($0)) } : nil)
    }
}

/// A place in a list that is ordered by time and key.
struct TimePlace {
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
