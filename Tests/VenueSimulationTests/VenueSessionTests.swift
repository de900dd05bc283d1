import Instruments
import MarketData
import Recordings
import Support
import Testing
import Venues

@testable import VenueSimulation

/// Recordings of venues whose messages are read as trees, followed by our own sessions as clients: they end
/// with the books that an independent program says.
@Suite(
    "Recorded sessions of more venues", .enabled(if: RecordingsFolder.isAvailable), .timeLimit(.minutes(10)))
struct VenueSessionTests {
    static let names = [
        "kucoin_20210425", "gateio_20210422", "bitfinex_20210417", "krakenfutures_20210722",
        "poloniex_20220821", "huobi_20210417", "upbit_20210417",
    ]

    private func playback(_ name: String) throws -> Playback {
        let path = try #require(RecordingsFolder.file(name))
        let survey = try VenueSurvey.read(path: path)
        return Playback(survey.script, source: try FileSource(path: path), speed: .times(10), loops: false)
    }

    @Test("a session from the start ends with the final books and every trade", arguments: names)
    func fromTheStart(name: String) throws {
        let client = try SessionClient(playback(name))
        client.run(milliseconds: 9_000)
        #expect(client.scene.playback.hasEnded)
        #expect(relapses(client) == [])
        #expect(client.output.counters.malformed == 0)
        #expect(client.output.counters.gaps == 0)
        #expect(client.output.counters.refused == 0)
        try expectFinalBooks(client, name)
        let trades = try FinalBooks(name).trades
        #expect(client.trades.values.joined().count == trades)
    }

    @Test("a session that comes late has the final books", arguments: names)
    func late(name: String) throws {
        let early = try SessionClient(playback(name))
        early.run(milliseconds: 1_500)
        // The same position, seen by somebody who comes now.
        var playback = early.scene.playback
        for client in 1...2 { playback.leave(client) }
        let client = try SessionClient(playback)
        client.run(milliseconds: 6_000)
        #expect(client.scene.playback.hasEnded)
        #expect(relapses(client) == [])
        try expectFinalBooks(client, name)
    }

    @Test("a book that is thrown away in the middle is right again", arguments: names)
    func resync(name: String) throws {
        let client = try SessionClient(playback(name))
        client.run(milliseconds: 1_500)
        for symbol in client.symbols where try client.state(symbol) == .live { try client.resync(symbol) }
        client.proceed(milliseconds: 20_000)
        #expect(relapses(client) == [])
        try expectFinalBooks(client, name)
    }

    /// Doubts of books that had been live; where each message is a whole book, replacing it is none.
    private func relapses(_ client: SessionClient) -> [String] {
        client.relapses.filter { !$0.hasSuffix(" snapshot-replaced ") }
    }

    /// Every book that the recording has, and each of them live.
    private func expectFinalBooks(_ client: SessionClient, _ name: String) throws {
        let expected = try FinalBooks(name).levels
        #expect(!expected.isEmpty)
        for (symbol, levels) in expected.sorted(by: { $0.key < $1.key }) {
            #expect(try client.state(symbol) == .live, "\(symbol)")
            let found = FinalBooks.best(try client.book(symbol))
            #expect(found == levels, "\(symbol)")
        }
    }
}
