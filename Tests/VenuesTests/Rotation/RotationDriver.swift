import Instruments
import MarketData

@testable import Venues

/// Plays two connections' messages to a session that is replaced, and follows what it says as a reader of the
/// bus does.
struct RotationDriver {
    var session: RotatingSession
    var output = VenueOutput()
    var clock = Timestamp(nanoseconds: 1_600_000_000_000_000_000)
    /// The books as told.
    private(set) var books: [InstrumentIndex: Book] = [:]
    /// The states as told, each one that was.
    private(set) var states: [BookState] = []
    /// Those of books that had been told.
    private(set) var doubts: [BookState] = []
    /// The trades as told, by id.
    private(set) var trades: [String] = []
    /// The closed candles as told, by start.
    private(set) var candles: [Int64] = []
    /// Whole books that were told.
    private(set) var images = 0
    private(set) var requests: [VenueRequest] = []
    private(set) var sent: [(connection: Int, text: String)] = []
    private(set) var asked: [Int] = []

    /// - Parameters:
    ///   - description: The venue.
    ///   - subscriptions: What is followed.
    ///   - lifetime: Of its connections; `nil` for ever.
    ///   - generator: Decides when they are replaced.
    init(
        _ description: VenueDescription, _ subscriptions: [(symbol: String, channels: Set<VenueChannel>)],
        lifetime: Duration? = .seconds(40), _ generator: any RandomNumberGenerator & Sendable
    ) {
        var description = description
        description.connections.lifetime = lifetime
        var configuration = VenueConfiguration(description)
        configuration.subscriptions = subscriptions
        session = RotatingSession(configuration, generator)
        act { $0.start(at: $1, into: &$2) }
    }

    mutating func act(_ body: (inout RotatingSession, Timestamp, inout VenueOutput) -> Void) {
        body(&session, clock, &output)
        for event in output.events { follow(event) }
        for action in output.actions {
            switch action {
            case .open(let connection, _): asked.append(connection)
            case .request(let request): requests.append(request)
            case .send(let connection, let text): sent.append((connection, text))
            case .ping, .reconnect: break
            }
        }
        output.removeAll()
    }

    mutating func takeRequests() -> [VenueRequest] {
        defer { requests = [] }
        return requests
    }

    mutating func takeSent() -> [(connection: Int, text: String)] {
        defer { sent = [] }
        return sent
    }

    /// Lets so many nanoseconds pass.
    mutating func tick(after nanoseconds: Int64) {
        clock = clock.adding(nanoseconds: nanoseconds)
        act { $0.tick(at: $1, into: &$2) }
    }

    mutating func receive(_ text: String, on connection: Int) {
        clock = clock.adding(nanoseconds: 1_000)
        var text = text
        text.withUTF8 { bytes in
            act {
                $0.receive(UnsafeRawBufferPointer(bytes), connection: connection, at: $1, into: &$2)
            }
        }
    }

    mutating func respond(to request: VenueRequest, _ body: String) {
        clock = clock.adding(nanoseconds: 1_000)
        var body = body
        body.withUTF8 { bytes in
            act {
                $0.responded(
                    to: request, status: 200, body: UnsafeRawBufferPointer(bytes), at: $1, into: &$2)
            }
        }
    }

    /// Plays a line of a ``VenueSample`` to the session whose connections begin with a number.
    mutating func play(_ line: String, on connection: Int) throws {
        for line in line.split(separator: "\n").map(String.init) {
            guard line.hasPrefix("@") else {
                receive(line, on: connection)
                continue
            }
            let parts = line.dropFirst().split(separator: " ", maxSplits: 1).map(String.init)
            guard var request = session.request(for: parts[0]) else {
                throw SessionDriver.DriverError.unknownURL(parts[0])
            }
            request.session = connection / RotatingSession.connectionsOfSession
            respond(to: request, parts[1])
        }
    }

    /// Opens what a session has asked for, at least its first connection, and answers its subscriptions.
    mutating func open(_ first: Int, as sample: VenueSample) {
        let last = first + RotatingSession.connectionsOfSession
        for connection in Set(asked.filter { (first..<last).contains($0) } + [first]).sorted() {
            act { $0.opened(connection: connection, at: $1, into: &$2) }
        }
        for (connection, text) in takeSent() {
            if let answer = sample.confirmation(text) { receive(answer, on: connection) }
        }
    }

    private mutating func follow(_ event: MarketEvent) {
        switch event {
        case .book(let event):
            var book =
                event.isSnapshot
                ? Book(priceScale: event.priceScale, sizeScale: event.sizeScale)
                : books[event.instrument] ?? Book(priceScale: .zero, sizeScale: .zero)
            if event.isSnapshot { images += 1 }
            _ = try? book.refine(price: event.priceScale, size: event.sizeScale)
            let price = book.priceScale.power / event.priceScale.power
            let size = book.sizeScale.power / event.sizeScale.power
            for level in output.levels[event.levels] {
                book.set(
                    level.side, Price(level.price.rawValue * price), Quantity(level.size.rawValue * size))
            }
            books[event.instrument] = book
        case .state(let index, let change):
            states.append(change.state)
            if books[index] != nil { doubts.append(change.state) }
        case .trade(_, let trade): trades.append(trade.id)
        case .candle(_, let candle): if candle.isClosed { candles.append(candle.start.nanoseconds) }
        case .ticker, .mark, .derivative, .liquidation, .instrument: break
        }
    }

    /// The book as told, as ``SessionDriver/text(_:)`` writes it.
    func text(_ symbol: String) -> String {
        guard let index = session.registry.find(symbol), let book = books[index] else { return "none" }
        func side(_ ladder: BookLadder) -> String {
            ladder.top(.max).map { level in
                "\(level.price.decimal(book.priceScale).normalized)×"
                    + "\(level.size.decimal(book.sizeScale).normalized)"
            }.joined(separator: " ")
        }
        return "\(side(book.bids)) | \(side(book.asks))"
    }
}
