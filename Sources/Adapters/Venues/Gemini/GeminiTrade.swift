import Instruments
import MarketData

/// A trade on the socket or by REST.
struct GeminiTrade {
    let id: String
    /// What the taker did; `nil` in an auction, and where the venue names no direction.
    let side: Side?
    let price: DecimalNumber
    let size: DecimalNumber
    let venueTime: Timestamp

    /// Reads `event_id, tid, timestamp, price, quantity, side` of the socket, or `tid, timestampms, price,
    /// amount, type` of REST, whose `timestamp` is in seconds.
    ///
    /// `tid` is the trade's number on both; in 2021 the socket had only `event_id`.
    ///
    /// Source: Gemini, developer documentation, "Market data, Version 2, Level 2 Data".
    init(_ scanner: inout JSONScanner) throws(ScanError) {
        var eventID: String?
        var tradeID: String?
        var (milliseconds, exact): (Int64?, Int64?) = (nil, nil)
        var (price, size): (DecimalNumber?, DecimalNumber?) = (nil, nil)
        // `type` says "trade" on the socket, and the direction by REST.
        var (side, type): (JSONText?, JSONText?) = (nil, nil)
        try scanner.object { scanner, key throws(ScanError) in
            if scanner.equals(key, "event_id") {
                let text = try scanner.scalarText()
                eventID = scanner.string(text)
            } else if scanner.equals(key, "tid") {
                let text = try scanner.scalarText()
                tradeID = scanner.string(text)
            } else if scanner.equals(key, "timestamp") {
                milliseconds = try scanner.integer()
            } else if scanner.equals(key, "timestampms") {
                exact = try scanner.integer()
            } else if scanner.equals(key, "price") {
                price = try scanner.rawDecimal()
            } else if scanner.equals(key, "quantity") || scanner.equals(key, "amount") {
                size = try scanner.rawDecimal()
            } else if scanner.equals(key, "side") {
                side = try scanner.textIfAny()
            } else if scanner.equals(key, "type") {
                type = try scanner.textIfAny()
            } else {
                try scanner.skip()
            }
        }
        guard let id = tradeID ?? eventID, !id.isEmpty, let price, let size,
            let time = exact ?? milliseconds, let venueTime = Timestamp(milliseconds: time)
        else { throw .malformed }
        let isBuy = [side, type].compactMap { $0 }.contains { scanner.equals($0, "buy") }
        let isSell = [side, type].compactMap { $0 }.contains { scanner.equals($0, "sell") }
        self.side = isBuy ? .buy : isSell ? .sell : nil
        (self.id, self.price, self.size, self.venueTime) = (id, price, size, venueTime)
    }
}
