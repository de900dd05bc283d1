import Accounts
import HTTPTypes
import Instruments
import Support
import Testing

@testable import GatewayAPI
@testable import GatewayFrame

@Suite("Gateway limits")
struct LimitTests {
    @Test("tells what is left after all that a request takes", .timeLimit(.minutes(10)))
    func weight() async throws {
        // As many at once as the heaviest request costs, one more each minute.
        try await AccountGatewayFixture.run {
            $0.server.requestsPerMinute = 1
        } _: { accounts in
            var left: [String?] = []
            for _ in 0..<3 {
                let answer = try await accounts.nobody.ask(
                    "POST", "/v1/auth/password-strength", json: #"{"password":"a"}"#)
                left.append(answer.header("ratelimit-remaining"))
            }
            #expect(left == ["28", "26", "24"])
        }
    }

    @Test(
        "counts an IPv4 address alone and IPv6 by the block of one subscriber",
        arguments: [
            ("192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"), ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
            ("2001:db8:1:3::9", "2001:db8:1:3::/64"), ("fe80::1%eth0", "fe80:0:0:0::/64"),
            ("", ""), ("unix:socket", "unix:socket"),
        ])
    func blocks(address: String, block: String) {
        #expect(AddressBlock.of(address) == block)
    }

    @Test(
        "believes X-Forwarded-For of trusted proxies only, from the right",
        arguments: [
            ("9.9.9.9", ["1.1.1.1"], [], "9.9.9.9"),
            ("9.9.9.9", ["1.1.1.1"], ["8.8.8.8"], "9.9.9.9"),
            ("9.9.9.9", ["1.1.1.1"], ["9.9.9.9"], "1.1.1.1"),
            ("9.9.9.9", ["6.6.6.6, 1.1.1.1"], ["9.9.9.9"], "1.1.1.1"),
            ("9.9.9.9", ["6.6.6.6, 1.1.1.1, 8.8.8.8"], ["9.9.9.9", "8.8.8.8"], "1.1.1.1"),
            ("9.9.9.9", ["6.6.6.6", "1.1.1.1"], ["9.9.9.9"], "1.1.1.1"),
            ("9.9.9.9", ["nonsense"], ["9.9.9.9"], "9.9.9.9"),
            ("9.9.9.9", [], ["9.9.9.9"], "9.9.9.9"),
            ("::1", ["2001:db8::1"], ["::1"], "2001:db8::1"),
            // Ranges, in whichever form a socket tells its peer.
            ("172.18.0.2", ["1.1.1.1"], ["172.16.0.0/12"], "1.1.1.1"),
            ("172.32.0.2", ["1.1.1.1"], ["172.16.0.0/12"], "172.32.0.2"),
            ("::ffff:10.0.0.1", ["1.1.1.1"], ["10.0.0.1"], "1.1.1.1"),
            ("10.0.0.1", ["1.1.1.1"], ["::ffff:10.0.0.0/104"], "1.1.1.1"),
            ("fd00:1::9", ["1.1.1.1, fd00:2::1"], ["fd00::/8"], "1.1.1.1"),
            ("fe80::1%eth0", ["1.1.1.1"], ["fe80::/10"], "1.1.1.1"),
            ("10.0.0.1", ["6.6.6.6", "1.1.1.1, 10.9.9.9"], ["10.0.0.0/8"], "1.1.1.1"),
            // Who asks from a range of proxies is still one among others.
            ("10.0.0.1", ["10.7.7.7"], ["10.0.0.0/8"], "10.7.7.7"),
            ("10.0.0.1", ["10.6.6.6", "10.7.7.7"], ["10.0.0.1", "10.7.7.7"], "10.6.6.6"),
            ("10.0.0.1", ["6.6.6.6, nonsense, 10.7.7.7"], ["10.0.0.0/8"], "10.7.7.7"),
            // As some proxies write it, with a port.
            ("10.0.0.1", ["1.1.1.1:4711"], ["10.0.0.1"], "1.1.1.1"),
            ("10.0.0.1", ["[2001:db8::1]:4711"], ["10.0.0.1"], "2001:db8::1"),
            ("10.0.0.1", ["[2001:db8::1]"], ["10.0.0.1"], "2001:db8::1"),
            ("10.0.0.1", ["1.1.1.1, 10.9.9.9:80"], ["10.0.0.0/8"], "1.1.1.1"),
            ("10.0.0.1", ["6.6.6.6, [unknown]:80"], ["10.0.0.1"], "10.0.0.1"),
        ] as [(String, [String], TrustedProxies, String)])
    func forwarded(peer: String, forwarded: [String], trusted: TrustedProxies, client: String) {
        #expect(ClientAddress.of(peer: peer, forwarded: forwarded, trusted: trusted) == client)
    }

    @Test(
        "trusts addresses and ranges of them, and never everybody",
        arguments: [
            ("10.0.0.5", true), ("10.0.0.5/32", true), ("10.0.0.0/8", true), ("128.0.0.0/1", true),
            ("::1", true), ("fd00::/8", true), ("2001:db8::1/128", true), ("::ffff:10.0.0.0/104", true),
            ("0.0.0.0/0", false), ("::/0", false), ("::/64", false), ("::ffff:0:0/96", false),
            ("10.0.0.0/33", false), ("fd00::/129", false), ("10.0.0.5/8", false), ("fd00::1/8", false),
            ("10.0.0.0/", false), ("10.0.0.0/+8", false), ("10.0.0.0/-1", false), ("10.0.0.0/8/8", false),
            ("/8", false), ("10.0.0/8", false), ("10.0.0.0/99999999999999999999", false),
            ("proxy.example", false), ("", false),
        ])
    func ranges(text: String, isTaken: Bool) {
        var proxies = TrustedProxies()
        let isAdded = proxies.add(text)
        #expect(isAdded == isTaken && proxies.isEmpty != isTaken)
    }

    @Test(
        "judges ranges together: more than half of all addresses are never trusted",
        arguments: [
            (["0.0.0.0/1", "128.0.0.0/1"], [true, false]),
            (["128.0.0.0/1", "128.0.0.0/1", "200.0.0.0/8", "10.0.0.5"], [true, true, true, false]),
            (["0.0.0.0/2", "64.0.0.0/2", "128.0.0.0/2", "192.0.0.0/2"], [true, true, false, false]),
            (["2000::/4", "3000::/4"], [true, false]), (["2000::/3"], [false]),
            (["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fd00::/8"], [true, true, true, true]),
        ])
    func unions(texts: [String], areTaken: [Bool]) {
        var proxies = TrustedProxies()
        #expect(texts.map { proxies.add($0) } == areTaken)
    }

    @Test(
        "refuses what another site's page asks for",
        arguments: [
            ([:], true), (["cookie": "a"], false), (["authorization": "Bearer x"], true),
            (["cookie": "a", "sec-fetch-site": "same-origin"], true),
            (["cookie": "a", "sec-fetch-site": "none"], true),
            (["cookie": "a", "sec-fetch-site": "same-site"], false),
            (["cookie": "a", "sec-fetch-site": "cross-site"], false),
            (["sec-fetch-site": "cross-site"], false),
            (["cookie": "a", "sec-fetch-site": "cross-site", "origin": "http://here:8080"], false),
            (["cookie": "a", "origin": "http://here:8080"], true),
            (["cookie": "a", "origin": "https://here:8080"], true),
            (["cookie": "a", "origin": "http://here:8081"], false),
            (["cookie": "a", "origin": "http://there"], false),
            (["cookie": "a", "origin": "null"], false), (["origin": "null"], false),
        ] as [([String: String], Bool)])
    func crossSite(headers: [String: String], isAllowed: Bool) {
        var fields = HTTPFields()
        for (name, value) in headers { fields[HTTPField.Name(name) ?? .via] = value }
        let problem: Problem?
        do throws(Problem) {
            try CrossSite.check(fields, authority: "here:8080", page: nil)
            problem = nil
        } catch {
            problem = error
        }
        #expect((problem == nil) == isAllowed)
        #expect(problem == nil || problem?.code == .crossSite)
    }

    @Test(
        "refuses paths that no client means",
        arguments: [
            ("/v1/instruments", true), ("/v1/tickers/kraken:BTC%2FUSD", true), ("/", true),
            ("/%2e%2e/etc/passwd", false), ("/a/../b", false), ("/a/%2E%2e%2Fb", false), ("/a/.", false),
            ("/a%00b", false), ("/a%0d%0ab", false), ("/%c0%af", false), ("/%c0%ae%c0%ae/", false),
            ("/%ff", false), ("/a%", false), ("/a%2", false), ("/a%zz", false), ("/..%5c..%5c", false),
            ("/%5c", false), ("a", false), ("", false), ("/\(String(repeating: "a", count: 2_048))", false),
        ])
    func paths(path: String, isAllowed: Bool) {
        #expect(((try? PathRule.check(path)) != nil) == isAllowed)
    }

    @Test("never allows more than the burst and what was earned, and always what was earned")
    func rates() {
        property { generator in
            let perMinute = generator.int(10...6_000)
            let keeper = RateLimiter(perMinute: perMinute)
            let burst = max(perMinute / 4, 10)
            let interval = Int64(60_000_000_000) / Int64(perMinute)
            let start: Int64 = 1_800_000_000_000_000_000
            var now = start
            var taken: Int64 = 0
            for _ in 0..<100 {
                now += Int64(generator.int(0...3)) * Int64(generator.int(0...2)) * interval
                let weight = generator.int(1...5)
                let outcome = try? keeper.take(weight, for: .address("a"), at: Timestamp(nanoseconds: now))
                if outcome != nil { taken += Int64(weight) }
                try #require(taken <= Int64(burst) + (now - start) / interval)
                // Others are not touched by it.
                _ = try? keeper.take(1_000_000, for: .user("a"), at: Timestamp(nanoseconds: now))
            }
            now += Int64(burst) * interval
            try #require(
                (try? keeper.take(min(burst, 5), for: .address("a"), at: Timestamp(nanoseconds: now))) != nil)
        }
    }

    @Test("counts on when the clock is set back", .timeLimit(.minutes(10)))
    func clock() async throws {
        let (day, steady) = (ManualClock(), ManualClock())
        try await GatewayFixture.run {
            // As many at once as the heaviest request costs, one more each second.
            $0.server.requestsPerMinute = 60
        } clock: {
            day.now
        } monotonic: {
            steady.now
        } _: { fixture async throws in
            func ask(_ count: Int) async throws -> [Int] {
                var statuses: [Int] = []
                for _ in 0..<count { statuses.append(try await fixture.client.get("/health/live").status) }
                return statuses
            }
            let first = try await fixture.client.get("/health/live")
            let burst = try #require(first.header("ratelimit-limit").flatMap { Int($0) })
            #expect(try await ask(burst) == Array(repeating: 200, count: burst - 1) + [429])
            day.advance(seconds: -3_600)
            #expect(try await ask(1) == [429])
            steady.advance(seconds: 1)
            #expect(try await ask(2) == [200, 429])
        }
    }

    @Test("lets the heaviest request through however few are allowed, and who comes again when told to")
    func heaviest() throws {
        for perMinute in [1, 60, 80, 1_200] {
            let keeper = RateLimiter(perMinute: perMinute)
            for weight in [20, 30, 5] { keeper.makeRoom(for: weight) }
            var now = Timestamp(nanoseconds: 1_800_000_000_000_000_000)
            /// As a request to a route of this weight is counted for an address.
            func ask(_ weight: Int) throws(Problem) {
                try keeper.take(1, for: .address("a"), at: now)
                try keeper.take(weight - 1, for: .address("a"), at: now, before: 1)
            }
            func wait() -> Int? {
                do throws(Problem) {
                    try ask(30)
                    return nil
                } catch {
                    return error.retryAfter ?? 0
                }
            }
            try ask(30)
            var waits: [Int] = []
            while let seconds = wait() {
                waits.append(seconds)
                // Once for what each request costs, and once for what this one does.
                try #require(waits.count <= 2, "\(perMinute): \(waits)")
                now = now.adding(nanoseconds: Int64(seconds) * 1_000_000_000)
            }
        }
    }

    @Test("says when to come again")
    func refusal() throws {
        let keeper = RateLimiter(perMinute: 60)
        let now = Timestamp(nanoseconds: 1_800_000_000_000_000_000)
        for _ in 0..<15 { try keeper.take(1, for: .token("t"), at: now) }
        #expect(throws: Problem.self) { try keeper.take(1, for: .token("t"), at: now) }
        for _ in 0..<30 { try keeper.take(1, for: .user("t"), at: now) }
        let problem = #expect(throws: Problem.self) { try keeper.take(1, for: .user("t"), at: now) }
        #expect(problem?.code == .rateLimited && problem?.retryAfter == 1)
        #expect(problem?.headers[.rateLimitRemaining] == "0" && problem?.headers[.rateLimitLimit] == "30")
    }

    @Test("makes cursors that only their own list reads")
    func cursors() throws {
        let text = Cursor.text("trades", "123|456")
        #expect(try Cursor.position(text, of: "trades") == "123|456")
        for (bad, list) in [(text, "candles"), (text + "A", "trades"), ("", "trades"), ("§", "trades")] {
            let problem = #expect(throws: Problem.self) { try Cursor.position(bad, of: list) }
            #expect(problem?.field == "cursor")
        }
    }
}
