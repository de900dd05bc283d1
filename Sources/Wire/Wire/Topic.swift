public import Instruments

/// The names under which messages travel: tokens joined by dots, ending in a dot, so that a prefix selects
/// exactly.
///
/// The kind comes first and the instrument last: `trade.binance-usdm.BTCUSDT.`. In a symbol `%`, dot, space
/// and slash are percent-escaped, so that it stays one token.
public enum Topic {
    /// The topic `trade.<venue>.<symbol>.`, which ends in a dot.
    public static func trade(_ id: InstrumentID) -> String { of("trade", id) }
    /// The topic `trade.stored.<venue>.<symbol>.`, which ends in a dot.
    public static func tradesStored(_ id: InstrumentID) -> String { of("trade.stored", id) }
    /// The topic `ticker.<venue>.<symbol>.`, which ends in a dot.
    public static func ticker(_ id: InstrumentID) -> String { of("ticker", id) }
    /// The topic `mark.<venue>.<symbol>.`, which ends in a dot.
    public static func mark(_ id: InstrumentID) -> String { of("mark", id) }
    /// The topic `derivative.<venue>.<symbol>.`, which ends in a dot.
    public static func derivative(_ id: InstrumentID) -> String { of("derivative", id) }
    /// The topic `liquidation.<venue>.<symbol>.`, which ends in a dot.
    public static func liquidation(_ id: InstrumentID) -> String { of("liquidation", id) }
    /// The topic `ticker.day.<venue>.<symbol>.`, which ends in a dot.
    public static func dayTicker(_ id: InstrumentID) -> String { of("ticker.day", id) }
    /// The topic `market.tickers.<venue>.<part>.`, which ends in a dot.
    public static func marketTickers(_ venue: Venue, part: Int) -> String {
        "market.tickers.\(escape(venue.rawValue)).\(part)."
    }
    /// The topic `index.<base>-<quote>.`, which ends in a dot.
    public static func index(base: String, quote: String) -> String {
        "index.\(escape(base))-\(escape(quote))."
    }
    /// The topic `portfolio.valuation.<portfolio id>.`, which ends in a dot.
    public static func portfolioValuation(_ portfolio: String) -> String {
        "portfolio.valuation.\(escape(portfolio))."
    }
    /// The topic `candle.<interval>.<venue>.<symbol>.`, which ends in a dot.
    public static func candle(interval: String, _ id: InstrumentID) -> String {
        of("candle.\(escape(interval))", id)
    }
    /// The topic `book.delta.<venue>.<symbol>.`, which ends in a dot.
    public static func bookDelta(_ id: InstrumentID) -> String { of("book.delta", id) }
    /// The topic `book.snapshot.<venue>.<symbol>.`, which ends in a dot.
    public static func bookSnapshot(_ id: InstrumentID) -> String { of("book.snapshot", id) }
    /// The topic `book.depth.<venue>.<symbol>.`, which ends in a dot.
    public static func bookDepth(_ id: InstrumentID) -> String { of("book.depth", id) }
    /// The topic `book.top.<venue>.<symbol>.`, which ends in a dot.
    public static func bookTop(_ id: InstrumentID) -> String { of("book.top", id) }
    /// The topic `book.audit.<venue>.<symbol>.`, which ends in a dot.
    public static func bookAudit(_ id: InstrumentID) -> String { of("book.audit", id) }
    /// The topic `heartbeat.<producer>.`, which ends in a dot.
    public static func heartbeat(producer: String) -> String { "heartbeat.\(escape(producer))." }
    /// The topic `feed.status.<venue>.`, which ends in a dot.
    public static func feedStatus(_ venue: Venue) -> String { "feed.status.\(escape(venue.rawValue))." }
    /// The topic `service.status.<service>.<instance>.`, which ends in a dot.
    public static func serviceStatus(service: String, instance: String) -> String {
        "service.status.\(escape(service)).\(escape(instance))."
    }
    /// The topic `control.<command>.<venue>.<symbol>.`, which ends in a dot.
    public static func control(command: String, _ id: InstrumentID) -> String {
        of("control.\(escape(command))", id)
    }
    /// The topic `control.reply.<request id>.`, which ends in a dot.
    public static func controlReply(requestID: String) -> String { "control.reply.\(escape(requestID))." }

    /// Replaces `%`, dot, space and slash by `%25`, `%2E`, `%20` and `%2F`.
    public static func escape(_ token: String) -> String {
        guard token.utf8.contains(where: isReserved) else { return token }
        var escaped = ""
        for scalar in token.unicodeScalars {
            switch scalar {
            case "%": escaped += "%25"
            case ".": escaped += "%2E"
            case " ": escaped += "%20"
            case "/": escaped += "%2F"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Undoes ``escape(_:)``; any other `%` is left as it is.
    public static func unescape(_ token: Substring) -> String {
        guard token.utf8.contains(0x25) else { return String(token) }
        // Bytes, not characters: a combining mark would join on to the escape before it.
        var bytes: [UInt8] = []
        var rest = token.utf8[...]
        while let byte = rest.popFirst() {
            if byte == 0x25, let reserved = reserved(rest.prefix(2)) {
                bytes.append(reserved)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func reserved(_ code: Substring.UTF8View) -> UInt8? {
        switch String(Substring(code)) {
        case "25": 0x25
        case "2E": 0x2E
        case "20": 0x20
        case "2F": 0x2F
        default: nil
        }
    }

    /// The instrument that a topic ends in; `nil` for topics that name none.
    public static func instrument(in topic: String) -> InstrumentID? {
        guard topic.utf8.last == 0x2E else { return nil }
        let tokens = topic.utf8.dropLast().split(separator: 0x2E, omittingEmptySubsequences: false)
            .map { Substring($0) }
        let leading: Int
        switch tokens.first {
        case "trade": leading = tokens.count > 1 && tokens[1] == "stored" && tokens.count == 4 ? 2 : 1
        case "ticker": leading = tokens.count > 1 && tokens[1] == "day" && tokens.count == 4 ? 2 : 1
        case "mark", "derivative", "liquidation": leading = 1
        case "candle", "book": leading = 2
        case "control": leading = tokens.count > 1 && tokens[1] == "reply" ? .max : 2
        default: return nil
        }
        guard leading != .max, tokens.count == leading + 2, !tokens[leading].isEmpty,
            !tokens[leading + 1].isEmpty
        else { return nil }
        return InstrumentID(
            venue: Venue(rawValue: unescape(tokens[leading])), symbol: unescape(tokens[leading + 1]))
    }

    /// Prefixes of the topics that the broker retains, each ending in a dot.
    ///
    /// Deltas are retained with their snapshot.
    public static let retainedPrefixes = [
        "book.snapshot.", "book.top.", "ticker.", "index.", "feed.status.", "service.status.",
        "portfolio.valuation.",
        "book.depth.", "mark.",
        "market.tickers.", "derivative.", "book.audit.",
    ]

    /// Whether the broker keeps the last message of the topic.
    public static func isState(_ topic: String) -> Bool { retainedPrefixes.contains { topic.hasPrefix($0) } }

    private static func of(_ kind: String, _ id: InstrumentID) -> String {
        "\(kind).\(escape(id.venue.rawValue)).\(escape(id.symbol))."
    }

    private static func isReserved(_ byte: UInt8) -> Bool {
        byte == 0x25 || byte == 0x2E || byte == 0x20 || byte == 0x2F
    }
}
