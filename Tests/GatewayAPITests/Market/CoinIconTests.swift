import Instruments
import MarketStore
import Support
import Testing

@testable import GatewayAPI
@testable import GatewayFrame

@Suite("Pictures of coins")
struct CoinIconTests {
    @Test(
        "show the first letters of a code, digits where it has none, and one sign of great scripts",
        arguments: [
            ("BTC", "BT"), ("btc", "BT"), ("XBT", "BT"), ("1INCH", "IN"), ("1000PEPE", "PE"), ("C", "C"),
            ("42", "42"), ("$WIF", "WI"), ("LUNA2", "LU"), ("币安", "币"), ("aé", "A"),
        ])
    func letters(code: String, shown: String) {
        #expect(CoinIcon(code)?.letters == shown)
    }

    @Test(
        "are drawn of no code without a sign, and of none that is too long",
        arguments: ["", "$", "<>", "🚀", String(repeating: "A", count: 65)])
    func refused(code: String) { #expect(CoinIcon(code) == nil) }

    @Test("are the same for the same coin, and for few others")
    func colours() throws {
        let coin = try #require(CoinIcon("ETH"))
        #expect(coin.svg == CoinIcon("eth")?.svg)
        // As they were drawn first: what browsers keep is still right.
        #expect(coin.ground == "\(CoinIcon.grounds[Int(StableHash.of("ETH") % 20)])")
        let codes = ["BTC", "ETH", "SOL", "XRP", "ADA", "DOGE", "DOT", "LTC", "LINK", "UNI", "AVAX", "TRX"]
        let looks = Set(codes.compactMap { CoinIcon($0).map { [$0.ground, "\($0.turn)"] } })
        #expect(looks.count >= 11)
    }

    /// Relative luminance as WCAG 2.2 defines it.
    private static func luminance(_ colour: String) -> Double {
        let channels = stride(from: 0, to: 6, by: 2).map { place in
            let digits = colour.dropFirst(place).prefix(2)
            let value = Double(Int(digits, radix: 16) ?? 0) / 255
            return value <= 0.04045 ? value / 12.92 : power((value + 0.055) / 1.055)
        }
        return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
    }

    /// To the 2.4th, by Newton's method for the fifth root of the twelfth power.
    private static func power(_ base: Double) -> Double {
        let twelfth = (0..<12).reduce(1.0) { product, _ in product * base }
        return (0..<100).reduce(1.0) { root, _ in
            root - (root * root * root * root * root - twelfth) / (5 * root * root * root * root)
        }
    }

    @Test("have grounds on which white letters can be read", arguments: CoinIcon.grounds)
    func contrast(ground: String) {
        #expect(1.05 / (Self.luminance(ground) + 0.05) >= 4.5)
    }

    @Test("contain nothing of a code but letters and digits")
    func markup() throws {
        let icon = try #require(CoinIcon(#"<a&"'>x/*y"#))
        #expect(icon.letters == "AX")
        #expect(icon.svg.filter { $0 == "<" }.count == 6)
        #expect(icon.svg.contains(">AX</text></svg>"))
    }

    @Test("are served to everybody, kept for a week, and not for what is no code")
    func route() async throws {
        try await MarketRouteTests.run { fixture, _, _ async throws in
            let answer = try await fixture.client.get("/v1/icons/BTC")
            #expect(answer.status == 200 && answer.text == CoinIcon("BTC")?.svg)
            #expect(answer.header("content-type") == "image/svg+xml")
            #expect(answer.header("cache-control") == "public, max-age=604800, immutable")
            #expect(answer.header("x-content-type-options") == "nosniff")
            let tag = try #require(answer.header("etag"))
            let again = try await fixture.client.get("/v1/icons/BTC", headers: [("If-None-Match", tag)])
            #expect(again.status == 304)
            for path in ["%24", "%F0%9F%9A%80", String(repeating: "A", count: 65)] {
                #expect(try await fixture.client.get("/v1/icons/\(path)").status == 404, "\(path)")
            }
            #expect(try await fixture.client.get("/v1/icons/BTC?size=80").status == 422)
        }
    }
}
