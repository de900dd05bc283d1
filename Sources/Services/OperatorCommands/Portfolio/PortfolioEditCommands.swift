public import ArgumentParser
import Instruments
public import Portfolio
import PortfolioStore
import Shapes
import Store

/// The command `bitpal portfolio add`.
struct PortfolioAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Adds a transaction to a portfolio, and prints it.",
        discussion: """
            bitpal portfolio add main --kind buy --wallet Kraken --asset BTC --amount 0.25 \
            --counter-asset EUR --counter-amount 15000 --fee-asset EUR --fee-amount 12.5
            """)

    @OptionGroup var store: PortfolioStoreOptions
    @Argument(help: "The portfolio's name.") var portfolio: String
    @OptionGroup var flags: TransactionFlags
    @Flag(help: "One JSON object.") var json = false

    func run() async throws {
        let (now, user) = (Timestamp.now, store.user)
        let rows = try await store.use { database in
            let portfolio = try await store.find(self.portfolio, in: database)
            let row = try PortfolioAddCommand.unwrapped {
                try flags.row(over: nil, base: portfolio.base, at: now)
            }
            try await flags.check(row, of: portfolio, in: database)
            return try await database.transaction { session in
                let added = try session.addTransactions([row], to: portfolio.id, of: user, at: now)
                let all = try session.ledgerRows(of: portfolio.id, by: user)
                let number = added.numbers?.lowerBound ?? added.known[0]
                return all.filter { $0.number == number }
            }
        }
        try TransactionRows(rows).print(json: json)
    }

    /// A refusal as the end of a command.
    static func unwrapped<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let refused as PortfolioRefused {
            throw CommandFailure(.failed, refused.description)
        }
    }
}

/// The command `bitpal portfolio edit`.
struct PortfolioEditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Changes fields of a transaction, and prints it; what it was is kept.",
        discussion: "An empty value takes a field away: --note ''.")

    @OptionGroup var store: PortfolioStoreOptions
    @Argument(help: "The portfolio's name.") var portfolio: String
    @Argument(help: "The transaction's number.") var number: Int64
    @OptionGroup var flags: TransactionFlags
    @Option(help: "Only if this revision is in force.") var revision: Int32?
    @Flag(help: "One JSON object.") var json = false

    func validate() throws {
        guard !flags.isEmpty else { throw ValidationError("say what to change, such as --amount 0.3") }
    }

    func run() async throws {
        let (now, user, number, revision) = (Timestamp.now, store.user, number, revision)
        let row = try await store.use { database in
            let portfolio = try await store.find(self.portfolio, in: database)
            let all = try await database.withSession { session in
                try session.ledgerRows(of: portfolio.id, by: user)
            }
            guard let old = all.first(where: { $0.number == number }) else {
                throw CommandFailure(.notFound, "there is no transaction \(number)")
            }
            let new = try PortfolioAddCommand.unwrapped {
                try flags.row(over: old.transaction, base: portfolio.base, at: now)
            }
            try await flags.check(new, of: portfolio, in: database)
            return try await database.transaction { session in
                // What was read is what is changed: nobody else's edit is lost.
                try session.editTransaction(
                    number, in: portfolio.id, of: user, expecting: revision ?? old.revision, at: now
                ) { _ in new }
            }
        }
        try TransactionRows([row]).print(json: json)
    }
}

/// The command `bitpal portfolio remove`.
struct PortfolioRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Removes transactions, all of those named or none; they are kept.")

    @OptionGroup var store: PortfolioStoreOptions
    @Argument(help: "The portfolio's name.") var portfolio: String
    @Argument(help: "Numbers of transactions.") var numbers: [Int64]

    func run() async throws {
        let (numbers, now) = (numbers, Timestamp.now)
        try await store.change(portfolio) { session, id, user in
            try session.removeTransactions(numbers, from: id, of: user, at: now)
        }
    }
}

extension TransactionKind: ExpressibleByArgument {}

/// The command `bitpal portfolio transactions`.
struct PortfolioTransactionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transactions",
        abstract: "The transactions of a portfolio by number, or every revision of one.")

    @OptionGroup var store: PortfolioStoreOptions
    @Argument(help: "The portfolio's name.") var portfolio: String
    @Option(help: "Only those with this asset.") var asset: String?
    @Option(help: "Only those of this wallet.") var wallet: String?
    @Option(help: "Only those of this kind.") var kind: TransactionKind?
    @Option(help: "Every revision of the transaction with this number.") var number: Int64?
    @Option(help: "As they were recorded at an instant, such as 2024-12-31T12:00:00Z.") var asRecorded:
        String?
    @Flag(help: "One JSON object a line.") var json = false

    func run() async throws {
        let moment = try asRecorded.map { try LedgerOptions.instant($0, "--as-recorded") }
        let (number, user) = (number, store.user)
        let rows = try await store.use { database in
            let id = try await store.find(portfolio, in: database).id
            return try await database.withSession { session in
                if let number { return try session.transactionHistory(number, of: id, by: user) }
                var change: Int64?
                if let moment { change = try session.lastChange(of: id, by: user, at: moment) }
                return try session.ledgerRows(of: id, by: user, after: change)
            }
        }
        if let number, rows.isEmpty { throw CommandFailure(.notFound, "there is no transaction \(number)") }
        try TransactionRows(rows.filter { isWanted($0.transaction) }).print(json: json)
    }

    private func isWanted(_ row: Transaction) -> Bool {
        let assets = [row.subject.asset, row.counter?.asset, row.fee?.asset].compactMap { $0?.rawValue }
        return (asset.map(assets.contains) ?? true) && (kind.map { $0 == row.kind } ?? true)
            && (wallet.map { $0 == row.wallet || $0 == row.toWallet } ?? true)
    }
}

/// Stored transactions as a table for people and as lines of JSON.
struct TransactionRows {
    private let rows: [StoredTransaction]

    init(_ rows: [StoredTransaction]) { self.rows = rows }

    func print(json: Bool) throws {
        try PortfolioRows.print(
            rows, json,
            [
                ("number", .right), ("time", .left), ("kind", .left), ("wallet", .left), ("amount", .right),
                ("asset", .left), ("for", .left), ("fee", .left), ("external id", .left), ("note", .left),
            ],
            cells: { row in
                let transaction = row.transaction
                let target = transaction.toWallet.map { " → \($0)" } ?? ""
                return [
                    row.revision > 1 ? "\(row.number).\(row.revision)" : "\(row.number)",
                    transaction.time.plain, transaction.kind.rawValue, transaction.wallet + target,
                    transaction.subject.amount.description, transaction.subject.asset.rawValue,
                    transaction.counter.map { "\($0.amount) \($0.asset)" } ?? "",
                    transaction.fee.map { "\($0.amount) \($0.asset)" } ?? "", transaction.externalID,
                    transaction.note,
                ]
            }, write: { $0.writeMembers(to: &$1) })
    }
}
