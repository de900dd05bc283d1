/// What a channel such as `market.btcusdt.mbp.150` is about.
///
/// Source: HTX, "Spot API reference", WebSocket market data, and a recording.
struct HuobiTopic {
    enum Kind: Hashable {
        /// A whole book with each message: `depth.step0`, `mbp.refresh.20`.
        case image
        /// Changes of a book, and its image on request: `mbp.150`.
        case changes
        case trades
        /// Best bid and ask.
        case quote
        /// A day's statistics with best bid and ask.
        case ticker
        case candle
    }

    /// In the venue's spelling.
    let symbol: UnsafeRawBufferPointer
    let kind: Kind
    /// The venue's name of a candle's length.
    let interval: Substring

    /// `nil` for a channel of no such kind.
    init?(_ channel: UnsafeRawBufferPointer) {
        let parts = channel.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[0].elementsEqual("market".utf8), !parts[1].isEmpty else { return nil }
        symbol = UnsafeRawBufferPointer(rebasing: parts[1])
        let last = parts.count > 3 ? String(decoding: parts[3], as: UTF8.self) : ""
        interval = Substring(last)
        switch String(decoding: parts[2], as: UTF8.self) {
        // Other steps join prices: they are books of another grain.
        case "depth" where last == "step0": kind = .image
        case "mbp": kind = last == "refresh" ? .image : .changes
        case "trade" where last == "detail": kind = .trades
        case "bbo": kind = .quote
        case "ticker": kind = .ticker
        case "kline": kind = .candle
        default: return nil
        }
    }

    /// Seconds of a candle and its usual name; `nil` for months and years, whose lengths differ.
    static func length(of interval: Substring) -> (seconds: Int64, name: String)? {
        switch interval {
        case "1min": (60, "1m")
        case "5min": (300, "5m")
        case "15min": (900, "15m")
        case "30min": (1_800, "30m")
        case "60min": (3_600, "1h")
        case "4hour": (14_400, "4h")
        case "1day": (86_400, "1d")
        case "1week": (604_800, "1w")
        default: nil
        }
    }

    /// The name of a candle's length in requests.
    static func interval(of seconds: Int64) -> String {
        switch seconds {
        case 14_400: "4hour"
        default: "\(seconds / 60)min"
        }
    }
}
