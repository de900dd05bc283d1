import Instruments
import MarketData

extension BitMEXSession {
    /// What one table, `instrument`, brings.
    static let valuing: ChannelSet = [.mark, .derivative]

    /// Rows of `instrument`: `symbol, timestamp, markPrice`, and the figures of ``DerivativeTicker``; a
    /// changed row has no others than what changed.
    ///
    /// Source: BitMEX WebSocket API, "instrument", read 2026-11.
    mutating func readStates(
        _ scanner: inout JSONScanner, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        try scanner.array { scanner throws(ScanError) in
            var index: InstrumentIndex?
            var price: DecimalNumber?
            var said = DerivativeTicker(receivedTime: time)
            try scanner.object { scanner, key throws(ScanError) in
                if try scanner.takeNull() { return }
                if scanner.equals(key, "symbol") {
                    let text = try scanner.text()
                    index = core.registry.find(scanner.bytes(text))
                } else if scanner.equals(key, "timestamp") {
                    let text = try scanner.text()
                    said.venueTime = Timestamp(iso8601: scanner.bytes(text))
                } else if scanner.equals(key, "markPrice") {
                    price = try scanner.anyDecimal()
                } else if try !said.readBitMEX(&scanner, key) {
                    try scanner.skip()
                }
            }
            guard let index else { return }
            if let price = price?.normalized, price.units > 0 {
                said.markPrice = price
                if core.wants(.mark, index) {
                    let mark = MarkPrice(
                        price: price, venueTime: said.venueTime ?? time, receivedTime: time)
                    output.events.append(.mark(index, mark))
                }
            }
            core.say(said, of: index, into: &output)
        }
    }

    /// New rows of `liquidation`: `orderID, symbol, side, price, leavesQty`, of orders that end positions.
    ///
    /// Their later changes are executions of the same order. They have no time.
    /// Source: BitMEX WebSocket API, "liquidation", read 2026-11.
    mutating func readLiquidations(
        _ scanner: inout JSONScanner, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        try scanner.array { scanner throws(ScanError) in
            var index: InstrumentIndex?
            var id: String?
            var (side, price, size): (Side?, DecimalNumber?, DecimalNumber?)
            try scanner.object { scanner, key throws(ScanError) in
                if scanner.equals(key, "symbol") {
                    let text = try scanner.text()
                    index = core.registry.find(scanner.bytes(text))
                } else if scanner.equals(key, "orderID") {
                    id = scanner.string(try scanner.scalarText())
                } else if scanner.equals(key, "side"), try !scanner.takeNull() {
                    let text = try scanner.text()
                    side = scanner.equals(text, "Buy") ? .buy : scanner.equals(text, "Sell") ? .sell : nil
                } else if scanner.equals(key, "price") {
                    price = try scanner.figure()
                } else if scanner.equals(key, "leavesQty") {
                    size = try scanner.figure()
                } else {
                    try scanner.skip()
                }
            }
            guard let index, let side, let price, let size else { return }
            core.say(
                Liquidation(id: id, side: side, price: price, size: size, venueTime: nil, receivedTime: time),
                of: index, into: &output)
        }
    }
}

extension DerivativeTicker {
    /// Reads `indicativeSettlePrice` (the index price), `fundingRate, indicativeFundingRate,
    /// fundingTimestamp, fundingInterval, openInterest`.
    ///
    /// - Returns: Whether the key was one of these.
    mutating func readBitMEX(_ scanner: inout JSONScanner, _ key: JSONText) throws(ScanError) -> Bool {
        if scanner.equals(key, "indicativeSettlePrice") {
            indexPrice = try scanner.priceFigure()
        } else if scanner.equals(key, "fundingRate") {
            fundingRate = try scanner.figure()
        } else if scanner.equals(key, "indicativeFundingRate") {
            predictedFundingRate = try scanner.figure()
        } else if scanner.equals(key, "fundingTimestamp") {
            nextFundingTime = try scanner.moment()
        } else if scanner.equals(key, "fundingInterval") {
            fundingIntervalSeconds = try scanner.moment().flatMap(Self.seconds)
        } else if scanner.equals(key, "openInterest") {
            openInterest = try scanner.figure()
            if openInterest != nil { openInterestUnit = .contracts }
        } else {
            return false
        }
        return true
    }

    /// An interval is written as the time of the first day of 2000.
    private static func seconds(_ time: Timestamp) -> UInt32? {
        let seconds = time.nanoseconds / 1_000_000_000 - 946_684_800
        return (1...86_400).contains(seconds) ? UInt32(seconds) : nil
    }
}
