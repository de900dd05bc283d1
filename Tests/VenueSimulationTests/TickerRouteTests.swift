import Instruments
import MarketData
import MarketState
import Recordings
import Support
import Testing

@testable import VenueSimulation
@testable import Venues

@Suite("Routes of all markets of the simulator")
struct TickerRouteTests {
    /// What a client reads of the answer to each page that it would ask for.
    private static func read(_ scene: PlaybackFixture, _ venue: Venue) throws -> TickerRows {
        let description = try VenueCatalogue.standard.description(of: venue)
        var configuration = VenueConfiguration(description)
        configuration.restURL = ""
        var tickers = try #require(VenueTickers(configuration))
        if let url = tickers.namesURL {
            scene.ask(1, url)
            let names = try #require(scene.answers[1]?.body)
            let isNamed = names.withUnsafeBytes { tickers.takeNames($0) }
            #expect(isNamed)
        }
        scene.ask(2, try #require(tickers.pages.first))
        #expect(scene.answers[2]?.status == 200)
        let body = try #require(scene.answers[2]?.body)
        return try #require(body.withUnsafeBytes { tickers.read($0, of: 0) })
    }

    @Test("Binance tells the last 24 hours of what was traded")
    func binance() throws {
        let entries = [(5, "0.001", 100), (6, "0.003", 50), (7, "0.002", 10)].map { id, price, size in
            Tape.message(
                Int64(id) * 100,
                #"{"stream":"bnbbtc@aggTrade","data":{"e":"aggTrade","E":1,"s":"BNBBTC","a":\#(id),"#
                    + #""p":"\#(price)","q":"\#(size)","f":1,"l":1,"T":\#(id)000,"m":true,"M":true}}"#)
        }
        let scene = try PlaybackFixture(entries, .binance)
        #expect(scene.join(1, "/stream?streams=bnbbtc@aggTrade"))
        scene.pass(milliseconds: 1_000)
        let rows = try Self.read(scene, .binance)
        let ticker = try #require(rows.tickers.first)
        #expect(rows.tickers.count == 1 && rows.unreadable == 0 && ticker.symbol == "BNBBTC")
        #expect(ticker.last.description == "0.002" && ticker.open?.description == "0.001")
        #expect(ticker.high?.description == "0.003" && ticker.low?.description == "0.001")
        #expect(ticker.baseVolume?.description == "160" && ticker.quoteVolume?.description == "0.27")
        scene.ask(3, "/api/v3/ticker/24hr?symbol=BNBBTC")
        #expect(scene.answers[3]?.status == 404)
    }

    @Test("Kraken names its pairs as its list does")
    func kraken() throws {
        let entry = Tape.message(
            100,
            #"{"channel":"trade","type":"update","data":[{"symbol":"BTC/USD","side":"sell","price":61000.5,"#
                + #""qty":0.5,"ord_type":"market","trade_id":4665906,"#
                + #""timestamp":"2023-09-25T07:49:37.708706Z"}]}"#)
        let scene = try PlaybackFixture([entry], .kraken)
        #expect(scene.join(1, "/v2"))
        scene.say(1, #"{"method":"subscribe","params":{"channel":"trade","symbol":["BTC/USD"]}}"#)
        scene.pass(milliseconds: 1_000)
        let rows = try Self.read(scene, .kraken)
        #expect(rows.tickers.map(\.symbol) == ["BTC/USD"] && rows.unnamed == 0 && rows.unreadable == 0)
        #expect(rows.tickers.first?.last.description == "61000.5")
        #expect(rows.tickers.first?.baseVolume?.description == "0.5")
    }

    @Test(
        "each venue of the synthetic market tells the 24 hours of all it has",
        arguments: VenueSurvey.syntheticVenues.filter { $0 != .bitmex })
    func synthetic(venue: Venue) throws {
        let started = Timestamp(nanoseconds: 1_795_861_233_000_000_000)
        let script = SyntheticMarket.script(venue: venue, seed: 3, started: started)
        let market = SyntheticMarket(venue: venue, seed: 3, started: started)
        let scene = PlaybackFixture(Playback(script, source: market, speed: .times(1), loops: false))
        scene.pass(milliseconds: 100)
        let rows = try Self.read(scene, venue)
        #expect(rows.unreadable == 0 && rows.unnamed == 0)
        #expect(Set(rows.tickers.map(\.symbol)) == Set(script.listed.map(\.symbol)))
        #expect(rows.tickers.allSatisfy { $0.baseVolume != nil })
        // Kraken says neither; Coinbase says a change in place of the first price.
        guard venue != .kraken else { return }
        #expect(rows.tickers.allSatisfy { $0.quoteVolume != nil })
        #expect(rows.tickers.allSatisfy { $0.open != nil || $0.changePercent != nil })
    }

    @Test("what is told of 24 hours is what their minutes come to", arguments: [Venue.kraken, .binanceUS])
    func minutes(venue: Venue) throws {
        let started = Timestamp(nanoseconds: 1_795_861_233_000_000_000)
        let script = SyntheticMarket.script(venue: venue, seed: 3, started: started)
        let market = SyntheticMarket(venue: venue, seed: 3, started: started)
        let scene = PlaybackFixture(Playback(script, source: market, speed: .times(1), loops: false))
        let days = scene.playback.days()
        #expect(days.map(\.symbol) == script.listed.map(\.symbol).sorted())
        var past = try #require(script.past)
        for day in days {
            let begin = started.adding(nanoseconds: -86_400_000_000_000)
            let query = CandleQuery(
                symbol: day.symbol, interval: .minute, start: begin, end: nil, limit: 1_441)
            let minutes = past.candles(query, at: started)
            let expected = try #require(MarketDay(day.symbol, minutes, at: day.time)).sums
            // Not the turnover: an hour's is at its own middle price, and so a little off its minutes'.
            #expect(day.sums.open == expected.open && day.sums.close == expected.close)
            #expect(day.sums.high == expected.high && day.sums.low == expected.low)
            #expect(day.sums.volume == expected.volume && day.sums.count == expected.count)
        }
    }
}
