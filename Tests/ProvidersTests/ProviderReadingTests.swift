import Instruments
import Support
import Testing

@testable import Providers

/// Fixtures are made by hand after the documentation that the readers name, read 2026-11.
@Suite("Answers of aggregated providers")
struct ProviderReadingTests {
    private static func amount(_ text: String) -> Amount {
        guard let amount = try? Amount(parsing: text) else { preconditionFailure(text) }
        return amount
    }

    private static func read(
        _ name: String, _ question: ProviderQuestion, _ text: String
    ) throws -> [CoinQuote] {
        let provider = try #require(ProviderCatalogue.description(of: Venue(rawValue: name)))
        return try provider.read(Array(text.utf8), to: question)
    }

    @Test("CoinGecko's page has exact numbers, also with exponents, and nothing where it says nothing")
    func geckoMarkets() throws {
        let text = """
            [{"id":"bitcoin","symbol":"btc","name":"Bitcoin","image":"https://x/1.png",\
            "current_price":70187.123456789012345,"market_cap":1381651251183,"market_cap_rank":1,\
            "total_volume":20154184933,"high_24h":70215,"low_24h":68060,\
            "price_change_percentage_24h":-3.12502,"circulating_supply":19675987.0,\
            "total_supply":21000000.0,"max_supply":null,"ath":73738,\
            "ath_date":"2024-03-14T07:10:36.635Z","roi":null,"last_updated":"2024-04-07T16:49:31.736Z"},
             {"id":"tiny","symbol":"tny","name":"Tiny","current_price":4.2e-11,"market_cap":0,\
            "market_cap_rank":null,"roi":{"times":1,"currency":"usd"}},
             {"id":"nameless","symbol":"x","name":""}]
            """
        let quotes = try Self.read("coingecko", .list(page: 1), text)
        try #require(quotes.count == 2)
        let bitcoin = quotes[0]
        #expect(bitcoin.symbol == Asset(rawValue: "BTC") && bitcoin.rank == 1)
        #expect(bitcoin.price?.description == "70187.123456789012345")
        #expect(bitcoin.change?.description == "-3.12502" && bitcoin.maximumSupply == nil)
        #expect(bitcoin.circulatingSupply?.description == "19675987")
        #expect(bitcoin.allTimeHigh == Self.amount("73738"))
        #expect(bitcoin.allTimeHighTime?.iso8601(fractionDigits: 3) == "2024-03-14T07:10:36.635Z")
        #expect(quotes[1].price?.description == "0.000000000042")
        #expect(quotes[1].marketCap == nil && quotes[1].rank == nil)
    }

    @Test("CoinGecko's prices are known by the keys that were asked for")
    func geckoPrices() throws {
        let text = """
            {"bitcoin":{"usd":67187.3358936566,"usd_market_cap":1317802988326.25,\
            "usd_24h_vol":31260929299.52484,"usd_24h_change":3.637278946773539,\
            "last_updated_at":1711356300},"gone":{}}
            """
        let quotes = try Self.read("coingecko", .keys(["bitcoin", "gone"]), text)
        #expect(quotes.map(\.id) == ["bitcoin", "gone"])
        #expect(quotes[0].price?.description == "67187.3358936566" && quotes[1].price == nil)
        #expect(quotes[0].updated == Timestamp(nanoseconds: 1_711_356_300_000_000_000))
    }

    @Test("CoinPaprika's dollars stand under its quotes, its name for addresses behind the code")
    func paprika() throws {
        let text = """
            [{"id":"btc-bitcoin","name":"Bitcoin","symbol":"BTC","rank":1,"total_supply":19700000,\
            "max_supply":21000000,"beta_value":1.1,"first_data_at":"2010-07-17T00:00:00Z",\
            "last_updated":"2024-04-07T16:50:00Z","quotes":{"EUR":{"price":1},"USD":{\
            "price":69012.5,"volume_24h":1000.25,"market_cap":1,"percent_change_24h":-0.01,\
            "ath_price":73700.1,"ath_date":"2024-03-14T07:07:00Z"}}}]
            """
        let quote = try #require(try Self.read("coinpaprika", .list(page: 1), text).first)
        #expect(quote.id == "btc-bitcoin" && quote.slug == "bitcoin")
        #expect(quote.price?.description == "69012.5" && quote.allTimeHigh?.description == "73700.1")
        #expect(quote.firstSeen?.iso8601(fractionDigits: 0) == "2010-07-17T00:00:00Z")
    }

    @Test("CoinLore's numbers are texts, in pages and alone")
    func lore() throws {
        let coin = """
            {"id":"90","symbol":"BTC","name":"Bitcoin","nameid":"bitcoin","rank":1,\
            "price_usd":"6456.52","percent_change_24h":"-1.47","market_cap_usd":"111586042785.56",\
            "volume24":3997655362.9586277,"csupply":"17282687.00","tsupply":"17282687","msupply":""}
            """
        let page = #"{"data":[\#(coin)],"info":{"coins_num":1969,"time":1538560355}}"#
        let paged = try Self.read("coinlore", .list(page: 1), page)
        var alone = try Self.read("coinlore", .keys(["90"]), "[\(coin)]")
        #expect(alone[0].updated == nil && alone[0].maximumSupply == nil)
        #expect(alone[0].circulatingSupply?.description == "17282687")
        alone[0].updated = Timestamp(nanoseconds: 1_538_560_355_000_000_000)
        #expect(alone == paged)
    }

    @Test("CryptoCompare's numbers are the raw ones; a refusal comes with status 200")
    func cryptoCompare() throws {
        let text = """
            {"RAW":{"BTC":{"USD":{"TYPE":"5","MARKET":"CCCAGG","FROMSYMBOL":"BTC","TOSYMBOL":"USD",\
            "PRICE":69000.1,"LASTUPDATE":1712508600,"VOLUME24HOUR":31000.5,"OPEN24HOUR":68000,\
            "HIGH24HOUR":70000,"LOW24HOUR":67000,"MKTCAP":1358000000000}}},\
            "DISPLAY":{"BTC":{"USD":{"PRICE":"$ 69,000.1"}}}}
            """
        let codes = ProviderQuestion.codes([Asset(rawValue: "BTC")])
        let quote = try #require(try Self.read("cryptocompare", codes, text).first)
        #expect(quote.price?.description == "69000.1" && quote.open?.description == "68000")
        #expect(quote.baseVolume?.description == "31000.5")
        let refusal = #"{"Response":"Error","Message":"You are over your rate limit","Type":99}"#
        #expect(throws: ProviderError.refused("You are over your rate limit")) {
            try Self.read("cryptocompare", codes, refusal)
        }
    }

    @Test("CoinDesk's ticks are of cadli; what it does not know is no reason to lose the rest")
    func coinDesk() throws {
        let text = """
            {"Data":{"BTC-USD":{"TYPE":"266","MARKET":"cadli","INSTRUMENT":"BTC-USD",\
            "VALUE":69000.123456789,"VALUE_LAST_UPDATE_TS":1712508600,"MOVING_24_HOUR_OPEN":68000,\
            "MOVING_24_HOUR_HIGH":70000,"MOVING_24_HOUR_LOW":67000,\
            "MOVING_24_HOUR_CHANGE_PERCENTAGE":1.47},"X-EUR":{"VALUE":1}},\
            "Err":{"type":1,"message":"some instruments are unknown"}}
            """
        let codes = ProviderQuestion.codes([Asset(rawValue: "BTC")])
        let quotes = try Self.read("coindesk", codes, text)
        #expect(quotes.map(\.symbol.rawValue) == ["BTC"])
        #expect(quotes[0].price?.description == "69000.123456789")
        #expect(throws: ProviderError.refused("no")) {
            try Self.read("coindesk", codes, #"{"Data":{},"Err":{"message":"no"}}"#)
        }
    }

    @Test("what is no answer is refused", arguments: ProviderCatalogue.standard.map(\.venue.rawValue))
    func malformed(_ name: String) throws {
        for text in ["", "<html>busy</html>", "[1", "{}", #"[{"name":"A"}]"#, "null"] {
            #expect(throws: ProviderError.malformed, "\(text)") {
                _ = try Self.read(name, .list(page: 1), text)
            }
        }
    }

    @Test("keys go where each provider wants them, and nothing leaves that would need escaping")
    func requests() throws {
        func request(_ name: String, _ question: ProviderQuestion) throws -> ProviderRequest? {
            try #require(ProviderCatalogue.description(of: Venue(rawValue: name)))
                .request(question, at: "http://x", with: "k")
        }
        let gecko = try request("coingecko", .keys(["bitcoin", "a&b=c", "ether-2"]))
        #expect(gecko?.url.hasPrefix("http://x/api/v3/simple/price?ids=bitcoin,ether-2&vs") == true)
        #expect(gecko?.headers == ["x-cg-demo-api-key": "k"])
        let codes = ProviderQuestion.codes([Asset(rawValue: "BTC"), Asset(rawValue: "ETH")])
        #expect(try request("cryptocompare", codes)?.headers == ["authorization": "Apikey k"])
        #expect(try request("coindesk", codes)?.url.contains("instruments=BTC-USD,ETH-USD&") == true)
        #expect(try request("coinpaprika", .list(page: 1))?.headers == [:])
        #expect(try request("coinpaprika", .list(page: 2)) == nil && request("coingecko", codes) == nil)
        #expect(
            try request("coinlore", .list(page: 3))?.url == "http://x/api/tickers/?start=200&limit=100")
    }

    @Test("a code alone is no proof where a provider has names")
    func meant() {
        func quote(_ id: String, _ name: String, _ rank: Int32?) -> CoinQuote {
            var quote = CoinQuote(id: id, symbol: Asset(rawValue: "BTC"), name: name)
            quote.rank = rank
            return quote
        }
        let coin = WantedCoin(symbol: Asset(rawValue: "BTC"), name: "Bitcoin")
        let quotes = [quote("batcat", "batcat", 1), quote("b2", "bit coin", 9), quote("b", "Bitcoin", 2)]
        #expect(quotes.quotes(of: [coin])[coin.symbol]?.id == "b")
        #expect([quotes[0]].quotes(of: [coin]).isEmpty)
        #expect([quote("BTC", "", nil)].quotes(of: [coin])[coin.symbol] != nil)
    }
}
