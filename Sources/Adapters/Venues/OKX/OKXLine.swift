import Instruments

/// The watch over OKX's second connection, which brings single trades and candles.
struct OKXLine: Sendable {
    /// The numbers of the connections: that of books, tickers and mark prices, and this one.
    static let main = 0
    static let business = 1

    /// Whether it was asked for.
    var isAsked = false
    private(set) var isUp = false
    private var lastReceived = Timestamp.zero
    private var pingedAt: Timestamp?

    mutating func opened(at time: Timestamp) {
        isUp = true
        received(at: time)
    }

    mutating func received(at time: Timestamp) {
        lastReceived = time
        pingedAt = nil
    }

    mutating func closed() { isUp = false }

    /// What silence asks for.
    mutating func watch(at time: Timestamp, _ limit: SilenceLimit) -> SessionCore.Watch {
        guard isUp else { return .nothing }
        return limit.watch(since: lastReceived, pinged: &pingedAt, at: time)
    }
}
