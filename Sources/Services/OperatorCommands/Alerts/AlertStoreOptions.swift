import AccountStore
import AlertStore
import Alerting
import ArgumentParser
import Instruments
import Logging
import MarketStore
import Operations
import Store

/// Where rules are kept.
struct AlertStoreOptions: ParsableArguments {
    @OptionGroup var bus: BusOptions
    @OptionGroup var database: DatabaseOptions

    /// Whose rules.
    var user: UserID { .localOperator }

    /// What the user may have.
    ///
    /// - Throws: `ConfigurationError` for a setting that makes no sense.
    var limits: RuleLimits {
        get throws { RuleLimits(enabled: try Settings.ofCommand()[SharedSettings.rulesPerUser]) }
    }

    /// Runs a closure with the database, whose schema is brought up to date first.
    ///
    /// - Parameters:
    ///   - file: Where the rules of the closure come from; its lines are named in errors.
    ///   - body: Its ``RuleRefused`` errors become one line for a person.
    /// - Returns: What the closure returns.
    /// - Throws: ``CommandFailure``, with status 4 when there is no database.
    func use<Value: Sendable>(
        _ file: RuleFile? = nil, _ body: (Database) async throws -> Value
    ) async throws -> Value {
        guard let configuration = try await database.find(try BusClient(bus.addresses())) else {
            throw CommandFailure(
                .unreachable, "no database is reachable; is `bitpal up` running? Else set BITPAL_DATABASE_URL"
            )
        }
        _ = try await UserData.backUpIfOlder(
            configuration, into: (self.database.dataDir ?? DataDirectory.standard) + "/backups")
        try await AlertSchema.migrate(configuration, logger: .silent)
        return try await DatabaseOptions.use(configuration) { database in
            do {
                return try await body(database)
            } catch let error as StoreError {
                guard let refused = error.bodyError as? RuleRefused else { throw error }
                throw try await AlertStoreOptions.failure(refused, file, database)
            }
        }
    }

    private static func failure(
        _ refused: RuleRefused, _ file: RuleFile?, _ database: Database
    ) async throws -> CommandFailure {
        var status = CommandStatus.failed
        var words = refused.description
        switch refused.reason {
        case .unknownInstrument(let id):
            status = .notFound
            let known =
                id.venue == .index
                ? try await database.withSession { try $0.pairs() }.map(\.index)
                : try await database.instruments().map(\.id)
            let names = NearestNames.words(to: id, known: known)
            words =
                "field \"instrument\" is \"\(id)\", which is not known: "
                + (known.isEmpty ? "no instrument is yet, since no feed has run" : "nearest are \(names)")
        case .noSuchRule, .noSuchUser: status = .notFound
        default: break
        }
        return CommandFailure(status, file?.fault(refused.index, words).description ?? words)
    }
}

/// Some rules by their ids.
struct RuleArguments: ParsableArguments {
    @Argument(help: "Ids, as `bitpal alert list` shows them.")
    var ids: [String]

    /// The keys, each once.
    ///
    /// - Throws: ``CommandFailure`` for what cannot be an id.
    func keys() throws -> [UniqueID] {
        var keys: [UniqueID] = []
        for key in try ids.map(RuleArguments.key) where !keys.contains(key) { keys.append(key) }
        return keys
    }

    static func key(_ text: String) throws -> UniqueID {
        guard let key = UniqueID(text.lowercased()) else {
            throw CommandFailure(
                .notFound, "there is no rule \"\(text)\"; ids are UUIDs, as `bitpal alert list` shows them")
        }
        return key
    }
}
