import Instruments
import MarketData
package import Venues

/// What the fuzz target `fuzz-venues` does with an input, and the ordinary tests with every kept one.
///
/// The first byte chooses the session: `0` BitMEX, `1` Kraken v1, `2` Kraken v2 and so on in the catalogue's
/// order, other bytes by their remainder. Then come lines, each a message of the venue; a line `@<url>
/// <body>` is the answer to a request, `!` a lost connection that comes back, `~` a second of silence.
package enum VenueInput {
    /// Runs a replay session over the lines.
    ///
    /// - Precondition: the events tell of the books of the session, and no live one is crossed.
    package static func run(_ input: UnsafeRawBufferPointer) {
        guard let choice = input.first else { return }
        let lines = input.dropFirst().split(separator: 0x0A).map { Array($0) }
        run(lines, in: session(Int(choice)))
    }

    /// Runs any session over the lines.
    ///
    /// - Precondition: as of ``run(_:)``.
    package static func run(_ lines: [[UInt8]], in session: any VenueSession) {
        var run = VenueRun(session)
        for line in lines { run.play(line) }
    }

    private static func session(_ choice: Int) -> any VenueSession {
        let venues = VenueCatalogue.standard.descriptions
        let place = (choice + 256 - Int(UInt8(ascii: "0"))) % 256 % (venues.count + 1)
        // Kraken has two interfaces, and stands second.
        var configuration = VenueConfiguration.replay(of: venues[place == 0 ? 0 : max(place - 1, 1)])
        if place == 1 { configuration.krakenInterface = .v1 }
        return configuration.makeSession()
    }
}

private struct VenueRun {
    private var session: any VenueSession
    private var output = VenueOutput()
    private var told: [InstrumentIndex: Book] = [:]
    private var time = Timestamp(nanoseconds: 1_600_000_000_000_000_000)

    init(_ session: any VenueSession) {
        self.session = session
        self.session.start(at: time, into: &output)
        self.session.opened(connection: 0, at: time, into: &output)
        finish()
    }

    mutating func play(_ line: [UInt8]) {
        time = time.adding(nanoseconds: 1_000_000)
        switch line.first {
        case UInt8(ascii: "@"): answer(line.dropFirst())
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
