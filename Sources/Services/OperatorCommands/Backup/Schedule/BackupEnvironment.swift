import InstallationStore
import Instruments
import Store

/// What a schedule of backups needs of the outside.
struct BackupEnvironment: Sendable {
    /// The time of day.
    var now: @Sendable () -> Timestamp
    /// Waits; throws when it is cancelled.
    var pause: @Sendable (Duration) async throws -> Void
    /// Bytes that are free in the folder; `nil` where nobody knows.
    var free: @Sendable (BackupFolder) -> UInt64?
    /// Writes a backup into a file.
    var write: @Sendable (_ path: String) async throws -> BackupReport
    /// Restores a file into a database of its own, and looks.
    var drill: @Sendable (_ path: String) async throws -> BackupProof

    /// This machine, and a database.
    static func real(
        _ configuration: StoreConfiguration, now: @escaping @Sendable () -> Timestamp
    ) -> BackupEnvironment {
        BackupEnvironment(
            now: now, pause: { try await Task.sleep(for: $0) }, free: { $0.free() },
            write: { try await UserData.backup.write(to: $0, from: configuration) },
            drill: { try await UserData.drill.run($0, beside: configuration) })
    }
}
