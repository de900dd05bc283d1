package import Instruments
import MarketData

/// The prices of all markets of a venue, without I/O: what to ask, how often, and what comes of an answer.
package struct VenueTickers: Sendable {
    package let venue: Venue
    private let route: TickerRoute
    /// The symbol of the instrument by that of the pages; `nil` while they are not known and needed.
    private var names: [String: String]?

    /// The tickers of a venue; `nil` for one that has none, or has closed and nobody else is named.
    package init?(_ configuration: VenueConfiguration) {
        let description = configuration.description
        guard let route = description.tickers?(configuration) else { return nil }
        guard description.closure == nil || configuration.restURL != description.restURL else { return nil }
        venue = description.venue
        self.route = route
        if route.names == nil { names = [:] }
    }

    /// What is asked for in each round, one after the other.
    package var pages: [String] { route.pages.map(\.url) }
    /// Nanoseconds between two rounds, at the most.
    package var period: Int64 { route.period }
    /// Nanoseconds between two rounds while nothing is pushed.
    package var silentPeriod: Int64 { route.stream?.silentPeriod ?? route.period }
    /// Where what changed is pushed; `nil` where the venue does not.
    package var streamURL: String? { route.stream?.url }
    /// What has to be asked for before the first page, and now and then again; `nil` where nothing has.
    package var namesURL: String? { route.names?.url }
    /// Whether answers can be read: names are there where they are needed.
    package var isNamed: Bool { names != nil }

    /// Takes in an answer of ``namesURL``.
    ///
    /// - Returns: Whether it could be read; what is known stays otherwise.
    package mutating func takeNames(_ body: UnsafeRawBufferPointer) -> Bool {
        guard let list = route.names, var scanner = JSONScanner(body), let read = try? list.read(&scanner),
            !read.isEmpty
        else { return false }
        names = read
        return true
    }

    /// The markets of an answer.
    ///
    /// - Parameters:
    ///   - body: Its body.
    ///   - page: The place of its address among ``pages``.
    /// - Returns: What could be read of it; `nil` for what is no such answer at all.
    package func read(_ body: UnsafeRawBufferPointer, of page: Int) -> TickerRows? {
        guard route.pages.indices.contains(page) else { return nil }
        return read(body, route.pages[page].read)
    }

    /// The markets of a message that was pushed.
    package func readStream(_ message: UnsafeRawBufferPointer) -> TickerRows? {
        guard let stream = route.stream else { return nil }
        return read(message, stream.read)
    }

    private func read(
        _ bytes: UnsafeRawBufferPointer,
        _ body: (inout JSONScanner, inout TickerRows) throws(ScanError) -> Void
    ) -> TickerRows? {
        guard let names, var scanner = JSONScanner(bytes) else { return nil }
        var rows = TickerRows()
        do throws(ScanError) {
            try body(&scanner, &rows)
        } catch {
            // What was read before stands: it is as good as in an answer that ends there.
            rows.isWhole = false
            if rows.tickers.isEmpty { return nil }
        }
        if route.names != nil { rename(&rows, names) }
        return rows
    }

    private func rename(_ rows: inout TickerRows, _ names: [String: String]) {
        let all = rows.tickers
        rows.tickers = all.compactMap { ticker in
            guard let name = names[ticker.symbol] else { return nil }
            var ticker = ticker
            ticker.symbol = name
            return ticker
        }
        rows.unnamed = all.count - rows.tickers.count
    }
}
