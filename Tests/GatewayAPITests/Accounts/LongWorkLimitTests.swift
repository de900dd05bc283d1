import AccountStore
import Instruments
import Store
import Support
import Testing

@testable import GatewayAPI
@testable import GatewayFrame

@Suite("Exports and imports at once", .timeLimit(.minutes(10)))
struct LongWorkLimitTests {
    private static func user(_ number: UInt64) -> UserID {
        UserID(rawValue: UniqueID(high: 1, low: number))
    }

    /// Why somebody is not let in; `nil` for who is.
    private static func refusal(_ limit: LongWorkLimit, _ user: UserID) -> String? {
        do throws(Problem) {
            _ = try limit.enter(user)
            return nil
        } catch {
            return error.code == .throttled && error.retryAfter == 10 ? error.detail : "another problem"
        }
    }

    @Test("are a few of a user and a few of all, and each is told why not")
    func places() throws {
        let limit = LongWorkLimit(3, perUser: 2)
        let (ann, ben, eve) = (Self.user(1), Self.user(2), Self.user(3))
        let own = "your own exports and imports are not done (2 of 2 at once); try again in a moment"
        let (first, second) = (try limit.enter(ann), try limit.enter(ann))
        #expect(Self.refusal(limit, ann) == own)
        let third = try limit.enter(ben)
        #expect(Self.refusal(limit, eve) == "others export or import; try again in a moment")
        first.leave()
        // Left once, however often that is said: the place may be somebody else's by now.
        first.leave()
        let fourth = try limit.enter(ann)
        #expect(Self.refusal(limit, ann) == own)
        #expect(Self.refusal(limit, eve) != nil)
        withExtendedLifetime((second, third, fourth)) {}
    }

    @Test("are free again when nobody holds them any more, and of a user who has none nothing is kept")
    func dropped() throws {
        let limit = LongWorkLimit(2, perUser: 1)
        for number in 0..<100 as Range<UInt64> { #expect(Self.refusal(limit, Self.user(number)) == nil) }
        let last = try limit.enter(Self.user(0))
        #expect(Self.refusal(limit, Self.user(1)) == nil)
        withExtendedLifetime(last) {}
    }

    @Test("never are one user's alone, whatever was configured", arguments: 3...64)
    func share(connections: Int) {
        var pools = GatewayPools()
        pools.slowConnections = connections
        #expect((1..<pools.longWork).contains(pools.longWorkPerUser))
        #expect(pools.longWorkPerUser <= 2 && pools.longWork < connections)
    }

    @Test("of one user, whose exports nobody reads, keep nobody else from exports and imports")
    func others() async throws {
        try await AccountGatewayFixture.run {
            $0.pools.readerTimeout = .seconds(3_600)
        } _: { fixture async throws in
            let (ann, path) = try await SlowReaderTests.hoarder(fixture)
            let ben = try fixture.client(try await fixture.signUp("ben@example.org"))
            let id = try await ben.make("/v1/portfolios", #"{"name":"Mine"}"#)
            let row = #"2026-01-03T00:00:00Z,deposit,Cold,USD,7\n"#
            let file = #"{"format":"csv","text":"time,kind,wallet,asset,amount\n\#(row)"}"#
            try await withThrowingTaskGroup(of: Void.self) { group in
                let (statuses, held) = AsyncStream.makeStream(of: Int.self)
                var status = statuses.makeAsyncIterator()
                for _ in 0..<2 {
                    group.addTask { try await SlowReaderTests.hold(ann, "/v1/account/export", held) }
                    #expect(await status.next() == 200)
                }
                let third = try await ann.get("/v1/account/export")
                #expect(third.status == 429 && third.text.contains("2 of 2 at once"), "\(third.text)")
                #expect(try await ann.ask("POST", "\(path)/import", json: file).status == 429)
                // Such a request asks for no more than a place.
                try await eventually { fixture.fixture.services.slow.statistics.busy == 2 }
                #expect(try await ben.get("/v1/account/export").status == 200)
                _ = try await ben.ask("POST", "/v1/portfolios/\(id)/wallets", json: #"{"name":"Cold"}"#)
                let imported = try await ben.ask("POST", "/v1/portfolios/\(id)/import", json: file)
                #expect(imported.status == 201, "\(imported.text)")
                group.cancelAll()
            }
        }
    }
}
