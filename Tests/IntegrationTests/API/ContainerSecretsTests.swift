import Bus
import Foundation
import Store
import Support
import Testing
import Web

/// What `scripts/make-secrets.sh` makes for the containers.
@Suite("The secrets of the containers", .serialized, .timeLimit(.minutes(10)))
struct ContainerSecretsTests {
    private static let script =
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path(percentEncoded: false)
        + "scripts/make-secrets.sh"

    /// Runs the script as if it belonged to a folder; how it ended.
    private static func make(in folder: String) async throws -> Int32 {
        let copy = folder + "/scripts/make-secrets.sh"
        if !FileManager.default.fileExists(atPath: copy) {
            try FileManager.default.createDirectory(
                atPath: folder + "/scripts", withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: script, toPath: copy)
        }
        return try await ChildProcess("/bin/bash", arguments: [copy], folder: folder).exitStatus()
    }

    private static func text(_ folder: String, _ name: String) throws -> String {
        try String(contentsOfFile: "\(folder)/secrets/\(name)", encoding: .utf8)
    }

    @Test("are such as a gateway takes, and whoever shows its token acts there")
    func token() async throws {
        let folder = try TestDatabase.temporaryDirectory()
        #expect(try await Self.make(in: folder) == 0)
        let running = try await GatewayProcess.start([
            "BITPAL_GATEWAY_ACCOUNTS_OPERATOR_TOKEN_FILE": folder + "/secrets/operator_token",
            "BITPAL_KEY_FILE": folder + "/secrets/sealing_keys",
        ])
        let token = try Self.text(folder, "operator_token").trimmingCharacters(in: .newlines)
        let lists = try await HTTPClient().get(
            "http://127.0.0.1:\(running.port)/v1/watchlists", headers: [("Authorization", "Bearer \(token)")])
        #expect(lists.status == 200)
        #expect(await running.stop() == 0, "\(running.gateway.errors)")
    }

    @Test("have keys of the bus for each service, which may do what `bitpal keys init` gives it")
    func bus() async throws {
        let folder = try TestDatabase.temporaryDirectory()
        #expect(try await Self.make(in: folder) == 0)
        let keys = KeyFolder(folder + "/secrets/bus")
        let broker = try BusKeys(file: keys.keyFile(of: KeyFolder.broker))
        #expect(broker.isServer)
        let clients = try keys.clients()
        #expect(clients.map(\.name) == BusRights.ofServices.map(\.name).sorted())
        for (name, rights) in BusRights.ofServices {
            let own = try BusKeys(file: keys.keyFile(of: name))
            let client = try #require(clients.first { $0.name == name })
            #expect(client.keys == [own.pair.publicKey] && own.serverKey == broker.pair.publicKey)
            #expect(Set(client.rights.publish) == Set(rights.publish), "\(name)")
            #expect(Set(client.rights.subscribe) == Set(rights.subscribe), "\(name)")
        }
        // As after an update from before anybody backed up: the others stay.
        let gateway = try BusKeys(file: keys.keyFile(of: "gateway"))
        for file in ["backup.key", "allowed/backup.pub"] {
            try FileManager.default.removeItem(atPath: "\(keys.path)/\(file)")
        }
        #expect(try await Self.make(in: folder) == 0)
        #expect(try BusKeys(file: keys.keyFile(of: "gateway")).pair == gateway.pair)
        #expect(try BusKeys(file: keys.keyFile(of: "backup")).serverKey == broker.pair.publicKey)
        #expect(try keys.clients().map(\.name) == clients.map(\.name))
        try FileManager.default.removeItem(atPath: keys.path)
        #expect(try await Self.make(in: folder) == 0)
        #expect(try keys.clients().count == clients.count)
    }

    @Test("have a URL of the database for each role that signs in, with a password of its own")
    func database() async throws {
        let folder = try TestDatabase.temporaryDirectory()
        #expect(try await Self.make(in: folder) == 0)
        let urls = folder + "/secrets/database"
        let made = try RolePassword.all(in: urls)
        #expect(Set(made.map(\.role)) == Set(ServiceRole.signingIn.map(\.role)))
        let texts = try ServiceRole.signingIn.map { try Self.text(folder, "database/\($0.file).url") }
        let all = texts.compactMap { $0.firstMatch(of: /:\/\/\w+:([^@]+)@postgres:5432\/bitpal\n/)?.1 }
        #expect(Set(all).count == texts.count && all.count == texts.count)
        #expect(all.allSatisfy { $0.count >= 40 })
        try FileManager.default.removeItem(atPath: urls + "/notifier.url")
        #expect(try await Self.make(in: folder) == 0)
        let after = try ServiceRole.signingIn.map { try Self.text(folder, "database/\($0.file).url") }
        #expect(zip(texts, after).filter { $0 != $1 }.count == 1)
    }

    @Test("are made where they are missing, as after an update, and never anew")
    func update() async throws {
        let folder = try TestDatabase.temporaryDirectory()
        #expect(try await Self.make(in: folder) == 0)
        let names = ["database_password", "database_url", "sealing_keys", "operator_token"]
        let before = try names.map { try Self.text(folder, $0) }
        try FileManager.default.removeItem(atPath: folder + "/secrets/operator_token")
        #expect(try await Self.make(in: folder) == 0)
        let after = try names.map { try Self.text(folder, $0) }
        #expect(after.dropLast() == before.dropLast() && after.last != before.last)
        #expect(try await Self.make(in: folder) == 1)
        #expect(try names.map { try Self.text(folder, $0) } == after)
    }
}
