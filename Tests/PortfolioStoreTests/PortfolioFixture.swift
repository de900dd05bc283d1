import AccountStore
import Instruments
import Portfolio
import PortfolioStore
import Store
import Support
import Testing

/// A database with the schemas, and what tests need of it.
enum PortfolioFixture {
    static let user = UserID.localOperator
    static let usd = Asset(rawValue: "USD")
    static let bitcoin = Asset(rawValue: "BTC")
    /// 2026-01-01T00:00:00.000001Z, and some that no `timestamptz` keeps.
    static let now = Timestamp(nanoseconds: 1_767_225_600_000_001_234)

    static func database(connections: Int = 4) async throws -> Database {
        try await databaseWithConfiguration(connections: connections).0
    }

    static func databaseWithConfiguration(
        connections: Int = 4
    ) async throws -> (Database, StoreConfiguration) {
        var configuration = try await TestDatabase.migrated("portfolio", by: PortfolioSchema.migrate)
        configuration.maximumConnections = connections
        return (
            Database(configuration: configuration, logger: TestDatabase.logger, jitter: { 0 }), configuration
        )
    }

    static func id(_ number: UInt64) -> PortfolioID {
        PortfolioID(
            rawValue: UniqueID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0000 | number))
    }

    /// An amount in the form of a test.
    static func amount(_ text: String) throws -> Amount { try Amount(parsing: text) }

    /// `buy 1 BTC 100 USD` at so many hours after ``now``'s day began a year before.
    static func row(
        _ kind: TransactionKind, _ amount: String, _ asset: String = "BTC", for price: String? = nil,
        hour: Int64, wallet: String = "Cold", id: String = ""
    ) throws -> Transaction {
        Transaction(
            time: Timestamp(nanoseconds: 1_735_689_600_000_000_000 + hour * 3_600_000_000_000), kind: kind,
            wallet: wallet, subject: Holding(try self.amount(amount), Asset(rawValue: asset)),
            counter: try price.map { Holding(try self.amount($0), usd) }, externalID: id)
    }
}

extension Database {
    func make(_ number: UInt64 = 1, wallets: [String] = ["Cold", "Kraken"]) async throws -> PortfolioID {
        let id = PortfolioFixture.id(number)
        try await transaction { session in
            _ = try session.createPortfolio(
                id, named: "p\(number)", base: PortfolioFixture.usd, of: PortfolioFixture.user,
                at: PortfolioFixture.now)
            for wallet in wallets {
                try session.putWallet(
                    wallet, kind: .cold, in: id, of: PortfolioFixture.user, at: PortfolioFixture.now)
            }
        }
        return id
    }

    func add(
        _ rows: [Transaction], to id: PortfolioID, at now: Timestamp = PortfolioFixture.now
    ) async throws -> AddedTransactions {
        try await transaction { session in
            try session.addTransactions(rows, to: id, of: PortfolioFixture.user, at: now)
        }
    }

    func importFile(
        _ rows: [Transaction], to id: PortfolioID, skipped: [ImportedFile.Line] = [],
        at now: Timestamp = PortfolioFixture.now
    ) async throws -> ImportReport {
        let file = ImportedFile(
            source: "a.csv", format: "csv", rows: rows, lines: rows.indices.map { $0 + 2 },
            skipped: skipped)
        return try await transaction { session in
            try session.importTransactions(file, to: id, of: PortfolioFixture.user, at: now)
        }
    }

    func ledger(_ id: PortfolioID, after change: Int64? = nil) async throws -> [StoredTransaction] {
        try await withSession { try $0.ledgerRows(of: id, by: PortfolioFixture.user, after: change) }
    }

    func find(_ id: PortfolioID, of user: UserID = PortfolioFixture.user) async throws -> StoredPortfolio? {
        try await withSession { try $0.findPortfolio(id, of: user) }
    }

    func wallets(of id: PortfolioID) async throws -> [StoredWallet] {
        try await withSession { try $0.wallets(of: id, by: PortfolioFixture.user) }
    }

    func targets(of id: PortfolioID) async throws -> [StoredTarget] {
        try await withSession { try $0.targets(of: id, by: PortfolioFixture.user) }
    }

    func imports(of id: PortfolioID) async throws -> [StoredImport] {
        try await withSession { try $0.imports(of: id, by: PortfolioFixture.user) }
    }

    func importLines(of number: Int32, in id: PortfolioID) async throws -> [ImportedFile.Line] {
        try await withSession { try $0.importLines(of: number, in: id, by: PortfolioFixture.user) }
    }
}

/// Why a change was refused; an issue when it was not, or for another reason.
func refusal<Value>(
    at location: SourceLocation = #_sourceLocation, _ body: () async throws -> Value
) async -> PortfolioRefused? {
    do {
        _ = try await body()
        Issue.record("nothing was thrown", sourceLocation: location)
    } catch let error as StoreError {
        if let refused = error.bodyError as? PortfolioRefused { return refused }
        Issue.record(error, sourceLocation: location)
    } catch {
        Issue.record(error, sourceLocation: location)
    }
    return nil
}
