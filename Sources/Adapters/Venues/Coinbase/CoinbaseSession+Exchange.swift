import Instruments
import MarketData

extension CoinbaseSession {
    /// A message of the Exchange by its `type`; the kinds that are not read say nothing of a market.
    mutating func readExchange(
        _ scanner: inout JSONScanner, _ envelope: CoinbaseEnvelope, into output: inout VenueOutput
    ) throws(ScanError) {
        guard let type = envelope.type else { return }
        if scanner.equals(type, "l2update") {
            try readChanges(&scanner, envelope, into: &output)
        } else if scanner.equals(type, "match") || scanner.equals(type, "last_match") {
            try readMatch(&scanner, envelope, into: &output)
        } else if scanner.equals(type, "ticker") {
            try readExchangeTicker(&scanner, envelope, into: &output)
        } else if scanner.equals(type, "snapshot") {
            try readSnapshot(&scanner, envelope, into: &output)
        } else if scanner.equals(type, "error") {
            readError(scanner, envelope, into: &output)
        }
    }

    // MARK: - Books

    /// `bids` and `asks` of `["price","size"]`.
    private mutating func readSnapshot(
        _ scanner: inout JSONScanner, _ envelope: CoinbaseEnvelope, into output: inout VenueOutput
    ) throws(ScanError) {
        guard let index = try instrument(envelope.product, .book, in: scanner, into: &output) else { return }
        guard let bids = envelope.bids, let asks = envelope.asks else { throw .malformed }
        let start = output.levels.count
        try core.readingAgain(index, into: &output) { forms, levels throws(ScanError) in
            scanner.index = bids
            try scanner.levelPairs(.bid, forms, into: &levels)
            scanner.index = asks
            try scanner.levelPairs(.ask, forms, into: &levels)
        }
        takeImage(index, from: start, envelope, into: &output)
    }

    /// `changes` of `["buy"|"sell","price","size"]`.
    private mutating func readChanges(
        _ scanner: inout JSONScanner, _ envelope: CoinbaseEnvelope, into output: inout VenueOutput
    ) throws(ScanError) {
        guard let index = try instrument(envelope.product, .book, in: scanner, into: &output) else { return }
        guard let changes = envelope.changes else { throw .malformed }
        let start = output.levels.count
        try core.readingAgain(index, into: &output) { forms, levels throws(ScanError) in
            scanner.index = changes
            try scanner.array { scanner throws(ScanError) in
                try scanner.expect(0x5B)
                let text = try scanner.text()
                guard let side = BookSide(order: text, in: scanner) else { throw .malformed }
                try scanner.expect(0x2C)
                let price = try scanner.decimal(forms.price)
                try scanner.expect(0x2C)
                let size = try scanner.decimal(forms.size)
                while try scanner.take(0x2C) { try scanner.skip() }
                try scanner.expect(0x5D)
                try levels.add(side, price, size)
            }
        }
        takeChanges(index, from: start, envelope, into: &output)
    }

    // MARK: - Both interfaces

    /// Makes the levels at the end of the output's the whole book, which is this connection's from here on.
    mutating func takeImage(
        _ index: InstrumentIndex, from start: Int, _ envelope: CoinbaseEnvelope,
        into output: inout VenueOutput
    ) {
        guard images.take(index) else { return output.levels.removeLast(output.levels.count - start) }
        homes[index.offset] = envelope.connection
        core.takeWholeBook(
            index, from: start, venueTime: envelope.venueTime, at: envelope.receivedTime, into: &output)
    }

    /// Applies the levels at the end of the output's, if the book is whole and this connection's.
    mutating func takeChanges(
        _ index: InstrumentIndex, from start: Int, _ envelope: CoinbaseEnvelope,
        into output: inout VenueOutput
    ) {
        let time = envelope.receivedTime
        guard core.trackers[index.offset].isFollowing, homes[index.offset] == envelope.connection else {
            output.levels.removeLast(output.levels.count - start)
            return
        }
        let isStuck = core.takeBookChanges(
            index, from: start, venueTime: envelope.venueTime, at: time, into: &output)
        if isStuck { core.lose(index, .crossed, "crossed for two messages", at: time, into: &output) }
    }

    // MARK: - Tape

    /// `trade_id, side, size, price, time`; `last_match` is the newest one before the subscription.
    private mutating func readMatch(
        _ scanner: inout JSONScanner, _ envelope: CoinbaseEnvelope, into output: inout VenueOutput
    ) throws(ScanError) {
        guard let index = try instrument(envelope.product, .trade, in: scanner, into: &output) else { return }
        let isEarlier = envelope.type.map { scanner.equals($0, "last_match") } ?? false
        scanner.index = envelope.start
        let trade = try CoinbaseTrade(&scanner)
        try say(trade, of: index, isBackfill: isEarlier, at: envelope.receivedTime, into: &output)
    }

    /// `price, best_bid, best_ask, time`, since 2022 with `best_bid_size` and `best_ask_size`.
    private mutating func readExchangeTicker(
        _ scanner: inout JSONScanner, _ envelope: CoinbaseEnvelope, into output: inout VenueOutput
    ) throws(ScanError) {
        guard let index = try instrument(envelope.product, .ticker, in: scanner, into: &output) else {
            return
        }
        scanner.index = envelope.start
        var ticker = CoinbaseTicker()
        try scanner.object { scanner, key throws(ScanError) in
            if try !ticker.read(&scanner, key) { try scanner.skip() }
        }
        try say(ticker, of: index, envelope, into: &output)
    }
}

extension BookSide {
    /// The side that orders of a direction, `buy` or `sell`, rest on.
    init?(order text: JSONText, in scanner: JSONScanner) {
        if scanner.equals(text, "buy") {
            self = .bid
        } else if scanner.equals(text, "sell") {
            self = .ask
        } else {
            return nil
        }
    }
}
