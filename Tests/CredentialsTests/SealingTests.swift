import Accounts
import Crypto
import Encodings
import Glibc
import Support
import Synchronization
import Testing

@testable import Credentials

@Suite("Sealed secrets")
struct SealingTests {
    private static let place = SealingContext(user: "a", row: "r", purpose: "totp")
    private static let (old, new) = (Base64URL.text([UInt8](0..<32)), Base64URL.text([UInt8](32..<64)))

    @Test("open where they lie, nowhere else, and show every change")
    func sealing() throws {
        let keys = try SealingKeys(key: [UInt8](0..<32))
        let sealed = try keys.seal([1, 2, 3], for: Self.place)
        #expect(try keys.open(sealed, for: Self.place) == [1, 2, 3])
        #expect(try sealed != keys.seal([1, 2, 3], for: Self.place))
        for other in [
            SealingContext(user: "b", row: "r", purpose: "totp"),
            SealingContext(user: "a", row: "s", purpose: "totp"),
            SealingContext(user: "a", row: "r", purpose: "letter"),
        ] {
            #expect(throws: SealingFault.self) { try keys.open(sealed, for: other) }
        }
        for place in sealed.indices {
            var changed = sealed
            changed[place] ^= 1
            #expect(throws: SealingFault.self, "\(place)") { try keys.open(changed, for: Self.place) }
        }
        for count in 0..<sealed.count {
            #expect(throws: SealingFault.self) { try keys.open(Array(sealed.prefix(count)), for: Self.place) }
        }
        #expect(!String(reflecting: keys).contains("AAECAw"))
    }

    @Test("no two have a key of their own in common")
    func ownKeys() throws {
        let keys = try SealingKeys(key: [UInt8](0..<32))
        let (one, two) = (try keys.seal([1], for: Self.place), try keys.seal([1], for: Self.place))
        // The sealed key of one before the secret of the other.
        #expect(throws: SealingFault.self) {
            try keys.open(Array(one.prefix(62)) + two.dropFirst(62), for: Self.place)
        }
    }

    @Test("are sealed with the newest key, open with all, and are renewed without being read")
    func rotation() throws {
        let before = try SealingKeys(lines: "1 \(Self.old)")
        let sealed = try before.seal([7], for: Self.place)
        let both = try SealingKeys(lines: "1 \(Self.old)\n2 \(Self.new)\n")
        #expect(try both.open(sealed, for: Self.place) == [7])
        #expect(SealingKeys.number(of: try both.seal([7], for: Self.place)) == 2)
        let renewed = try #require(try both.renewed(sealed, for: Self.place))
        #expect(SealingKeys.number(of: renewed) == 2 && renewed.dropFirst(62) == sealed.dropFirst(62))
        #expect(try both.renewed(renewed, for: Self.place) == nil)
        #expect(throws: SealingFault.self) {
            try both.renewed(sealed, for: SealingContext(user: "a", row: "s", purpose: "totp"))
        }
        let after = try SealingKeys(lines: "2 \(Self.new)")
        #expect(try after.open(renewed, for: Self.place) == [7])
        #expect(throws: SealingFault.self) { try after.open(sealed, for: Self.place) }
        for wrong in ["", "1", "0 \(Self.old)", "1 abc", "1 \(Self.old)\n1 \(Self.new)", "256 \(Self.old)"] {
            #expect(throws: SealingFault.self) { try SealingKeys(lines: wrong) }
        }
    }

    @Test("of before, sealed with a key of the file itself, open and get a key of their own")
    func former() throws {
        let key = SymmetricKey(data: [UInt8](0..<32))
        let box = try AES.GCM.seal([5, 6], using: key, authenticating: Array("a|totp|1".utf8))
        let sealed = [1] + Array(try #require(box.combined))
        let keys = try SealingKeys(key: [UInt8](0..<32))
        #expect(try keys.open(sealed, for: Self.place) == [5, 6])
        let renewed = try #require(try keys.renewed(sealed, for: Self.place))
        #expect(renewed.first == 0 && SealingKeys.number(of: sealed) == 1)
        #expect(try keys.open(renewed, for: Self.place) == [5, 6])
        #expect(throws: SealingFault.self) {
            try keys.open(sealed, for: SealingContext(user: "b", row: "r", purpose: "totp"))
        }
    }

    @Test("have keys in a file that only its owner reads, and that its makers share")
    func keyFile() async throws {
        let path = try TestDatabase.temporaryDirectory() + "/key"
        let vaults = try await withThrowingTaskGroup(of: SecretVault.self) { group in
            for _ in 0..<8 { group.addTask { try SecretVault(file: path) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let sealed = try vaults[0].seal([9], for: Self.place)
        for vault in vaults { #expect(try vault.open(sealed, for: Self.place) == [9]) }
        chmod(path, 0o644)
        let folder = String(path.dropLast("/key".count))
        chmod(folder, 0o755)
        #expect(throws: SealingFault.self) { try SecretVault(file: path) }
        // As the secrets of containers lie on their host.
        chmod(folder, 0o700)
        #expect(try SecretVault(file: path).open(sealed, for: Self.place) == [9])
        #expect(throws: SealingFault.self) { try SecretVault(file: path + "/none/key") }
        #expect(throws: SealingFault.self) { try SecretVault(file: path + "2", isMade: false) }
        #expect(access(path + "2", F_OK) != 0)
    }

    @Test("follow their file: a new key seals at once, a forgotten one opens nothing and is an alarm")
    func following() throws {
        let path = try TestDatabase.temporaryDirectory() + "/key"
        let alarms = RecordedAlarms()
        let vault = try SecretVault(file: path) { alarms.add("\($0)") }
        let sealed = try vault.seal([9], for: Self.place)
        #expect(try KeyFile.addKey(path) == 2)
        #expect(SealingKeys.number(of: try vault.seal([9], for: Self.place)) == 2)
        #expect(try vault.open(sealed, for: Self.place) == [9] && alarms.texts.isEmpty)
        try KeyFile.forgetFormerKeys(path)
        #expect(throws: SealingFault.self) { try vault.open(sealed, for: Self.place) }
        #expect(alarms.texts == ["a sealed secret of totp does not open"] && vault.failures == 1)
        // As an operator writes it who may not use the command.
        let key = try String(contentsOfFile: path).split(separator: " ")[1]
        try " 02  \(key)03 \(Self.new)\n".write(to: path)
        #expect(vault.keys.newestNumber == 3)
        try KeyFile.forgetFormerKeys(path)
        #expect(try String(contentsOfFile: path).split(separator: "\n") == ["03 \(Self.new)"])
        // A file that nobody can read takes nothing away from who runs.
        let other = try vault.seal([8], for: Self.place)
        truncate(path, 0)
        #expect(try vault.open(other, for: Self.place) == [8])
        #expect(throws: SealingFault.self) { try KeyFile.addKey(path) }
    }
}

extension String {
    init(contentsOfFile path: String) throws(SealingFault) { self = try KeyFile.text(path) }

    func write(to path: String) throws {
        let bytes = Array(utf8)
        let file = open(path, O_WRONLY | O_TRUNC)
        defer { close(file) }
        guard Glibc.write(file, bytes, bytes.count) == bytes.count else { throw PropertyFailure(path) }
    }
}

/// What was told, in order.
private final class RecordedAlarms: Sendable {
    private let told = Mutex<[String]>([])
    var texts: [String] { told.withLock { $0 } }
    func add(_ text: String) { told.withLock { $0.append(text) } }
}
