import Credentials
import Foundation
import Support
import Testing

@testable import GatewayAPI

/// How long a refused sign-in takes, with an account and without one: figures for people, not asserted.
@Suite(
    "Times of refused sign-ins", .serialized, .timeLimit(.minutes(30)),
    .enabled(if: getenv("SOAK") != nil, "a measurement: SOAK=1 makes it"))
struct SignInTimeTests {
    /// The largest distance of two distributions (Kolmogorov and Smirnov).
    private static func distance(_ left: [Double], _ right: [Double]) -> Double {
        (left + right).map { limit in
            let shares = [left, right].map { times in
                Double(times.count { $0 <= limit }) / Double(times.count)
            }
            return abs(shares[0] - shares[1])
        }.max() ?? 0
    }

    @Test("are printed with how far they lie apart")
    func times() async throws {
        try await AccountGatewayFixture.run {
            // As in operation.
            $0.accounts.hashing = HashingConfiguration()
        } _: { fixture in
            try await fixture.hasher.prepare()
            _ = try await fixture.signUp("known@example.org")
            let count = 300
            var times: [[Double]] = [[], []]
            let clock = ContinuousClock()
            for _ in 0..<count {
                for (place, name) in ["known", "nobody"].enumerated() {
                    fixture.clock.advance(seconds: 1_000)
                    let start = clock.now
                    let answer = try await fixture.signIn("\(name)@example.org", "not it")
                    times[place].append((clock.now - start) / .milliseconds(1))
                    #expect(answer.status == 401)
                }
            }
            let medians = times.map {
                $0.sorted()[count / 2].formatted(.number.precision(.fractionLength(2)))
            }
            let distance = Self.distance(times[0], times[1])
            // 1.63 is the quantile of one in a hundred.
            let limit = 1.63 * (2 / Double(count)).squareRoot()
            print(
                "refused sign-ins: median \(medians[0]) ms with an account, \(medians[1]) ms without;",
                "distance \(distance), which chance exceeds once in a hundred at \(limit)")
        }
    }
}
