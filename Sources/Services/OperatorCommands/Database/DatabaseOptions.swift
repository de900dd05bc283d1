import ArgumentParser
import Bus
import Operations
import Store
import Wire

/// Where PostgreSQL is.
struct DatabaseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The data directory of `bitpal up`, to find its private database without the bus.",
            valueName: "directory"))
    var dataDir: String?

    /// The database of the environment, else the one that `bitpal up` says it has, else the one of the data
    /// directory.
    ///
    /// - Returns: `nil` when there is none.
    func find(_ client: BusClient?) async throws -> StoreConfiguration? {
        let settings = try Settings.ofCommand()
        if let url = settings[SharedSettings.databaseURL] { return try StoreConfiguration(url: url) }
        if dataDir == nil, let client, let address = await DatabaseOptions.announced(on: client) {
            return try StoreConfiguration(url: address)
        }
        do {
            let own = try PrivateCluster(directory: dataDir ?? DataDirectory.standard).running()
            if own != nil || dataDir != nil { return own }
        } catch {
            // The standard place may well be somebody else's; one that was named must be usable.
            if dataDir == nil { return nil }
            throw CommandFailure(.unreachable, "\(error)")
        }
        // `bitpal up` says where its database is once a second: right after its start that may be yet to
        // come.
        for _ in 0..<6 where client != nil {
            try await Task.sleep(for: .milliseconds(500))
            if let client, let address = await DatabaseOptions.announced(on: client) {
                return try StoreConfiguration(url: address)
            }
        }
        return nil
    }

    /// Runs a closure with the database.
    ///
    /// - Throws: ``CommandFailure`` with status 4 when there is none.
    func use<Value: Sendable>(
        _ client: BusClient?, _ body: (Database) async throws -> Value
    ) async throws -> Value {
        guard let configuration = try await find(client) else {
            throw CommandFailure(
                .unreachable, "no database is reachable; is `bitpal up` running? Else set BITPAL_DATABASE_URL"
            )
        }
        return try await DatabaseOptions.use(configuration, body)
    }

    static func use<Value: Sendable>(
        _ configuration: StoreConfiguration, _ body: (Database) async throws -> Value
    ) async throws -> Value {
        var configuration = configuration
        configuration.applicationName = "bitpal"
        configuration.maximumConnections = 1
        return try await Database.use(configuration, logger: .silent, body)
    }

    private static func announced(on client: BusClient) async -> String? {
        // Where no bus answers nobody announces one, and whoever needs it is told that there is none.
        guard let state = try? await client.state(["service.status."]) else { return nil }
        let addresses = state.events.compactMap { message -> String? in
            guard case .serviceStatus(let status) = message.event else { return nil }
            return status.privateDatabase.isEmpty ? nil : status.privateDatabase
        }
        return addresses.last
    }
}
