import Instruments
import JSON
import MarketData
import MarketState
import Venues

/// A dialect that reads messages as trees, and says only what is its venue's own.
///
/// For venues whose recordings are small. A client gets recorded messages at the recorded depth, an image of
/// the true book where it comes late, and the recorded answers; what has a default here it may leave out.
protocol TreeDialect: Dialect {
    /// What is known of the venue.
    var description: VenueDescription { get }
    /// The paths of its sockets, as sessions of ours and recorded clients connect to them; none is any.
    var sockets: Set<String> { get }
    /// The text that asks whether the venue lives, where it is no JSON, and what answers it.
    var textPing: (question: String, answer: String)? { get }

    /// What a recorded message is about.
    func content(of message: JSONValue) -> MessageContent
    /// What a client's message asks for.
    func steps(of message: JSONValue, at time: Timestamp) -> [ClientStep]
    /// What is said to a text that is no JSON.
    func complaint(about text: [UInt8]) -> [UInt8]?
    /// The whole book as the venue sends it on subscription or, where it comes by REST, as that answer.
    func image(of book: ReferenceBook, at time: Timestamp) -> [UInt8]
    /// The symbol whose book a REST request is about; `nil` for other requests.
    func bookSymbol(of address: RequestAddress) -> String?
    /// The trades of a symbol in a recorded message, earliest first.
    func tapeTrades(in message: JSONValue, of symbol: String) -> [TapeTrade]
    /// These trades as a REST answer.
    func answer(_ trades: [TapeTrade], _ query: TradeQuery) -> [UInt8]
    /// These candles as a REST answer.
    func answer(_ candles: [Candle], _ query: CandleQuery) -> [UInt8]
}

/// What a message of a venue is about.
enum MessageContent: Hashable, Sendable {
    /// Data of some symbols; `others` are kinds of data that come by the same subscription.
    case market(StreamKind, [String], isImage: Bool = false, others: [StreamKind] = [])
    /// A sign of life.
    case heartbeat
    /// An acknowledgement or a greeting.
    case control
}

extension TreeDialect {
    var venue: Venue { description.venue }
    var takesUnaskedImages: Bool { false }
    var sockets: Set<String> { [] }
    var textPing: (question: String, answer: String)? { nil }

    // MARK: Recorded messages

    func sight(
        _ frame: UnsafeRawBufferPointer, _ topics: inout VenueTopicTable, _ subject: inout MessageSubject
    ) {
        subject.reset()
        guard let message = JSONValue(message: frame) else {
            let isPong = textPing.map { frame.elementsEqual($0.answer.utf8) } ?? false
            return subject.kind = isPong ? .control : .unreadable
        }
        switch content(of: message) {
        case .market(let kind, let symbols, let isImage, let others):
            for symbol in symbols {
                if let topic = topics.enter(kind, symbol) { subject.note(topic) }
                for other in others { _ = topics.enter(other, symbol) }
            }
            subject.isImage = isImage
        case .heartbeat: subject.kind = .heartbeat
        case .control: break
        }
    }

    func imageSymbol(ofURL url: String) -> String? {
        // Where the image comes by the socket, a recorded answer with a book is an audit's.
        sendsImages ? nil : bookSymbol(of: RequestAddress(url: url))
    }

    // MARK: WebSocket

    func opening(_ address: RequestAddress) -> Opening? {
        sockets.isEmpty || sockets.contains(address.path) ? Opening() : nil
    }

    func read(_ text: [UInt8], at time: Timestamp) -> [ClientStep] {
        if let ping = textPing, text.elementsEqual(ping.question.utf8) {
            return [.reply(Array(ping.answer.utf8))]
        }
        guard let message = JSONValue(message: text) else {
            return complaint(about: text).map { [.reply($0)] } ?? []
        }
        return steps(of: message, at: time)
    }

    func complaint(about text: [UInt8]) -> [UInt8]? { nil }

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

    func keeps(_ address: RequestAddress) -> Bool { address.isInstrumentList(of: description) }

    func question(_ address: RequestAddress, symbols: [String]) -> Question {
        if keeps(address) { return .instruments }
        guard let symbol = bookSymbol(of: address), symbols.contains(symbol) else {
            return .settled(notFound())
        }
        return .book(symbol: symbol, limit: .max)
    }

    func restBook(_ book: ReferenceBook, limit: Int, at time: Timestamp) -> [UInt8] {
        image(of: book, at: time)
    }

    func restTrades(_ frames: some Sequence<[UInt8]>, _ query: TradeQuery) -> [UInt8] {
        let trades = frames.compactMap { JSONValue(message: $0) }
            .flatMap { tapeTrades(in: $0, of: query.symbol) }
        return answer(query.page(trades), query)
    }

    func tapeTrades(in message: JSONValue, of symbol: String) -> [TapeTrade] { [] }

    func answer(_ trades: [TapeTrade], _ query: TradeQuery) -> [UInt8] { Array("[]".utf8) }

    func restCandles(
        _ candles: [Candle], recorded: [Timestamp: RecordedCandle], _ query: CandleQuery
    ) -> [UInt8] {
        answer(query.page(candles), query)
    }

    func answer(_ candles: [Candle], _ query: CandleQuery) -> [UInt8] { Array("[]".utf8) }

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

    /// Writes both sides as members, of which each is rows of a price and a size in quotes, best first.
    ///
    /// - Parameters:
    ///   - names: What the members are called.
    ///   - limit: Levels a side at the most.
    ///   - writer: Within an object.
    ///   - tail: Writes what stands behind the size in each row.
    func writeSides(
        _ names: (bids: String, asks: String), limit: Int = .max, to writer: inout JSONWriter,
        tail: (inout JSONWriter) -> Void = { _ in }
    ) {
        let sides = top(limit)
        for (name, levels) in [(names.bids, sides.bids), (names.asks, sides.asks)] {
            writer.array(name) { writer in
                for level in levels {
                    writer.array { writer in
                        writer.decimal(level.price.rawValue, book.priceScale)
                        writer.decimal(level.size.rawValue, book.sizeScale)
                        tail(&writer)
                    }
                }
            }
        }
    }

    /// The recorded message that was played last of it, as a tree.
    var lastMessage: JSONValue? { last.flatMap { JSONValue(message: $0) } }
}

extension ClientStep {
    /// A demand as the step that it is.
    static func asking(_ demand: Demand) -> ClientStep {
        demand.isEnd ? .unsubscribe(demand) : .subscribe(demand)
    }
}
