import Glibc
import Instruments
import MarketData
import Recordings
import Support
import Testing
import Venues

/// Replays real sessions with one message dropped, duplicated or swapped with the next, beside the untouched
/// session.
///
/// Whenever a book is `live` it must be the venue's, save for what the venue's proof cannot reveal: where
/// there is neither sequence nor checksum, and the levels that a checksum does not cover. Those cases are
/// counted and printed by name, and an audit must find each of them.
@Suite("One lost, doubled or swapped message", .timeLimit(.minutes(10)))
struct LostMessageTests {
    enum Fault: String, CaseIterable { case dropped, duplicated, swapped }

    struct Tally {
        var cases = 0
        var noticed = 0
        var harmless = 0
        var unseen: [String: Int] = [:]

        var words: String { "\(noticed) \(harmless) \(unseen.sorted { $0.key < $1.key })" }

        mutating func add(_ other: Tally) {
            cases += other.cases
            noticed += other.noticed
            harmless += other.harmless
            unseen.merge(other.unseen, uniquingKeysWith: +)
        }
    }

    static let recordings = RecordingsFolder.names { VenueCatalogue.standard[$0.venue] != nil }

    @Test(
        "never makes a wrong book live, and touches no other instrument",
        .enabled(if: RecordingsFolder.isAvailable), arguments: recordings)
    func oneFault(recording: String) throws {
        let path = try #require(RecordingsFolder.file(recording))
        let replay = try Replay(path: path)
        // Where each message is a whole book, a lost one only makes it late.
        guard replay.bookMessages.count > 1 else { return }
        var tally = Tally()
        property(cases: 60) { random in
            let fault = random.pick(Fault.allCases)
            let victim = replay.bookMessages[random.int(0...replay.bookMessages.count - 2)]
            var own = Tally()
            try replay.run(fault, at: victim, into: &own)
            random.note("\(fault) \(victim) \(own.words)")
            tally.add(own)
        }
        let unseen = tally.unseen.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        print(
            "\(recording): \(tally.cases) faults, \(tally.noticed) noticed, \(tally.harmless) without effect,",
            "not to be seen in the venue's data: \(unseen.isEmpty ? "none" : unseen.joined(separator: ", "))")
        #expect(tally.cases == tally.noticed + tally.harmless + tally.unseen.values.reduce(0, +))
    }

    @Test(
        "makes no wrong book live, whichever of the first two hundred changes is lost",
        .enabled(if: RecordingsFolder.isAvailable), arguments: recordings)
    func eachPlace(recording: String) throws {
        let path = try #require(RecordingsFolder.file(recording))
        let replay = try Replay(path: path, limit: 1_500)
        guard replay.bookMessages.count > 1 else { return }
        var tally = Tally()
        // Each takes a third of a second.
        let step = getenv("SOAK") == nil ? 6 : 1
        // The last one has nothing behind it that could show the loss.
        let places = replay.bookMessages.dropLast().prefix(200).dropFirst(20)
        for victim in places.enumerated().filter({ $0.offset % step == 0 }).map(\.element) {
            try replay.run(.dropped, at: victim, into: &tally)
        }
        #expect(tally.cases > 0)
        #expect(tally.cases == tally.noticed + tally.harmless + tally.unseen.values.reduce(0, +))
    }
}

/// A recording in memory with the state of the untouched session at regular places.
final class Replay {
    /// Messages after a fault that are looked at.
    static let horizon = 150

    /// Recordings of interfaces before the present one, which prove less, by what their names begin with.
    private static let older: [(name: String, proof: BookProof)] = [
        ("bybit_v2_", .nothing)
    ]

    let venue: VenueDescription
    /// Whether a lost message costs every book of its connection.
    let numbersConnections: Bool
    /// What proves the books of this recording.
    let proof: BookProof
    let entries: [RecordingEntry]
    /// Positions of messages that change books, each with a whole book before it.
    private(set) var bookMessages: [Int] = []
    private var checkpoints: [Int: any VenueSession] = [:]

    /// Reads so many messages at the most: a few thousand show every kind of change, the rest of a long
    /// session repeats them.
    init(path: String, limit: Int = 6_000) throws {
        let reader = try RecordingReader(path: path)
        venue = try VenueCatalogue.standard.description(of: reader.header.venue)
        numbersConnections = VenueSample.catalogued.contains { [venue] sample in
            sample.description.venue == venue.venue && sample.numbersConnections
        }
        proof = Replay.older.first { path.contains("/\($0.name)") }?.proof ?? venue.proof
        var loaded: [RecordingEntry] = []
        while loaded.count < limit, let entry = try reader.next() {
            if entry.direction == .in { loaded.append(entry) }
        }
        entries = loaded
        var session = VenueConfiguration.replay(of: venue).makeSession()
        var output = VenueOutput()
        for (position, entry) in entries.enumerated() {
            if position % 100 == 0 { checkpoints[position] = session }
            Replay.feed(entry, to: &session, &output)
            let changesBook = output.events.contains { event in
                if case .book(let book) = event { !book.isSnapshot } else { false }
            }
            if changesBook, entry.kind == .ws { bookMessages.append(position) }
            output.removeAll()
        }
    }

    static func feed(_ entry: RecordingEntry, to session: inout any VenueSession, _ output: inout VenueOutput)
    {
        entry.data.withUnsafeBytes { bytes in
            if entry.kind == .ws {
                session.receive(bytes, connection: entry.connection, at: entry.time, into: &output)
            } else if let url = entry.url, let request = session.request(for: url) {
                session.responded(to: request, status: 200, body: bytes, at: entry.time, into: &output)
            }
        }
    }

    func session(before position: Int) throws -> any VenueSession {
        let start = position - position % 100
        var session = try #require(checkpoints[start])
        var output = VenueOutput()
        for index in start..<position { Replay.feed(entries[index], to: &session, &output) }
        return session
    }

    func run(_ fault: LostMessageTests.Fault, at victim: Int, into tally: inout LostMessageTests.Tally) throws
    {
        var truth = try session(before: victim)
        var faulty = truth
        let start = truth
        var output = VenueOutput()
        var touched: Set<InstrumentIndex> = []
        // The two orders of messages meet again behind the fault; up to there the books may rightly differ.
        let next = victim + 1
        for index in fault == .swapped ? [victim, next] : [victim] {
            Replay.feed(entries[index], to: &truth, &output)
            touched.formUnion(Replay.instruments(output.events))
            output.removeAll()
        }
        switch fault {
        case .dropped: break
        case .duplicated:
            Replay.feed(entries[victim], to: &faulty, &output)
            Replay.feed(entries[victim], to: &faulty, &output)
        case .swapped:
            Replay.feed(entries[next], to: &faulty, &output)
            Replay.feed(entries[victim], to: &faulty, &output)
        }
        output.removeAll()
        tally.cases += 1
        var isNoticed = false
        // Instruments of which a later message came. Until then a session that missed one is behind, not
        // wrong.
        var moved: Set<InstrumentIndex> = []
        var isWrong = try compare(truth, faulty, touched, moved, start, &isNoticed)
        var position = fault == .swapped ? victim + 2 : victim + 1
        let end = min(entries.count, victim + Replay.horizon)
        while position < end {
            Replay.feed(entries[position], to: &truth, &output)
            moved.formUnion(Replay.instruments(output.events))
            Replay.feed(entries[position], to: &faulty, &output)
            output.removeAll()
            if try compare(truth, faulty, touched, moved, start, &isNoticed) { isWrong = true }
            position += 1
        }
        if isNoticed {
            tally.noticed += 1
        } else if isWrong {
            tally.unseen["\(venue.venue) \(fault.rawValue)", default: 0] += 1
        } else {
            tally.harmless += 1
        }
    }

    /// Checks every book of the faulty session against the true one; returns whether a live one is wrong in a
    /// way that the venue's data cannot reveal.
    private func compare(
        _ truth: any VenueSession, _ faulty: any VenueSession, _ touched: Set<InstrumentIndex>,
        _ moved: Set<InstrumentIndex>, _ start: any VenueSession, _ isNoticed: inout Bool
    ) throws -> Bool {
        var isWrong = false
        let known = start.registry.count
        for index in faulty.registry.indices where index.offset < known && start.state(of: index) == .live {
            guard touched.contains(index) || numbersConnections else {
                let isSame = faulty.state(of: index) == truth.state(of: index)
                try #require(isSame, "another instrument was disturbed")
                continue
            }
            if faulty.state(of: index) != .live {
                isNoticed = true
                continue
            }
            let ours = try #require(faulty.book(of: index))
            let theirs = try #require(truth.book(of: index))
            if truth.state(of: index) != .live || ours == theirs { continue }
            if !moved.contains(index), ours == start.book(of: index) { continue }
            switch proof {
            case .nothing: break
            case .checksum(let levels):
                // Two updates of one level in the wrong order fit their checksums; the next message shows it.
                guard moved.contains(index) else { break }
                let isTopRight = Replay.sameTop(levels, ours, theirs)
                try #require(isTopRight, "the best levels of a live book are wrong")
            case .sequence:
                Issue.record("\(faulty.registry[index]): a wrong book is live")
                throw WrongBook()
            }
            isWrong = true
        }
        return isWrong
    }

    private struct WrongBook: Error {}

    /// Whether the levels that a checksum covers are the same.
    static func sameTop(_ levels: Int, _ left: Book, _ right: Book) -> Bool {
        let (ours, theirs) = (left.top(levels), right.top(levels))
        return ours.bids == theirs.bids && ours.asks == theirs.asks
    }

    static func instruments(_ events: [MarketEvent]) -> Set<InstrumentIndex> {
        Set(
            events.compactMap { event in
                if case .book(let book) = event { book.instrument } else { nil }
            })
    }
}
