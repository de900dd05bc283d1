import Foundation
package import Store

/// A gateway that commands ask, and what they need to know of it.
package struct CommandServer: Sendable {
    /// What the gateway keeps things in.
    package let database: StoreConfiguration
    /// Holds what both processes say, and the files of the keys and of the token.
    package let folder: String
    /// The processes.
    package private(set) var running: GatewayProcess
    /// For a `bitpal` that is asked to do something: where the gateway is, whom it acts for, the database,
    /// the bus.
    package let environment: [String: String]

    /// Where the gateway listens.
    package var port: UInt16 { running.port }

    /// Starts a broker and a gateway, and waits until it is ready.
    ///
    /// - Parameters:
    ///   - database: `nil` for one of its own.
    ///   - more: Further variables of the gateway.
    /// - Returns: Both, running.
    /// - Throws: What keeps one of them from starting.
    package static func start(
        database: StoreConfiguration? = nil, more: [String: String] = [:]
    ) async throws -> CommandServer {
        let folder = try TestDatabase.temporaryDirectory()
        let store = if let database { database } else { try await TestDatabase.empty() }
        let token = folder + "/operator.token"
        let files = [
            "BITPAL_GATEWAY_ACCOUNTS_OPERATOR_TOKEN_FILE": token, "BITPAL_KEY_FILE": folder + "/accounts.key",
            // Nobody who works at a terminal asks as often as tests do.
            "BITPAL_GATEWAY_REQUESTS_PER_MINUTE": "1000000",
        ]
        let running = try await GatewayProcess.start(on: store, in: folder, files.merging(more) { $1 })
        return CommandServer(
            database: store, folder: folder, running: running,
            environment: [
                "BITPAL_URL": "http://127.0.0.1:\(running.port)",
                "BITPAL_TOKEN": try String(contentsOfFile: token, encoding: .utf8).trimmingCharacters(
                    in: .newlines),
                "BITPAL_DATABASE_URL": store.description,
                "BITPAL_BUS": running.environment["BITPAL_BUS"] ?? "",
            ])
    }

    /// Starts the gateway once more, after its end, at the same place.
    package mutating func startAgain() async throws { running = try await running.startedAgain() }

    /// Asks the gateway to stop; how it ended.
    @discardableResult
    package func stop() async -> Int32 { await running.stop() }
}
