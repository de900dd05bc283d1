public import Instruments
public import MarketData

/// A venue's REST route of past candles, without I/O: what to ask, how often, and what an answer says.
///
/// Sources, read 2026-11:
/// - Binance, "Spot API, Market data endpoints, Kline/Candlestick data" and "Limits": at most 1,000 rows;
///   weight 2 of 6,000 a minute.
/// - Binance.US, "API documentation, Market data": at most 1,000 rows; weight 1 of 1,200 a minute.
/// - Binance, "USDⓈ-M futures, Kline/Candlestick data": weight 5 of 2,400 a minute for 500 to 1,000 rows.
/// - Kraken, "Spot REST API, Get OHLC data": the newest 720 rows, whatever `since` says; the last is open.
///   "API rate limits": public routes once a second.
/// - BitMEX, "API explorer, /trade/bucketed": at most 1,000 rows; a row's time is the end of its interval.
///   "Rate limits": 30 requests a minute without a key.
public struct VenueCandleHistory: Sendable {
    private enum Route: Sendable { case binance, kraken, bitmex }

    /// Whose.
    public let venue: Venue
    /// The venue's lengths of candles in seconds, shortest first, among those that are kept.
    ///
    /// Kraken's weeks begin on Thursday and are not ours.
    public let lengths: [Int64]
    /// The most candles of one page.
    public let pageSize: Int
    /// How many of the newest candles can be had at all; `nil` for all that there ever were.
    public let reach: Int?
    /// How often pages may be asked for.
    public let pace: HistoryPace
    private let route: Route
    private let root: String

    /// The history of a venue; `nil` for one that is not `Venue.known`.
    ///
    /// - Parameters:
    ///   - venue: Whose.
    ///   - restURL: Address of the REST interface without a path; `nil` for the public one.
    public init?(venue: Venue, restURL: String? = nil) {
        let all: [Int64] = [60, 300, 900, 1_800, 3_600, 14_400, 86_400]
        let minute: Int64 = 60_000_000_000
        self.venue = venue
        switch venue {
        case .binance:
            (route, lengths, pageSize, reach) = (.binance, [1] + all + [604_800], 1_000, nil)
            pace = HistoryPace(capacity: 6_000, refillEvery: minute / 6_000, cost: 2)
        case .binanceUS:
            (route, lengths, pageSize, reach) = (.binance, all + [604_800], 1_000, nil)
            pace = HistoryPace(capacity: 1_200, refillEvery: minute / 1_200, cost: 1)
        case .binanceUSDM:
            (route, lengths, pageSize, reach) = (.binance, all + [604_800], 1_000, nil)
            pace = HistoryPace(capacity: 2_400, refillEvery: minute / 2_400, cost: 5)
        case .kraken:
            (route, lengths, pageSize, reach) = (.kraken, all, 720, 720)
            pace = HistoryPace(capacity: 1, refillEvery: minute / 60, cost: 1)
        case .bitmex:
            (route, lengths, pageSize, reach) = (.bitmex, [60, 300, 3_600, 86_400], 1_000, nil)
            pace = HistoryPace(capacity: 30, refillEvery: minute / 30, cost: 1)
        default: return nil
        }
        root = restURL ?? VenueConfiguration.publicEndpoints(of: venue).rest
    }

    /// The request for the first page of a span.
    ///
    /// Where only the newest candles can be had, one page is about the whole span.
    ///
    /// - Parameters:
    ///   - symbol: In the venue's spelling.
    ///   - seconds: One of ``lengths``.
    ///   - from: The first start that is wanted, a multiple of the length.
    ///   - to: The first start that is not; later than `from`.
    /// - Returns: What to GET, and how far it reaches.
    public func page(of symbol: String, seconds: Int64, from: Timestamp, to: Timestamp) -> HistoryPage {
        let length = seconds * 1_000_000_000
        let limit = from.adding(nanoseconds: length * Int64(pageSize))
        let end = reach == nil ? min(to, limit) : to
        let url =
            switch route {
            case .binance: BinanceHistory.url(venue, symbol, seconds, from, end, limit: pageSize)
            case .kraken: KrakenHistory.url(symbol, seconds, from)
            case .bitmex: BitMEXHistory.url(symbol, seconds, from, end, limit: pageSize)
            }
        return HistoryPage(url: root + url, from: from, to: end, seconds: seconds)
    }

    /// The candles of an answer that the page is about and that are over, earliest first.
    ///
    /// - Parameters:
    ///   - body: The answer's body.
    ///   - page: What was asked.
    ///   - now: Candles that end later are still open.
    /// - Returns: Nothing where the venue has none.
    /// - Throws: ``HistoryError``.
    public func parse(
        _ body: UnsafeRawBufferPointer, of page: HistoryPage, at now: Timestamp
    ) throws(HistoryError) -> [HistoryCandle] {
        var candles: [HistoryCandle] = []
        do throws(ScanError) {
            guard var scanner = JSONScanner(body) else { throw .malformed }
            switch route {
            case .binance: candles = try BinanceHistory.read(&scanner)
            case .kraken: candles = try KrakenHistory.read(&scanner)
            case .bitmex: candles = try BitMEXHistory.read(&scanner, seconds: page.seconds)
            }
        } catch {
            throw refusal(body)
        }
        let length = page.seconds * 1_000_000_000
        candles.removeAll { candle in
            candle.start < page.from || candle.start >= page.to
                || candle.start.adding(nanoseconds: length) > now
        }
        return candles.sorted { $0.start < $1.start }
    }

    /// What the venue says instead of candles, as far as it can be understood.
    public func refusal(_ body: UnsafeRawBufferPointer) -> HistoryError {
        guard var scanner = JSONScanner(body) else { return .malformed }
        let text =
            switch route {
            case .binance: try? HistoryText.field("msg", in: &scanner)
            case .kraken: try? KrakenHistory.complaint(&scanner)
            case .bitmex: try? BitMEXHistory.complaint(&scanner)
            }
        guard let text, !text.isEmpty else { return .malformed }
        let isBusy = ["Rate limit", "Too many requests", "Unavailable", "Busy"].contains { text.contains($0) }
        return isBusy ? .busy(text) : .refused(text)
    }
}
