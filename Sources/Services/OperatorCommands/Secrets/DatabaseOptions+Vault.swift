import AlertStore
import Credentials
import Glibc
import Operations
import Store

extension DatabaseOptions {
    /// The key file of the environment, else of the data directory.
    func keyFile() throws -> String {
        try Settings.ofCommand()[SharedSettings.keyFile]
            ?? DataDirectory.keyFile(in: dataDir ?? DataDirectory.standard)
    }

    /// The keys that secrets are sealed with; a command never makes them, for services would not know them.
    ///
    /// - Returns: `nil` when there is no file and none was named.
    /// - Throws: ``CommandFailure`` when the file cannot be used.
    func vault() throws -> SecretVault? {
        let path = try keyFile()
        let isNamed = try Settings.ofCommand()[SharedSettings.keyFile] != nil
        guard isNamed || access(path, F_OK) == 0 else { return nil }
        do throws(SealingFault) {
            return try SecretVault(file: path, isMade: false)
        } catch {
            throw CommandFailure(.failed, error.description)
        }
    }

    /// As ``vault()``, where something is to be sealed.
    ///
    /// - Throws: ``CommandFailure`` also when there is none, or it is not the one of the database.
    func requiredVault(for database: Database) async throws -> SecretVault {
        guard try vault() != nil else {
            throw CommandFailure(
                .failed,
                "secrets are sealed, and there is no key file \(try keyFile()); set BITPAL_KEY_FILE to the "
                    + "one of gateway and notifier, or name the --data-dir of `bitpal up`")
        }
        do {
            return try await database.vault(file: try keyFile(), isMade: false)
        } catch let fault as SealingFault {
            throw CommandFailure(.failed, fault.description)
        }
    }

    /// The kept key of a name, see `Database.keptKey`.
    ///
    /// - Throws: ``CommandFailure`` when it was sealed with other keys.
    func keptKey(
        _ name: KeptKey, orNew fresh: [UInt8], in database: Database
    ) async throws -> [UInt8] {
        do {
            return try await database.keptKey(name, orNew: fresh, by: try vault())
        } catch let fault as SealingFault {
            throw CommandFailure(.failed, "\(fault), tried with \(try keyFile())")
        }
    }
}
