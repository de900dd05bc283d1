import Instruments
import MarketData

extension BinanceSession {
    /// What one stream, `markPrice`, brings.
    static let marking: ChannelSet = [.mark, .derivative]
    /// How often the open interest of one instrument is asked for, and how often any at the most.
    private static let interestEvery: (one: Int64, any: Int64) = (60_000_000_000, 1_000_000_000)

    /// `markPriceUpdate`: `E, s, p` (mark price), `i` (index price), `r` (funding rate), `T` (next funding).
    ///
    /// `r` is empty and `T` is 0 where a contract has an end. The interval of funding is not said.
    /// Source: Binance USD-M and COIN-M futures API documentation, "Mark Price Stream", read 2026-11.
    mutating func readMark(
        _ scanner: inout JSONScanner, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        let body = scanner.index
        guard let index = try symbol(&scanner, from: body, for: BinanceSession.marking, into: &output) else {
            return
        }
        scanner.index = body
        var said = DerivativeTicker(receivedTime: time)
        var price: DecimalNumber?
        try scanner.object { scanner, key throws(ScanError) in
            switch scanner.single(key) {
            case 0x70: price = try scanner.rawDecimal()  // p
            case 0x69: said.indexPrice = try scanner.priceFigure()  // i
            case 0x72: said.fundingRate = try scanner.figure()  // r
            case 0x54: said.nextFundingTime = try scanner.moment()  // T
            case 0x45: said.venueTime = Timestamp(milliseconds: try scanner.integer())  // E
            default: try scanner.skip()
            }
        }
        guard let price = price?.normalized, price.units > 0, let venueTime = said.venueTime else {
            throw .malformed
        }
        if core.wants(.mark, index) {
            output.events.append(
                .mark(index, MarkPrice(price: price, venueTime: venueTime, receivedTime: time)))
        }
        said.markPrice = price
        core.say(said, of: index, into: &output)
    }

    /// `forceOrder`: `o` with `s, S` (side of the order), `q` (size), `p` (its limit), `T`; without an id.
    ///
    /// At the most the newest of a second of each symbol.
    /// Source: Binance USD-M and COIN-M futures API documentation, "Liquidation Order Streams", read 2026-11.
    mutating func readLiquidation(
        _ scanner: inout JSONScanner, at time: Timestamp, into output: inout VenueOutput
    ) throws(ScanError) {
        try scanner.object { scanner, key throws(ScanError) in
            guard scanner.single(key) == 0x6F, try scanner.peek() == 0x7B else { return try scanner.skip() }
            let body = scanner.index
            guard let index = try symbol(&scanner, from: body, for: .liquidation, into: &output) else {
                return
            }
            scanner.index = body
            var (side, price, size): (Side?, DecimalNumber?, DecimalNumber?)
            var venueTime: Timestamp?
            try scanner.object { scanner, key throws(ScanError) in
                switch scanner.single(key) {
                case 0x53:  // S
                    let text = try scanner.text()
                    side = scanner.equals(text, "BUY") ? .buy : scanner.equals(text, "SELL") ? .sell : nil
                case 0x70: price = try scanner.figure()  // p
                case 0x71: size = try scanner.figure()  // q
                case 0x54: venueTime = try scanner.moment()  // T
                default: try scanner.skip()
                }
            }
            guard let side, let price, let size else { throw .malformed }
            core.say(
                Liquidation(side: side, price: price, size: size, venueTime: venueTime, receivedTime: time),
                of: index, into: &output)
        }
    }

    // MARK: - Open interest

    /// Asks for the open interest of one instrument after the other, each once a minute.
    ///
    /// No stream has it. A request weighs 1 of 2,400 a minute.
    /// Source: Binance USD-M and COIN-M futures API documentation, "Open Interest", read 2026-11.
    mutating func askForOpenInterest(at time: Timestamp, into output: inout VenueOutput) {
        guard isFutures, isUp(market.roots.count - 1), time >= interests.due else { return }
        // Those that the stream has spoken of: alone it would be told as all that is known.
        let wanted = core.registry.indices.filter { core.derivatives[$0] != nil }
        guard !wanted.isEmpty else { return }
        let index = wanted[interests.place % wanted.count]
        interests.place = (interests.place + 1) % wanted.count
        let every = BinanceSession.interestEvery
        interests.due = time.adding(nanoseconds: max(every.any, every.one / Int64(wanted.count)))
        let symbol = URLText.escape(core.registry[index].symbol)
        output.actions.append(
            .request(
                VenueRequest(
                    purpose: .openInterest(index), url: route("openInterest") + "?symbol=\(symbol)")))
    }

    /// `openInterest, symbol, time`: units of the base asset, or contracts of COIN-M.
    mutating func readOpenInterest(
        _ scanner: inout JSONScanner, _ index: InstrumentIndex, at time: Timestamp,
        into output: inout VenueOutput
    ) throws(ScanError) {
        var said = DerivativeTicker(receivedTime: time)
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "openInterest") {
                said.openInterest = try scanner.figure()
            } else if scanner.equals(key, "time") {
                said.venueTime = try scanner.moment()
            } else {
                try scanner.skip()
            }
        }
        guard said.openInterest != nil else { throw .malformed }
        // The connection may be gone since it was asked for.
        guard core.derivatives[index] != nil else { return }
        said.openInterestUnit = market == .coinm ? .contracts : .base
        core.say(said, of: index, into: &output)
    }
}
