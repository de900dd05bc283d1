import Store
import Support
import Testing

@testable import GatewayAPI

/// What is said to who asks without a key while PostgreSQL dies.
@Suite("What is not known to be made", .serialized, .timeLimit(.minutes(10)))
struct UnknownOutcomeTests {
    @Test("is said not to be known where the connection goes during COMMIT, and nowhere else")
    func words() async throws {
        try await MakingStage.run { stage async throws in
            var unknown: [Bool] = []
            for place in DatabaseProxy.Cut.allCases {
                var (number, isCut) = (1, true)
                while isCut {
                    let body = #"{"name":"\#(place) \#(number)"}"#
                    let before = try await Self.lists(stage)
                    // After a connection that failed none is tried for a moment.
                    try await eventually { try await stage.brokenBoss.get("/v1/watchlists").status == 200 }
                    stage.proxy.arm(number, place)
                    let answer = try await stage.brokenBoss.ask("POST", "/v1/watchlists", json: body)
                    isCut = stage.proxy.disarm()
                    let isMade = try await Self.lists(stage) > before
                    let detail = answer.string("detail") ?? ""
                    if detail.contains("not known") {
                        #expect(answer.status == 503 && answer.header("retry-after") == "1")
                        #expect(detail.contains("Idempotency-Key"))
                        unknown.append(isMade)
                    } else {
                        #expect(isMade == (answer.status == 201), "\(place) \(number): \(answer.text)")
                    }
                    number += 1
                    try await stage.fixture.database.withSession { session in
                        try session.script("DELETE FROM accounts.watchlist")
                    }
                }
            }
            // COMMIT that the server never heard of, and one that it has done.
            #expect(unknown == [false, true])
        }
    }

    private static func lists(_ stage: MakingStage) async throws -> Int {
        try await stage.boss.get("/v1/watchlists").count() ?? -1
    }
}
