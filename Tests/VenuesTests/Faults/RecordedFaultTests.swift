import Instruments
import MarketData
import Recordings
import Support
import Testing
import Venues

@testable import FeedIngestion
@testable import VenueSimulation

/// Parts of real sessions over a link with faults: four a recording, with `SOAK=1` four hundred.
///
/// A recording has no image for whoever asks, so that a book that was lost stays so; ``FaultRunTests`` see
/// it come back.
@Suite("Faults in real sessions", .enabled(if: RecordingsFolder.isAvailable), .timeLimit(.minutes(60)))
struct RecordedFaultTests {
    @Test("make no wrong book live", arguments: LostMessageTests.recordings)
    func run(recording: String) throws {
        let path = try #require(RecordingsFolder.file(recording))
        let replay = try Replay(path: path, limit: 3_000)
        property(cases: 4) { random in
            let kinds: [FaultKind] = [
                .drop, .duplicate, .reorder, .corrupt, .truncate, .stall, .slowDrip, .crossedBook, .clockSkew,
                .lateSnapshot,
            ]
            let faults = kinds.filter { _ in random.chance(40) }
                .map { Fault($0, rate: random.pick([2_000, 20_000, 100_000])) }
            let first = random.int(0...max(0, replay.entries.count - 300))
            var part = try RecordedPart(replay, from: first, faults, seed: random.next())
            do {
                for position in first..<min(first + 300, replay.entries.count) { try part.play(position) }
            } catch let failure as FaultFailure {
                let words = faults.map(\.description).joined(separator: " ")
                throw FaultFailure(description: "\(recording), \(failure) (\(words))")
            }
            random.note("\(part.compared)")
        }
    }
}

/// A part of a recording, as it was and over links with faults.
private struct RecordedPart {
    let replay: Replay
    private let start: any VenueSession
    private var truth: any VenueSession
    private var faulty: any VenueSession
    private var links: [Int: FaultyLink] = [:]
    private var parts: [Int: [UInt8]] = [:]
    /// Every book that an instrument had.
    private var history: [InstrumentIndex: [Book]] = [:]
    /// From where in its history the session's book may be.
    private var places: [InstrumentIndex: Int] = [:]
    /// Of which something was said wrongly that the venue's proof cannot reveal.
    private var tainted: Set<InstrumentIndex> = []
    private(set) var compared = 0
    private let faults: [Fault]
    private let seed: UInt64
    private let unseen: [FaultKind]

    init(_ replay: Replay, from first: Int, _ faults: [Fault], seed: UInt64) throws {
        self.replay = replay
        self.faults = faults
        self.seed = seed
        start = try replay.session(before: first)
        truth = start
        faulty = start
        unseen =
            switch replay.proof {
            // Two updates of one level in the wrong order may fit their checksums.
            case .checksum: [.reorder]
            case .sequence: [.corrupt, .crossedBook]
            case .nothing: FaultKind.allCases
            }
        for index in start.registry.indices { history[index] = start.book(of: index).map { [$0] } ?? [] }
    }

    /// Lets an entry happen, and what is due by then arrive.
    mutating func play(_ position: Int) throws {
        let entry = replay.entries[position]
        var output = VenueOutput()
        Replay.feed(entry, to: &truth, &output)
        for index in Replay.instruments(output.events) {
            if let book = truth.book(of: index) { history[index, default: []].append(book) }
        }
        guard entry.kind == .ws else { return try receive(entry) }
        let isImage = output.events.contains { event in
            if case .book(let book) = event { book.isSnapshot } else { false }
        }
        let dice = FaultDice(faults, seed: seed &+ UInt64(entry.connection))
        var link = links[entry.connection] ?? FaultyLink(dice)
        let before = count(link)
        link.take(entry.data, isImage: isImage, at: entry.time)
        if count(link) != before { tainted.formUnion(Replay.instruments(output.events)) }
        links[entry.connection] = link
        for connection in links.keys.sorted() {
            for departure in links[connection]?.leave(at: entry.time) ?? [] {
                guard let message = whole(departure, connection) else { continue }
                var arrived = entry
                arrived.connection = connection
                arrived.data = message
                try receive(arrived)
            }
        }
    }

    private func count(_ link: FaultyLink) -> Int { unseen.reduce(0) { $0 + (link.dice.counts[$1] ?? 0) } }

    private mutating func whole(_ departure: FaultyLink.Departure, _ connection: Int) -> [UInt8]? {
        switch departure {
        case .message(let message): return message
        case .part(let part, let isFirst, let isLast):
            parts[connection] = isFirst ? part : (parts[connection] ?? []) + part
            return isLast ? parts[connection] : nil
        case .end: return nil
        }
    }

    private mutating func receive(_ entry: RecordingEntry) throws {
        var output = VenueOutput()
        Replay.feed(entry, to: &faulty, &output)
        for case .book(let event) in output.events where event.isSnapshot { places[event.instrument] = 0 }
        for index in Replay.instruments(output.events) {
            guard index.offset < start.registry.count, !tainted.contains(index),
                faulty.state(of: index) == .live, let ours = faulty.book(of: index)
            else { continue }
            compared += 1
            let place = places[index] ?? 0
            guard let found = history[index]?[place...].firstIndex(where: { isSame(ours, $0) }) else {
                let name = faulty.registry[index]
                throw FaultFailure(description: "\(name) is live and wrong at \(entry.time)")
            }
            places[index] = found
        }
    }

    private func isSame(_ ours: Book, _ theirs: Book) -> Bool {
        if case .checksum(let levels) = replay.proof { return Replay.sameTop(levels, ours, theirs) }
        guard (ours.priceScale, ours.sizeScale) == (theirs.priceScale, theirs.sizeScale) else {
            // A damaged message may have made the scales finer.
            return BookComparison(ours: ours, theirs: theirs, isWhole: true).differences.isEmpty
        }
        return ours == theirs
    }
}
