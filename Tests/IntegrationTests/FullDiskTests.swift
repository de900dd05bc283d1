import AlertStore
import Foundation
import Store
import Support
import Testing
import Web

/// PostgreSQL, a gateway, an evaluator and a notifier of their own processes, and a disk that is full.
@Suite("A full disk", .serialized, .timeLimit(.minutes(10)))
struct FullDiskTests {
    private struct Installation {
        let outbox: Outbox
        let server: CommandServer
        let receiver: HookReceiver
        let disk: SmallDisk

        func ask(_ method: String, _ path: String, _ json: String? = nil) async throws -> HTTPResponse {
            let token = server.environment["BITPAL_TOKEN"] ?? ""
            return try await HTTPClient().send(
                method, "http://127.0.0.1:\(server.port)\(path)",
                headers: [("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")],
                body: json.map { Array($0.utf8) }, timeout: .seconds(60))
        }

        func make(_ name: String) async throws -> HTTPResponse {
            try await ask("POST", "/v1/portfolios", #"{"name":"\#(name)"}"#)
        }

        /// Makes portfolios until one is refused: pages that are there already have room for some.
        func refusal() async throws -> HTTPResponse {
            var made = 0
            while true {
                let answer = try await make("Portfolio \(made)")
                guard answer.status == 201 else { return answer }
                made += 1
                try Task.checkCancellation()
            }
        }
    }

    private static func run(_ body: (Installation) async throws -> Void) async throws {
        let cluster = PrivateCluster(directory: try TestDatabase.temporaryDirectory())
        let store = try await cluster.start()
        let first = Database(configuration: store, logger: TestDatabase.logger)
        let disk = try await SmallDisk(mebibytes: 96, of: cluster, first)
        await first.close()
        do {
            let outbox = try await Outbox.make(in: store)
            let receiver = try HookReceiver()
            try await outbox.webhook(1, receiver.url("/a"))
            let server = try await CommandServer.start(database: store)
            try await body(Installation(outbox: outbox, server: server, receiver: receiver, disk: disk))
            #expect(await server.stop() == 0, "\(server.running.gateway.errors)")
            receiver.close()
            await outbox.database.close()
        } catch {
            try? await cluster.stop()
            await disk.unmount()
            throw error
        }
        try await cluster.stop()
        await disk.unmount()
    }

    @Test(
        "is told of before it is one; then one can read and not store, and with room all goes on",
        .enabled(if: SmallDisk.isAllowed, "SKIPPED: nobody may mount a disk here; it takes root"))
    func full() async throws {
        try await Self.run { here async throws in
            let (outbox, disk, receiver) = (here.outbox, here.disk, here.receiver)
            let notifier = try outbox.notifier(["BITPAL_KEY_FILE": here.server.folder + "/accounts.key"])
            let evaluator = try ChildProcess(
                "alert-evaluator",
                environment: [
                    "BITPAL_DATABASE_URL": outbox.configuration.description,
                    "BITPAL_BUS": here.server.environment["BITPAL_BUS"] ?? "",
                    "BITPAL_ALERT_EVALUATOR_OPERATIONS_ADDRESS": "127.0.0.1:\(try FreePorts.run(of: 1))",
                    "BITPAL_DATABASE_DIRECTORY": disk.path, "BITPAL_DATABASE_LEAST_FREE_MEBIBYTES": "24",
                ], folder: here.server.folder)
            // Operators hear of it while it can still be told.
            try disk.fill(leaving: 12)
            await receiver.wait { requests in
                requests.contains { String(decoding: $0.body, as: UTF8.self).contains("disk") }
            }
            try await outbox.wait(for: notifier) { $0.allSatisfy { $0.state == "delivered" } }
            let told = receiver.received.count

            try disk.fill(leaving: 0)
            let refused = try await here.refusal()
            let text = String(decoding: refused.body, as: UTF8.self)
            #expect(refused.status == 503 && text.contains("the disk of the database is full"), "\(text)")
            #expect(refused.header("retry-after") == "30")
            #expect(here.server.running.gateway.errors.contains("Nothing can be stored"))
            // What is there is there.
            #expect(try await here.ask("GET", "/v1/portfolios").status == 200)
            #expect(try await here.ask("GET", "/v1/instruments").status == 200)
            var stored = 0
            while true {
                do {
                    try await outbox.fire(stored + 1...stored + 1)
                    stored += 1
                } catch let error as StoreError {
                    #expect(error.isDiskFull, "\(error)")
                    break
                }
            }

            try disk.clear()
            let answer = try await here.make("After")
            #expect(answer.status == 201, "\(String(decoding: answer.body, as: UTF8.self))")
            try await outbox.fire(stored + 1...stored + 5)
            try await outbox.wait(for: notifier) { rows in
                rows.count == stored + 5 + 1 && rows.allSatisfy { $0.state == "delivered" }
            }
            let ids = receiver.received.dropFirst(told).map(\.id)
            #expect(Set(ids).count == stored + 5)
            for process in [evaluator, notifier] {
                process.signal(SIGTERM)
                #expect(await process.exitStatus() == 0, "\(process.errors)")
            }
        }
    }
}
