import Foundation
import Instruments
import MarketData
import Recordings
import Support
import Venues

/// Decode, normalise and keep the book, on one core, per recording.
enum DecodeBench {
    static let venues: Set<Venue> = [.bitmex, .kraken, .binance, .binanceUS, .binanceUSDM]

    static func run(recordings folder: String, peers: [String: Double]) throws -> [Measurement] {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
            $0.hasSuffix(".jsonl.gz")
        }.sorted()
        return try files.compactMap { file in
            let (header, entries) = try RecordingReader.loadAll(path: "\(folder)/\(file)", venues: nil)
            guard venues.contains(header.venue) else { return nil }
            return try measure(
                String(file.dropLast(9)), header.venue, entries.filter { $0.direction == .in }, peers)
        }
    }

    private static func measure(
        _ name: String, _ venue: Venue, _ entries: [RecordingEntry], _ peers: [String: Double]
    ) throws -> Measurement? {
        let messages = entries.count { $0.kind == .ws }
        guard messages > 0 else { return nil }
        let rounds = max(1, 100_000 / messages)
        let rate = median {
            var elapsed = 0.0
            for _ in 0..<rounds { elapsed += replay(entries, venue) }
            return Double(messages * rounds) / elapsed
        }
        let goal = venue == .kraken ? 1_000_000.0 : 2_000_000.0
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
            for entry in entries where entry.kind == .ws {
                for byte in entry.data { sum = (sum << 1) ^ UInt64(byte) }
            }
            let elapsed = seconds() - started
            return sum == 1 ? 0 : Double(messages) / elapsed
        }
    }
}
