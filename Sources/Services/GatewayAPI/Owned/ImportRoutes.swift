import AccountStore
import Accounts
import Hummingbird
import HTTPTypes
import Instruments
import JSON
import LedgerFiles
import NIOCore
import Portfolio
import PortfolioStore
import Store

extension Gateway {
    func addImportRoutes(to routes: RouteTable) {
        let start = "/v1/portfolios/{id}"
        routes.post("\(start)/import/preview", .scope(.portfolioWrite), weight: 20) { _, context in
            try await importFile(context, isPreview: true)
        }
        routes.post("\(start)/import", .scope(.portfolioWrite), weight: 20, creates: true) { _, context in
            try await importFile(context, isPreview: false)
        }
        routes.get("\(start)/imports", .scope(.portfolioRead), query: .page) { _, context in
            let (id, question) = (try context.portfolioID(), try context.page(of: "imports"))
            let rows = try await own(context) { session, user in
                _ = try session.portfolio(id, of: user)
                return try session.imports(of: id, by: user)
            }
            return try OwnedAnswer.page(rows, of: "imports", question, key: { "\($0.number)" }) { row in
                OwnedAnswer.item { row.write(to: &$0) }
            }
        }
        routes.get("\(start)/imports/{number}", .scope(.portfolioRead)) { _, context in
            try await importReport(context)
        }
        routes.get(
            "\(start)/export", .scope(.portfolioRead), weight: 10,
            query: ["format", "as_recorded", "history"]
        ) { _, context in
            let form = try context.query.choice("format", ExportForm.self) ?? .csv
            let (id, moment) = (try context.portfolioID(), try context.query.time("as_recorded"))
            let hasHistory = try context.query.flag("history")
            guard !hasHistory || form == .json else {
                throw Problem.invalid("history", "true", accepted: "true only with format=json")
            }
            let bytes = try await own(context, .snapshot) { session, user in
                let portfolio = try session.portfolio(id, of: user)
                guard form == .csv else {
                    return try session.document(of: portfolio, at: moment, withHistory: hasHistory)
                }
                return LedgerCSV.write(
                    try session.ledger(of: portfolio, at: moment).imported.transactions)
            }
            return Self.file(bytes, form == .csv ? "text/csv; charset=utf-8" : "application/json")
        }
    }

    /// What became of one file.
    private func importReport(_ context: GatewayContext) async throws -> Response {
        let (id, name) = (try context.portfolioID(), try context.path("number"))
        let report: (row: StoredImport, lines: [ImportedFile.Line])
        report = try await own(context, .snapshot) { session, user in
            _ = try session.portfolio(id, of: user)
            let rows = try session.imports(of: id, by: user)
            guard let row = rows.first(where: { "\($0.number)" == name }) else {
                throw Problem.notFound("import \(name.prefix(60)) of this portfolio")
            }
            return (row, try session.importLines(of: row.number, in: id, by: user))
        }
        return OwnedAnswer.object { line in
            report.row.write(to: &line)
            line.list("skipped", report.lines) { skipped, line in
                line.key("line")
                line.integer(skipped.number)
                line.text("reason", skipped.reason)
            }
        }
    }

    /// A file for a person.
    static func file(_ bytes: [UInt8], _ type: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: type, .cacheControl: Freshness.never.cacheControl],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    private func importFile(_ context: GatewayContext, isPreview: Bool) async throws -> Response {
        let (id, body, now) = (try context.portfolioID(), try context.json(ImportBody.self), services.clock())
        let report: ImportReport
        let file: ImportedFile
        (report, file) = try await own(context) { session, user in
            let file = try body.file(base: try session.portfolio(id, of: user).base)
            do throws(StoreError) {
                let report =
                    isPreview
                    ? try session.previewImport(file, to: id, of: user)
                    : try session.importTransactions(file, to: id, of: user, at: now)
                return (report, file)
            } catch {
                // The place in the file is what its owner looks for.
                guard let refused = error.bodyError as? PortfolioRefused, let index = refused.index,
                    file.lines.indices.contains(index)
                else { throw error }
                var place = FileFault(line: file.lines[index], "")
                if case .unknownAsset(let unknown) = refused.reason {
                    place = body.place(of: unknown, line: place.line)
                }
                var problem = Problem(refused)
                problem.detail = "\(place.place): \(problem.detail)"
                throw problem
            }
        }
        var line = JSONWriter()
        PortfolioJSON.write(report, rows: file.rows.count, isPreview: isPreview, to: &line)
        return OwnedAnswer.json(line.bytes, status: isPreview || report.added == 0 ? .ok : .created)
    }
}

extension StoredImport {
    /// Writes the members of an object.
    fileprivate func write(to line: inout JSONWriter) {
        line.text("made", made.plain)
        line.text("source", source)
        line.text("format", format)
        for (name, count) in [("number", number), ("rows", rows), ("added", added)] {
            line.key(name)
            line.integer(count)
        }
    }
}

/// The forms in which a ledger leaves.
enum ExportForm: String, CaseIterable {
    case csv, json
}

/// A file of transactions as a client sends it.
struct ImportBody: Decodable, Sendable {
    /// For a table of any form: which column and word means what.
    struct Mapping: Decodable, Sendable {
        var columns: [String: String]?
        var kinds: [String: String]?
    }

    var format: String
    var text: String
    var mapping: Mapping?
    var source: String?
    var wallet: String?
    var zone: String?
    var allowUnknownAssets: Bool?

    enum CodingKeys: String, CodingKey {
        case format, text, mapping, source, wallet, zone
        case allowUnknownAssets = "allow_unknown_assets"
    }

    /// Where in the text an asset is named.
    func place(of unknown: UnknownAsset, line: Int) -> FileFault {
        let format = LedgerFormat(rawValue: format) ?? .csv
        return format.place(
            of: unknown.asset.rawValue, field: unknown.field, line: line, in: Array(text.utf8))
    }

    /// What it holds.
    ///
    /// - Throws: `Problem` that names the field, or the line of the text.
    func file(base: Asset) throws(Problem) -> ImportedFile {
        guard let known = LedgerFormat(rawValue: format) else {
            let formats = LedgerFormat.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalid("format", format, accepted: formats)
        }
        var options = ImportOptions()
        options.base = base
        options.wallet = wallet
        options.columns = mapping?.columns ?? [:]
        options.kinds = mapping?.kinds ?? [:]
        if let zone {
            guard let seconds = ImportOptions.zone(zone) else {
                throw .invalid("zone", zone, accepted: "a zone such as +01:00 or Z")
            }
            options.zone = seconds
        }
        let name = source ?? "\(format) sent to the API"
        guard (1...200).contains(name.utf8.count), name.utf8.allSatisfy({ $0 >= 0x20 }) else {
            throw .invalid("source", source, accepted: "one line of 1...200 bytes")
        }
        do {
            let read = try known.read(Array(text.utf8), options)
            var file = ImportedFile(
                source: name, format: format, rows: read.transactions, lines: read.lines,
                skipped: read.skipped.map { ImportedFile.Line($0.line, $0.reason) })
            file.takesUnknownAssets = allowUnknownAssets ?? false
            file.settings = read.settings
            return file
        } catch {
            throw Problem(error)
        }
    }
}
