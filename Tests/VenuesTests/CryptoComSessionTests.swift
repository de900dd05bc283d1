import Instruments
import MarketData
import Testing
import Venues

@Suite("Crypto.com session")
struct CryptoComSessionTests {
    private func opened(_ symbols: [String], _ depth: Int = 1_000) -> SessionDriver {
        var configuration = VenueConfiguration(CryptoCom.description)
        configuration.subscriptions = symbols.map { ($0, [.book]) }
        configuration.bookDepth = depth
        var driver = SessionDriver(configuration)
        driver.session.start(at: driver.clock, into: &driver.output)
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        return driver
    }

    private func message(_ channel: String, _ row: String, depth: Int = 50) -> String {
        #"{"id":-1,"method":"subscribe","code":0,"result":{"instrument_name":"BTC_USD","#
            + #""subscription":"book.BTC_USD.\#(depth)","channel":"\#(channel)","depth":\#(depth),"#
            + #""data":[{\#(row)}]}}"#
    }

    @Test("a book that a message loses before it breaks off is said to be lost")
    func halfMessage() {
        var driver = opened(["BTC_USD"], 50)
        driver.receive(message("book", #""bids":[["100","1","1"]],"asks":[["101","1","1"]],"t":1,"u":7"#))
        #expect(driver.state("BTC_USD") == .live)
        let gap = #""update":{"bids":[],"asks":[]},"t":2,"u":9,"pu":8"#
        let events = driver.receive(message("book.update", "\(gap)},{\"update\":7"))
        #expect(driver.output.counters.malformed == 1 && states(events) == [.syncing])
    }

    @Test("answers heartbeats with their number")
    func heartbeat() {
        var driver = opened(["BTC_USD"])
        driver.receive(#"{"id":1587523073344,"method":"public/heartbeat","code":0}"#)
        #expect(driver.sent == [#"{"id":1587523073344,"method":"public/respond-heartbeat"}"#])
    }

    @Test("drops levels beyond its depth and says so, and takes an empty change for a sign of life")
    func depth() {
        var driver = opened(["BTC_USD"], 10)
        #expect(driver.sent.last?.contains(#""channels":["book.BTC_USD.10"]"#) == true)
        let bids = (1...10).map { #"["\#(100 - $0)","1","1"]"# }.joined(separator: ",")
        driver.receive(
            message("book", #""bids":[\#(bids)],"asks":[["101","1","1"]],"t":1,"u":7"#, depth: 10))
        func change(_ number: Int, after previous: Int, _ bids: String = "") -> String {
            let row = #""update":{"bids":[\#(bids)],"asks":[]},"t":2,"u":\#(number),"pu":\#(previous)"#
            return message("book.update", row, depth: 10)
        }
        driver.receive(change(7, after: 7))
        let events = driver.receive(change(8, after: 7, #"["100","2","1"]"#))
        #expect(driver.text("BTC_USD") == "100×2 99×1 98×1 97×1 96×1 95×1 94×1 93×1 92×1 91×1 | 101×1")
        guard case .book(let event) = events.last else { return #expect(Bool(false)) }
        #expect(event.levels.count == 2 && event.summary.bidCount == 10)
        driver.receive(change(11, after: 9))
        #expect(driver.state("BTC_USD") == .syncing && driver.output.counters.gaps == 1)
        driver.tick(after: 2_000_000_000)
        #expect(driver.sent.count == 2)
    }

    @Test("takes each message of v2 for a whole book, with bare numbers")
    func images() {
        var driver = SessionDriver(.replay(of: CryptoCom.description))
        for size in [1, 2] {
            let events = driver.receive(
                #"{"code":0,"method":"subscribe","result":{"instrument_name":"CRO_BTC","#
                    + #""subscription":"book.CRO_BTC.150","channel":"book","depth":150,"#
                    + #""data":[{"bids":[[0.00000987,\#(size),3]],"asks":[[9.9E-6,7.5,1]],"#
                    + #""t":1600000000000}]}}"#)
            #expect(bookEvents(events) == 1)
            #expect(driver.text("CRO_BTC") == "0.00000987×\(size) | 0.0000099×7.5")
        }
    }

    @Test("asks again in parts for what was refused together, and later when the venue is busy")
    func refusals() {
        var driver = opened(["BTC_USD", "NO_SUCH"])
        driver.receive(#"{"id":1,"method":"subscribe","code":40003,"message":"Unknown symbol"}"#)
        #expect(driver.sent.count == 2 && driver.output.counters.refused == 0)
        driver.receive(#"{"id":3,"method":"subscribe","code":40003,"message":"Unknown symbol"}"#)
        #expect(driver.sent.isEmpty && driver.output.counters.refused == 1)
        driver.receive(#"{"id":2,"method":"subscribe","code":42901,"message":"TOO_MANY_REQUESTS"}"#)
        driver.tick(after: 3_000_000_000)
        #expect(driver.sent.count == 1 && driver.sent[0].contains("book.BTC_USD.50"))
    }
}
