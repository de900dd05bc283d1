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

    init(_ configuration: VenueConfiguration) { session = configuration.makeSession() }

    enum DriverError: Error { case unknownURL(String) }

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

    /// Plays a line of a ``VenueSample`` and returns the events that it caused.
    @discardableResult
    mutating func play(_ line: String) throws -> [MarketEvent] {
        if line.contains("\n") { return try line.split(separator: "\n").flatMap { try play(String($0)) } }
        guard line.hasPrefix("@") else { return receive(line) }
        let parts = line.dropFirst().split(separator: " ", maxSplits: 1).map(String.init)
        return try respond(parts[0], parts[1])
    }

    /// Lets so many nanoseconds pass.
    mutating func tick(after nanoseconds: Int64) {
        clock = clock.adding(nanoseconds: nanoseconds)
        output.removeAll()
        session.tick(at: clock, into: &output)
    }

    /// What the last call wants sent.
    var sent: [String] {
        output.actions.compactMap { action in
            if case .send(_, let text) = action { text } else { nil }
        }
    }

    /// What the last call said of instruments and of states.
    var told: [String] {
        output.events.map { event in
            switch event {
            case .state(let index, let change):
                "\(session.registry[index].symbol) \(change.state.name) \(change.reason.name)"
            case .instrument(let index, _): "\(session.registry[index].symbol) defined"
            default: "other"
            }
        }
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

/// The trades that events tell, `price×size` each.
func tradeTexts(_ events: [MarketEvent]) -> [String] {
    events.compactMap { event in
        guard case .trade(_, let trade) = event else { return nil }
        let price = trade.price.decimal(trade.priceScale).normalized
        return "\(price)×\(trade.size.decimal(trade.sizeScale).normalized)"
    }
}
