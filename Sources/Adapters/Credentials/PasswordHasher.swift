import CSodium
import Glibc
import Synchronization
import Threads

/// What a hash of a password costs, and how many are made at once.
package struct HashingConfiguration: Hashable, Sendable {
    /// Bytes of memory for one hash: 8 KiB...4 GiB.
    package var memory: Int
    /// Passes over the memory, 1...16.
    package var passes: Int
    /// Hashes at once, 1...64.
    package var threads: Int
    /// Callers that may wait for their turn; more are refused.
    package var waiting: Int

    /// The parameters that OWASP recommends (Argon2id, 19 MiB, two passes; Password Storage Cheat Sheet,
    /// 2026), as many at once as there are cores.
    package init(
        memory: Int = 19 << 20, passes: Int = 2, threads: Int = HashingConfiguration.cores, waiting: Int = 64
    ) {
        self.memory = min(max(memory, 8_192), 4 << 30)
        self.passes = min(max(passes, 1), 16)
        self.threads = min(max(threads, 1), 64)
        self.waiting = max(waiting, 0)
    }

    /// Cores of this machine that are in use.
    package static var cores: Int { max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1) }
}

/// Why a password was not hashed.
package enum HashingRefused: Error, Hashable, Sendable, CustomStringConvertible {
    /// As many callers as may wait do so; a client tries again after a second.
    case busy
    /// The memory for it could not be had.
    case noMemory

    /// One line for a person.
    package var description: String {
        switch self {
        case .busy: "too many passwords are being checked; try again in a moment"
        case .noMemory: "there is no memory to check a password"
        }
    }
}

/// What checking a password showed.
package struct PasswordCheck: Hashable, Sendable {
    /// Whether it is the right one.
    package var isCorrect: Bool
    /// Whether the stored hash was made with other parameters than are configured, so that it should be
    /// made again.
    package var needsRehash: Bool
}

/// Hashes passwords with Argon2id (RFC 9106) by libsodium.
///
/// A hash takes a tenth of a second of a core and much memory on purpose, so it is done on threads of its
/// own, of lower priority than all others of the process, at most so many at once, and callers wait in a
/// bounded queue. Threads live while there is work.
package final class PasswordHasher: Sendable {
    /// Does the work and returns how to say so.
    private typealias Job = @Sendable () -> @Sendable () -> Void

    private struct State {
        var running = 0
        var done: UInt64 = 0
        var waiting: [Job] = []
    }

    /// How much lower: beside a busy thread of ours it is left about a tenth of a core (sched(7)).
    static let niceness: Int32 = 10

    private let configuration: HashingConfiguration
    private let state = Mutex(State())
    /// Of no password: what the password of nobody is compared with, so that the time says nothing.
    private let dummy = Mutex<String?>(nil)

    /// Creates a hasher; no thread exists before the first hash.
    package init(_ configuration: HashingConfiguration = HashingConfiguration()) {
        self.configuration = configuration
        Sodium.require()
    }

    /// Makes what unknown users' passwords are compared with, so that the first of them costs no more.
    ///
    /// - Throws: ``HashingRefused``.
    package func prepare() async throws(HashingRefused) {
        _ = try await run { [self] () throws(HashingRefused) in try dummyHash() }
    }

    /// Callers that wait now.
    package var waiting: Int { state.withLock { $0.waiting.count } }

    /// Hashes that were made so far, to store one or to check one.
    package var done: UInt64 { state.withLock { $0.done } }

    /// The hash of a password with its salt and parameters, as text of at most 127 ASCII characters.
    ///
    /// - Throws: ``HashingRefused``.
    package func hash(_ password: String) async throws(HashingRefused) -> String {
        let configuration = configuration
        return try await run { () throws(HashingRefused) in try Self.hash(password, configuration) }
    }

    /// Checks a password.
    ///
    /// - Parameters:
    ///   - password: As it was typed.
    ///   - stored: What ``hash(_:)`` made; `nil` for nobody's, which takes as long and is never right.
    /// - Returns: Whether it is right, and whether it is to be hashed again.
    /// - Throws: ``HashingRefused``.
    package func check(
        _ password: String, against stored: String?
    ) async throws(HashingRefused) -> PasswordCheck {
        try await run { [self] () throws(HashingRefused) in
            let hash: String
            if let stored { hash = stored } else { hash = try dummyHash() }
            let bytes = Array(password.utf8CString)
            let isSame = crypto_pwhash_str_verify(hash, bytes, UInt64(bytes.count - 1)) == 0
            let (passes, memory) = (UInt64(configuration.passes), configuration.memory)
            let isOld = crypto_pwhash_str_needs_rehash(hash, passes, memory) != 0
            return PasswordCheck(isCorrect: isSame && stored != nil, needsRehash: isOld)
        }
    }

    private func dummyHash() throws(HashingRefused) -> String {
        if let hash = dummy.withLock({ $0 }) { return hash }
        let hash = try Self.hash(Secrets.text(), configuration)
        dummy.withLock { $0 = hash }
        return hash
    }

    private static func hash(
        _ password: String, _ configuration: HashingConfiguration
    ) throws(HashingRefused) -> String {
        var text = [CChar](repeating: 0, count: crypto_pwhash_strbytes())
        let bytes = Array(password.utf8CString)
        let code = crypto_pwhash_str(
            &text, bytes, UInt64(bytes.count - 1), UInt64(configuration.passes), configuration.memory)
        guard code == 0 else { throw .noMemory }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    // MARK: Threads

    func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws(HashingRefused) -> Value
    ) async throws(HashingRefused) -> Value {
        let result: Result<Value, HashingRefused> = await withCheckedContinuation { continuation in
            let isTaken = submit {
                let result: Result<Value, HashingRefused>
                do throws(HashingRefused) { result = .success(try work()) } catch { result = .failure(error) }
                return { continuation.resume(returning: result) }
            }
            if !isTaken { continuation.resume(returning: .failure(.busy)) }
        }
        return try result.get()
    }

    /// False when the queue is full.
    private func submit(_ job: @escaping Job) -> Bool {
        enum Place { case thread, queue, none }
        let place = state.withLock { state -> Place in
            if state.running < configuration.threads {
                state.running += 1
                return .thread
            }
            guard state.waiting.count < configuration.waiting else { return .none }
            state.waiting.append(job)
            return .queue
        }
        if place == .thread {
            NamedThread.start(name: "password") { [self] in
                // Linux keeps it for each thread: whoever does not sign in has the processor first.
                _ = nice(Self.niceness)
                var next: Job? = job
                while let job = next {
                    let finish = job()
                    next = takeNext()
                    // Whoever is answered finds the place free.
                    finish()
                }
            }
        }
        return place != .none
    }

    private func takeNext() -> Job? {
        state.withLock { state in
            state.done += 1
            if state.waiting.isEmpty {
                state.running -= 1
                return nil
            }
            return state.waiting.removeFirst()
        }
    }
}
