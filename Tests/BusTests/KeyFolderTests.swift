import Bus
import Foundation
import Support
import Testing

@Suite("The folder of keys")
struct KeyFolderTests {
    private let rights = BusRights(publish: ["trade."], subscribe: ["", "heartbeat."])

    private func folder() throws -> KeyFolder { try GuardedBus.keys([("feed", rights)]) }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    /// Why a file of keys is refused.
    private func reason(_ path: String) -> String? {
        let error = #expect(throws: BusError.self) { try BusKeys(file: path) }
        guard case .keysInvalid(path, let reason) = error else { return nil }
        return reason
    }

    @Test("has a secret file for each, and whom the broker lets in")
    func made() throws {
        let folder = try folder()
        for name in ["bus-broker", "feed"] { #expect(try mode(folder.keyFile(of: name)) == 0o600) }
        #expect(try mode(folder.path) == 0o700)
        let broker = try BusKeys(file: folder.keyFile(of: "bus-broker"))
        let feed = try BusKeys(file: folder.keyFile(of: "feed"))
        #expect(broker.isServer && !feed.isServer)
        #expect(feed.serverKey == broker.pair.publicKey)
        let clients = try folder.clients()
        #expect(clients == [AllowedClient(name: "feed", keys: [feed.pair.publicKey], rights: rights)])
    }

    @Test("is made once, and has one client of a name")
    func once() throws {
        let folder = try folder()
        let before = try BusKeys(file: folder.keyFile(of: "bus-broker"))
        #expect(throws: BusError.self) { try folder.make() }
        #expect(throws: BusError.self) { try folder.add("feed", rights) }
        #expect(try BusKeys(file: folder.keyFile(of: "bus-broker")) == before)
    }

    @Test(
        "takes no name that is none of a file",
        arguments: ["", "../x", "a/b", "A", "-a", "bus-broker", "a b"])
    func names(name: String) throws {
        let folder = try folder()
        #expect(throws: BusError.self) { try folder.add(name, rights) }
    }

    @Test("has two keys of who rotates, the newest in his file, until the former is retired")
    func rotation() throws {
        let folder = try folder()
        let first = try BusKeys(file: folder.keyFile(of: "feed")).pair.publicKey
        #expect(try folder.retire("feed") == false)
        chmod(folder.keyFile(of: "feed"), 0o644)
        try folder.rotate("feed")
        #expect(try mode(folder.keyFile(of: "feed")) == 0o644)
        let second = try BusKeys(file: folder.keyFile(of: "feed")).pair.publicKey
        #expect(try folder.clients().map(\.keys) == [[first, second]])
        #expect(throws: BusError.self) { try folder.rotate("feed") }
        #expect(try folder.retire("feed") == true)
        #expect(try folder.clients() == [AllowedClient(name: "feed", keys: [second], rights: rights)])
        #expect(throws: BusError.self) { try folder.rotate("nobody") }
    }

    @Test("is read no more when others may read a secret or change whom the broker lets in")
    func modes() throws {
        let folder = try folder()
        chmod(folder.path, 0o755)
        chmod(folder.keyFile(of: "feed"), 0o640)
        #expect(reason(folder.keyFile(of: "feed"))?.contains("chmod 600") == true)
        chmod(folder.path, 0o700)
        #expect(try BusKeys(file: folder.keyFile(of: "feed")).isServer == false)
        chmod(folder.allowedFolder + "/feed.pub", 0o664)
        #expect(throws: BusError.self) { try folder.clients() }
        chmod(folder.allowedFolder + "/feed.pub", 0o644)
        chmod(folder.allowedFolder, 0o777)
        #expect(throws: BusError.self) { try folder.clients() }
        chmod(folder.allowedFolder, 0o755)
        #expect(try folder.clients().count == 1)
    }

    @Test("that holds something else is refused, and what it holds is not told")
    func garbage() throws {
        let folder = try folder()
        let path = folder.keyFile(of: "feed")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let keys = try BusKeys(file: path)
        let other = try CurveKeyPair.make()
        let wrong = [
            "", "hidden", "\u{0}", String(repeating: "#", count: 70_000), text + text,
            text.replacing("secret-key", with: "secret"), text.replacing("server-key", with: "#"),
            text.replacing(keys.pair.secretKey.text, with: other.secretKey.text),
            text.replacing(keys.pair.secretKey.text, with: String(keys.pair.secretKey.text.dropLast())),
            text.replacing(keys.pair.secretKey.text, with: String(repeating: "~", count: 40)),
            text.replacing("\"", with: ""),
        ]
        for content in wrong {
            try Data(content.utf8).write(to: URL(filePath: path))
            let told = reason(path) ?? "hidden"
            #expect(!told.contains(keys.pair.secretKey.text) && !told.contains("hidden"))
        }
        try FileManager.default.removeItem(atPath: path)
        #expect(reason(path)?.contains("no such file") == true)
    }

    @Test("has no two clients with one key, and no rights that are none")
    func clients() throws {
        let folder = try folder()
        let file = folder.allowedFolder + "/feed.pub"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let copy = folder.allowedFolder + "/twin.pub"
        try FileManager.default.copyItem(atPath: file, toPath: copy)
        #expect(throws: BusError.self) { try folder.clients() }
        try FileManager.default.removeItem(atPath: copy)
        for content in ["", text + "hear = \"x.\"\n", text + text, text + "publish = x.\n"] {
            try Data(content.utf8).write(to: URL(filePath: file))
            #expect(throws: BusError.self, "\(content)") { try folder.clients() }
        }
    }

    @Test("Rights are beginnings of topics: none is nothing, the empty one everything")
    func beginnings() {
        let some = BusRights(publish: ["trade."], subscribe: ["trade.kraken.", "heartbeat."])
        func publishes(_ rights: BusRights, _ topic: String) -> Bool {
            Array(topic.utf8).withUnsafeBytes { rights.mayPublish($0) }
        }
        func hears(_ rights: BusRights, _ prefix: String) -> Bool {
            let bytes = Array(prefix.utf8).withUnsafeBytes { rights.mayHear($0) }
            #expect(rights.mayHear(prefix) == bytes)
            return bytes
        }
        #expect(publishes(some, "trade.x.") && !publishes(some, "trades.x.") && !publishes(some, ""))
        #expect(hears(some, "trade.kraken.X.") && hears(some, "heartbeat."))
        #expect(!hears(some, "trade.") && !hears(some, "") && !hears(some, "ticker."))
        #expect(hears(.unlimited, "") && publishes(.unlimited, "x."))
        let none = BusRights(publish: [], subscribe: [])
        #expect(!hears(none, "") && !publishes(none, "x."))
    }
}
