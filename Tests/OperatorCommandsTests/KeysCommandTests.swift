import Bus
import BusBroker
import Foundation
import Logging
import Support
import Testing

@testable import OperatorCommands

/// `bitpal keys …`, each command as a process of its own.
@Suite("Keys of the bus by command", .timeLimit(.minutes(10)))
struct KeysCommandTests {
    private func run(_ arguments: [String], _ key: String? = nil) async throws -> BitpalExecutable.Outcome {
        try await BitpalExecutable(environment: key.map { ["BITPAL_BUS_KEY_FILE": $0] } ?? [:]).run(arguments)
    }

    @Test("are made once, added, rotated and listed")
    func life() async throws {
        let folder = KeyFolder(try TestDatabase.temporaryDirectory() + "/keys")
        let place = ["--keys", folder.path]
        let made = try await run(["keys", "init"] + place)
        #expect(made.status == 0 && made.errors.contains("in no audit log: no database is found"))
        let again = try await run(["keys", "init"] + place)
        #expect(again.status == 1 && again.hasOneErrorLine)
        #expect(try folder.clients().map(\.name) == BusRights.ofServices.map(\.name).sorted())

        let added = try await run(["keys", "add", "reader", "--subscribe", "trade."] + place)
        #expect(added.status == 0 && added.output.contains("reader.key"))
        #expect(try await run(["keys", "rotate", "reader"] + place).status == 0)
        let list = try await run(["keys", "list", "--json"] + place)
        let row = try #require(list.lines.first { $0.contains("\"reader\"") })
        let newest = try BusKeys(file: folder.keyFile(of: "reader")).pair.publicKey.text
        #expect(row.contains(newest) && row.contains(#""subscribe":["trade.","heartbeat."]"#))
        #expect(row.contains(#""publish":[]"#))
        let speaks = try await run(["keys", "add", "quotes", "--publish", "ticker.x."] + place)
        #expect(speaks.status == 0)
        let quotes = try #require(folder.clients().first { $0.name == "quotes" }).rights
        #expect(quotes.publish == ["ticker.x.", "heartbeat.quotes.", "heartbeat.quotes-"])
        #expect(try await run(["keys", "rotate", "reader", "--retire"] + place).status == 0)
        #expect(try await run(["keys", "rotate", "reader", "--retire"] + place).status == 1)
        let table = try await run(["keys", "list"] + place)
        #expect(table.lines.contains { $0.hasPrefix("operator") && $0.contains("everything") })
        #expect(try await run(["keys", "rotate", "nobody"] + place).status == 1)
    }

    @Test("open the bus to commands that show theirs, and to no others")
    func commands() async throws {
        let folder = KeyFolder(try TestDatabase.temporaryDirectory() + "/keys")
        #expect(try await run(["keys", "init", "--keys", folder.path]).status == 0)
        let base = "tcp://127.0.0.1:\(try FreePorts.run(of: 3))"
        var configuration = BusBrokerConfiguration(addresses: try BusAddresses(base: base))
        configuration.brokerKeys = try BrokerKeys(
            file: folder.keyFile(of: KeyFolder.broker), allowedFolder: nil)
        let broker = try BusBroker(
            context: BusContext(), configuration: configuration, instance: "test", logger: .silent)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await broker.run() }
            _ = try await broker.bound()
            let status = ["status", "--bus", base]
            let known = try await run(status, folder.keyFile(of: "operator"))
            #expect(known.status == 0, "\(known.errors)")
            #expect(try await run(status).status == 4)
            let broken = try await run(status, folder.path)
            #expect(broken.status == 1 && broken.errors.contains(folder.path))
            group.cancelAll()
            while let _ = try? await group.next() {}
        }
    }
}
