import Instruments
import Testing

@testable import Providers

@Suite("Streamers of aggregated providers")
struct ProviderStreamTests {
    private static let index = ProviderChannel(
        market: "CCCAGG", base: Asset(rawValue: "BTC"), quote: Asset(rawValue: "USD"))

    private static func quote(_ event: StreamEvent) throws -> CoinQuote {
        guard case .quote(_, let quote) = event else {
            throw ProviderError.refused("\(event) is no quote")
        }
        return quote
    }

    @Test("what a message does not say stays as it was, also when the type comes last")
    func carriesOver() throws {
        var stream = ProviderStream(.cryptoCompare)
        let first = """
            {"TYPE":"5","MARKET":"CCCAGG","FROMSYMBOL":"BTC","TOSYMBOL":"USD","FLAGS":"4",\
            "PRICE":69000.5,"LASTUPDATE":1712508600,"VOLUME24HOUR":31000.25,"OPEN24HOUR":68000,\
            "HIGH24HOUR":70000,"LOW24HOUR":67000}
            """
        _ = try stream.read(Array(first.utf8))
        let second = """
            {"PRICE":69001.125,"FROMSYMBOL":"BTC","TOSYMBOL":"USD","MARKET":"CCCAGG","TYPE":"5"}
            """
        let event = try stream.read(Array(second.utf8))
        guard case .quote(Self.index, let quote) = event else {
            Issue.record("\(event)")
            return
        }
        #expect(quote.price?.description == "69001.125")
        #expect(quote.baseVolume?.description == "31000.25" && quote.low?.description == "67000")
        #expect(quote.updated == Timestamp(nanoseconds: 1_712_508_600_000_000_000))
        // Another market's numbers are its own.
        let other = #"{"TYPE":"2","MARKET":"Kraken","FROMSYMBOL":"BTC","TOSYMBOL":"USD","PRICE":1}"#
        #expect(try Self.quote(stream.read(Array(other.utf8))).baseVolume == nil)
        stream.reset()
        #expect(try Self.quote(stream.read(Array(second.utf8))).baseVolume == nil)
    }

    @Test("a broken message changes nothing")
    func broken() throws {
        var stream = ProviderStream(.cryptoCompare)
        let head = #""TYPE":"5","MARKET":"CCCAGG","FROMSYMBOL":"BTC","TOSYMBOL":"USD""#
        _ = try stream.read(Array(#"{\#(head),"PRICE":5,"LOW24HOUR":4}"#.utf8))
        for text in [#"{\#(head),"PRICE":6,"LOW24HOUR":"x"}"#, "{}", "[]", #"{"TYPE":"5","PRICE":9}"#] {
            #expect(throws: ProviderError.malformed) { try stream.read(Array(text.utf8)) }
        }
        #expect(try Self.quote(stream.read(Array("{\(head)}".utf8))).price?.description == "5")
    }

    @Test("trades have sizes, times and sides")
    func trades() throws {
        var stream = ProviderStream(.cryptoCompare)
        let text = """
            {"TYPE":"0","M":"Kraken","FSYM":"BTC","TSYM":"USD","F":"1","ID":"77","TS":1712508600,\
            "Q":0.015,"P":69000.5,"TOTAL":1035.0075,"RTS":1712508601}
            """
        guard case .trade(let channel, let trade) = try stream.read(Array(text.utf8)) else {
            Issue.record("no trade")
            return
        }
        #expect(channel.market == "Kraken" && trade.id == "77" && trade.isBuy == false)
        #expect(trade.size.description == "0.015" && trade.price.description == "69000.5")
        #expect(throws: ProviderError.malformed) {
            try stream.read(Array(#"{"TYPE":"0","M":"K","FSYM":"A","TSYM":"B","P":1}"#.utf8))
        }
    }

    @Test("cadli's ticks carry over as well, under any of its types", arguments: ["266", "985", "1101"])
    func cadli(_ type: String) throws {
        var stream = ProviderStream(.coinDesk)
        let first = """
            {"TYPE":"\(type)","MARKET":"cadli","INSTRUMENT":"ETH-USD","VALUE":3500.25,\
            "VALUE_LAST_UPDATE_TS":1712508600,"MOVING_24_HOUR_HIGH":3600}
            """
        _ = try stream.read(Array(first.utf8))
        let text = #"{"TYPE":"\#(type)","INSTRUMENT":"ETH-USD","MARKET":"cadli","VALUE":3500.5}"#
        let quote = try Self.quote(stream.read(Array(text.utf8)))
        #expect(quote.price?.description == "3500.5" && quote.high?.description == "3600")
    }

    @Test(
        "messages about the connection are told apart",
        arguments: [
            (.cryptoCompare, #"{"TYPE":"20","MESSAGE":"STREAMERWELCOME"}"#, .welcome),
            (.cryptoCompare, #"{"TYPE":"16","MESSAGE":"SUBSCRIBECOMPLETE","SUB":"5~X"}"#, .confirmed),
            (.cryptoCompare, #"{"TYPE":"999","MESSAGE":"HEARTBEAT"}"#, .heartbeat),
            (.cryptoCompare, #"{"TYPE":"429","MESSAGE":"TOO_MANY","INFO":"wait"}"#, .busy("TOO_MANY: wait")),
            (.cryptoCompare, #"{"TYPE":"401","MESSAGE":"UNAUTHORIZED"}"#, .refused("UNAUTHORIZED")),
            (.coinDesk, #"{"TYPE":"4000","MESSAGE":"welcome"}"#, .welcome),
            (.coinDesk, #"{"TYPE":4005,"MESSAGE":"taken"}"#, .confirmed),
            (.coinDesk, #"{"TYPE":"4007"}"#, .confirmed), (.coinDesk, #"{"TYPE":"4013"}"#, .heartbeat),
            (.coinDesk, #"{"TYPE":"4002","MESSAGE":"slow down"}"#, .busy("slow down")),
            (.coinDesk, #"{"TYPE":"4006","MESSAGE":"no"}"#, .refused("no")),
            (.coinDesk, #"{"TYPE":"7"}"#, .other),
        ] as [(ProviderStream.Kind, String, StreamEvent)])
    func controls(_ kind: ProviderStream.Kind, _ text: String, _ event: StreamEvent) throws {
        var stream = ProviderStream(kind)
        #expect(try stream.read(Array(text.utf8)) == event)
    }

    @Test("subscriptions are written as each streamer documents")
    func subscriptions() {
        let exchange = ProviderChannel(
            market: "Kraken", base: Asset(rawValue: "BTC"), quote: Asset(rawValue: "USD"))
        var stream = ProviderStream(.cryptoCompare)
        #expect(
            stream.subscribing(to: [Self.index, exchange])
                == #"{"action":"SubAdd","subs":["5~CCCAGG~BTC~USD","2~Kraken~BTC~USD"]}"#)
        #expect(
            stream.unsubscribing(from: [exchange], trades: true)
                == #"{"action":"SubRemove","subs":["0~Kraken~BTC~USD"]}"#)
        let text = ProviderStream(.coinDesk).subscribing(to: [Self.index])
        #expect(text.hasPrefix(#"{"action":"SUBSCRIBE","type":"index_cc_v1_latest_tick","market":"cadli""#))
        #expect(text.hasSuffix(#""instruments":["BTC-USD"]}"#))
    }
}
