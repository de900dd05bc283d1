import Testing

@testable import VenueSimulation

@Suite("The simulator's list of coins")
struct CoinListTests {
    @Test(
        "knows the base asset of every venue's spelling",
        arguments: [
            ("XBTUSD", "BTC"), ("BTC/USD", "BTC"), ("btcusdt", "BTC"), ("ETHUSD", "ETH"), ("XDG/EUR", "DOGE"),
            ("NKNUSDT", "NKN"), ("XBTZ21", "BTC"), ("BNBBTC", "BNB"),
        ])
    func base(_ symbol: String, _ code: String) { #expect(CoinList.base(symbol) == code) }

    @Test("gives pages in the provider's shape, known coins first")
    func pages() {
        let list = CoinList(symbols: ["NKNUSDT", "XBTUSD"])
        func body(_ path: String) -> String {
            String(decoding: list.answer(RequestAddress(path)).body, as: UTF8.self)
        }
        // 20 million at 60,000 dollars, 121 million at 3,000.
        let bitcoin =
            #"{"id":"bitcoin","symbol":"btc","name":"Bitcoin","market_cap_rank":1,"#
            + #""market_cap":1200000000000,"circulating_supply":20000000}"#
        let ether =
            #"{"id":"ethereum","symbol":"eth","name":"Ethereum","market_cap_rank":2,"#
            + #""market_cap":363000000000,"circulating_supply":121000000}"#
        #expect(
            body("/api/v3/coins/markets?vs_currency=usd&per_page=2&page=1") == "[\(bitcoin),\(ether)]")
        #expect(
            body("/api/v3/coins/markets?per_page=2&page=2")
                == #"[{"id":"nkn","symbol":"nkn","name":"NKN","market_cap_rank":3}]"#)
        #expect(body("/api/v3/coins/markets?page=9") == "[]")
        #expect(list.answer(RequestAddress("/api/v3/ping")).status == 404)
    }

    @Test("has categories with their coins, and none of another name")
    func categories() {
        let list = CoinList(symbols: ["NKNUSDT", "XBTUSD", "XDGUSD"])
        func body(_ path: String) -> String {
            String(decoding: list.answer(RequestAddress(path)).body, as: UTF8.self)
        }
        #expect(
            body("/api/v3/coins/categories/list")
                .hasPrefix(#"[{"category_id":"layer-1","name":"Layer 1 (L1)"},"#))
        #expect(
            body("/api/v3/coins/markets?category=meme-token&page=1")
                .hasPrefix(#"[{"id":"dogecoin","symbol":"doge","name":"Dogecoin","market_cap_rank":3,"#))
        #expect(list.answer(RequestAddress("/api/v3/coins/markets?category=x")).status == 404)
    }
}
