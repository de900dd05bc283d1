package import InstallationStore
import Instruments
package import Store

extension UserData {
    /// Backs up what is there before an older schema is migrated; nothing for a new or current one.
    ///
    /// - Parameters:
    ///   - configuration: The database.
    ///   - directory: Where the file goes; its name has the time.
    /// - Returns: The file, when one was written.
    /// - Throws: `StoreError` or `BackupProblem`: nothing must be migrated then.
    package static func backUpIfOlder(
        _ configuration: StoreConfiguration, into directory: String
    ) async throws -> String? {
        guard try await !backup.older(in: configuration).isEmpty else { return nil }
        try DataDirectory.make(directory)
        let stamp = Timestamp.now.iso8601(fractionDigits: 0).filter { $0 != ":" }
        let path = "\(directory)/before-migration-\(stamp).bitpal"
        _ = try await backup.write(to: path, from: configuration)
        return path
    }
}
