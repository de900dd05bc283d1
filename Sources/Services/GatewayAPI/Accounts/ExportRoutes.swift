import AccountStore
import AlertStore
import GatewayFrame
import Hummingbird
import Instruments
import Logging
import NIOCore
import PortfolioStore
import Shapes
import Store

/// The document, as the API describes it: its members are those of the sections.
private enum Export: Described {
    static let sections = AccountExport.sections + AlertExport.sections + PortfolioExport.sections

    static let document = BodyDocument(
        "Export", "Everything that is kept for somebody, of one moment.",
        [
            FieldDocument(
                "format", .text(), "What the document is, and how it is written.", example: "bitpal-export 1"),
            FieldDocument("time", .text("date-time"), "The moment.", example: "2026-11-21T12:00:00.123Z"),
        ]
            + sections.map { section in
                FieldDocument(section.name, section.isSingle ? .nullable(row) : .array(row, nil))
            })

    private static let row = Schema.keywords([.init("type", "object")])
}

extension Gateway {
    private static let exportDocument = RouteDocument(
        operation: Operation(
            "exportAccount", .accounts,
            "Everything that is kept for who asks, as one document, without secrets.",
            """
            Account, settings, sessions, tokens, passkeys, watchlists, devices, channels, alerts with their \
            events, firings and deliveries, portfolios with every revision of every transaction, imports and \
            shares; of one moment, sent piece by piece.
            """),
        answers: [
            AnswerDocument(
                status: 200, text: "The document.",
                content: ("application/json", .body(Export.self), Export.document.sample), isInPieces: true)
        ])

    /// `GET /v1/account/export`: everything that is kept for who asks, as one document.
    func addExportRoutes(_ accountService: AccountService, to routes: RouteTable) {
        let (door, logger) = (services.longWork, services.logger)
        let rules = RouteRules(access: .session, weight: 30)
        routes.add(.get, "/v1/account/export", rules, Self.exportDocument) { _, context in
            let account = try await accountService.account(try context.who)
            let place = try door.enter(account.user)
            return Response(
                status: .ok,
                headers: [
                    .contentType: "application/json", .cacheControl: "no-store",
                    .contentDisposition: "attachment; filename=\"bitpal-export.json\"",
                ],
                body: ResponseBody { writer in
                    // The place is held by the body, which may never be asked for, as for HEAD.
                    defer { withExtendedLifetime(place) {} }
                    do {
                        try await accountService.export(account.user, to: &writer, in: place)
                    } catch {
                        // Without its end the client sees that it is not whole.
                        logger.warning("An export ended early", metadata: ["error": "\(error)"])
                        throw error
                    }
                    try await writer.finish(nil)
                })
        }
    }
}

extension AccountService {
    /// Writes everything of a user, of one moment, in memory that does not grow with it.
    fileprivate func export(
        _ user: UserID, to writer: inout any ResponseBodyWriter, in place: LongWorkLimit.Permit
    ) async throws {
        let (pipe, now) = (ExportPipe(patience: pools.readerTimeout, limit: pools.exportTimeout), clock())
        let (database, limit, exports) = (slow, pools.exportTimeout, exports)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                // Who takes nothing any more keeps nobody else out.
                defer { place.leave() }
                do {
                    try await Self.read(user, at: now, from: database, within: limit, into: pipe)
                    pipe.finish()
                } catch {
                    exports.note(error)
                    pipe.finish(error)
                }
            }
            do {
                for try await piece in pipe.pieces {
                    try await writer.write(piece)
                    pipe.taken()
                }
            } catch {
                pipe.close()
                throw error
            }
            try await group.waitForAll()
        }
    }

    private static func read(
        _ user: UserID, at now: Timestamp, from database: Database, within limit: Duration,
        into pipe: ExportPipe
    ) async throws {
        var options = TransactionOptions()
        options.isolation = .repeatableRead
        options.isReadOnly = true
        // What was sent cannot be taken back.
        options.maximumAttempts = 1
        // The pipe ends it in time, with a reason.
        options.statementTimeout = limit + .seconds(60)
        let idle = limit.components.seconds + 60
        try await database.transaction(options) { session in
            // While the last rows are sent the session does nothing.
            try session.script("SET LOCAL idle_in_transaction_session_timeout = '\(idle)s'")
            var piece = ByteBuffer()
            piece.writeString("{\"format\":\"bitpal-export 1\",\"time\":\"\(now.inAnswers)\",")
            try session.export(Export.sections, of: user.rawValue) { text in
                piece.writeString(text)
                guard piece.readableBytes >= ExportPipe.pieceSize else { return }
                try pipe.put(piece)
                piece = ByteBuffer()
            }
            piece.writeString("\n}\n")
            try pipe.put(piece)
        }
    }
}
