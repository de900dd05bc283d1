import Support
import Testing
import Venues

@testable import FeedIngestion

@Suite("Parts of a venue's feed")
struct PartPlanTests {
    private typealias Want = VenueSubscriptions.SymbolSubscription

    /// Kraken with room for so many topics on each of so many connections.
    private func plan(topics: Int, parts: Int) -> PartPlan {
        PartPlan(description(topics: topics, parts: parts))
    }

    private func description(topics: Int, parts: Int) -> VenueDescription {
        var description = Kraken.description
        (description.connections.topics, description.connections.parts) = (topics, parts)
        return description
    }

    private func wants(_ text: String) -> [Want] {
        text.split(separator: " ").map { word in
            let channels: [Character: VenueChannel] = [
                "b": .book, "t": .trade, "q": .ticker, "c": .candle,
            ]
            return Want(
                symbol: String(word.prefix(1)), channels: Set(word.dropFirst().compactMap { channels[$0] }))
        }
    }

    private func symbols(_ change: PartPlan.Change) -> [String] {
        change.parts.map { $0.map(\.symbol).joined() }
    }

    @Test("fills one connection before it begins another, and says what none has room for")
    func fills() {
        var plan = plan(topics: 4, parts: 2)
        let change = plan.place(wants("Abt Bbt Cbt Dbtqc"))
        #expect(symbols(change) == ["AB", "C"])
        #expect(change.homeless == ["D"] && change.moves.isEmpty)
        #expect(plan.part(of: "C") == 1 && plan.part(of: "D") == nil)
    }

    @Test("leaves what stays where it is, and gives a new one the room of one that went")
    func stays() {
        var plan = plan(topics: 4, parts: 3)
        _ = plan.place(wants("Abt Bbt Cbt Dbt Ebt"))
        let change = plan.place(wants("Cbt Fbt Dbt Abt Ebt"))
        #expect(symbols(change) == ["FA", "CD", "E"])
        #expect(change.moves.isEmpty)
    }

    @Test("brings one back to where it was, or says that it moves")
    func comesBack() {
        var plan = plan(topics: 4, parts: 3)
        _ = plan.place(wants("Abt Bbt Cbt Dbt Ebt"))
        _ = plan.place(wants("Abt Bbt Cbt"))
        #expect(symbols(plan.place(wants("Abt Bbt Cbt Ebt"))) == ["AB", "C", "E"])
        _ = plan.place(wants("Bbt Cbt Ebt"))
        _ = plan.place(wants("Bbt Cbt Ebt Fbt"))
        let change = plan.place(wants("Bbt Cbt Ebt Fbt Abt"))
        #expect(symbols(change) == ["BF", "CA", "E"])
        #expect(change.moves == [PartPlan.Move(symbol: "A", from: 0, to: 1)])
    }

    @Test("moves one whose channels have no more room beside the others, and no other")
    func grows() {
        var plan = plan(topics: 4, parts: 2)
        _ = plan.place(wants("Abt Bbt"))
        let change = plan.place(wants("Abtq Bbt"))
        #expect(symbols(change) == ["B", "A"])
        #expect(change.moves == [PartPlan.Move(symbol: "A", from: 0, to: 1)])
    }

    @Test("has a place for as many as the description says, and disturbs none that goes on")
    func any() {
        property { generator in
            let all = description(topics: generator.int(4...12), parts: generator.int(1...5))
            var plan = PartPlan(all)
            var before: [String: (part: Int, topics: Int)] = [:]
            for _ in 0..<8 {
                var wants: [Want] = []
                for number in (0..<30).shuffled(using: &generator).prefix(all.mostInstruments) {
                    let channels = VenueChannel.allCases.filter { _ in generator.chance(60) }
                    if !channels.isEmpty {
                        wants.append(Want(symbol: "S\(number)", channels: Set(channels)))
                    }
                }
                let change = plan.place(wants)
                try #require(change.homeless.isEmpty)
                try #require(Set(change.parts.joined()) == Set(wants))
                try #require(change.parts.count <= all.connections.parts)
                var now: [String: (part: Int, topics: Int)] = [:]
                for (part, followed) in change.parts.enumerated() {
                    let topics = followed.map { all.topics(of: $0.channels) }
                    try #require(topics.reduce(0, +) <= all.connections.topics)
                    for (want, count) in zip(followed, topics) { now[want.symbol] = (part, count) }
                }
                for (symbol, place) in now {
                    guard let old = before[symbol], place.topics <= old.topics else { continue }
                    try #require(place.part == old.part)
                }
                before = now
            }
        }
    }

    @Test("counts one topic for what comes as one, and none for what a venue does not tell")
    func topics() {
        let all = Set(VenueChannel.allCases)
        #expect(Kraken.description.topics(of: all) == 4)
        #expect(Kraken.description.topics(of: [.book, .mark]) == 1)
        #expect(Binance.usdm.topics(of: all) == 6)
        #expect(Binance.usdm.topics(of: [.mark, .derivative]) == 1)
        #expect(OKX.description.topics(of: all) == 9)
    }

    @Test("are enough for two hundred instruments and more of each venue that exists, but of the smallest")
    func venues() {
        for venue in VenueCatalogue.standard.descriptions where venue.closure == nil {
            #expect(venue.mostInstruments >= 200, "\(venue.venue) takes \(venue.mostInstruments)")
            #expect(venue.connections.opening.capacity >= 1)
        }
        #expect(Binance.spot.mostInstruments >= 2_500)
    }
}
