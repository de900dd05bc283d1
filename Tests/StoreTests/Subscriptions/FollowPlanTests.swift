import Instruments
import MarketStore
import Support
import Testing

@Suite("Plan of what is followed")
struct FollowPlanTests {
    private static let ranked = ["configuration", "operator", "alert", "portfolio", "watchlist"]

    private static func row(_ symbol: String, _ owner: String, at time: Int64) -> DatedSubscription {
        let wanted = Subscription(
            instrument: InstrumentID(venue: .kraken, symbol: symbol), channels: ["book"], wantedBy: owner)
        return DatedSubscription(wanted, added: Timestamp(nanoseconds: time))
    }

    /// Rows that any of some kinds of owners made at times of a range; many want the same.
    private static func rows(
        _ kinds: [String], at times: ClosedRange<Int>, using generator: inout SeededGenerator
    ) -> [DatedSubscription] {
        var rows: [DatedSubscription] = []
        for _ in 0..<generator.int(0...40) {
            let owner = "\(generator.pick(kinds)):\(generator.int(1...5))"
            rows.append(
                row("S\(generator.int(0...30))", owner, at: Int64(generator.int(times))))
        }
        return rows
    }

    @Test("no watchlist, however early, takes the place of anything else or changes its order")
    func watchlists() {
        property { generator in
            let others = Self.rows(Array(Self.ranked.dropLast()), at: 50...90, using: &generator)
            let lists = Self.rows(["watchlist"], at: 0...90, using: &generator)
            let limit = generator.int(1...20)
            let before = FollowPlan(others, limit: limit).followed
            let after = FollowPlan((others + lists).shuffled(using: &generator), limit: limit).followed
            try #require(Array(after.prefix(before.count)) == before)
        }
    }

    @Test("what is wanted later takes the place of nothing of its rank or a better one")
    func firstCome() {
        property { generator in
            let early = Self.rows(Self.ranked, at: 0...50, using: &generator)
            let kind = generator.pick(Self.ranked)
            let late = Self.rows([kind], at: 51...90, using: &generator)
            let limit = generator.int(1...20)
            let before = FollowPlan(early, limit: limit).followed
            let after = FollowPlan((early + late).shuffled(using: &generator), limit: limit).followed
            let rank = SubscriptionRank(wantedBy: kind)
            for symbol in before where !after.contains(symbol) {
                let reasons = early.filter { $0.subscription.instrument.symbol == symbol }
                    .map { SubscriptionRank(wantedBy: $0.subscription.wantedBy) }
                try #require(reasons.allSatisfy { $0 > rank }, "\(symbol) gives way to \(kind)")
            }
        }
    }

    @Test("every instrument is followed or dropped, once, whatever the order of the rows")
    func whole() {
        property { generator in
            let rows = Self.rows(Self.ranked, at: 0...3, using: &generator)
            let limit = generator.int(1...40)
            let plan = FollowPlan(rows, limit: limit)
            let symbols = Set(rows.map(\.subscription.instrument.symbol))
            try #require(plan.followed.count == min(limit, symbols.count))
            try #require((plan.followed + plan.dropped).count == symbols.count)
            try #require(Set(plan.followed + plan.dropped) == symbols)
            try #require(FollowPlan(rows.shuffled(using: &generator), limit: limit) == plan)
        }
    }

    @Test("configured first, then rules, holdings and watchlists")
    func ranks() {
        let rows = Self.ranked.reversed().enumerated().map { place, owner in
            Self.row(owner, "\(owner):1", at: Int64(place))
        }
        let plan = FollowPlan(rows, limit: 3)
        // The two that are of one rank by their times.
        #expect(plan.followed == ["operator", "configuration", "alert"])
        #expect(plan.dropped == ["portfolio", "watchlist"])
        // A time counts for the rank that it was wanted with.
        let both = [
            Self.row("A", "watchlist:1", at: 1), Self.row("B", "alert:2", at: 2),
            Self.row("A", "alert:3", at: 3),
        ]
        #expect(FollowPlan(both, limit: 1).followed == ["B"])
    }
}
