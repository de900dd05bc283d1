import Instruments
import Venues

/// The streamers of CryptoCompare and CoinDesk Data, without I/O: what to send, and what comes.
///
/// A message tells only what changed: absent fields stay as they were.
///
/// Source: CryptoCompare API documentation, "Websockets, How To Connect, Ticker, Aggregate Index, Trade", and
/// CoinDesk Data API documentation, "WebSocket, Index & Reference Rates Latest Tick, Message Types", read
/// 2026-11.
package struct ProviderStream: Sendable {
    /// Which streamer it is.
    package enum Kind: Hashable, Sendable {
        case cryptoCompare
        case coinDesk
    }

    /// The most channels whose fields are kept; more are told of with what their messages say alone.
    static let limit = 2_000

    package let kind: Kind
    private var known: [ProviderChannel: CoinQuote] = [:]

    /// A stream that nothing came of.
    package init(_ kind: Kind) { self.kind = kind }

    /// What asks for channels.
    package func subscribing(to channels: [ProviderChannel], trades: Bool = false) -> String {
        request(channels, trades, cryptoCompare: "SubAdd", coinDesk: "SUBSCRIBE")
    }

    /// What gives channels up.
    package mutating func unsubscribing(from channels: [ProviderChannel], trades: Bool = false) -> String {
        if !trades { for channel in channels { known[channel] = nil } }
        return request(channels, trades, cryptoCompare: "SubRemove", coinDesk: "UNSUBSCRIBE")
    }

    private func request(
        _ channels: [ProviderChannel], _ trades: Bool, cryptoCompare: String, coinDesk: String
    ) -> String {
        func list(_ texts: [String]) -> String { texts.map { "\"\($0)\"" }.joined(separator: ",") }
        switch kind {
        case .cryptoCompare:
            let subs = channels.map { $0.cryptoCompare(trades: trades) }
            return #"{"action":"\#(cryptoCompare)","subs":[\#(list(subs))]}"#
        case .coinDesk:
            let names = channels.map { "\($0.base)-\($0.quote)" }
            return #"{"action":"\#(coinDesk)","type":"index_cc_v1_latest_tick","market":"cadli","#
                + #""groups":["VALUE","LAST_UPDATE","MOVING_24_HOUR"],"instruments":[\#(list(names))]}"#
        }
    }

    /// Forgets what was said: a new connection begins with whole messages.
    package mutating func reset() { known = [:] }

    /// Reads a message.
    ///
    /// - Throws: ``ProviderError/malformed``; what was known stays.
    package mutating func read(_ message: [UInt8]) throws(ProviderError) -> StreamEvent {
        let head = try ProviderJSON.read(message) { scanner throws(ScanError) in
            try StreamHead.read(&scanner)
        }
        return switch (kind, head.type) {
        case (.cryptoCompare, "0"): try trade(message, head)
        case (.cryptoCompare, "2"), (.cryptoCompare, "5"): try quote(message, head)
        // 266 is a tick of an index whatever its family, 985 one of cadli, 1101 cadli's newer one.
        case (.coinDesk, "266"), (.coinDesk, "985"), (.coinDesk, "1101"): try quote(message, head)
        default: Self.control(kind, head)
        }
    }

    private static func control(_ kind: Kind, _ head: StreamHead) -> StreamEvent {
        switch (kind, head.type) {
        case (.cryptoCompare, "20"), (.coinDesk, "4000"): .welcome
        case (.cryptoCompare, "16"), (.cryptoCompare, "3"), (.coinDesk, "4005"), (.coinDesk, "4007"):
            .confirmed
        case (.cryptoCompare, "999"), (.coinDesk, "4013"): .heartbeat
        case (.cryptoCompare, "429"), (.coinDesk, "4002"): .busy(head.words)
        case (.cryptoCompare, "401"), (.cryptoCompare, "500"): .refused(head.words)
        case (.coinDesk, "4001"), (.coinDesk, "4003"), (.coinDesk, "4004"), (.coinDesk, "4006"),
            (.coinDesk, "4012"):
            .refused(head.words)
        default: .other
        }
    }

    private func channel(_ head: StreamHead) throws(ProviderError) -> ProviderChannel {
        guard !head.from.isEmpty, !head.to.isEmpty else { throw .malformed }
        let market = head.market.isEmpty && kind == .coinDesk ? "cadli" : head.market
        return ProviderChannel(
            market: market, base: Asset(rawValue: head.from), quote: Asset(rawValue: head.to))
    }

    private mutating func quote(
        _ message: [UInt8], _ head: StreamHead
    ) throws(ProviderError) -> StreamEvent {
        let (channel, kind) = (try channel(head), kind)
        var quote = known[channel] ?? CoinQuote(id: head.from, symbol: channel.base)
        quote = try ProviderJSON.read(message) { scanner throws(ScanError) in
            var changed = quote
            try scanner.object { scanner, key throws(ScanError) in
                if kind == .cryptoCompare {
                    try changed.take(cryptoCompare: key, from: &scanner)
                } else {
                    try changed.take(coinDesk: key, from: &scanner)
                }
            }
            return changed
        }
        if known[channel] != nil || known.count < Self.limit { known[channel] = quote }
        return .quote(channel, quote)
    }

    private func trade(_ message: [UInt8], _ head: StreamHead) throws(ProviderError) -> StreamEvent {
        let channel = try channel(head)
        var (id, price, size): (String, Amount?, Amount?) = ("", nil, nil)
        var (time, flags): (Timestamp?, Int64?)
        try ProviderJSON.read(message) { scanner throws(ScanError) in
            try scanner.object { scanner, key throws(ScanError) in
                switch scanner.string(key) {
                case "ID": id = scanner.string(try scanner.scalarText()) ?? ""
                case "P": price = try scanner.positive()
                case "Q": size = try scanner.positive()
                case "TS": time = try scanner.seconds()
                case "F": flags = try scanner.integer()
                default: try scanner.skip()
                }
            }
        }
        guard let price, let size else { throw .malformed }
        // 1 is a sale, 2 a purchase, 4 unknown; others are sums of what does not matter here.
        let isBuy: Bool? = flags.flatMap { $0 & 3 == 1 ? false : $0 & 3 == 2 ? true : nil }
        let trade = StreamedTrade(id: id, price: price, size: size, time: time, isBuy: isBuy)
        return .trade(channel, trade)
    }
}
