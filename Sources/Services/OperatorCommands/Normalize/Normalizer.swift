import ArgumentParser
import Instruments
import JSON
import MarketData
import Recordings
import SwiftProtobuf
import Venues
import Wire

/// What `bitpal normalize` prints of a recording.
package enum Emission: String, CaseIterable, Sendable, ExpressibleByArgument {
    /// Counts, checksums, gaps and final books, as one object.
    case summary
    /// The best bid and ask after every change of a book.
    case top
    /// Public executions.
    case trades
    /// Best bid and ask as the venue says.
    case tickers
    /// Candles as the venue says.
    case candles
    /// Everything, as the envelopes that would travel on the bus.
    case events
}

/// Turns a recording into normalised lines of JSON with the very code that follows a venue live.
package struct Normalizer {
    private var replay: RecordingReplay
    private let emission: Emission

    /// Opens a recording.
    ///
    /// - Throws: `RecordingError` naming the file.
    package init(path: String, emission: Emission) throws {
        replay = try RecordingReplay(path: path)
        self.emission = emission
    }

    /// Reads to the end and hands over every line, its end included.
    ///
    /// - Throws: `RecordingError` naming the file and the line, or what the closure throws.
    package mutating func run(_ write: ([UInt8]) throws -> Void) throws {
        switch emission {
        case .summary: try summarize(write)
        case .events: try writeEvents(write)
        default: try writeRows(write)
        }
    }

    private mutating func summarize(_ write: ([UInt8]) throws -> Void) throws {
        var count = SummaryCount()
        try replay.run { _, output, _ in
            for event in output.events { count.add(event) }
        }
        var line = JSONWriter()
        count.write(
            replay.session, replay.counters, trimsNumbers: replay.venue.wording(nil).trimsNumbers, to: &line)
        try write(line.bytes)
    }

    private mutating func writeRows(_ write: ([UInt8]) throws -> Void) throws {
        let venue = replay.venue
        let emission = emission
        var rows = MarketRows(venue: venue.venue)
        try replay.run { frame, output, session in
            let wording = venue.wording(frame.data.first)
            for event in output.events {
                switch (emission, event) {
                case (.top, .book(let book)):
                    rows.top(book, session.registry[book.instrument].symbol, wording)
                case (.trades, .trade(let index, let trade)):
                    rows.trade(trade, session.registry[index].symbol, wording)
                case (.tickers, .ticker(let index, let ticker)):
                    rows.ticker(ticker, session.registry[index].symbol, wording)
                case (.candles, .candle(let index, let candle)):
                    rows.candle(candle, session.registry[index].symbol, wording)
                default: continue
                }
                try write(rows.line.bytes)
            }
        }
    }

    private mutating func writeEvents(_ write: ([UInt8]) throws -> Void) throws {
        var stream = EnvelopeStream()
        try replay.run { _, output, session in
            for event in output.events {
                guard let envelope = stream.envelope(event, output.levels, session.registry) else { continue }
                var bytes: [UInt8] = try envelope.jsonUTF8Bytes()
                bytes.append(0x0A)
                try write(bytes)
            }
        }
    }
}
