import Accounts
import Encodings
import Glibc
import Support
import Testing

@testable import Credentials

@Suite("A key file that changes")
struct KeyFileTests {
    private static let place = SealingContext(user: "a", row: "r", purpose: "totp")
    private static let keys = (0..<3).map { Base64URL.text([UInt8](repeating: UInt8($0), count: 32)) }

    private static func file(_ text: String) throws -> String {
        let path = try TestDatabase.temporaryDirectory() + "/key"
        try KeyFile.make(path, with: "1 \(keys[0])\n")
        try text.write(to: path)
        return path
    }

    @Test("stays the one that was opened and mounted, and holds nothing of what is forgotten")
    func place() throws {
        let path = try Self.file("1 \(Self.keys[0])\n2 \(Self.keys[1])\n")
        chmod(path, 0o640)
        let folder = String(path.dropLast("/key".count))
        chmod(folder, 0o700)
        let held = open(path, O_RDONLY)
        defer { close(held) }
        let vault = try SecretVault(file: path)
        #expect(try KeyFile.addKey(path) == 3)
        let sealed = try vault.seal([7], for: Self.place)
        try KeyFile.forgetFormerKeys(path)
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = pread(held, &bytes, bytes.count, 0)
        let text = String(decoding: bytes.prefix(count), as: UTF8.self)
        let lines = text.split(separator: "\n")
        #expect(lines.count == 1 && lines[0].hasPrefix("3 "))
        #expect(!text.contains(Self.keys[0]) && !text.contains(Self.keys[1]))
        #expect(try vault.open(sealed, for: Self.place) == [7])
        #expect(try SecretVault(file: path, isMade: false).open(sealed, for: Self.place) == [7])
        var (then, now) = (stat(), stat())
        #expect(fstat(held, &then) == 0 && stat(path, &now) == 0 && then.st_ino == now.st_ino)
        #expect(now.st_mode & 0o777 == 0o640)
        // Blank lines are in no key's way.
        #expect(try KeyFile.addKey(path) == 4)
        try KeyFile.forgetFormerKeys(path)
        #expect(try SealingKeys(lines: String(contentsOfFile: path)).newestNumber == 4)
    }

    @Test("can be read at each moment of a change: a half of a line counts as none, one with a mark as well")
    func moments() throws {
        let (first, second) = ("1 \(Self.keys[0])\n", "2 \(Self.keys[1])\n")
        for count in 0...second.utf8.count {
            let keys = try SealingKeys(lines: first + second.prefix(count))
            #expect(keys.newestNumber == (count >= second.utf8.count - 1 ? 2 : 1), "\(count)")
        }
        let line = first.dropLast()
        for count in 0..<line.utf8.count {
            // Wiped from its end: first with marks, then with ends of lines.
            let marked = "#" + line.dropFirst().dropLast(count) + String(repeating: "#", count: count)
            let blank =
                String(repeating: "#", count: line.utf8.count - count)
                + String(repeating: "\n", count: count)
            for text in [marked, blank] {
                #expect(try SealingKeys(lines: "\(text)\n\(second)").newestNumber == 2, "\(text)")
            }
        }
        // What ends too early within the file was never right.
        #expect(throws: SealingFault.self) { try SealingKeys(lines: "1 abc\n" + second) }
        #expect(throws: SealingFault.self) { try SealingKeys(lines: first + "1 \(Self.keys[1])") }
    }

    @Test("takes a key where somebody was interrupted who added one")
    func tornLine() throws {
        let path = try Self.file("1 \(Self.keys[0])\n2 \(Self.keys[1].prefix(20))")
        let vault = try SecretVault(file: path)
        #expect(vault.keys.newestNumber == 1)
        #expect(try KeyFile.addKey(path) == 2)
        #expect(vault.keys.newestNumber == 2)
        let sealed = try vault.seal([7], for: Self.place)
        try KeyFile.forgetFormerKeys(path)
        #expect(try SecretVault(file: path, isMade: false).open(sealed, for: Self.place) == [7])
        #expect(try !String(contentsOfFile: path).contains(Self.keys[1].prefix(20)))
    }
}
