import Foundation
import Instruments
import MarketData
import Support
import Testing
import Venues
import Wire

@testable import OperatorCommands

/// Every recording of a venue that we speak, against the results of an independent program.
@Suite(
    "Normalised recordings", .enabled(if: RecordingsFolder.isAvailable), .serialized, .timeLimit(.minutes(10))
)
struct NormalizedRecordingTests {
    @Test("counts, checksums, gaps and final books are those expected", arguments: ExpectedResults.names)
    func summary(name: String) throws {
        let results = ExpectedResults(name: name)
        let expected = try results.summary()
        let found = try Self.summary(of: results)
        let reference = try #require(expected["summary"] as? [String: Any])
        let counts = try #require(found["counts"] as? [String: Any])
        for key in ["trades", "tickers", "candles", "book_updates", "book_snapshots"] {
            #expect(Fields.difference(try #require(reference[key]), counts[key], at: key) == nil)
        }
        for key in ["book_updates", "book_snapshots"] {
            let (expected, found) = (reference[key] as? [String: Any], counts[key] as? [String: Any])
            #expect(Set(try #require(expected).keys) == Set(try #require(found).keys))
        }
        let checksums = reference["checksums"] as? [String: Int] ?? [:]
        #expect(
            found["checksums"] as? [String: Int] == [
                "total": checksums["total"] ?? 0, "ok": checksums["ok"] ?? 0,
            ])
        #expect(found["gaps"] as? [String: Int] == reference["gaps"] as? [String: Int])
        #expect(
            Fields.difference(try #require(expected["final_book"]), found["final_book"], at: "final_book")
                == nil)
    }

    @Test("all checksums of all recordings are right")
    func checksums() throws {
        var (total, right, expected) = (0, 0, 0)
        for name in ExpectedResults.names {
            let results = ExpectedResults(name: name)
            let reference = try results.summary()["summary"] as? [String: Any]
            expected += (reference?["checksums"] as? [String: Int])?["total"] ?? 0
            let found = try Self.summary(of: results)["checksums"] as? [String: Int]
            total += found?["total"] ?? 0
            right += found?["ok"] ?? 0
        }
        FileHandle.standardError.write(
            Data("\(ExpectedResults.names.count) recordings, checksums \(right)/\(total)\n".utf8))
        #expect(right == total)
        #expect(total == expected)
    }

    @Test(
        "every row is the one expected, in order", arguments: ExpectedResults.names,
        [
            (Emission.top, "tob.jsonl.gz"), (.trades, "trades.jsonl.gz"), (.tickers, "tickers.jsonl.gz"),
            (.candles, "candles.jsonl.gz"),
        ])
    func rows(name: String, kind: (emission: Emission, file: String)) throws {
        let results = ExpectedResults(name: name)
        var found: [[UInt8]] = []
        try results.forEachLine(kind.emission) { found.append($0) }
        var index = 0
        var differences: [String] = []
        try results.forEachRow(kind.file) { expected in
            defer { index += 1 }
            guard index < found.count else { return }
            var row = try JSONSerialization.jsonObject(with: Data(found[index]))
            if var object = expected as? [String: Any] {
                // How the venue sent it is no part of what we say.
                object["action"] = nil
                object["msg"] = nil
                if let added = row as? [String: Any] { row = try Self.checkedTimes(added, name) }
                if let difference = Fields.difference(object, row, at: "row \(index)") {
                    differences.append(difference)
                }
            } else if let difference = Fields.difference(expected, row, at: "row \(index)") {
                differences.append(difference)
            }
        }
        #expect(index == found.count)
        #expect(differences.prefix(5) == [])
    }

    @Test("the books of the events are right every hundred updates", arguments: ExpectedResults.names)
    func checkpoints(name: String) throws {
        let results = ExpectedResults(name: name)
        var replay = try RecordingReplay(path: try #require(RecordingsFolder.file(name)))
        var stream = EnvelopeStream()
        var books: [InstrumentID: (replica: BookReplica, updates: Int)] = [:]
        var tops: [String: [String: Any]] = [:]
        try replay.run { _, output, session in
            for event in output.events {
                guard let envelope = stream.envelope(event, output.levels, session.registry) else { continue }
                let (header, decoded) = try EnvelopeDecoder.decode(envelope)
                let position = StreamPosition(
                    producer: header.producer, epoch: header.epoch, sequence: header.sequence)
                guard let (id, isUpdate) = Self.apply(decoded, at: position, to: &books), isUpdate,
                    let book = books[id], book.updates % 100 == 0
                else { continue }
                #expect(book.replica.state == .live)
                tops["\(id.symbol) \(book.updates)"] = Self.checkpoint(book.replica)
            }
        }
        var count = 0
        try results.forEachRow("checkpoints.jsonl.gz") { row in
            count += 1
            let expected = try #require(row as? [String: Any])
            let symbol = try #require(expected["symbol"] as? String)
            let number = try #require(expected["update_no"] as? Int)
            let wanted = ["bids": try #require(expected["bids"]), "asks": try #require(expected["asks"])]
            let difference = Fields.difference(wanted, tops["\(symbol) \(number)"], at: "\(symbol) \(number)")
            #expect(difference == nil)
        }
        #expect(count == tops.count)
    }

    @Test("two runs give the same events, byte for byte", arguments: ExpectedResults.names)
    func repetition(name: String) throws {
        let results = ExpectedResults(name: name)
        var (first, second): ([Int], [Int]) = ([], [])
        try results.forEachLine(.events) { first.append($0.hashValue) }
        try results.forEachLine(.events) { second.append($0.hashValue) }
        #expect(first == second)
    }

    // MARK: -

    private static func summary(of results: ExpectedResults) throws -> [String: Any] {
        var text: [UInt8] = []
        try results.forEachLine(.summary) { text += $0 }
        return try #require(JSONSerialization.jsonObject(with: Data(text)) as? [String: Any])
    }

    /// The row without what we add to the expected keys, which must be there and well-formed.
    private static func checkedTimes(_ row: [String: Any], _ name: String) throws -> [String: Any] {
        var row = row
        #expect(
            Venue.known.map(\.rawValue).contains(try #require(row.removeValue(forKey: "venue") as? String)))
        let time = row.removeValue(forKey: "time")
        if !(time is NSNull) {
            let text = try #require(time as? String)
            #expect(text.utf8.count == 30 && Timestamp(iso8601: text) != nil)
        }
        return row
    }

    private static func apply(
        _ event: WireEvent, at position: StreamPosition,
        to books: inout [InstrumentID: (replica: BookReplica, updates: Int)]
    ) -> (InstrumentID, isUpdate: Bool)? {
        switch event {
        case .bookDelta(let id, let delta):
            books[id, default: (BookReplica(), 0)].updates += 1
            _ = books[id]?.replica.apply(delta, at: position)
            return (id, true)
        case .bookSnapshot(let id, let snapshot):
            books[id, default: (BookReplica(), 0)].updates += 1
            _ = books[id]?.replica.apply(snapshot)
            return (id, true)
        case .bookStateChange(let id, let change):
            _ = books[id, default: (BookReplica(), 0)].replica.apply(change, at: position)
            return (id, false)
        default: return nil
        }
    }

    private static func checkpoint(_ replica: BookReplica) -> [String: Any] {
        let (book, top) = (replica.book, replica.book.top(10))
        func texts(_ levels: [BookLevel]) -> [[String]] {
            levels.map { [$0.price.text(book.priceScale), $0.size.text(book.sizeScale)] }
        }
        return ["bids": texts(top.bids), "asks": texts(top.asks)]
    }
}
