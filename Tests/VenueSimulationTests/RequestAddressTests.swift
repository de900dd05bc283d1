import Testing

@testable import VenueSimulation

@Suite("Addresses of requests")
struct RequestAddressTests {
    @Test(
        "percent escapes are the bytes that they name, in either case",
        arguments: [
            ("%20", " "), ("%2f", "/"), ("%2F", "/"), ("%3a", ":"), ("%3A", ":"), ("%40", "@"),
            ("%e2%82%AC", "€"), ("+", " "), ("%2-", "%2-"), ("%zz", "%zz"),
        ])
    func escapes(text: String, plain: String) {
        #expect(RequestAddress("/0/public/Trades?pair=a\(text)b")["pair"] == "a\(plain)b")
    }

    @Test(
        "a time that neither seconds nor nanoseconds can hold is no trap",
        arguments: [
            "0", "1600000000", "8999999999", "9000000000", "10000000000", "99999999999",
            "1600000000000000000", "9223372036854775807", "-9223372036854775808",
        ])
    func since(number: String) {
        let address = RequestAddress("/0/public/Trades?pair=XBTUSD&since=\(number)")
        guard case .trades(let query) = KrakenREST.question(address, symbols: ["BTC/USD"]) else {
            Issue.record("no question about trades")
            return
        }
        #expect(query.symbol == "BTC/USD" && query.start != nil)
    }
}
