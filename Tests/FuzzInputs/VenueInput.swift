import Instruments
import MarketData
package import Venues

/// What the fuzz target `fuzz-venues` does with an input, and the ordinary tests with every kept one.
///
/// An input that begins with `/` names the venue in the rest of its first line, such as `/binance-usdm` or
/// `/kraken v1`. One that begins with `+` is that of a ``ProviderInput``. Any other first byte chooses the
/// session: `0` BitMEX, `1` Kraken v1, `2` Kraken v2 and so on in the catalogue's order, by its remainder.
///
/// Then come lines, each a message of the venue, but for those that begin with
/// - `@<url> <body>`: the answer to a request of the session; `!` a lost connection that comes back; `~` a
///   second of silence; `><url>` the address of the connection;
/// - `#<page> <body>`: the answer to a page of the venue's ``VenueTickers``; `#n <body>` that of its names,
///   `#s <body>` what is pushed;
/// - `%<seconds> <body>`: the answer to a page of its ``VenueCandleHistory``.
package enum VenueInput {
    /// Runs a replay session over the lines.
    ///
    /// - Precondition: the events tell of the books of the session, and no live one is crossed.
    package static func run(_ input: UnsafeRawBufferPointer) {
        guard let choice = input.first else { return }
        let isNamed = choice == UInt8(ascii: "/") || choice == UInt8(ascii: "+")
        var lines = input.dropFirst().split(separator: 0x0A, omittingEmptySubsequences: !isNamed)
            .map { Array($0) }
        guard isNamed else { return run(lines, of: configuration(Int(choice))) }
        let name = String(decoding: lines.isEmpty ? [] : lines.removeFirst(), as: UTF8.self)
        lines.removeAll(where: \.isEmpty)
        if choice == UInt8(ascii: "+") { return ProviderInput.run(lines, of: name) }
        if let configuration = configuration(name) { run(lines, of: configuration) }
    }

    /// Runs a session with any configuration over the lines.
    ///
    /// - Precondition: as of ``run(_:)``.
    package static func run(_ lines: [[UInt8]], of configuration: VenueConfiguration) {
        var run = VenueRun(configuration)
        for line in lines { run.play(line) }
    }

    /// By a name, as recordings have it; `nil` for a venue that is not known.
    private static func configuration(_ name: String) -> VenueConfiguration? {
        let words = name.split(separator: " ", maxSplits: 1)
        let venue = VenueCatalogue.standard.venue(recordedAs: Venue(rawValue: String(words.first ?? "")))
        guard let description = VenueCatalogue.standard[venue] else { return nil }
        var configuration = VenueConfiguration.replay(of: description)
        if words.last == "v1" { configuration.krakenInterface = .v1 }
        return configuration
    }

    private static func configuration(_ choice: Int) -> VenueConfiguration {
        let venues = VenueCatalogue.standard.descriptions
        let place = (choice + 256 - Int(UInt8(ascii: "0"))) % 256 % (venues.count + 1)
        // Kraken has two interfaces, and stands second.
        var configuration = VenueConfiguration.replay(of: venues[place == 0 ? 0 : max(place - 1, 1)])
        if place == 1 { configuration.krakenInterface = .v1 }
        return configuration
    }
}

private struct VenueRun {
    private var session: any VenueSession
    private var readers: RESTReaders
    private var output = VenueOutput()
    private var told: [InstrumentIndex: Book] = [:]
    private var time = Timestamp(nanoseconds: 1_600_000_000_000_000_000)

    init(_ configuration: VenueConfiguration) {
        session = configuration.makeSession()
        readers = RESTReaders(configuration)
        session.start(at: time, into: &output)
        session.opened(connection: 0, at: time, into: &output)
        finish()
    }

    mutating func play(_ line: [UInt8]) {
        time = time.adding(nanoseconds: 1_000_000)
        switch line.first {
        case UInt8(ascii: "@"): answer(line.dropFirst())
        case UInt8(ascii: "#"): readers.readTickers(line.dropFirst())
        case UInt8(ascii: "%"): readers.readHistory(line.dropFirst())
        case UInt8(ascii: ">"):
            session.recorded(connection: 0, url: String(decoding: line.dropFirst(), as: UTF8.self))
        case UInt8(ascii: "!"):
            session.closed(connection: 0, at: time, into: &output)
            session.opened(connection: 0, at: time, into: &output)
        case UInt8(ascii: "~"):
            time = time.adding(nanoseconds: 1_000_000_000)
            session.tick(at: time, into: &output)
        default:
            line.withUnsafeBytes { session.receive($0, connection: 0, at: time, into: &output) }
        }
        finish()
    }

    private mutating func answer(_ line: ArraySlice<UInt8>) {
        let parts = line.split(separator: 0x20, maxSplits: 1)
        guard let url = parts.first, let request = session.request(for: String(decoding: url, as: UTF8.self))
        else { return }
        let body = parts.count > 1 ? Array(parts[1]) : []
        body.withUnsafeBytes {
            session.responded(to: request, status: 200, body: $0, at: time, into: &output)
            for index in session.registry.indices { _ = session.auditBook($0, for: index) }
        }
    }

    /// Follows the events as somebody does who sees nothing else, and compares.
    private mutating func finish() {
        var touched: Set<InstrumentIndex> = []
        for event in output.events {
            switch event {
            case .book(let event):
                follow(event)
                touched.insert(event.instrument)
            case .state(let index, let change):
                if change.state == .syncing { told[index]?.clear() }
                touched.insert(index)
            default: break
            }
        }
        for index in touched where session.state(of: index) == .live {
            guard let book = session.book(of: index), var told = told[index] else {
                preconditionFailure("a live book that nobody was told of")
            }
            // A trade or a candle of the same message may have made the book's scales finer since.
            try? told.refine(price: book.priceScale, size: book.sizeScale)
            precondition(!book.isCrossed, "a live book is crossed")
            precondition(book.bids == told.bids && book.asks == told.asks, "the events tell of another book")
        }
        output.removeAll()
    }

    private mutating func follow(_ event: BookEvent) {
        var book = told[event.instrument] ?? Book(priceScale: event.priceScale, sizeScale: event.sizeScale)
        if event.isSnapshot { book = Book(priceScale: event.priceScale, sizeScale: event.sizeScale) }
        do throws(BookError) {
            try book.refine(price: event.priceScale, size: event.sizeScale)
        } catch {
            preconditionFailure("a book that does not fit the scales of its own event")
        }
        precondition(
            (book.priceScale, book.sizeScale) == (event.priceScale, event.sizeScale), "a coarser event")
        for change in output.levels[event.levels] { book.apply(change) }
        told[event.instrument] = book
    }
}
