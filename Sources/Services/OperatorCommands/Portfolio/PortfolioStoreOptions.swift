import AccountStore
import ArgumentParser
import Instruments
import MarketStore
import Portfolio
import PortfolioStore
import Store

/// Where portfolios are kept.
struct PortfolioStoreOptions: ParsableArguments {
    @OptionGroup var bus: BusOptions
    @OptionGroup var database: DatabaseOptions

    /// Whose portfolios.
    var user: UserID { .localOperator }

    /// Runs a closure with the database, whose schema is brought up to date first.
    ///
    /// - Parameters:
    ///   - place: Where in its source stands what was refused.
    ///   - body: Its ``PortfolioRefused`` errors become one line for a person.
    /// - Returns: What the closure returns.
    /// - Throws: ``CommandFailure``, with status 4 when there is no database.
    func use<Value: Sendable>(
        _ place: (PortfolioRefused) -> String? = { _ in nil }, _ body: (Database) async throws -> Value
    ) async throws -> Value {
        guard let configuration = try await database.find(try BusClient(bus.addresses())) else {
            throw CommandFailure(
                .unreachable, "no database is reachable; is `bitpal up` running? Else set BITPAL_DATABASE_URL"
            )
        }
        _ = try await UserData.backUpIfOlder(
            configuration, into: (self.database.dataDir ?? DataDirectory.standard) + "/backups")
        try await PortfolioSchema.migrate(configuration, logger: .silent)
        var patient = configuration
        // A large import is one statement.
        patient.statementTimeout = .seconds(3_600)
        // Rows are matched and validated between two of its statements.
        patient.idleInTransactionTimeout = .seconds(3_600)
        // Whoever comes while another one imports into the same portfolio waits a minute for its turn.
        patient.lockTimeout = .seconds(60)
        return try await DatabaseOptions.use(patient) { database in
            do {
                return try await body(database)
            } catch let error as StoreError {
                guard let refused = error.bodyError as? PortfolioRefused else { throw error }
                throw PortfolioStoreOptions.failure(refused, place(refused))
            }
        }
    }

    private static func failure(_ refused: PortfolioRefused, _ place: String?) -> CommandFailure {
        var status = CommandStatus.failed
        switch refused.reason {
        case .noSuchPortfolio, .noSuchTransaction, .noSuchUser, .unknownBenchmark: status = .notFound
        default: break
        }
        var text = (place.map { $0 + ": " } ?? "") + refused.description
        if case .unknownAsset = refused.reason { text += "; --allow-unknown-assets takes it as it is" }
        return CommandFailure(status, text)
    }

    /// One portfolio by its name.
    ///
    /// - Throws: ``CommandFailure`` with the nearest names when there is none.
    func find(_ name: String, in database: Database) async throws -> StoredPortfolio {
        let user = user
        let portfolio = try await database.withSession { try $0.findPortfolio(named: name, of: user) }
        if let portfolio { return portfolio }
        let known = try await database.withSession { try $0.portfolios(of: user).map(\.name) }
        throw CommandFailure(
            .notFound, "there is no portfolio \"\(name)\"; \(PortfolioNames.hint(name, among: known))")
    }

    /// Runs one change of a portfolio in a transaction.
    func change<Value: Sendable>(
        _ name: String, _ place: (PortfolioRefused) -> String? = { _ in nil },
        _ body: @escaping @Sendable (borrowing Session, PortfolioID, UserID) throws -> Value
    ) async throws -> Value {
        let user = user
        return try await use(place) { database in
            let id = try await find(name, in: database).id
            return try await database.transaction { session in try body(session, id, user) }
        }
    }
}

/// Names that somebody may have meant.
enum PortfolioNames {
    static func hint(_ name: String, among known: [String]) -> String {
        let near = NearestNames.symbols(to: name, among: known)
        if !near.isEmpty { return "did you mean \(near.joined(separator: ", "))?" }
        if known.isEmpty { return "`bitpal portfolio create NAME` makes one" }
        let some = known.prefix(8).joined(separator: ", ")
        return "there are \(some)\(known.count > 8 ? " and \(known.count - 8) more" : "")"
    }
}
