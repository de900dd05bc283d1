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

    /// Starts the server, and makes its files where there are none.
    ///
    /// - Throws: `ConfigurationError` with one line that says what to do.
    static func start(in dataDirectory: String) async throws -> PrivateDatabase {
        let cluster = PrivateCluster(directory: dataDirectory)
        do {
            let configuration = try await cluster.start()
            return PrivateDatabase(
                address: configuration.description,
                directory: cluster.location?.dataDirectory ?? dataDirectory, cluster: cluster)
        } catch {
            throw ConfigurationError.unavailable(
                "the private PostgreSQL cannot be used: \(error)",
                advice: "a server of yours can be named in BITPAL_DATABASE_URL")
        }
    }

    /// Waits for the end of the program, then stops the server.
    ///
    /// - Throws: `ClusterError` when it does not stop.
    func run() async throws {
        // Cancelled or shut down: either way everybody else is about to be done.
        try? await gracefulShutdown()
        try await stop()
    }

    func stop() async throws { try await cluster.stop() }
}
