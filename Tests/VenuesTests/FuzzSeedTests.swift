import FuzzInputs
import Instruments
import MarketData
import Support
import Testing

@testable import Venues

/// What fuzzing starts from for each venue: its own words, as the other tests know them.
///
/// A venue that has entered the catalogue has a ``VenueSample``, and with it an input here. `make fuzz-seeds`
/// writes them anew.
@Suite("Fuzz inputs made of the venues' words")
struct FuzzSeedTests {
    /// Every message and answer of a sample, a lost connection, and the same again.
    private static func lines(of sample: VenueSample) -> [String] {
        let rows = [VenueSample.TradeRow("100.5", "2"), VenueSample.TradeRow("0.00", "1")]
        let list = "@\(sample.description.restURL)\(sample.description.instrumentList) \(sample.list)"
        let book = [sample.image] + sample.changes
        let tape = sample.trades(rows) + [sample.tradesAnswer(rows)].compactMap { $0 }
        let said = sample.acknowledgements(sample.first) + book + tape
        return [list] + said + ["~", "!"] + said + tickers(of: sample.description.venue)
    }

    /// The answers about all markets, with Kraken's names before them.
    private static func tickers(of venue: Venue) -> [String] {
        let pages = MarketTickerTests.samples.filter { $0.venue == venue.rawValue }
        let names = pages.isEmpty ? [] : ["#n \(MarketTickerTests.pairs)"]
        return names + pages.map { "#\($0.page) \($0.body)" }
    }

    private static func bytes(of sample: VenueSample) -> [UInt8] {
        let lines = ["/\(sample.description.venue)"] + lines(of: sample)
        return Array(lines.joined(separator: "\n").utf8)
    }

    @Test("are there for every venue of the catalogue, as they are made today")
    func kept() {
        let samples = VenueSample.catalogued
        #expect(Set(samples.map(\.description.venue)) == Set(VenueCatalogue.standard.venues))
        let stale = samples.filter { sample in
            !FuzzCorpus.keeps(
                "\(sample.description.venue)-words", in: "VenuesTests/FailCases", as: Self.bytes(of: sample))
        }
        #expect(stale.map(\.testDescription) == [], "make fuzz-seeds writes them")
    }

    @Test("reach the books of every venue, and are taken damaged", arguments: VenueSample.catalogued)
    func damaged(_ sample: VenueSample) throws {
        var driver = SessionDriver(.replay(of: sample.description))
        driver.session.start(at: driver.clock, into: &driver.output)
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        for line in sample.acknowledgements(sample.first) + [sample.image] { _ = try driver.play(line) }
        #expect(driver.state(sample.first) == .live)
        let bytes = Self.bytes(of: sample)
        bytes.withUnsafeBytes { VenueInput.run($0) }
        property(cases: 100) { rng in
            var input = bytes
            for _ in 0..<rng.int(1...6) { input = rng.damaged(input) }
            input.withUnsafeBytes { VenueInput.run($0) }
        }
    }
}
