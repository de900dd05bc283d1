import Instruments
import MarketData

extension KrakenSession {
    // MARK: - v1

    /// `[channelID, payload…, "channel", "pair"]`.
    ///
    /// The names at the end say what the payload is, so they come first.
    mutating func readV1(
        _ scanner: inout JSONScanner, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        guard let (channel, pair) = scanner.trailingNames() else { throw .malformed }
        guard let index = instrument(scanner.bytes(pair)) else {
            output.counters.unexpected &+= 1
            return
        }
        try scanner.expect(0x5B)
        try scanner.skip()
        try scanner.expect(0x2C)
        if let depth = KrakenText.depth(ofChannel: scanner.bytes(channel)) {
            guard core.wants(.book, index) else {
                output.counters.unexpected &+= 1
                return
            }
            extras[index.offset].depth = depth
            try readV1Book(&scanner, index, at: time, into: &output)
        } else if scanner.equals(channel, "trade"), core.wants(.trade, index) {
            try readV1Trades(&scanner, index, isBackfill: false, at: time, into: &output)
        } else if scanner.equals(channel, "ticker"), core.wants(.ticker, index) {
            try readV1Ticker(&scanner, index, at: time, into: &output)
        } else {
            output.counters.unexpected &+= 1
        }
    }

    /// `[[price, volume, time, side, type, misc(, id)],…]`, on the socket and by REST.
    mutating func readV1Trades(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, isBackfill: Bool, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        // A page of REST begins its count of equals anew, as the tape did: it is read from a time, not from
        // an id.
        var ordinals = isBackfill ? TradeOrdinals() : extras[index.offset].tradeOrdinals
        try scanner.array { scanner throws(ScanError) in
            try scanner.expect(0x5B)
            let price = try scanner.rawDecimal()
            try scanner.expect(0x2C)
            let size = try scanner.rawDecimal()
            try scanner.expect(0x2C)
            guard let venueTime = try scanner.microsecondTime() else { throw .malformed }
            try scanner.expect(0x2C)
            let sideText = try scanner.text()
            let side: Side
            switch scanner.single(sideText) {
            case 0x62: side = .buy
            case 0x73: side = .sell
            default: throw .malformed
            }
            var venueID: String?
            var position = 4
            while try scanner.take(0x2C) {
                let text = try scanner.scalarText()
                if position == 6 { venueID = scanner.string(text) }
                position += 1
            }
            try scanner.expect(0x5D)
            // Before the id: a row that is left out is none of the equals that ids count.
            guard output.accepts(price, size, of: index, id: venueID) else { return }
            // v1 has no ids on the socket: the same trade must have the same id from both sides.
            let id =
                isV1 || venueID == nil
                ? ordinals.id(time: venueTime, side: side, price: price, size: size) : venueID ?? ""
            try appendTrade(
                id, side, price, size, venueTime, index, isBackfill: isBackfill, at: time, into: &output)
        }
        if !isBackfill { extras[index.offset].tradeOrdinals = ordinals }
    }

    /// `{a:[price,…], b:[price,…], c:[price,…],…}`.
    ///
    /// The lot volumes are no sizes of the best levels, so those are left out.
    private mutating func readV1Ticker(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        var bid: DecimalNumber?
        var ask: DecimalNumber?
        var last: DecimalNumber?
        try scanner.object { scanner, key throws(ScanError) in
            let name = scanner.single(key)
            guard name == 0x61 || name == 0x62 || name == 0x63 else { return try scanner.skip() }
            try scanner.expect(0x5B)
            let price = try scanner.anyDecimal()
            while try scanner.take(0x2C) { try scanner.skip() }
            try scanner.expect(0x5D)
            if name == 0x61 { ask = price }
            if name == 0x62 { bid = price }
            if name == 0x63 { last = price }
        }
        output.events.append(
            .ticker(
                index,
                try core.ticker(bid: (bid, nil), ask: (ask, nil), last: last, index, venueTime: nil, at: time)
            ))
    }

    // MARK: - v2

    /// `data` of channel `trade`: `symbol, side, price, qty, ord_type, trade_id, timestamp`.
    mutating func readV2Trades(
        _ scanner: inout JSONScanner, isBackfill: Bool, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        try scanner.array { scanner throws(ScanError) in
            var index: InstrumentIndex?
            var side: Side?
            var price: DecimalNumber?
            var size: DecimalNumber?
            var id: String?
            var venueTime: Timestamp?
            try scanner.object { scanner, key throws(ScanError) in
                if scanner.equals(key, "symbol") {
                    let text = try scanner.text()
                    index = instrument(scanner.bytes(text))
                } else if scanner.equals(key, "side") {
                    let text = try scanner.text()
                    side = scanner.equals(text, "buy") ? .buy : scanner.equals(text, "sell") ? .sell : nil
                } else if scanner.equals(key, "price") {
                    price = try scanner.rawDecimal()
                } else if scanner.equals(key, "qty") {
                    size = try scanner.rawDecimal()
                } else if scanner.equals(key, "trade_id") {
                    let text = try scanner.scalarText()
                    id = scanner.string(text)
                } else if scanner.equals(key, "timestamp") {
                    let text = try scanner.text()
                    venueTime = Timestamp(iso8601: scanner.bytes(text))
                } else {
                    try scanner.skip()
                }
            }
            guard let side, let price, let size, let id, !id.isEmpty, let venueTime else { throw .malformed }
            guard let index, core.wants(.trade, index) else {
                output.counters.unexpected &+= 1
                return
            }
            // Before the scales, which such a row must not make finer.
            guard output.accepts(price, size, of: index, id: id) else { return }
            try appendTrade(
                id, side, price, size, venueTime, index, isBackfill: isBackfill, at: time, into: &output)
        }
    }

    /// `data` of channel `ticker`: `symbol, bid, bid_qty, ask, ask_qty, last`, with a `timestamp` since 2025.
    mutating func readV2Tickers(
        _ scanner: inout JSONScanner, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        try scanner.array { scanner throws(ScanError) in
            var index: InstrumentIndex?
            var bid: (price: DecimalNumber?, size: DecimalNumber?)
            var ask: (price: DecimalNumber?, size: DecimalNumber?)
            var last: DecimalNumber?
            var venueTime: Timestamp?
            try scanner.object { scanner, key throws(ScanError) in
                if scanner.equals(key, "symbol") {
                    let text = try scanner.text()
                    index = instrument(scanner.bytes(text))
                } else if scanner.equals(key, "bid") {
                    bid.price = try scanner.anyDecimal()
                } else if scanner.equals(key, "bid_qty") {
                    bid.size = try scanner.anyDecimal()
                } else if scanner.equals(key, "ask") {
                    ask.price = try scanner.anyDecimal()
                } else if scanner.equals(key, "ask_qty") {
                    ask.size = try scanner.anyDecimal()
                } else if scanner.equals(key, "last") {
                    last = try scanner.anyDecimal()
                } else if scanner.equals(key, "timestamp") {
                    let text = try scanner.text()
                    venueTime = Timestamp(iso8601: scanner.bytes(text))
                } else {
                    try scanner.skip()
                }
            }
            guard let index, core.wants(.ticker, index) else {
                output.counters.unexpected &+= 1
                return
            }
            output.events.append(
                .ticker(
                    index,
                    try core.ticker(bid: bid, ask: ask, last: last, index, venueTime: venueTime, at: time)))
        }
    }

    // MARK: - Both

    private mutating func appendTrade(
        _ id: String, _ side: Side, _ price: DecimalNumber, _ size: DecimalNumber, _ venueTime: Timestamp,
        _ index: InstrumentIndex, isBackfill: Bool, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        // Scales that grow here make the levels so far have fewer places than the scale, which the checksum
        // knows.
        let old = core.scales(of: index)
        let (scaledPrice, scaledSize) = try core.scale(price, size, index)
        let scales = core.scales(of: index)
        if scales != old {
            extras[index.offset].checksum.refined(from: old, book: core.trackers[index.offset].book)
        }
        output.events.append(
            .trade(
                index,
                Trade(
                    id: id, side: side, price: scaledPrice, size: scaledSize, priceScale: scales.price,
                    sizeScale: scales.size, venueTime: venueTime, receivedTime: time,
                    isBackfill: isBackfill)))
    }
}

extension JSONScanner {
    /// The two strings at the end of an array, without moving: `…,"channel","pair"]`.
    func trailingNames() -> (JSONText, JSONText)? {
        var end = count
        while end > 0, base[end - 1] <= 0x20 { end -= 1 }
        guard end > 0, base[end - 1] == 0x5D else { return nil }
        end -= 1
        guard let last = stringEnding(before: end) else { return nil }
        end = last.start - 1
        while end > 0, base[end - 1] <= 0x20 { end -= 1 }
        guard end > 0, base[end - 1] == 0x2C, let first = stringEnding(before: end - 1) else { return nil }
        return (first, last)
    }

    private func stringEnding(before limit: Int) -> JSONText? {
        var end = limit
        while end > 0, base[end - 1] <= 0x20 { end -= 1 }
        guard end > 1, base[end - 1] == 0x22 else { return nil }
        var start = end - 1
        while start > 0, base[start - 1] != 0x22 { start -= 1 }
        guard start > 0 else { return nil }
        return JSONText(start: start, count: end - 1 - start, hasEscapes: false)
    }

    /// Seconds with a fraction, cut to microseconds: REST gives more digits of the same time than the socket.
    mutating func microsecondTime() throws(ScanError) -> Timestamp? {
        let text = try scalarText()
        let bytes = bytes(text)
        var seconds: Int64 = 0
        var micros: Int64 = 0
        var places = -1
        for byte in bytes {
            if byte == 0x2E, places < 0 {
                places = 0
                continue
            }
            guard (0x30...0x39).contains(byte), seconds < 10_000_000_000 else { return nil }
            if places < 0 {
                seconds = seconds * 10 + Int64(byte - 0x30)
            } else if places < 6 {
                micros = micros * 10 + Int64(byte - 0x30)
                places += 1
            }
        }
        guard seconds < 9_000_000_000 else { return nil }
        for _ in max(places, 0)..<6 { micros *= 10 }
        return Timestamp(nanoseconds: (seconds * 1_000_000 + micros) * 1_000)
    }
}
