import AccountStore
import Accounts
import ArgumentParser
import InstallationStore
import Instruments
import Store

/// Where accounts are kept, and what spans all that people own.
struct AccountStoreOptions: ParsableArguments {
    @OptionGroup var bus: BusOptions
    @OptionGroup var database: DatabaseOptions

    /// Runs a closure with the database, whose schema is made first where it is missing.
    ///
    /// - Throws: ``CommandFailure``, with status 4 when there is no database and 3 for an account that is
    ///   not there.
    func use<Value: Sendable>(_ body: (Database) async throws -> Value) async throws -> Value {
        guard let configuration = try await database.find(try BusClient(bus.addresses())) else {
            throw CommandFailure(
                .unreachable, "no database is reachable; is `bitpal up` running? Else set BITPAL_DATABASE_URL"
            )
        }
        try await UserData.prepare(configuration, logger: .silent)
        return try await DatabaseOptions.use(configuration) { database in
            do {
                return try await body(database)
            } catch let error as StoreError {
                guard let refused = error.bodyError as? AccountRefused else { throw error }
                throw CommandFailure(refused == .noSuchAccount ? .notFound : .failed, refused.description)
            }
        }
    }

    /// The account with an address.
    ///
    /// - Throws: ``CommandFailure`` when there is none, or the address cannot be one.
    static func account(_ text: String, in database: Database) async throws -> StoredAccount {
        let email = try email(text)
        let account = try await database.withSession { session in try session.account(email: email) }
        guard let account else { throw CommandFailure(.notFound, "there is no account \"\(text)\"") }
        return account
    }

    /// Reads an address.
    ///
    /// - Throws: ``CommandFailure``.
    static func email(_ text: String) throws -> EmailAddress {
        do throws(FieldFault) {
            return try EmailAddress(parsing: text)
        } catch {
            throw CommandFailure(.usage, error.description)
        }
    }

    /// A key that no row has.
    static func newID(at now: Timestamp) -> UniqueID {
        var random = SystemRandomNumberGenerator()
        return UniqueID(version7At: now.nanoseconds, using: &random)
    }
}
