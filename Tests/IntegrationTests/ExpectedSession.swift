import Foundation
import Instruments
import Recordings
import Support
import Testing

/// What a recording must give, from `expected/<name>/`.
struct ExpectedSession {
    struct Side: Equatable {
        var count: Int
        /// The best 25, `price×size` without trailing zeros.
        var best: [String]
    }

    struct Trade: Hashable {
        var symbol: String
        /// `nil` where the venue gives none.
        var id: String?
        var side: String
        var price: String
        var size: String
    }

    var venue: Venue
    var file: String
    var bids: [String: Side] = [:]
    var asks: [String: Side] = [:]
    var trades: [Trade] = []

    init(_ name: String) throws {
        file = try #require(RecordingsFolder.file(name))
        venue = try RecordingReader(path: file).header.venue
        let summary = try JSONSerialization.jsonObject(
            with: Data(
                contentsOf: URL(
                    fileURLWithPath: try #require(RecordingsFolder.expected(name, "summary.json")))))
        let books = try #require((summary as? [String: Any])?["final_book"] as? [String: [String: Any]])
        for (symbol, book) in books {
            bids[symbol] = try ExpectedSession.side(book, "bids", "n_bids")
            asks[symbol] = try ExpectedSession.side(book, "asks", "n_asks")
        }
        if let path = RecordingsFolder.expected(name, "trades.jsonl.gz") {
            trades = try ExpectedSession.lines(path).map(ExpectedSession.trade)
        }
    }

    private static func side(_ book: [String: Any], _ name: String, _ count: String) throws -> Side {
        let levels = try #require(book[name] as? [[String]])
        return Side(
            count: try #require(book[count] as? Int),
            best: try levels.map { try "\(plain($0[0]))×\(plain($0[1]))" })
    }

    private static func trade(_ row: [String: Any]) throws -> Trade {
        func text(_ key: String) throws -> String { try #require(row[key] as? String) }
        return Trade(
            symbol: try text("symbol"), id: row["id"] as? String, side: try text("side"),
            price: try plain(try text("price")), size: try plain(try text("amount")))
    }

    private static func plain(_ text: String) throws -> String {
        try DecimalNumber(parsing: text).normalized.description
    }

    /// The rows of a gzipped file of JSON lines.
    private static func lines(_ path: String) throws -> [[String: Any]] {
        let gunzip = Process()
        let pipe = Pipe()
        gunzip.executableURL = URL(fileURLWithPath: "/bin/gzip")
        gunzip.arguments = ["-dc", path]
        gunzip.standardOutput = pipe
        try gunzip.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        gunzip.waitUntilExit()
        return try data.split(separator: 0x0A).map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
        }
    }
}
