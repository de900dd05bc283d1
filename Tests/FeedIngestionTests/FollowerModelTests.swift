import Instruments
import MarketData
import Recordings
import Support
import Testing
import Venues
import Wire

@testable import Bus
@testable import FeedIngestion

@Suite("Followers of what a feed composes")
struct FollowerModelTests {
    @Test(
        "have the session's book and state after every message of a real session",
        .enabled(if: RecordingsFolder.isAvailable))
    func recordings() throws {
        for name in ["bitmex_20210722", "kraken_v1_20210417", "binance_20211012", "binancefutures_20210722"] {
            guard let file = RecordingsFolder.file(name) else { continue }
            try follow(file, spoiling: [])
        }
    }

    @Test(
        "have the session's book and state when messages of a real session are lost",
        .enabled(if: RecordingsFolder.isAvailable))
    func spoiltRecordings() throws {
        for name in ["bitmex_20210722", "kraken_v1_20210417", "binance_20211012"] {
            guard let file = RecordingsFolder.file(name) else { continue }
            var rng = SeededGenerator(seed: 7)
            try follow(file, spoiling: Set((0..<20).map { _ in rng.int(30...400) }))
        }
    }

    /// Plays a recording into a session, what it says into a composer, and that into replicas.
    private func follow(_ file: String, spoiling: Set<Int>) throws {
        let (header, entries) = try RecordingReader.loadAll(path: file)
        var configuration = try VenueConfiguration.replay(of: header.venue)
        configuration.krakenInterface = file.contains("_v1_") ? .v1 : .v2
        var session = configuration.makeSession()
        var script = try FeedScript([])
        var replicas: [InstrumentID: BookReplica] = [:]
        var output = VenueOutput()
        session.start(at: header.started, into: &output)
        session.opened(connection: 0, at: header.started, into: &output)
        for (number, entry) in entries.enumerated() where entry.direction == .in && !spoiling.contains(number)
        {
            entry.data.withUnsafeBytes { bytes in
                if entry.kind == .http {
                    guard let url = entry.url, let request = session.request(for: url) else { return }
                    session.responded(to: request, status: 200, body: bytes, at: entry.time, into: &output)
                } else {
                    session.receive(bytes, connection: 0, at: entry.time, into: &output)
                }
            }
            script.composer.compose(output, session.registry, into: &script.batch, trades: &script.trades)
            output.removeAll()
            for message in script.messages() { apply(message, to: &replicas) }
            for (id, replica) in replicas { try compare(replica, id, session, script.composer) }
        }
        try #require(!replicas.isEmpty)
    }

    private func apply(
        _ message: (topic: PublisherTopic, sequence: UInt64, event: WireEvent),
        to replicas: inout [InstrumentID: BookReplica]
    ) {
        let position = StreamPosition(producer: "feed", epoch: 9, sequence: message.sequence)
        switch message.event {
        case .bookDelta(let id, let delta):
            _ = replicas[id, default: BookReplica()].apply(delta, at: position)
        case .bookStateChange(let id, let change):
            _ = replicas[id, default: BookReplica()].apply(change, at: position)
        case .bookSnapshot(let id, let snapshot):
            _ = replicas[id, default: BookReplica()].apply(snapshot)
        default: break
        }
    }

    private func compare(
        _ replica: BookReplica, _ id: InstrumentID, _ session: any VenueSession, _ composer: FeedComposer
    ) throws {
        let index = try #require(session.registry.find(id.symbol))
        try #require(replica.gaps == 0)
        try #require(replica.state == session.state(of: index), "\(id)")
        try #require(composer.streams[index.offset].state == replica.state)
        guard replica.state != .syncing else { return }
        let book = try #require(session.book(of: index))
        try #require(replica.book.bestBid == book.bestBid && replica.book.bestAsk == book.bestAsk, "\(id)")
        try #require(
            replica.book.bidCount == book.bidCount && replica.book.askCount == book.askCount, "\(id)")
    }
}
