import Instruments
import MarketData
import Recordings
import Support
import Venues

/// What a recording has data of, found by replaying it.
struct RecordedSubscriptions {
    var symbols: [String] = []
    var channels: [String] = []
    var depth = 1_000
    var krakenInterface = KrakenInterface.v2

    init(path: String) throws {
        let reader = try RecordingReader(path: path)
        var session = try VenueConfiguration.replay(of: reader.header.venue).makeSession()
        var output = VenueOutput()
        var seen: Set<VenueChannel> = []
        var deepest = 0
        while let entry = try reader.next() {
            guard entry.direction == .in else { continue }
            if entry.kind == .ws, entry.data.first == 0x5B { krakenInterface = .v1 }
            entry.data.withUnsafeBytes { bytes in
                if entry.kind == .ws {
                    session.receive(bytes, connection: entry.connection, at: entry.time, into: &output)
                } else if let url = entry.url, let request = session.request(for: url) {
                    session.responded(to: request, status: 200, body: bytes, at: entry.time, into: &output)
                }
            }
            for event in output.events {
                switch event {
                case .book(let book):
                    seen.insert(.book)
                    if book.isSnapshot {
                        deepest = max(deepest, book.summary.bidCount, book.summary.askCount)
                    }
                case .trade: seen.insert(.trade)
                case .ticker: seen.insert(.ticker)
                case .candle: seen.insert(.candle)
                case .mark: seen.insert(.mark)
                // No simulator plays what the live profile does not follow by itself.
                case .state, .instrument, .derivative, .liquidation: break
                }
            }
            output.removeAll()
        }
        symbols = session.registry.ids.map(\.symbol)
        channels = VenueChannel.allCases.filter { seen.contains($0) }.map(\.rawValue)
        if reader.header.venue == .kraken { depth = [10, 25, 100, 500].first { $0 >= deepest } ?? 1_000 }
    }
}
