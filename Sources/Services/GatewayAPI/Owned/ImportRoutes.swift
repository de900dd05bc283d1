import AccountStore
import Accounts
import GatewayFrame
import Hummingbird
import Instruments
import LedgerFiles
import PortfolioStore
import Shapes
import Store

/// What an import did: 201 where it added something.
private struct ImportAnswer: KeepableAnswer {
    static let documents = CreatedOrKnown<ImportReportBody>.documents

    var report: ImportReportBody
    var hasAdded: Bool

    var kept: KeptAnswer { hasAdded ? Created(report).kept : OK(report).kept }
}

/// What became of one file.
private struct WholeImport: WireBody {
    static let shape = BodyShape<WholeImport>("WholeImport") {
        Field(all: \.row)
        Field("skipped", \.lines, "Lines that added nothing, by line.")
    }

    var row: StoredImport
    var lines: [ImportedFile.Line]
}

/// A format of files that an import reads.
private struct ImportFormatBody: WireBody {
    static let shape = BodyShape<ImportFormatBody>("ImportFormat", "A format of files that an import reads.")
    {
        Field(
            "format", \.format.rawValue, "As an import names it.",
            as: .words(LedgerFormat.allCases.map(\.rawValue)), example: "csv")
        Field("title", \.format.title, "What people call it, in English.", example: "CSV")
        Field(
            "needs_mapping", { $0.format == .mapped },
            "Whether an import has to say what the columns of its file are.", example: false)
    }

    var format: LedgerFormat
}

extension Gateway {
    func addImportRoutes(to routes: RouteTable) {
        let start = "/v1/portfolios/{id}"
        routes.get(
            "/v1/import-formats", .scope(.portfolioRead),
            Operation(
                "listImportFormats", .portfolios,
                "The formats of files that are read, in the order in which a form offers them.")
        ) { _ in WholeList(items: LedgerFormat.allCases.map(ImportFormatBody.init)) }
        routes.post(
            "\(start)/import/preview", .scope(.portfolioWrite),
            Operation(
                "previewImport", .portfolios, "What a file would add, with nothing stored.",
                problems: [.conflict]), weight: 20, takesFile: true
        ) { (body: ImportFile, context) in
            let (work, user) = (try fileImport(context), try context.who.user)
            let place = try services.longWork.enter(user)
            defer { place.leave() }
            let (report, file) = try await own(context, on: services.slow, work.options) {
                try work.imported(body, by: $1, isPreview: true, $0)
            }
            return OK(ImportReportBody(report, of: file, isPreview: true))
        }
        routes.create(
            "\(start)/import", .scope(.portfolioWrite),
            Operation(
                "importTransactions", .portfolios,
                "Adds what a file has and the portfolio has not, all of it or nothing."), weight: 20,
            takesFile: true
        ) { (body: ImportFile, context) in
            let work = try fileImport(context)
            // Entered before a connection is taken, which one would hold who waits for another request with
            // the same key. Left before the answer is given, so that who imports one file after the other is
            // let in; where it fails, with what would have made it.
            let place = try services.longWork.enter(try context.who.user)
            return try creation(context, work.options) { session, user in
                let (report, file) = try work.imported(body, by: user, isPreview: false, session)
                return ImportAnswer(
                    report: ImportReportBody(report, of: file, isPreview: false), hasAdded: report.added > 0)
            }.on(services.slow).followed(by: { place.leave() })
        }
        routes.get(
            "\(start)/imports", .scope(.portfolioRead),
            Operation("listImports", .portfolios, "Files that added something."), query: .page
        ) { context in
            let (id, question) = (try context.portfolioID(), try context.page(of: "imports"))
            let rows = try await own(context) { session, user in
                _ = try session.portfolio(id, of: user)
                return try session.imports(of: id, by: user)
            }
            return try Page(rows, of: "imports", question, key: { "\($0.number)" }, item: \.self)
        }
        routes.get(
            "\(start)/imports/{number}", .scope(.portfolioRead),
            Operation(
                "getImport", .portfolios,
                "What became of a file: its rows, those that were added, and why the others were not.",
                "A file is imported whole or not at all: its number is there when all of it is.")
        ) { context in OK(try await wholeImport(context)) }
        addExportRoute(to: routes)
    }

    private func wholeImport(_ context: GatewayContext) async throws -> WholeImport {
        let (id, name) = (try context.portfolioID(), try context.path("number"))
        return try await own(context, .snapshot) { session, user in
            _ = try session.portfolio(id, of: user)
            let rows = try session.imports(of: id, by: user)
            guard let row = rows.first(where: { "\($0.number)" == name }) else {
                throw Problem.notFound("import \(name.prefix(60)) of this portfolio")
            }
            return WholeImport(row: row, lines: try session.importLines(of: row.number, in: id, by: user))
        }
    }

    /// What a request does with its file.
    private func fileImport(_ context: GatewayContext) throws(Problem) -> FileImport {
        FileImport(
            portfolio: try context.portfolioID(), limits: services.configuration.quotas.portfolio,
            now: services.clock(), isPatient: try context.who.isTerminal)
    }
}

/// An import into a portfolio, or the look at what it would do.
private struct FileImport: Sendable {
    let portfolio: PortfolioID
    let limits: PortfolioLimits
    let now: Timestamp
    /// Whether the file may be as large as the terminal may send it.
    let isPatient: Bool

    /// An hour for each statement of a large file, and between two of them, while rows are read and matched;
    /// and a minute for another import into the same portfolio to end.
    private static let patient: TransactionOptions = {
        var options = TransactionOptions()
        options.statementTimeout = .seconds(3_600)
        return options
    }()
    private static let patience = """
        SET LOCAL idle_in_transaction_session_timeout = '1h'; SET LOCAL lock_timeout = '1min'
        """

    /// How its transaction runs.
    var options: TransactionOptions { isPatient ? Self.patient : .standard }

    /// What a file did or would do, and what was read of it.
    func imported(
        _ body: ImportFile, by user: UserID, isPreview: Bool, _ session: borrowing Session
    ) throws -> (ImportReport, ImportedFile) {
        if isPatient { try session.script(Self.patience) }
        let (ledger, file) = try body.read(base: try session.portfolio(portfolio, of: user).base)
        do throws(StoreError) {
            let report =
                isPreview
                ? try session.previewImport(file, to: portfolio, of: user, limits: limits)
                : try session.importTransactions(
                    file, to: portfolio, of: user, limits: limits, at: now)
            return (report, file)
        } catch {
            guard let refused = error.bodyError as? PortfolioRefused else { throw error }
            var problem = Problem(refused)
            problem.remarks = file.remarks.map { Problem.Remark(line: $0.number, reason: $0.reason) }
            // The place in the file is what its owner looks for.
            if let place = body.place(of: refused, in: ledger) {
                problem.detail = "\(place.place): \(problem.detail)"
            }
            throw problem
        }
    }
}
