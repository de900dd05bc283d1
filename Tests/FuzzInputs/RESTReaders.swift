import Instruments
import MarketData
import Venues

/// What reads a venue's answers without a session: the prices of all its markets and its past candles.
struct RESTReaders {
    /// A Monday, so that candles of any length may begin then.
    private static let start = Timestamp(nanoseconds: 345_600_000_000_000)
    private static let end = Timestamp(nanoseconds: 4_000_000_000_000_000_000)

    private var tickers: VenueTickers?
    private let history: VenueCandleHistory?

    init(_ configuration: VenueConfiguration) {
        tickers = VenueTickers(configuration)
        // Named, since one that has closed is asked at no other address.
        history = VenueCandleHistory(configuration.description, restURL: configuration.restURL)
    }

    /// `<page> <body>`, `n <body>` or `s <body>`.
    mutating func readTickers(_ line: ArraySlice<UInt8>) {
        let (word, body) = Self.halves(line)
        let rows = body.withUnsafeBytes { body -> TickerRows? in
            switch word {
            case "n":
                _ = tickers?.takeNames(body)
                return nil
            case "s": return tickers?.readStream(body)
            default: return Int(word).flatMap { tickers?.read(body, of: $0) }
            }
        }
        let isPriced = rows?.tickers.allSatisfy { $0.last.units > 0 } ?? true
        precondition(isPriced, "a market without a price")
    }

    /// `<seconds> <body>`.
    func readHistory(_ line: ArraySlice<UInt8>) {
        let (word, body) = Self.halves(line)
        guard let history, let seconds = Int64(word), history.lengths.contains(seconds) else { return }
        let page = history.page(of: "A", seconds: seconds, from: Self.start, to: Self.end)
        let candles = (try? body.withUnsafeBytes { try history.parse($0, of: page, at: Self.end) }) ?? []
        precondition(
            candles.allSatisfy { $0.start >= page.from && $0.start < page.to }, "outside of the page")
        let isSorted = zip(candles, candles.dropFirst()).allSatisfy { $0.start <= $1.start }
        precondition(isSorted, "candles out of order")
    }

    private static func halves(_ line: ArraySlice<UInt8>) -> (word: String, body: [UInt8]) {
        let parts = line.split(separator: 0x20, maxSplits: 1, omittingEmptySubsequences: false)
        return (
            String(decoding: parts.first ?? [], as: UTF8.self), parts.count > 1 ? Array(parts[1]) : []
        )
    }
}
