import Instruments
import MarketStore
import Store
import Support
import Testing

@Suite("Many instruments wanted at once", .timeLimit(.minutes(10)))
struct ManySubscriptionsTests {
    @Test("are entitled in their order, and one that was wanted before keeps its time and its channels")
    func order() async throws {
        let (database, _) = try await Market.database()
        let old = Subscription(
            instrument: InstrumentID(venue: .kraken, symbol: "B"), channels: ["trade"], wantedBy: "operator")
        try await database.execute(.addSubscription(old, at: Timestamp(nanoseconds: 1_000)))
        let symbols = ["Z", "B", "Y", "A"]
        try await database.withSession { session in
            for _ in 0..<2 {
                try session.addSubscriptions(
                    of: symbols, on: .kraken, channels: ["book", "ticker"], wantedBy: "operator",
                    at: Timestamp(nanoseconds: 5_000_000))
            }
        }
        let rows = try await database.withSession { try $0.datedSubscriptions(on: [.kraken]) }
        #expect(FollowPlan(rows, limit: 9).followed == ["B", "Z", "Y", "A"])
        let channels = rows.map { "\($0.subscription.instrument.symbol) \($0.subscription.channels)" }
        #expect(
            channels == [
                #"A ["book", "ticker"]"#, #"B ["book", "ticker", "trade"]"#, #"Y ["book", "ticker"]"#,
                #"Z ["book", "ticker"]"#,
            ])
    }
}
