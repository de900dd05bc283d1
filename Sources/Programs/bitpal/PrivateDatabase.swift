import Logging
import Operations
import ServiceLifecycle
import Store

/// The private PostgreSQL of `bitpal up`, which ends with it.
struct PrivateDatabase: Service {
    /// How to connect to it.
    let address: String
    /// Where its files are.
    let directory: String
    private let cluster: PrivateCluster
    private let logger: Logger

    /// Starts the server, and makes its files where there are none.
    ///
    /// - Throws: `ConfigurationError` with one line that says what to do.
    static func start(in dataDirectory: String, logger: Logger) async throws -> PrivateDatabase {
        let cluster = PrivateCluster(directory: dataDirectory)
        do {
            let configuration = try await cluster.start()
            return PrivateDatabase(
                address: configuration.description,
                directory: cluster.location?.dataDirectory ?? dataDirectory, cluster: cluster, logger: logger)
        } catch {
            throw ConfigurationError.unavailable(
                "the private PostgreSQL cannot be used: \(error)",
                advice: "a server of yours can be named in BITPAL_DATABASE_URL")
        }
    }

    /// Starts the server again when it ends by itself, until the end of the program; then stops it.
    ///
    /// - Throws: `ClusterError` when it does not stop.
    func run() async throws {
        // Cancelled or shut down: either way everybody else is about to be done.
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try await Task.sleep(for: .seconds(1))
                await watch()
            }
        }
        try await stop()
    }

    private func watch() async {
        do {
            if try await cluster.revive() { logger.error("PostgreSQL ended by itself and was started again") }
        } catch {
            logger.error("PostgreSQL ended and cannot be started", metadata: ["error": "\(error)"])
        }
    }

    func stop() async throws { try await cluster.stop() }

    /// Asks the server to stop, when there is no time left to wait for it.
    func interrupt() { cluster.interrupt() }
}
