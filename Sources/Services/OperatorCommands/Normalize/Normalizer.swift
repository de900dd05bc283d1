import ArgumentParser
import Instruments
import JSON
import MarketData
package import Recordings
import Shapes
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
    /// The state of derivatives: mark and index price, funding, open interest.
    case derivatives
    /// Positions that the venue closes.
    case liquidations
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
    /// Rows of a recording that is not whole end with a line that says so.
    /// - Parameters:
    ///   - isPartial: Whether a recording that is not whole is summarized too.
    ///   - write: Takes the bytes of a line.
    /// - Returns: What could not be read.
    /// - Throws: What the closure throws.
    @discardableResult
    package mutating func run(
        isPartial: Bool = false, _ write: ([UInt8]) throws -> Void
    ) throws -> InputFaults {
        let faults: InputFaults
        switch emission {
        case .summary: return try summarize(isPartial, write)
        case .events: faults = try writeEvents(write)
        default: faults = try writeRows(write)
        }
        if let line = IncompleteLine(of: [faults]) { try write(line.json + [0x0A]) }
        return faults
    }

    private mutating func summarize(
        _ isPartial: Bool, _ write: ([UInt8]) throws -> Void
    ) throws -> InputFaults {
        var count = SummaryCount()
        let faults = try replay.run { _, output, _ in
            for event in output.events { count.add(event) }
        }
        guard faults.isWhole || isPartial else { return faults }
        try write(SummaryLine(count, replay, faults).json + [0x0A])
        return faults
    }

    private mutating func writeRows(_ write: ([UInt8]) throws -> Void) throws -> InputFaults {
        let venue = replay.venue
        let emission = emission
        var rows = MarketRows()
        return try replay.run { frame, output, session in
            let wording = venue.wording(of: frame.data)
            for event in output.events {
                func origin(_ index: InstrumentIndex) -> RowOrigin {
                    RowOrigin(
                        venue: venue.venue, symbol: session.registry[index].symbol, wording: wording)
                }
                switch (emission, event) {
                case (.top, .book(let book)):
                    rows.top(book, session.registry[book.instrument].symbol, wording)
                case (.trades, .trade(let index, let trade)):
                    rows.write(TapeTradeRow(trade: trade, origin: origin(index)))
                case (.tickers, .ticker(let index, let ticker)):
                    rows.write(TickerRow(ticker: ticker, origin: origin(index)))
                case (.candles, .candle(let index, let candle)):
                    rows.write(VenueCandleRow(candle: candle, origin: origin(index)))
                case (.derivatives, .derivative(let index, let ticker)):
                    rows.write(DerivativeRow(ticker: ticker, origin: origin(index)))
                case (.liquidations, .liquidation(let index, let liquidation)):
                    rows.write(LiquidationRow(liquidation: liquidation, origin: origin(index)))
                default: continue
                }
                try write(rows.line.bytes)
            }
        }
    }

    private mutating func writeEvents(_ write: ([UInt8]) throws -> Void) throws -> InputFaults {
        var stream = EnvelopeStream()
        return try replay.run { _, output, session in
            for event in output.events {
                guard let envelope = stream.envelope(event, output.levels, session.registry) else { continue }
                var bytes: [UInt8] = try envelope.jsonUTF8Bytes()
                bytes.append(0x0A)
                try write(bytes)
            }
        }
    }
}
