import Accounts
import Dispatch
import Encodings
import Glibc
import Support
import Testing

@testable import Credentials

@Suite("Credentials", .timeLimit(.minutes(10)))
struct CredentialTests {
    /// As little as libsodium takes.
    private static let cheap = HashingConfiguration(memory: 65_536, passes: 1, threads: 2, waiting: 8)

    @Test("hash passwords with Argon2id, salted, and check them")
    func passwords() async throws {
        let hasher = PasswordHasher(Self.cheap)
        let (first, second) = (try await hasher.hash("pass\u{0}wörd"), try await hasher.hash("pass\u{0}wörd"))
        #expect(first.hasPrefix("$argon2id$v=19$m=64,t=1,p=1$") && first != second)
        #expect(try await hasher.check("pass\u{0}wörd", against: first).isCorrect)
        for wrong in ["pass", "pass\u{0}word", "", "pass\u{0}wörd "] {
            #expect(try await !hasher.check(wrong, against: first).isCorrect)
        }
        #expect(try await !hasher.check("", against: nil).isCorrect)
        #expect(try await !hasher.check("x", against: "$argon2id$broken").isCorrect)
    }

    @Test("say that a hash of other parameters is to be made again")
    func rehash() async throws {
        let hash = try await PasswordHasher(Self.cheap).hash("a password")
        var dearer = Self.cheap
        dearer.passes = 2
        #expect(try await PasswordHasher(Self.cheap).check("a password", against: hash).needsRehash == false)
        let check = try await PasswordHasher(dearer).check("a password", against: hash)
        #expect(check.isCorrect && check.needsRehash)
        #expect(HashingConfiguration().memory == 19 << 20 && HashingConfiguration().passes == 2)
    }

    @Test("hash so many at once, let so many wait, and refuse the next one at once")
    func bounded() async throws {
        let hasher = PasswordHasher(HashingConfiguration(memory: 65_536, passes: 1, threads: 1, waiting: 2))
        let (begun, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await hasher.run { () throws(HashingRefused) in
                    begun.signal()
                    gate.wait()
                    return true
                }
            }
            await NamedThreadWait.until(begun)
            for _ in 0..<2 { group.addTask { try await hasher.check("x", against: nil).isCorrect } }
            while hasher.waiting < 2 { await Task.yield() }
            await #expect(throws: HashingRefused.busy) { try await hasher.hash("x") }
            gate.signal()
            var results: [Bool] = []
            for try await result in group { results.append(result) }
            #expect(results.count { $0 } == 1 && results.count == 3)
        }
        // Who was refused is served when there is room again.
        #expect(try await hasher.hash("x").hasPrefix("$argon2id$"))
    }

    @Test("hash on threads that all others go before")
    func niceness() async throws {
        @Sendable func own() -> Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }
        let hashing = try await PasswordHasher(Self.cheap).run { () throws(HashingRefused) in own() }
        #expect(hashing == min(own() + PasswordHasher.niceness, 19))
    }

    @Test("are told apart by digests")
    func digests() throws {
        let text = Secrets.text()
        #expect(text.utf8.count == 43 && text != Secrets.text())
        #expect(Secrets.digest(text: text)?.count == 32 && Secrets.digest(text: text + "A") == nil)
        // FIPS 180-2, appendix B.1.
        #expect(Hexadecimal.text(Secrets.digest("abc".utf8)).hasPrefix("ba7816bf8f01cfea414140de"))
        #expect(Secrets.areEqual([1, 2], [1, 2]) && !Secrets.areEqual([1, 2], [1, 3]))
        #expect(!Secrets.areEqual([1], [1, 2]))
        let codes = Secrets.recoveryCodes()
        #expect(Set(codes.map(\.text)).count == RecoveryCode.count)
        #expect(codes.allSatisfy { RecoveryCode.bytes($0.text).map { Secrets.digest($0) } == $0.digest })
    }
}

/// Waits for a semaphore on a thread of its own.
private enum NamedThreadWait {
    static func until(_ semaphore: DispatchSemaphore) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                semaphore.wait()
                continuation.resume()
            }
        }
    }
}
