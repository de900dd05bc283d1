import Instruments

/// Where a migration puts its backup.
package struct BackupPlace: Sendable {
    private let directory: String

    /// - Parameter directory: Made when the first file is.
    package init(_ directory: String) { self.directory = directory }

    /// That of a data directory.
    package init(in dataDirectory: String) { self.init(dataDirectory + "/backups") }

    /// A file that is not there yet; its name has the time.
    ///
    /// - Throws: ``CommandFailure`` when the directory cannot be made.
    package func file() throws -> String {
        try DataDirectory.make(directory)
        let stamp = Timestamp.now.iso8601(fractionDigits: 0).filter { $0 != ":" }
        return "\(directory)/before-migration-\(stamp).bitpal"
    }
}
