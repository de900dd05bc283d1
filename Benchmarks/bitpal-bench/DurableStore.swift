import Foundation
import Store

/// A PostgreSQL server of its own for a measurement, with every commit on the disk.
enum DurableStore {
    /// Starts one in a folder with this name among the temporary ones, and removes both after `body`.
    static func use<Value>(
        _ name: String, _ body: (StoreConfiguration) async throws -> Value
    ) async throws -> Value {
        let directory = FileManager.default.temporaryDirectory
            .appending(path: "\(name)-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let cluster = PrivateCluster(directory: directory.path(percentEncoded: false), settings: .durable)
        let configuration = try await cluster.start()
        do {
            let value = try await body(configuration)
            try await cluster.stop()
            return value
        } catch {
            try? await cluster.stop()
            throw error
        }
    }
}
