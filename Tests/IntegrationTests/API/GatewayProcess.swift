import Foundation
import Store
import Support
import Web

/// A broker and a gateway, each a process, on a database of their own.
struct GatewayProcess {
    let gateway: ChildProcess
    /// Where people and apps connect.
    let port: UInt16
    /// Where operators look.
    let operations: UInt16
    private let broker: ChildProcess

    /// The gateway's environment without anything that is wrong, for a bus at this port.
    static func environment(base: UInt16) async throws -> [String: String] {
        [
            "BITPAL_BUS": "tcp://127.0.0.1:\(base)",
            "BITPAL_DATABASE_URL": try await TestDatabase.empty().description,
            "BITPAL_GATEWAY_ADDRESS": "127.0.0.1:\(base + 5)",
            "BITPAL_GATEWAY_OPERATIONS_ADDRESS": "127.0.0.1:\(base + 4)",
        ]
    }

    /// Starts both and waits until the gateway says that it is ready.
    static func start(_ more: [String: String] = [:]) async throws -> GatewayProcess {
        let (folder, base) = (try TestDatabase.temporaryDirectory(), try FreePorts.run(of: 6))
        let broker = try ChildProcess(
            "bus-broker",
            environment: [
                "BITPAL_BUS": "tcp://127.0.0.1:\(base)",
                "BITPAL_BUS_BROKER_OPERATIONS_ADDRESS": "127.0.0.1:\(base + 3)",
            ], folder: folder)
        var environment = try await environment(base: base)
        environment.merge(more) { $1 }
        let gateway = try ChildProcess("gateway", environment: environment, folder: folder)
        let started = GatewayProcess(
            gateway: gateway, port: base + 5, operations: base + 4, broker: broker)
        let client = HTTPClient()
        while true {
            // Its parts are known once it says that it has started.
            if gateway.errors.contains("msg=Started") {
                let ready = try? await client.get("http://127.0.0.1:\(base + 4)/health/ready")
                if ready?.status == 200 { return started }
            }
            guard gateway.isRunning else { throw PropertyFailure(gateway.errors) }
            try ChildProcess.turn()
        }
    }

    /// Asks the gateway to stop; how it ended.
    func stop() async -> Int32 {
        gateway.signal(SIGTERM)
        let status = await gateway.exitStatus()
        broker.signal(SIGTERM)
        _ = await broker.exitStatus()
        return status
    }
}
