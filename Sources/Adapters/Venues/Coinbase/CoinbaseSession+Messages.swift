package import Instruments
import MarketData

extension CoinbaseSession {
    package mutating func receive(
        _ frame: UnsafeRawBufferPointer, connection: Int, at time: Timestamp, into output: inout VenueOutput
    ) {
        output.counters.messages &+= 1
        core.received(at: time)
        do throws(ScanError) {
            guard var scanner = JSONScanner(frame) else { throw .malformed }
            let envelope = try CoinbaseEnvelope(&scanner, connection: connection, at: time)
            if envelope.channel != nil {
                try readAdvanced(&scanner, envelope, into: &output)
            } else if envelope.type != nil {
                try readExchange(&scanner, envelope, into: &output)
            }
        } catch {
            output.malformed("message", bytes: frame.count)
            let isBook = frame.mentions("\"l2") || frame.mentions("{\"type\":\"snapshot\"")
            core.suspectBooks(in: frame, looksLikeBook: isBook, at: time, into: &output)
        }
        if core.needsImages { askForImages(at: time, into: &output) }
    }

    /// `{"type":"error","message":…,"reason":…}`.
    mutating func readError(
        _ scanner: JSONScanner, _ envelope: CoinbaseEnvelope, into output: inout VenueOutput
    ) {
        output.counters.refused &+= 1
        images.removeAll()
        let words = [envelope.message, envelope.reason].compactMap { $0 }.compactMap { scanner.string($0) }
        if words.contains(where: SubscriptionRetry.isPassing) {
            retry.refused(at: envelope.receivedTime, &core.governor)
        }
    }

    /// The instrument of a message, if somebody wants this kind of data of it.
    mutating func instrument(
        _ product: JSONText?, _ channel: ChannelSet, in scanner: JSONScanner, into output: inout VenueOutput
    ) throws(ScanError) -> InstrumentIndex? {
        guard let product else { throw .malformed }
        let found = core.instrument(scanner.bytes(product))
        grow()
        guard let found, core.wants(channel, found) else {
            output.counters.unexpected &+= 1
            return nil
        }
        return found
    }
}
