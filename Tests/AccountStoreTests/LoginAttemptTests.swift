import Accounts
import Instruments
import Store
import Testing

@testable import AccountStore

@Suite("Attempts to sign in", .serialized, .timeLimit(.minutes(10)))
struct LoginAttemptTests {
    private static let subject = StoreFixture.digest(1)
    private static let before = LoginThrottle(failures: 3, last: StoreFixture.now)
    /// What is looked at while others come.
    private static let attempt = LoginAttempt(
        subject, before: before, at: StoreFixture.now.after(minutes: 1))
    /// Another that has failed since.
    private static let since = attempt.counted.failed(at: StoreFixture.now.after(minutes: 2))

    @Test(
        "count as failed, and are taken back or forgiven without what has failed since",
        arguments: [
            (attempt.counted, before, LoginThrottle(failures: 0, last: attempt.counted.last)),
            (
                since, LoginThrottle(failures: 4, last: since.last),
                LoginThrottle(failures: 1, last: since.last)
            ),
            // Others have succeeded meanwhile: nothing is below none.
            (
                LoginThrottle(failures: 0, last: since.last), LoginThrottle(failures: 0, last: since.last),
                LoginThrottle(failures: 0, last: since.last)
            ),
        ])
    func outcomes(stored: LoginThrottle, takenBack: LoginThrottle, forgiven: LoginThrottle) async throws {
        let (database, _) = try await StoreFixture.database()
        let found = try await database.transaction { session in
            var found: [LoginThrottle] = []
            for isTakenBack in [true, false] {
                _ = try session.lockLoginThrottle(Self.subject)
                try session.setLoginThrottle(stored, Self.subject)
                if isTakenBack {
                    try session.takeBack(Self.attempt)
                } else {
                    try session.forgive(Self.attempt)
                }
                found.append(try session.lockLoginThrottle(Self.subject))
            }
            return found
        }
        #expect(found == [takenBack, forgiven])
        await database.close()
    }
}
