import Instruments
import Support
import Testing

@testable import Providers

@Suite("Which provider is asked, and when")
struct ProviderDeskTests {
    private static let second: Int64 = 1_000_000_000
    private static let start = Timestamp(nanoseconds: 1_795_000_000 * second)
    private static let gecko = Venue(rawValue: "coingecko")
    private static let paprika = Venue(rawValue: "coinpaprika")
    private static let desk = Venue(rawValue: "coindesk")

    private static func uses() -> [ProviderUse] { ProviderCatalogue.standard.map { ProviderUse($0) } }

    private static func after(_ seconds: Int64) -> Timestamp {
        start.adding(nanoseconds: seconds * second)
    }

    @Test("one that requires a key is off without, and stands at its place with one")
    func keys() throws {
        #expect(ProviderDesk(Self.uses()).uses.count == 3)
        var uses = Self.uses()
        uses[3].key = "k"
        #expect(ProviderDesk(uses).use(of: Self.desk)?.key == "k")
        var one = ProviderDesk([uses[3]])
        #expect(one.choose(for: .prices, at: Self.start) == .ask(Self.desk))
        #expect(one.choose(for: .coins, at: Self.start) == .busy)
        one.answered(by: Self.desk)
        #expect(one.choose(for: .coins, at: Self.start) == .nobody)
    }

    @Test("never two for one question, ten a minute at most, and the preferred one is waited for")
    func pace() {
        var desk = ProviderDesk(Self.uses())
        var asked = 0
        for tick in 0..<600 {
            let now = Self.start.adding(nanoseconds: Int64(tick) * Self.second / 10)
            switch desk.choose(for: .prices, at: now) {
            case .ask(let venue):
                #expect(venue == Self.gecko)
                #expect(desk.choose(for: .prices, at: now) == .busy)
                asked += 1
                desk.answered(by: venue)
            case .wait(let nanoseconds): #expect(nanoseconds <= 6 * Self.second)
            case .busy, .nobody: Issue.record("at \(tick)")
            }
        }
        #expect(asked == 10)
    }

    @Test("the next one is asked only after the first failed, and the first one again when its time is over")
    func failing() {
        var desk = ProviderDesk(Self.uses())
        var generator = SystemRandomNumberGenerator()
        #expect(desk.choose(for: .prices, at: Self.start) == .ask(Self.gecko))
        let refused = ProviderFailure.refused(status: 429, retryAfter: 120 * Self.second)
        desk.note(refused, of: Self.gecko, at: Self.start, using: &generator)
        #expect(desk.choose(for: .prices, at: Self.after(1)) == .ask(Self.paprika))
        desk.answered(by: Self.paprika)
        #expect(desk.choose(for: .prices, at: Self.after(119)) == .ask(Self.paprika))
        desk.answered(by: Self.paprika)
        // On top of what was asked for comes at most half of it.
        #expect(desk.choose(for: .prices, at: Self.after(181)) == .ask(Self.gecko))
    }

    @Test("a key that is refused is not tried again for an hour, whatever the jitter")
    func refusedKey() {
        for seed in 0..<200 {
            var generator = SeededGenerator(seed: UInt64(seed))
            var desk = ProviderDesk([ProviderUse(CoinGecko.description)])
            _ = desk.choose(for: .prices, at: Self.start)
            let refused = ProviderFailure.refused(status: 401, retryAfter: nil)
            desk.note(refused, of: Self.gecko, at: Self.start, using: &generator)
            guard case .wait(let nanoseconds) = desk.choose(for: .prices, at: Self.start) else {
                Issue.record("seed \(seed)")
                return
            }
            #expect(nanoseconds == 3_600 * Self.second)
            #expect(desk.choose(for: .prices, at: Self.after(3_599)) != .ask(Self.gecko))
        }
    }

    @Test("failures in a row are answered with full jitter under a ceiling that doubles to 15 minutes")
    func jitter() {
        var waits: [[Int64]] = Array(repeating: [], count: 12)
        for seed in 0..<200 {
            var generator = SeededGenerator(seed: UInt64(seed))
            var standing = ProviderStanding(ProviderUse(CoinGecko.description))
            for failure in waits.indices {
                standing.note(.unanswered, at: Self.start, using: &generator)
                waits[failure].append(standing.blockedUntil?.nanoseconds(since: Self.start) ?? -1)
            }
            standing.noteAnswer()
            #expect(standing.failures == 0 && standing.blockedUntil == nil)
        }
        for (failure, waits) in waits.enumerated() {
            let ceiling = min(5 << Int64(failure), 900) * Self.second
            #expect(waits.allSatisfy { (0...ceiling).contains($0) })
            // Spread over the whole range: some in the lowest fifth, some in the highest.
            #expect(waits.contains { $0 < ceiling / 5 } && waits.contains { $0 > ceiling / 5 * 4 })
        }
    }

    @Test("the month's requests are counted, failed ones and those before a restart too")
    func month() {
        var use = ProviderUse(CoinGecko.description)
        use.perMonth = 3
        var desk = ProviderDesk([use, ProviderUse(CoinPaprika.description)])
        var generator = SystemRandomNumberGenerator()
        desk.count(1, of: Self.gecko, at: Self.start)
        for turn in 0..<2 {
            let now = Self.after(Int64(turn) * 4_000)
            #expect(desk.choose(for: .coins, at: now) == .ask(Self.gecko))
            desk.note(.malformed, of: Self.gecko, at: now, using: &generator)
        }
        #expect(desk.asked(of: Self.gecko, at: Self.start) == 3)
        #expect(desk.choose(for: .coins, at: Self.after(9_000)) == .ask(Self.paprika))
        desk.answered(by: Self.paprika)
        // 32 days later it is another month.
        #expect(desk.choose(for: .coins, at: Self.after(32 * 86_400)) == .ask(Self.gecko))
    }

    @Test("the period follows who wants prices, and what a month has")
    func period() {
        func seconds(_ interest: PollingPeriod.Interest, _ perMonth: Int?) -> Int64 {
            PollingPeriod.nanoseconds(interest, perMonth: perMonth) / Self.second
        }
        #expect(PollingPeriod.Interest.allCases.map { seconds($0, nil) } == [30, 10, 5])
        // 31 days in 10,000 requests are 267.84 s: within the five minutes that are accepted.
        #expect(PollingPeriod.Interest.allCases.map { seconds($0, 10_000) } == [267, 89, 44])
        #expect(seconds(.rest, 1_000_000) == 30)
        #expect(PollingPeriod.nanoseconds(.rest, perMonth: 10_000, requests: 2) / Self.second == 535)
    }

    @Test("age is told", arguments: [(0, ""), (60, ""), (61, "1 min old"), (300, "5 min old")])
    func ages(_ seconds: Int64, _ reason: String) {
        #expect(QuoteAge(heard: Self.start, at: Self.after(seconds)).reason == reason)
    }

    @Test("beyond five minutes nobody answers, beyond a day there is nothing")
    func offline() {
        #expect(QuoteAge(heard: Self.start, at: Self.after(301)) == .offline(minutes: 5))
        #expect(QuoteAge(heard: Self.start, at: Self.after(86_400)) == .offline(minutes: 1_440))
        #expect(QuoteAge(heard: Self.start, at: Self.after(86_401)) == .gone)
        // A clock that was set back makes nothing older.
        #expect(QuoteAge(heard: Self.start, at: Self.after(-9)) == .fresh)
    }
}
