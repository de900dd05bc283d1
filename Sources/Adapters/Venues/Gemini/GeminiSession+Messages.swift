package import Instruments
import MarketData

extension GeminiSession {
    package mutating func receive(
        _ frame: UnsafeRawBufferPointer, connection: Int, at time: Timestamp, into output: inout VenueOutput
    ) {
        output.counters.messages &+= 1
        core.received(at: time)
        do throws(ScanError) {
            guard var scanner = JSONScanner(frame) else { throw .malformed }
            let message = try GeminiMessage(&scanner, connection: connection, at: time)
            try read(message, &scanner, into: &output)
        } catch {
            output.malformed("message", bytes: frame.count)
            core.suspectBooks(in: frame, looksLikeBook: frame.mentions("l2_u"), at: time, into: &output)
        }
        if core.needsImages { askForImages(at: time, into: &output) }
    }

    /// A message by its `type`; heartbeats, auctions and block trades say nothing of book and tape.
    private mutating func read(
        _ message: GeminiMessage, _ scanner: inout JSONScanner, into output: inout VenueOutput
    ) throws(ScanError) {
        if message.isError { readError(scanner, message, into: &output) }
        guard let type = message.type else { return }
        if scanner.equals(type, "l2_updates") {
            try readBook(&scanner, message, into: &output)
        } else if scanner.equals(type, "trade") {
            guard let index = try instrument(message.symbol, .trade, in: scanner, into: &output) else {
                return
            }
            scanner.index = message.start
            let trade = try GeminiTrade(&scanner)
            try say(trade, of: index, isBackfill: false, at: message.receivedTime, into: &output)
        } else if scanner.equals(type, "candles_1m_updates") {
            try readCandles(&scanner, message, into: &output)
        }
    }

    /// `{"result":"error","reason":…,"message":…}`.
    private mutating func readError(
        _ scanner: JSONScanner, _ message: GeminiMessage, into output: inout VenueOutput
    ) {
        output.counters.refused &+= 1
        images.removeAll()
        let words = [message.reason, message.message].compactMap { $0 }.compactMap { scanner.string($0) }
        if words.contains(where: SubscriptionRetry.isPassing) {
            retry.refused(at: message.receivedTime, &core.governor)
        }
    }

    /// The instrument of a message, if somebody wants this kind of data of it.
    mutating func instrument(
        _ symbol: JSONText?, _ channel: ChannelSet, in scanner: JSONScanner, into output: inout VenueOutput
    ) throws(ScanError) -> InstrumentIndex? {
        guard let symbol else { throw .malformed }
        let found = core.instrument(scanner.bytes(symbol))
        grow()
        guard let found, wants(channel, core.channels[found.offset]) else {
            output.counters.unexpected &+= 1
            return nil
        }
        return found
    }
}
