import Instruments
import MarketData
import Support

@testable import Venues

/// A market of Binance on a simulated clock, which says the same on each connection, each with a delay of its
/// own, and a session that is replaced beside it.
struct RotationWorld {
    private struct Message {
        let due: Timestamp
        let text: String
    }

    private static let symbol = "BTCUSDT"
    private static let step: Int64 = 20_000_000

    var driver: RotationDriver
    var random: SeededGenerator
    private var book = Book(priceScale: .zero, sizeScale: .zero)
    private var number = 100
    private(set) var trades = 0
    private(set) var candles = 0
    /// By connection: what is on its way.
    private var lines: [Int: [Message]] = [:]
    private var delays: [Int: Int64] = [:]
    private var answers: [(due: Timestamp, request: VenueRequest)] = []
    private var opening: [(due: Timestamp, connection: Int)] = []
    private(set) var news: [RotatingSession.News] = []
    /// Whether the new connection is to end at some time.
    var breaksNew = false
    /// Whether the old one is to end while both are listened to.
    var breaksOld = false

    init(_ random: SeededGenerator) {
        self.random = random
        driver = RotationDriver(
            Binance.spot, [(Self.symbol, [.book, .trade, .candle])], SeededGenerator(seed: 1))
        book.set(.bid, Price(100), Quantity(1))
        book.set(.ask, Price(200), Quantity(1))
        open()
    }

    /// The trades that happened since the first connection.
    var expectedTrades: [String] { (1...max(trades, 1)).map(String.init) }

    /// The venue's book as it is.
    var venueBook: String {
        func side(_ ladder: BookLadder) -> String {
            ladder.top(.max).map { "\($0.price.rawValue)×\($0.size.rawValue)" }.joined(separator: " ")
        }
        return "\(side(book.bids)) | \(side(book.asks))"
    }

    var toldBook: String { driver.text(Self.symbol) }

    private mutating func open() {
        for connection in driver.asked where lines[connection] == nil && delays[connection] == nil {
            delays[connection] = Int64(random.int(1...400)) * 1_000_000
            opening.append(
                (driver.clock.adding(nanoseconds: Int64(random.int(0...900)) * 1_000_000), connection))
        }
    }

    /// Lets time pass, with or without a market.
    mutating func run(seconds: Int, isTrading: Bool = true) {
        for _ in 0..<(Int64(seconds) * 1_000_000_000 / Self.step) {
            let next = driver.clock.adding(nanoseconds: Self.step)
            if isTrading { happen() }
            deliver(until: next)
            driver.clock = next
            driver.tick(after: 0)
            if driver.session.isDue(at: driver.clock) {
                driver.act { $0.rotate(at: $1, into: &$2) }
            }
            news += driver.session.takeNews()
            for connection in driver.session.takeRetired() { lines[connection] = nil }
            open()
            answers += driver.takeRequests().map { request in
                (driver.clock.adding(nanoseconds: Int64(random.int(5...700)) * 1_000_000), request)
            }
            if isTrading { disturb() }
        }
    }

    private mutating func disturb() {
        let newest = lines.keys.max() ?? 0
        guard driver.session.isRotating else { return }
        let isTogether = driver.session.phase.isTogether
        if breaksNew, !driver.session.counts(newest), random.int(0...60) == 0 {
            breaksNew = false
            end(newest)
        } else if breaksOld, isTogether, let oldest = lines.keys.min(), random.int(0...30) == 0 {
            breaksOld = false
            end(oldest)
        }
    }

    private mutating func end(_ connection: Int) {
        lines[connection] = nil
        driver.act { $0.closed(connection: connection, at: $1, into: &$2) }
        guard driver.session.wants(connection) else { return }
        opening.append((driver.clock.adding(nanoseconds: 500_000_000), connection))
    }

    private mutating func happen() {
        switch random.int(0...9) {
        case 0...3:
            let side: BookSide = random.int(0...1) == 0 ? .bid : .ask
            let price = side == .bid ? random.int(90...100) : random.int(200...210)
            let size = price == 100 || price == 200 ? random.int(1...9) : random.int(0...3)
            book.set(side, Price(Int64(price)), Quantity(Int64(size)))
            number += 1
            let row = #"[["\#(price)","\#(size)"]]"#
            say(
                #"{"stream":"btcusdt@depth@100ms","data":{"e":"depthUpdate","E":\#(milliseconds),"#
                    + #""s":"BTCUSDT","U":\#(number),"u":\#(number),"b":\#(side == .bid ? row : "[]"),"#
                    + #""a":\#(side == .ask ? row : "[]")}}"#)
        case 4...6:
            trades += 1
            say(
                #"{"stream":"btcusdt@aggTrade","data":{"e":"aggTrade","E":1,"s":"BTCUSDT","a":\#(trades),"#
                    + #""p":"100","q":"1","f":1,"l":1,"T":\#(milliseconds),"m":true,"M":true}}"#)
        case 7: sayCandle(isClosed: false)
        default: if random.int(0...9) == 0 { sayCandle(isClosed: true) }
        }
    }

    private var milliseconds: Int64 { driver.clock.nanoseconds / 1_000_000 }

    private mutating func sayCandle(isClosed: Bool) {
        let start = 1_600_000_020_000 + Int64(candles) * 60_000
        say(
            #"{"stream":"btcusdt@kline_1m","data":{"e":"kline","E":\#(milliseconds),"s":"BTCUSDT","k":"#
                + #"{"t":\#(start),"T":\#(start + 59_999),"s":"BTCUSDT","i":"1m","f":1,"L":2,"o":"1","#
                + #""c":"2","h":"3","l":"1","v":"5","n":3,"x":\#(isClosed),"q":"1","V":"1","Q":"1","#
                + #""B":"0"}}}"#)
        if isClosed { candles += 1 }
    }

    private mutating func say(_ text: String) {
        for connection in lines.keys {
            let usual = driver.clock.adding(nanoseconds: delays[connection] ?? 0)
            let due = max(lines[connection]?.last?.due ?? .zero, usual)
            lines[connection]?.append(Message(due: due, text: text))
        }
    }

    private mutating func deliver(until time: Timestamp) {
        for (due, connection) in opening where due <= time {
            lines[connection] = []
            driver.act { $0.opened(connection: connection, at: $1, into: &$2) }
        }
        opening.removeAll { $0.due <= time }
        for connection in lines.keys.sorted() {
            let ready = lines[connection]?.prefix { $0.due <= time } ?? []
            lines[connection]?.removeFirst(ready.count)
            for message in ready { driver.receive(message.text, on: connection) }
        }
        for answer in answers where answer.due <= time {
            guard case .bookSnapshot = answer.request.purpose else { continue }
            func rows(_ ladder: BookLadder) -> String {
                ladder.top(.max).map { #"["\#($0.price.rawValue)","\#($0.size.rawValue)"]"# }
                    .joined(separator: ",")
            }
            driver.respond(
                to: answer.request,
                #"{"lastUpdateId":\#(number),"bids":[\#(rows(book.bids))],"asks":[\#(rows(book.asks))]}"#)
        }
        answers.removeAll { $0.due <= time }
    }
}

extension RotatingSession.Phase {
    /// Whether both are listened to.
    fileprivate var isTogether: Bool {
        if case .together = self { true } else { false }
    }
}
