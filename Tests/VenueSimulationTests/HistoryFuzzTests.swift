import FuzzInputs
import Instruments
import Support
import Testing
import Venues

@testable import VenueSimulation

/// What fuzzing starts from for each venue's past candles: the simulator's answers in that venue's words.
@Suite("Fuzz inputs of past candles")
struct HistoryFuzzTests {
    /// Those that have a history and a dialect.
    static let venues = DialectCatalogue.all.map(\.venue).sorted().filter { venue in
        VenueCandleHistory(venue: venue, restURL: "") != nil
    }

    /// Answers of the shortest and of the longest candles.
    private static func input(_ venue: Venue) throws -> [UInt8] {
        let history = try #require(VenueCandleHistory(venue: venue, restURL: ""))
        let ends = Set([history.lengths.first, history.lengths.last].compactMap { $0 }).sorted()
        var input = Array("/\(venue)".utf8)
        for seconds in ends {
            input += Array("\n%\(seconds) ".utf8) + (try answer(history, seconds)).filter { $0 != 0x0A }
        }
        return input
    }

    private static func answer(_ history: VenueCandleHistory, _ seconds: Int64) throws -> [UInt8] {
        let spoken = try #require(SpokenTrades(history.venue))
        let length = CandleLengthTests.Length(venue: history.venue, seconds: seconds)
        let trades = [(length.time(0), 101, 1), (length.time(1), 103, 2), (length.time(3), 107, 8)]
        let scene = try PlaybackFixture(spoken.entries(trades), history.venue, speed: .maximum)
        try #require(scene.join(1, spoken.address))
        if let subscription = spoken.subscription { scene.say(1, subscription) }
        scene.pass(milliseconds: 0)
        let page = history.page(
            of: spoken.symbol, seconds: seconds, from: length.time(0), to: length.time(3))
        scene.ask(1, page.url)
        return try #require(scene.answers[1]?.body)
    }

    @Test("are there for every venue that has them, as they are made today")
    func kept() throws {
        let histories = VenueCatalogue.standard.descriptions.filter { $0.history != nil }.map(\.venue)
        #expect(Self.venues == histories.sorted())
        let stale = try Self.venues.filter { venue in
            !FuzzCorpus.keeps(
                "\(venue)-candles", in: "VenuesTests/FailCases", as: try Self.input(venue))
        }
        #expect(stale.map(\.rawValue) == [], "make fuzz-seeds writes them")
    }

    @Test("are taken damaged", arguments: venues)
    func damaged(_ venue: Venue) throws {
        let whole = try Self.input(venue)
        whole.withUnsafeBytes { VenueInput.run($0) }
        property(cases: 100) { rng in
            var input = whole
            for _ in 0..<rng.int(1...6) { input = rng.damaged(input) }
            input.withUnsafeBytes { VenueInput.run($0) }
        }
    }
}
