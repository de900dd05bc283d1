package import Instruments
import MarketData

extension BitstampSession {
    package mutating func receive(
        _ frame: UnsafeRawBufferPointer, connection: Int, at time: Timestamp, into output: inout VenueOutput
    ) {
        output.counters.messages &+= 1
        core.received(at: time)
        do throws(ScanError) {
            guard var scanner = JSONScanner(frame) else { throw .malformed }
            let message = try BitstampMessage(&scanner)
            try read(message, &scanner, connection, at: time, into: &output)
        } catch {
            output.malformed("message", bytes: frame.count)
            suspect(frame, at: time, into: &output)
        }
        if core.needsImages { askForImages(at: time, into: &output) }
    }

    /// Loses the book that an unreadable message names, or all of them where it may have been of any.
    private mutating func suspect(
        _ frame: UnsafeRawBufferPointer, at time: Timestamp, into output: inout VenueOutput
    ) {
        let channel: StaticString = "diff_order_book_"
        guard frame.mentions(channel) else { return }
        let named = core.registry.indices.filter { index in
            let topic = "\(channel)\(core.registry[index].symbol)\""
            return frame.holds(topic)
        }
        for index in named.isEmpty ? Array(core.registry.indices) : named
        where core.trackers[index.offset].isFollowing {
            lose(index, .malformedMessage, "\(frame.count) bytes could not be read", at: time, into: &output)
        }
    }

    private mutating func read(
        _ message: BitstampMessage, _ scanner: inout JSONScanner, _ connection: Int, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        guard let event = message.event else { return }
        if scanner.equals(event, "data") {
            try readDiff(message, &scanner, at: time, into: &output)
        } else if scanner.equals(event, "trade") {
            try readTrade(message, &scanner, at: time, into: &output)
        } else if scanner.equals(event, "bts:subscription_succeeded") {
            confirm(message, scanner, at: time)
        } else if scanner.equals(event, "bts:request_reconnect") {
            output.actions.append(.reconnect(connection: connection, reason: "the venue asks for it"))
        } else if scanner.equals(event, "bts:error") {
            output.counters.refused &+= 1
            let words = message.data.flatMap { scanner.bytes(from: $0, to: message.end) } ?? ""
            if SubscriptionRetry.isPassing(words) { retry.refused(at: time, &core.governor) }
        }
    }

    /// A confirmed subscription to changes asks for the image.
    ///
    /// Nothing else confirms it: a change may still be one of an earlier subscription.
    private mutating func confirm(_ message: BitstampMessage, _ scanner: JSONScanner, at time: Timestamp) {
        guard let symbol = message.symbol("diff_order_book_", in: scanner),
            let index = core.registry.find(symbol)
        else { return }
        subscribed(index, at: time)
    }

    /// The changes of a book come from now on.
    mutating func subscribed(_ index: InstrumentIndex, at time: Timestamp) {
        guard !diffs[index.offset].isSubscribed else { return }
        diffs[index.offset].isSubscribed = true
        diffs[index.offset].pending.removeAll()
        guard case .waiting = core.trackers[index.offset].phase else { return }
        core.trackers[index.offset].phase = .scheduled(at: time)
        core.needsImages = true
    }
}
