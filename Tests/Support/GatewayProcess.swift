import Foundation
import Store
import Web

/// A broker and a gateway, each a process, on a database of their own.
package struct GatewayProcess: Sendable {
    package let gateway: ChildProcess
    /// Where people and apps connect.
    package let port: UInt16
    /// Where operators look.
    package let operations: UInt16
    /// What the gateway was started with.
    let environment: [String: String]
    private let folder: String
    private let broker: ChildProcess

    /// The gateway's environment without anything that is wrong, for a bus at this port.
    package static func environment(base: UInt16) async throws -> [String: String] {
        environment(base: base, database: try await TestDatabase.empty())
    }

    /// Starts both and waits until the gateway says that it is ready.
    package static func start(_ more: [String: String] = [:]) async throws -> GatewayProcess {
        try await start(on: try await TestDatabase.empty(), in: try TestDatabase.temporaryDirectory(), more)
    }

    /// Starts both on a database, with what they say in a folder.
    static func start(
        on database: StoreConfiguration, in folder: String, _ more: [String: String]
    ) async throws -> GatewayProcess {
        let base = try FreePorts.run(of: 6)
        let broker = try ChildProcess(
            "bus-broker",
            environment: [
                "BITPAL_BUS": "tcp://127.0.0.1:\(base)",
                "BITPAL_BUS_BROKER_OPERATIONS_ADDRESS": "127.0.0.1:\(base + 3)",
            ], folder: folder)
        let environment = environment(base: base, database: database).merging(more) { $1 }
        let started = GatewayProcess(
            gateway: try ChildProcess("gateway", environment: environment, folder: folder), port: base + 5,
            operations: base + 4, environment: environment, folder: folder, broker: broker)
        try await started.waitUntilReady()
        return started
    }

    /// Another gateway in place of this one, which has ended.
    func startedAgain() async throws -> GatewayProcess {
        let gateway = try ChildProcess("gateway", environment: environment, folder: folder)
        let started = GatewayProcess(
            gateway: gateway, port: port, operations: operations, environment: environment, folder: folder,
            broker: broker)
        try await started.waitUntilReady()
        return started
    }

    /// Asks the gateway to stop; how it ended.
    @discardableResult
    package func stop() async -> Int32 {
        gateway.signal(SIGTERM)
        let status = await gateway.exitStatus()
        broker.signal(SIGTERM)
        _ = await broker.exitStatus()
        return status
    }

    private static func environment(base: UInt16, database: StoreConfiguration) -> [String: String] {
        [
            "BITPAL_BUS": "tcp://127.0.0.1:\(base)",
            "BITPAL_DATABASE_URL": database.description,
            "BITPAL_GATEWAY_ADDRESS": "127.0.0.1:\(base + 5)",
            "BITPAL_GATEWAY_OPERATIONS_ADDRESS": "127.0.0.1:\(base + 4)",
        ]
    }

    private func waitUntilReady() async throws {
        let client = HTTPClient()
        while true {
            // Its parts are known once it says that it has started.
            if gateway.errors.contains("msg=Started") {
                let ready = try? await client.get("http://127.0.0.1:\(operations)/health/ready")
                if ready?.status == 200 { return }
            }
            guard gateway.isRunning else { throw PropertyFailure(gateway.errors) }
            try ChildProcess.turn()
        }
    }
}
