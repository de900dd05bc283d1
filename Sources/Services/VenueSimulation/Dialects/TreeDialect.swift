import Instruments
import JSON
import MarketData
import MarketState
import Venues

/// A dialect that reads messages as trees, and says only what is its venue's own.
///
/// For venues whose recordings are small. A client gets recorded messages at the recorded depth, an image of
/// the true book where it comes late, and the recorded answers; past trades and candles there are none.
protocol TreeDialect: Dialect {
    /// What is known of the venue.
    var description: VenueDescription { get }

    /// What a recorded message is about.
    func content(of message: JSONValue) -> MessageContent
    /// What a client's message asks for.
    func steps(of message: JSONValue, at time: Timestamp) -> [ClientStep]
    /// The whole book as the venue sends it on subscription or, where it comes by REST, as that answer.
    func image(of book: ReferenceBook, at time: Timestamp) -> [UInt8]
    /// The symbol whose book a REST request is about; `nil` for other requests.
    func bookSymbol(of address: RequestAddress) -> String?
}

/// What a message of a venue is about.
enum MessageContent: Hashable, Sendable {
    /// Data of some symbols.
    case market(StreamKind, [String], isImage: Bool = false)
    /// A sign of life.
    case heartbeat
    /// An acknowledgement or a greeting.
    case control
}

extension TreeDialect {
    var venue: Venue { description.venue }

    // MARK: Recorded messages

    func sight(
        _ frame: UnsafeRawBufferPointer, _ topics: inout VenueTopicTable, _ subject: inout MessageSubject
    ) {
        subject.reset()
        guard let message = JSONValue(message: frame) else { return subject.kind = .unreadable }
        switch content(of: message) {
        case .market(let kind, let symbols, let isImage):
            for symbol in symbols {
                if let topic = topics.enter(kind, symbol) { subject.note(topic) }
            }
            subject.isImage = isImage
        case .heartbeat: subject.kind = .heartbeat
        case .control: break
        }
    }

    func imageSymbol(ofURL url: String) -> String? { bookSymbol(of: RequestAddress(url: url)) }

    // MARK: WebSocket

    func opening(_ address: RequestAddress) -> Opening? { Opening() }

    func read(_ text: [UInt8], at time: Timestamp) -> [ClientStep] {
        JSONValue(message: text).map { steps(of: $0, at: time) } ?? []
    }

    func reply(to demand: Demand, _ verdict: DemandVerdict, at time: Timestamp) -> [UInt8]? { nil }

    func image(of book: ReferenceBook, depth: Int, channelID: Int64, at time: Timestamp) -> [UInt8] {
        image(of: book, at: time)
    }

    /// There are no views: nobody is granted another depth than the recorded one.
    func update(
        of book: ReferenceBook, _ changes: [ViewChange], depth: Int, channelID: Int64, at time: Timestamp
    ) -> [[UInt8]] { [] }

    func recap(of topic: VenueTopic, last frame: [UInt8]) -> [UInt8]? { nil }

    // MARK: REST

    func question(_ address: RequestAddress, symbols: [String]) -> Question {
        if address.path.hasSuffix(description.instrumentList) { return .instruments }
        guard let symbol = bookSymbol(of: address), symbols.contains(symbol) else {
            return .settled(notFound())
        }
        return .book(symbol: symbol, limit: 0)
    }

    func restBook(_ book: ReferenceBook, limit: Int, at time: Timestamp) -> [UInt8] {
        image(of: book, at: time)
    }

    func restTrades(_ frames: some Sequence<[UInt8]>, _ query: TradeQuery) -> [UInt8] { Array("[]".utf8) }

    func restCandles(
        _ candles: [Candle], recorded: [Timestamp: RecordedCandle], _ query: CandleQuery
    ) -> [UInt8] { Array("[]".utf8) }

    func unavailable() -> RESTAnswer { RESTAnswer(status: 503, "{}") }

    func notFound() -> RESTAnswer { RESTAnswer(status: 404, "{}") }
}

extension ReferenceBook {
    /// Writes one side as rows of a price and a size in quotes, best first.
    func writeRows(_ side: BookSide, to writer: inout JSONWriter) {
        for level in top(.max).levels(side) {
            writer.array { writer in
                writer.decimal(level.price.rawValue, book.priceScale)
                writer.decimal(level.size.rawValue, book.sizeScale)
            }
        }
    }
}
