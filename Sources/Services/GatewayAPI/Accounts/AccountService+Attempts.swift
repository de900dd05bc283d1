import AccountStore
import Accounts
import Credentials
import GatewayFrame
import Instruments
import Store

/// For what attempts to sign in to an address are counted, each as 32 bytes that do not say it.
///
/// By who guesses where, so that a stranger's guesses make the owner wait nowhere else; and for the address
/// from everywhere, with a gentler pace, which networks from which somebody has signed in do not wait for.
struct SignInSubjects: Sendable {
    /// The address, whoever guesses.
    let address: [UInt8]
    /// The address from one network.
    let network: [UInt8]
    /// That somebody has signed in to the address from the network.
    let known: [UInt8]

    /// - Parameters:
    ///   - email: To which somebody signs in.
    ///   - client: From which IP address, of which an ``AddressBlock`` counts.
    init(_ email: EmailAddress, from client: String) {
        let (digest, block) = (Secrets.digest(email.folded.utf8), AddressBlock.of(client))
        // All begin as the address's, by which they are found when an account is erased.
        func subject(_ word: String) -> [UInt8] {
            Array(digest.prefix(16) + Secrets.digest("\(word) \(block)".utf8).prefix(16))
        }
        (address, network, known) = (digest, subject("from"), subject("known"))
    }
}

/// An attempt to sign in, as it is counted.
struct SignInAttempt: Sendable {
    let subjects: SignInSubjects
    let all: LoginAttempt
    let one: LoginAttempt
}

extension AccountService {
    /// Counts an attempt to sign in as failed until something else comes of it.
    ///
    /// - Throws: `throttled`.
    func countSignIn(_ subjects: SignInSubjects) async throws -> SignInAttempt {
        let now = clock()
        return try await change { session in
            let one = try session.lockLoginThrottle(subjects.network)
            let all = try session.lockLoginThrottle(subjects.address)
            try Self.refuse(for: one.wait(at: now))
            if all.wait(at: now, .ofAll) > 0, try !session.isKnown(subjects.known, at: now) {
                try Self.refuse(for: all.wait(at: now, .ofAll))
            }
            return SignInAttempt(
                subjects: subjects, all: try session.count(subjects.address, all, at: now),
                one: try session.count(subjects.network, one, at: now))
        }
    }

    /// Makes an attempt count no more that was not looked at.
    func takeBack(_ attempt: SignInAttempt) async throws {
        try await change { session in
            try session.takeBack(attempt.one)
            try session.takeBack(attempt.all)
        }
    }

    /// Forgets failures up to an attempt that has succeeded, and knows the network from now on.
    func forgive(_ attempt: SignInAttempt) async throws {
        let now = clock()
        try await change { session in
            try session.forgive(attempt.one)
            try session.forgive(attempt.all)
            try session.know(attempt.subjects.known, at: now)
        }
    }

    /// Counts an attempt as failed until something else comes of it.
    ///
    /// - Throws: `throttled`.
    func countAttempt(_ subject: [UInt8]) async throws -> LoginAttempt {
        let now = clock()
        return try await change { session in
            let throttle = try session.lockLoginThrottle(subject)
            try Self.refuse(for: throttle.wait(at: now))
            return try session.count(subject, throttle, at: now)
        }
    }

    /// Makes an attempt count no more that was not looked at.
    func takeBack(_ attempt: LoginAttempt) async throws {
        try await database.withSession { session in try session.takeBack(attempt) }
    }

    /// Forgets failures up to an attempt that has succeeded.
    func forgive(_ attempt: LoginAttempt) async throws {
        try await database.withSession { session in try session.forgive(attempt) }
    }

    private static func refuse(for wait: Int64) throws(Problem) {
        guard wait > 0 else { return }
        let seconds = Int((wait + 999_999_999) / 1_000_000_000)
        var problem = Problem(.throttled, "too many attempts; try again in \(seconds) s")
        problem.retryAfter = seconds
        throw problem
    }
}

extension Session {
    /// Counts an attempt as failed; inside the transaction that has locked what was known.
    fileprivate func count(
        _ subject: [UInt8], _ before: LoginThrottle, at now: Timestamp
    ) throws(StoreError) -> LoginAttempt {
        let attempt = LoginAttempt(subject, before: before, at: now)
        try setLoginThrottle(attempt.counted, subject)
        return attempt
    }
}
