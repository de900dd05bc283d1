public import Instruments
public import MarketData

/// A venue's REST route of past candles, without I/O: what to ask, how often, and what an answer says.
public struct VenueCandleHistory: Sendable {
    public let venue: Venue
    private let route: HistoryRoute
    private let root: String

    /// The venue's lengths of candles in seconds, shortest first, among those that are kept.
    public var lengths: [Int64] { route.lengths }
    /// The most candles of one page.
    public var pageSize: Int { route.pageSize }
    /// How many of the newest candles can be had at all; `nil` for all that there ever were.
    public var reach: Int? { route.reach }
    /// How often pages may be asked for.
    public var pace: HistoryPace { route.pace }

    /// The history of a venue; `nil` for one that has none, or has closed and nobody else is named.
    ///
    /// - Parameters:
    ///   - description: Whose.
    ///   - restURL: Address of the REST interface without a path; `nil` for the public one.
    package init?(_ description: VenueDescription, restURL: String? = nil) {
        guard let route = description.history, restURL != nil || description.closure == nil else {
            return nil
        }
        venue = description.venue
        self.route = route
        root = restURL ?? description.restURL
    }

    /// The history of a venue; `nil` for one that has none or is not in the catalogue.
    public init?(venue: Venue, restURL: String? = nil) {
        guard let description = VenueCatalogue.standard[venue] else { return nil }
        self.init(description, restURL: restURL)
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
        let question = HistoryQuery(
            symbol: symbol, seconds: seconds, from: from, to: end, limit: pageSize)
        return HistoryPage(url: root + route.address(question), from: from, to: end, seconds: seconds)
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
            candles = try route.read(&scanner, page.seconds)
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
        guard var scanner = JSONScanner(body), let text = try? route.complaint(&scanner), !text.isEmpty else {
            return .malformed
        }
        let isBusy = ["Rate limit", "Too many requests", "Unavailable", "Busy"].contains { text.contains($0) }
        return isBusy ? .busy(text) : .refused(text)
    }
}
