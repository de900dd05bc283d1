import Instruments
import MarketData
import Recordings
import Venues

/// Feeds a session text frames and keeps what it says.
struct SessionDriver {
    var session: any VenueSession
    var output = VenueOutput()
    /// Nanoseconds; every call is a millisecond later.
    var clock = Timestamp(nanoseconds: 1_600_000_000_000_000_000)

    init(_ configuration: VenueConfiguration) throws {
        guard let session = VenueSessions.make(configuration) else { throw DriverError.unknownVenue }
        self.session = session
    }

    enum DriverError: Error { case unknownVenue, unknownURL(String) }

    /// Sends one frame and returns the events that it caused.
    @discardableResult
    mutating func receive(_ frame: String) -> [MarketEvent] {
        clock = clock.adding(nanoseconds: 1_000_000)
        output.removeAll()
        var frame = frame
        frame.withUTF8 { bytes in
            session.receive(UnsafeRawBufferPointer(bytes), connection: 0, at: clock, into: &output)
        }
        return output.events
    }

    /// Answers a URL and returns the events that it caused.
    @discardableResult
    mutating func respond(_ url: String, _ body: String) throws -> [MarketEvent] {
        clock = clock.adding(nanoseconds: 1_000_000)
        guard let request = session.request(for: url) else { throw DriverError.unknownURL(url) }
        output.removeAll()
        var body = body
        body.withUTF8 { bytes in
            session.responded(
                to: request, status: 200, body: UnsafeRawBufferPointer(bytes), at: clock, into: &output)
        }
        return output.events
    }

    func state(_ symbol: String) -> BookState? {
        session.registry.find(symbol).map { session.state(of: $0) }
    }

    /// The book as `bids | asks`, best first, `price×size`.
    func text(_ symbol: String) -> String {
        guard let index = session.registry.find(symbol), let book = session.book(of: index) else {
            return "none"
        }
        func side(_ ladder: BookLadder) -> String {
            ladder.top(.max).map { level in
                "\(level.price.decimal(book.priceScale).normalized)×\(level.size.decimal(book.sizeScale).normalized)"
            }.joined(separator: " ")
        }
        return "\(side(book.bids)) | \(side(book.asks))"
    }
}

/// The states that events declare, in order.
func states(_ events: [MarketEvent]) -> [BookState] {
    events.compactMap { event in
        if case .state(_, let change) = event { change.state } else { nil }
    }
}

/// How many book events there are.
func bookEvents(_ events: [MarketEvent]) -> Int {
    events.count { event in
        if case .book = event { true } else { false }
    }
}
