import Foundation
import Instruments
import MarketData
import Recordings
import Support
import Venues

/// Decode, normalise and keep the book, on one core, per recording.
enum DecodeBench {
    /// Messages a second that are hoped for of the venues that have most to say; of every other the least.
    private static let goals: [Venue: Double] = [
        .bitmex: 2_000_000, .kraken: 1_000_000, .binance: 2_000_000, .binanceUS: 2_000_000,
        .binanceUSDM: 2_000_000,
    ]
    private static let leastGoal = 400_000.0

    /// A row for each recording of a venue of the catalogue, and one for the slowest of them.
    static func run(recordings folder: String, peers: [String: Double]) throws -> [Measurement] {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
            $0.hasSuffix(".jsonl.gz")
        }.sorted()
        let rows = try files.compactMap { file -> Measurement? in
            let (header, entries) = try RecordingReader.loadAll(path: "\(folder)/\(file)", venues: nil)
            guard VenueCatalogue.standard[header.venue] != nil else { return nil }
            return try measure(
                String(file.dropLast(9)), header.venue, entries.filter { $0.direction != .out }, peers)
        }
        guard let slowest = rows.min(by: { $0.value < $1.value }) else { return rows }
        let rate = slowest.value
        return rows + [
            Measurement(
                "slowest to decode: \(slowest.name.dropFirst(7))", "messages/s", rate,
                goal: "\(Int(leastGoal))/s", meets: rate >= leastGoal)
        ]
    }

    private static func measure(
        _ name: String, _ venue: Venue, _ entries: [RecordingEntry], _ peers: [String: Double]
    ) throws -> Measurement? {
        let messages = entries.count { $0.kind == .ws && $0.direction == .in }
        guard messages > 0 else { return nil }
        let rounds = max(1, 100_000 / messages)
        let rate = median {
            var elapsed = 0.0
            for _ in 0..<rounds { elapsed += replay(entries, venue) }
            return Double(messages * rounds) / elapsed
        }
        let goal = goals[venue] ?? leastGoal
        let peer = peers[name]
        return Measurement(
            "decode \(name)", "messages/s", rate, goal: "\(Int(goal))/s, 20x cryptofeed",
            meets: rate >= goal && (peer.map { rate >= 20 * $0 } ?? true),
            baseline: peer == nil ? "bytes walked, nothing read" : "cryptofeed 2.4.1",
            baselineValue: peer ?? walk(entries, messages))
    }

    /// Seconds of one replay, REST answers left out: they are snapshots, not messages.
    private static func replay(_ entries: [RecordingEntry], _ venue: Venue) -> Double {
        guard var session = try? VenueConfiguration.replay(of: venue).makeSession() else { return .infinity }
        var output = VenueOutput()
        var elapsed = 0.0
        var started = seconds()
        for entry in entries {
            guard entry.direction == .in else {
                session.recorded(connection: entry.connection, url: entry.url ?? "")
                continue
            }
            entry.data.withUnsafeBytes { bytes in
                if entry.kind == .ws {
                    session.receive(bytes, connection: entry.connection, at: entry.time, into: &output)
                } else if let url = entry.url {
                    elapsed += seconds() - started
                    if let request = session.request(for: url) {
                        session.responded(
                            to: request, status: 200, body: bytes, at: entry.time, into: &output)
                    }
                    started = seconds()
                }
            }
            output.removeAll()
        }
        return elapsed + seconds() - started
    }

    /// Messages a second when every byte is looked at once and nothing is made of it.
    private static func walk(_ entries: [RecordingEntry], _ messages: Int) -> Double {
        median {
            let started = seconds()
            var sum: UInt64 = 0
            for entry in entries where entry.kind == .ws && entry.direction == .in {
                for byte in entry.data { sum = (sum << 1) ^ UInt64(byte) }
            }
            let elapsed = seconds() - started
            return sum == 1 ? 0 : Double(messages) / elapsed
        }
    }
}
