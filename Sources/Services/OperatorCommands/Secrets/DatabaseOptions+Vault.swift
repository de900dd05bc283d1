import Credentials
import Glibc
import InstallationStore
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
    /// - Throws: ``CommandFailure`` when there is no file, or it cannot be used, or it is not the one of the
    ///   database.
    func requiredVault(for database: Database) async throws -> SecretVault {
        let path = try keyFile()
        let isNamed = try Settings.ofCommand()[SharedSettings.keyFile] != nil
        guard isNamed || access(path, F_OK) == 0 else {
            throw CommandFailure(
                .failed,
                "secrets are sealed, and there is no key file \(path); set BITPAL_KEY_FILE to the one of "
                    + "gateway and notifier, or name the --data-dir of `bitpal up`")
        }
        do {
            return try await database.vault(file: path, isMade: false)
        } catch let fault as SealingFault {
            throw CommandFailure(.failed, fault.description)
        }
    }
}
