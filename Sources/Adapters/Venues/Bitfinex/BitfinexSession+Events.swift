import Instruments
import MarketData

/// The fields of an event that are read.
private struct BitfinexEvent {
    var event: JSONText?
    var channel: JSONText?
    var symbol: JSONText?
    var precision: JSONText?
    var status: JSONText?
    var message: JSONText?
    var channelID: Int64?
    var flags: Int64?
    var code: Int64?

    mutating func read(_ scanner: inout JSONScanner) throws(ScanError) {
        try scanner.object { scanner, key throws(ScanError) in
            if try scanner.peek() == 0x22 {
                let text = try scanner.text()
                if scanner.equals(key, "event") { event = text }
                if scanner.equals(key, "channel") { channel = text }
                if scanner.equals(key, "symbol") { symbol = text }
                if scanner.equals(key, "prec") { precision = text }
                if scanner.equals(key, "status") { status = text }
                if scanner.equals(key, "msg") { message = text }
            } else if scanner.equals(key, "chanId") {
                channelID = try scanner.integer()
            } else if scanner.equals(key, "flags") {
                flags = try scanner.integer()
            } else if scanner.equals(key, "code") {
                code = try scanner.integer()
            } else {
                try scanner.skip()
            }
        }
        try scanner.expectEnd()
    }
}

extension BitfinexSession {
    /// `{"event":…}`.
    mutating func readEvent(
        _ scanner: inout JSONScanner, _ connection: Int, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        var fields = BitfinexEvent()
        try fields.read(&scanner)
        guard let event = fields.event else { return }
        if scanner.equals(event, "subscribed") {
            subscribed(fields, scanner, connection, at: time, into: &output)
        } else if scanner.equals(event, "unsubscribed") {
            if let id = fields.channelID { unsubscribed(id, connection, at: time, into: &output) }
        } else if scanner.equals(event, "conf") {
            links[connection].configured(flags: fields.flags ?? 0)
            if !links[connection].isNumbered { output.counters.refused &+= 1 }
        } else if scanner.equals(event, "error") {
            refused(fields, scanner, at: time, into: &output)
        } else if scanner.equals(event, "info"), let code = fields.code {
            informed(code, connection, at: time, into: &output)
        }
    }

    /// A channel has its number: what comes with it is of this topic.
    private mutating func subscribed(
        _ fields: BitfinexEvent, _ scanner: JSONScanner, _ connection: Int, at time: Timestamp,
        into output: inout VenueOutput
    ) {
        guard let id = fields.channelID, let channel = fields.channel, let symbol = fields.symbol else {
            return
        }
        let kind = BitfinexKind.allCases.first { kind in
            scanner.bytes(channel).elementsEqual(kind.name.utf8)
        }
        // Books of other precisions are no books of levels, and funding (`f…`) is no trade.
        let isPrecise = fields.precision.map { scanner.equals($0, "P0") } ?? true
        guard let kind, isPrecise, scanner.bytes(symbol).first == 0x74 || links[connection].isUp,
            let index = instrument(scanner.bytes(symbol))
        else {
            output.counters.unexpected &+= 1
            return
        }
        guard core.wants(kind.channel, index) else {
            return unsubscribe(id, on: connection, into: &output)
        }
        let topic = BitfinexTopic(index: index, kind: kind)
        links[connection].channels[id] = topic
        places[index.offset][kind] = BitfinexPlace(connection: connection, channelID: id)
        attempts[topic] = nil
        // Subscribed a second time, as on a second connection: the book is whole with its next image.
        guard kind == .book, core.trackers[index.offset].isFollowing else { return }
        places[index.offset].crossed.reset()
        core.trackers[index.offset].phase = .waiting(since: time)
        core.trackers[index.offset].declare(.syncing, .snapshotPending, at: time, into: &output)
    }

    /// A channel has ended: a book that follows it would stand still.
    ///
    /// Of those that we have given up nothing is known by then.
    private mutating func unsubscribed(
        _ id: Int64, _ connection: Int, at time: Timestamp, into output: inout VenueOutput
    ) {
        guard let topic = links[connection].channels.removeValue(forKey: id), topic.kind == .book,
            let place = places[topic.index.offset][.book], place.connection == connection,
            place.channelID == id
        else { return }
        places[topic.index.offset][.book]?.channelID = nil
        guard core.trackers[topic.index.offset].isFollowing else { return }
        lose(topic.index, .feedSilent, "the venue has ended its channel", at: time, into: &output)
    }

    /// Too many channels or messages, or maintenance, pass; what else is refused stays so.
    ///
    /// Sources: gocryptotrader's tests (10301 is there already), Bitfinex' announcement of 2018-09 (10305 too
    /// many channels). Not confirmed: 10300 a subscription failed, 11010 a rate limit.
    private mutating func refused(
        _ fields: BitfinexEvent, _ scanner: JSONScanner, at time: Timestamp, into output: inout VenueOutput
    ) {
        if fields.code == 10_301 { return }
        let message = fields.message.flatMap { scanner.string($0) }?.lowercased() ?? ""
        let isPassing =
            [10_305, 11_010, 20_060].contains(fields.code ?? 0)
            || ["rate", "limit", "maintenance", "overload"].contains { message.contains($0) }
        let kind = BitfinexKind.allCases.first { kind in
            fields.channel.map { scanner.bytes($0).elementsEqual(kind.name.utf8) } ?? false
        }
        guard isPassing, let kind, let symbol = fields.symbol,
            let index = core.registry.find(scanner.bytes(symbol)), core.wants(kind.channel, index)
        else {
            output.counters.refused &+= 1
            return
        }
        postpone(BitfinexTopic(index: index, kind: kind), at: time)
    }

    /// A restart (20051) or maintenance (from 20060 to 20061), as the venue's client bitfinex-rb has them.
    ///
    /// Not confirmed: that everything is to be subscribed again after it.
    private mutating func informed(
        _ code: Int64, _ connection: Int, at time: Timestamp, into output: inout VenueOutput
    ) {
        switch code {
        case 20_051:
            output.actions.append(
                .reconnect(connection: connection, reason: "the venue restarts its server"))
        case 20_060:
            for index in core.registry.indices
            where places[index.offset][.book]?.connection == connection
                && core.trackers[index.offset].isFollowing
            {
                core.trackers[index.offset].phase = .idle
                core.trackers[index.offset].declare(
                    .stale, .feedSilent, "the venue is in maintenance", at: time, into: &output)
            }
        case 20_061:
            for index in core.registry.indices
            where places[index.offset][.book]?.connection == connection {
                lose(index, .feedSilent, "the venue's maintenance is over", at: time, into: &output)
            }
        default: break
        }
    }
}
