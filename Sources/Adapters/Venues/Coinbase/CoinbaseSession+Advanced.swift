import Instruments
import MarketData

extension CoinbaseSession {
    /// A message of Advanced Trade: `channel, timestamp, sequence_num, events`.
    mutating func readAdvanced(
        _ scanner: inout JSONScanner, _ envelope: CoinbaseEnvelope, into output: inout VenueOutput
    ) throws(ScanError) {
        guard let channel = envelope.channel, isNew(envelope, into: &output) else { return }
        let read: (inout CoinbaseSession, inout JSONScanner, inout VenueOutput) throws(ScanError) -> Void
        if scanner.equals(channel, "l2_data") {
            read = { session, scanner, output throws(ScanError) in
                try session.readBookEvent(&scanner, envelope, into: &output)
            }
        } else if scanner.equals(channel, "market_trades") {
            read = { session, scanner, output throws(ScanError) in
                try session.readTrades(&scanner, envelope, into: &output)
            }
        } else if scanner.equals(channel, "ticker") || scanner.equals(channel, "ticker_batch") {
            read = { session, scanner, output throws(ScanError) in
                try session.readTickers(&scanner, envelope, into: &output)
            }
        } else if scanner.equals(channel, "candles") {
            read = { session, scanner, output throws(ScanError) in
                try session.readCandles(&scanner, envelope, into: &output)
            }
        } else {
            return
        }
        guard let events = envelope.events else { throw .malformed }
        scanner.index = events
        try scanner.array { scanner throws(ScanError) in try read(&self, &scanner, &output) }
    }

    /// Step 3 of the procedure.
    ///
    /// - Returns: Whether the message is not the last one again.
    private mutating func isNew(_ envelope: CoinbaseEnvelope, into output: inout VenueOutput) -> Bool {
        guard let number = envelope.number else { return true }
        let last = numbers.updateValue(number, forKey: envelope.connection)
        guard let last, number != last &+ 1 else { return true }
        if number == last {
            output.counters.staleDropped &+= 1
            return false
        }
        output.counters.gaps &+= 1
        let detail = "expected \(last &+ 1), received \(number)"
        for tracker in core.trackers
        where tracker.isFollowing && homes[tracker.index.offset] == envelope.connection {
            core.lose(
                tracker.index, .sequenceGap, detail, at: envelope.receivedTime, into: &output)
        }
        return true
    }

    // MARK: - Books

    /// `type` (`snapshot` or `update`), `product_id` and `updates` of one product.
    private mutating func readBookEvent(
        _ scanner: inout JSONScanner, _ envelope: CoinbaseEnvelope, into output: inout VenueOutput
    ) throws(ScanError) {
        var type: JSONText?
        var product: JSONText?
        var updates: Int?
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "type") {
                type = try scanner.textIfAny()
            } else if scanner.equals(key, "product_id") {
                product = try scanner.textIfAny()
            } else {
                if scanner.equals(key, "updates") { updates = scanner.index }
                try scanner.skip()
            }
        }
        let end = scanner.index
        guard let type, let updates else { throw .malformed }
        let isSnapshot = scanner.equals(type, "snapshot")
        guard isSnapshot || scanner.equals(type, "update") else { throw .malformed }
        guard let index = try instrument(product, .book, in: scanner, into: &output) else { return }
        let start = output.levels.count
        try core.readingAgain(index, into: &output) { forms, levels throws(ScanError) in
            scanner.index = updates
            if try scanner.takeNull() { return }
            try scanner.array { scanner throws(ScanError) in try scanner.bookUpdate(forms, into: &levels) }
        }
        scanner.index = end
        if isSnapshot {
            takeImage(index, from: start, envelope, into: &output)
        } else {
            takeChanges(index, from: start, envelope, into: &output)
        }
    }

    // MARK: - Tape

    /// Walks the rows of one kind of an event.
    ///
    /// - Returns: Whether they are a snapshot: what happened before the subscription.
    private func rows(
        _ name: StaticString, _ scanner: inout JSONScanner,
        _ body: (inout JSONScanner) throws(ScanError) -> Void
    ) throws(ScanError) -> Bool {
        var isSnapshot = false
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "type") {
                let type = try scanner.textIfAny()
                isSnapshot = type.map { scanner.equals($0, "snapshot") } ?? false
            } else if scanner.equals(key, name), try !scanner.takeNull() {
                try scanner.array(body)
            } else if !scanner.equals(key, name) {
                try scanner.skip()
            }
        }
        return isSnapshot
    }

    private mutating func readTrades(
        _ scanner: inout JSONScanner, _ envelope: CoinbaseEnvelope, into output: inout VenueOutput
    ) throws(ScanError) {
        var trades: [CoinbaseTrade] = []
        let isEarlier = try rows("trades", &scanner) { scanner throws(ScanError) in
            trades.append(try CoinbaseTrade(&scanner))
        }
        for trade in trades {
            guard let index = try instrument(trade.product, .trade, in: scanner, into: &output) else {
                continue
            }
            try say(trade, of: index, isBackfill: isEarlier, at: envelope.receivedTime, into: &output)
        }
    }

    private mutating func readTickers(
        _ scanner: inout JSONScanner, _ envelope: CoinbaseEnvelope, into output: inout VenueOutput
    ) throws(ScanError) {
        var tickers: [CoinbaseTicker] = []
        _ = try rows("tickers", &scanner) { scanner throws(ScanError) in
            var ticker = CoinbaseTicker()
            try scanner.object { scanner, key throws(ScanError) in
                if try !ticker.read(&scanner, key) { try scanner.skip() }
            }
            tickers.append(ticker)
        }
        for ticker in tickers {
            guard let index = try instrument(ticker.product, .ticker, in: scanner, into: &output) else {
                continue
            }
            try say(ticker, of: index, envelope, into: &output)
        }
    }
}

extension JSONScanner {
    /// `side` (`bid` or `offer`), `price_level` and `new_quantity`; `event_time` is the level's own.
    fileprivate mutating func bookUpdate(
        _ forms: (price: DecimalForm, size: DecimalForm), into levels: inout [BookLevelChange]
    ) throws(ScanError) {
        var side: BookSide?
        var price: ScannedDecimal?
        var size: ScannedDecimal?
        try object { scanner, key throws(ScanError) in
            if scanner.equals(key, "side") {
                let text = try scanner.text()
                if scanner.equals(text, "bid") {
                    side = .bid
                } else if scanner.equals(text, "offer") || scanner.equals(text, "ask") {
                    side = .ask
                }
            } else if scanner.equals(key, "price_level") {
                price = try scanner.decimal(forms.price)
            } else if scanner.equals(key, "new_quantity") {
                size = try scanner.decimal(forms.size)
            } else {
                try scanner.skip()
            }
        }
        guard let side, let price, let size else { throw .malformed }
        try levels.add(side, price, size)
    }
}
