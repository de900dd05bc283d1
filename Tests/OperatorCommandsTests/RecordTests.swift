import Foundation
import Instruments
import MarketData
import NIOCore
import NIOPosix
import Operations
import Recordings
import Support
import Testing
import VenueSimulation
import Venues

@testable import OperatorCommands

@Suite("Record", .serialized, .timeLimit(.minutes(10)))
struct RecordTests {
    /// Records everything that a simulator serves for some seconds.
    private static func record(
        _ configuration: VenueSimulatorConfiguration, _ venue: Venue, seconds: Int
    ) async throws -> (path: String, recorder: VenueRecorder) {
        let group = MultiThreadedEventLoopGroup.singleton
        var configuration = configuration
        configuration.address = NetworkAddress(host: "127.0.0.1", port: 0)
        let simulator = try VenueSimulator(
            configuration: configuration, eventLoopGroup: group, logger: .silent)
        let path = try TestDatabase.temporaryDirectory() + "/recorded.jsonl.gz"
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await simulator.run() }
            let feed = try #require(try await simulator.venueConfigurations().first { $0.venue == venue })
            let header = RecordingHeader(venue: venue, started: .now, source: "test", licence: "ours")
            let recorder = VenueRecorder(
                feed, writer: try RecordingWriter(path: path, header: header),
                limit: .seconds(seconds), loop: group.next())
            try await recorder.run()
            tasks.cancelAll()
            return (path, recorder)
        }
    }

    private static func summary(_ path: String) throws -> [String: Any] {
        var text: [UInt8] = []
        var normalizer = try Normalizer(path: path, emission: .summary)
        try normalizer.run { text += $0 }
        return try #require(JSONSerialization.jsonObject(with: Data(text)) as? [String: Any])
    }

    @Test("a recorded session gives the books that the session had", arguments: [Venue.bitmex, .kraken])
    func synthetic(venue: Venue) async throws {
        let (path, recorder) = try await Self.record(VenueSimulatorConfiguration(), venue, seconds: 2)
        let summary = try Self.summary(path)
        let books = try #require(summary["final_book"] as? [String: [String: Any]])
        #expect(!books.isEmpty)
        #expect((summary["gaps"] as? [String: Int]) == [:])
        let checksums = try #require(summary["checksums"] as? [String: Int])
        #expect(checksums["total"] == checksums["ok"])
        let session = await recorder.replica
        for (symbol, found) in books {
            let book = try #require(session.registry.find(symbol).flatMap { session.book(of: $0) })
            let top = book.top(25)
            func texts(_ levels: [BookLevel]) -> [[String]] {
                levels.map { [$0.price.text(book.priceScale), $0.size.text(book.sizeScale)] }
            }
            #expect(found["n_bids"] as? Int == book.bidCount && found["n_asks"] as? Int == book.askCount)
            #expect(Fields.difference(texts(top.bids), found["bids"]) == nil)
            #expect(Fields.difference(texts(top.asks), found["asks"]) == nil)
        }
        var last = Timestamp.zero
        try RecordingReader(path: path).forEach { frame in
            #expect(frame.time >= last)
            last = frame.time
        }
    }

    @Test(
        "a recording that is played and recorded again gives the same summary",
        .enabled(if: RecordingsFolder.isAvailable))
    func again() async throws {
        for venue in [Venue.bitmex, .kraken] {
            let name = try #require(RecordingsFolder.names { $0.venue == venue }.first)
            let original = try #require(RecordingsFolder.file(name))
            let playing = VenueSimulatorConfiguration(recordings: [original], speed: .maximum)
            let (path, _) = try await Self.record(playing, venue, seconds: 6)
            var expected = try Self.summary(original)
            // How many lines it took is not what it says.
            expected["input"] = nil
            let difference = Fields.difference(expected, try Self.summary(path), at: name)
            #expect(difference == nil)
        }
    }
}
