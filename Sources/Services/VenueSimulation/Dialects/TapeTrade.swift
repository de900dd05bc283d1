import Instruments
import MarketState

/// A recorded trade, for the routes that give trades again.
struct TapeTrade: Hashable, Sendable {
    /// Empty where the venue gives none.
    var id = ""
    /// As it was written.
    var price: String
    /// As it was written.
    var size: String
    var time: Timestamp
    /// What the taker did.
    var isBuy: Bool
}

extension TradeQuery {
    /// Whether a trade is within what is asked for.
    func contains(_ trade: TapeTrade) -> Bool {
        if let id = Int64(trade.id) {
            if let fromID, id < fromID { return false }
            if let beforeID, id >= beforeID { return false }
        }
        if let start, trade.time < start { return false }
        if let end, trade.time > end { return false }
        return true
    }

    /// The trades that an answer has room for, in its order: from a beginning on the first ones, else the
    /// newest.
    func page(_ trades: [TapeTrade]) -> [TapeTrade] {
        var seen: Set<String> = []
        // Subscriptions repeat the newest trades.
        let wanted = trades.filter { contains($0) && ($0.id.isEmpty || seen.insert($0.id).inserted) }
        let isForward = fromID != nil || start != nil
        let page = Array(isForward ? wanted.prefix(limit) : wanted.suffix(limit))
        return isReversed ? page.reversed() : page
    }
}

extension CandleQuery {
    /// Of the candles that are over those that an answer has room for, in its order.
    ///
    /// One that is open is left out, also where the venue gives it: a client that goes by the time of day
    /// would take one of an old recording for final.
    func page(_ candles: [Candle]) -> [Candle] {
        let wanted = candles.filter { $0.flags.contains(.closed) && contains($0.start) }
        let page = Array(takesNewest ? wanted.suffix(limit) : wanted.prefix(limit))
        return isReversed ? page.reversed() : page
    }
}
