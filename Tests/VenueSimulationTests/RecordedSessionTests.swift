import Instruments
import MarketData
import Recordings
import Support
import Testing
import Venues

@testable import VenueSimulation

/// Real recordings, followed by our own sessions as clients: what arrives must be what was recorded.
@Suite("Recorded sessions", .enabled(if: RecordingsFolder.isAvailable), .timeLimit(.minutes(10)))
struct RecordedSessionTests {
    private func playback(
        _ name: String, speed: PlaybackSpeed = .times(1), loops: Bool = false
    ) throws -> Playback {
        let path = try #require(RecordingsFolder.file(name))
        let survey = try VenueSurvey.read(path: path)
        return Playback(survey.script, source: try FileSource(path: path), speed: speed, loops: loops)
    }

    @Test(
        "a session that is there from the start ends with the true books and every trade",
        arguments: ExpectedBooks.names)
    func fromTheStart(name: String) throws {
        let client = try SessionClient(playback(name, speed: .times(10)))
        client.run(milliseconds: 9_000)
        let playback = client.scene.playback
        #expect(playback.hasEnded)
        #expect(doubts(of: client) == [])
        #expect(client.output.counters.malformed == 0)
        #expect(client.output.counters.gaps == 0)
        #expect(client.output.counters.refused == 0)
        #expect(client.output.counters.checksums == client.output.counters.checksumsRight)
        try expectTrueBooks(client)
        let expected = try ExpectedBooks(name)
        #expect(client.trades.values.joined().count == expected.trades)
        for symbol in expected.symbols {
            #expect(try expected.difference(symbol, client.book(symbol)) == nil, "\(symbol)")
        }
    }

    @Test("a session that comes late has the true books, and keeps them", arguments: ExpectedBooks.names)
    func late(name: String) throws {
        let early = try SessionClient(playback(name, speed: .times(10)))
        early.run(milliseconds: 1_500)
        // The same position, seen by somebody who comes now.
        var playback = early.scene.playback
        for client in 1...2 { playback.leave(client) }
        let client = try SessionClient(playback)
        client.run(milliseconds: 6_000)
        #expect(client.scene.playback.hasEnded)
        #expect(client.output.counters.checksums == client.output.counters.checksumsRight)
        #expect(doubts(of: client) == [])
        try expectTrueBooks(client, depth: knownDepth(name))
    }

    @Test("a book that is thrown away in the middle is right again", arguments: ExpectedBooks.names)
    func resync(name: String) throws {
        let client = try SessionClient(playback(name, speed: .times(10)))
        client.run(milliseconds: 1_500)
        for symbol in client.symbols where try client.state(symbol) == .live { try client.resync(symbol) }
        client.proceed(milliseconds: 20_000)
        #expect(doubts(of: client) == [])
        try expectTrueBooks(client, depth: knownDepth(name))
    }

    @Test("a client of fewer levels gets its own changes, checksums right", arguments: [10, 25])
    func shallow(depth: Int) throws {
        for name in ["kraken_v2_btcusd_20260802", "kraken_v1_20210417"] {
            let client = try SessionClient(playback(name, speed: .times(10))) { $0.bookDepth = depth }
            client.run(milliseconds: 9_000)
            #expect(doubts(of: client) == [])
            #expect(client.output.counters.checksums > 1_000)
            #expect(client.output.counters.checksums == client.output.counters.checksumsRight)
            try expectTrueBooks(client, depth: depth)
        }
    }

    @Test("a client of BitMEX's 25 best levels has them")
    func bestLevels() throws {
        let client = try SessionClient(playback("bitmex_20210722", speed: .times(10))) { $0.bookDepth = 25 }
        client.run(milliseconds: 9_000)
        #expect(doubts(of: client) == [])
        try expectTrueBooks(client, depth: 25)
    }

    @Test("a reader at maximum speed gets everything")
    func maximum() throws {
        let client = try SessionClient(playback("bitmex_20210722", speed: .maximum))
        client.run(milliseconds: 100)
        #expect(client.scene.playback.hasEnded)
        try expectTrueBooks(client)
        #expect(client.trades.values.joined().count == (try ExpectedBooks("bitmex_20210722").trades))
    }

    /// States of books that had been live; where each message is a whole book, replacing it is no doubt.
    private func doubts(of client: SessionClient) -> [String] {
        client.relapses.filter { !$0.hasSuffix(" snapshot-replaced ") }
    }

    /// The books of a client are the venue's own, level by level down to a depth.
    private func expectTrueBooks(_ client: SessionClient, depth: Int = .max) throws {
        var compared = 0
        for symbol in client.symbols {
            guard let truth = client.scene.playback.book(of: symbol) else { continue }
            #expect(try client.state(symbol) == .live, "\(symbol)")
            let wrong = Set(plain(try client.book(symbol), depth)).symmetricDifference(
                plain(truth.book, depth))
            #expect(
                wrong.isEmpty, "\(symbol): \(wrong.count) levels differ, such as \(wrong.sorted().prefix(3))")
            compared += 1
        }
        #expect(compared > 0)
    }

    /// An image by REST has a thousand levels at Binance and a hundred at KuCoin; what lies below it nobody
    /// who came late can know.
    private func knownDepth(_ name: String) -> Int {
        name.hasPrefix("binance") ? 500 : name.hasPrefix("kucoin") ? 50 : .max
    }

    /// Levels as decimals, which do not depend on scales.
    private func plain(_ book: Book, _ depth: Int) -> [String] {
        let top = book.top(depth)
        return (top.bids + top.asks).map { level in
            "\(level.price.decimal(book.priceScale).normalized) \(level.size.decimal(book.sizeScale).normalized)"
        }
    }
}
