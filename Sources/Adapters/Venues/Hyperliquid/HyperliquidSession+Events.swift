import Instruments
import MarketData

/// An image of a book, as it was read.
struct HyperliquidBook {
    var coin: JSONText?
    var venueTime: Timestamp?
    var levels: [RawLevel]?
}

extension HyperliquidSession {
    /// Whose data it is, where somebody wants this kind of it.
    mutating func wanted(
        _ coin: JSONText?, _ channel: ChannelSet, _ scanner: JSONScanner, into output: inout VenueOutput
    ) -> InstrumentIndex? {
        if let coin, let index = core.instrument(scanner.bytes(coin)), core.wantsAny(of: channel, index) {
            return index
        }
        output.counters.unexpected &+= 1
        return nil
    }

    /// `coin, time, levels`: bids, then asks, by price.
    func readImage(_ scanner: inout JSONScanner) throws(ScanError) -> HyperliquidBook {
        var book = HyperliquidBook()
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "coin") {
                book.coin = try scanner.text()
            } else if scanner.equals(key, "time") {
                book.venueTime = Timestamp(milliseconds: try scanner.integer())
            } else if scanner.equals(key, "levels") {
                var levels: [RawLevel] = []
                try scanner.row(2) { scanner, place throws(ScanError) in
                    try scanner.array { scanner throws(ScanError) in
                        if let level = try scanner.level(place == 0 ? .bid : .ask) { levels.append(level) }
                    }
                }
                book.levels = levels
            } else {
                try scanner.skip()
            }
        }
        return book
    }

    mutating func readBook(
        _ scanner: inout JSONScanner, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        let book = try readImage(&scanner)
        guard let levels = book.levels else { throw .malformed }
        guard let index = wanted(book.coin, .book, scanner, into: &output) else { return }
        try core.takeImage(levels, index, venueTime: book.venueTime, at: time, into: &output)
    }

    /// Rows of `coin, side, px, sz, time, tid`; side `B` is a taker that bought, `A` one that sold.
    mutating func readTrades(
        _ scanner: inout JSONScanner, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        try scanner.array { scanner throws(ScanError) in
            var coin: JSONText?
            var side: Side?
            var numbers: (price: DecimalNumber?, size: DecimalNumber?)
            var id: String?
            var venueTime: Timestamp?
            try scanner.object { scanner, key throws(ScanError) in
                if scanner.equals(key, "coin") {
                    coin = try scanner.text()
                } else if scanner.equals(key, "side") {
                    let letter = scanner.single(try scanner.text())
                    side = letter == 0x42 ? .buy : letter == 0x41 ? .sell : nil
                } else if scanner.equals(key, "px") {
                    numbers.price = try scanner.rawDecimal()
                } else if scanner.equals(key, "sz") {
                    numbers.size = try scanner.rawDecimal()
                } else if scanner.equals(key, "tid") {
                    id = scanner.string(try scanner.scalarText())
                } else if scanner.equals(key, "time") {
                    venueTime = Timestamp(milliseconds: try scanner.integer())
                } else {
                    try scanner.skip()
                }
            }
            guard let side, let price = numbers.price, let size = numbers.size, let id, !id.isEmpty,
                let venueTime
            else { throw .malformed }
            guard let index = wanted(coin, .trade, scanner, into: &output) else { return }
            // Before the scales, which such a row must not make finer.
            guard output.accepts(price, size, of: index, id: id) else { return }
            var trade = core.trade(id, side, price, size, index)
            (trade.venueTime, trade.receivedTime) = (venueTime, time)
            output.events.append(.trade(index, trade))
        }
    }

    /// `coin, time, bbo`: the best bid and the best ask, each `null` where there is none.
    mutating func readQuote(
        _ scanner: inout JSONScanner, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        var coin: JSONText?
        var venueTime: Timestamp?
        var best: [RawLevel?] = []
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "coin") {
                coin = try scanner.text()
            } else if scanner.equals(key, "time") {
                venueTime = Timestamp(milliseconds: try scanner.integer())
            } else if scanner.equals(key, "bbo") {
                try scanner.row(2) { scanner, place throws(ScanError) in
                    best.append(try scanner.level(place == 0 ? .bid : .ask))
                }
            } else {
                try scanner.skip()
            }
        }
        guard best.count == 2 else { throw .malformed }
        guard let index = wanted(coin, .ticker, scanner, into: &output) else { return }
        let ticker = try core.ticker(
            bid: (best[0]?.price, best[0]?.size), ask: (best[1]?.price, best[1]?.size), index,
            venueTime: venueTime, at: time)
        output.events.append(.ticker(index, ticker))
    }
}

extension JSONScanner {
    /// `{"px":…,"sz":…,"n":…}`; `nil` for null.
    fileprivate mutating func level(_ side: BookSide) throws(ScanError) -> RawLevel? {
        if try takeNull() { return nil }
        var price: DecimalNumber?
        var size: DecimalNumber?
        try object { scanner, key throws(ScanError) in
            if scanner.equals(key, "px") {
                price = try scanner.rawDecimal()
            } else if scanner.equals(key, "sz") {
                size = try scanner.rawDecimal()
            } else {
                try scanner.skip()
            }
        }
        guard let price, let size else { throw .malformed }
        return RawLevel(side: side, price: price, size: size)
    }
}
