import Instruments
import MarketStore
import Providers
import Support
import Testing
import Wire

@testable import Metadata

@Suite("Aggregated prices")
struct PriceCoreTests {
    private static let second: Int64 = 1_000_000_000
    private static let start = Timestamp(nanoseconds: 1_795_000_000 * second)
    private static let gecko = Venue(rawValue: "coingecko")

    private static func after(_ seconds: Int64) -> Timestamp {
        start.adding(nanoseconds: seconds * second)
    }

    private static func wish(_ code: String, _ id: String, added: Int64 = -86_400) -> AggregatedWish {
        AggregatedWish(
            instrument: InstrumentID(venue: gecko, symbol: "\(code)-USD"), asset: Asset(rawValue: code),
            name: id, providerID: id, added: after(added))
    }

    private static func quote(
        _ id: String, _ price: Int64, code: String = "", name: String = ""
    ) -> CoinQuote {
        var quote = CoinQuote(id: id, symbol: Asset(rawValue: code), name: name)
        quote.price = Amount(units: price, places: 2)
        return quote
    }

    /// A function of its own, since the macro takes no mutating call.
    private static func next(_ core: inout PriceCore, _ now: Timestamp) -> PriceCore.Errand? {
        core.next(at: now)
    }

    private static func core(_ names: String...) -> PriceCore {
        PriceCore(
            names.compactMap { name in
                ProviderCatalogue.description(of: Venue(rawValue: name)).map { ProviderUse($0) }
            })
    }

    @Test("nobody is asked for nothing")
    func idle() {
        var core = Self.core("coingecko", "coinpaprika")
        #expect(core.next(at: Self.start) == nil)
        core.want([], listedBy: Self.gecko)
        #expect(core.next(at: Self.start) == nil && core.news(at: Self.start).isEmpty)
    }

    @Test("what is wanted is asked for by the list's keys, told once, and told again when it changed")
    func asks() throws {
        var core = Self.core("coingecko")
        let wishes = [Self.wish("PEP", "pepe"), Self.wish("WIF", "dogwifhat")]
        core.want(wishes, listedBy: Self.gecko)
        let first = try #require(Self.next(&core, Self.start))
        #expect(first.question == .keys(["pepe", "dogwifhat"]) && first.request.headers.isEmpty)
        // Never two for one question.
        #expect(core.next(at: Self.after(60)) == nil)
        let tags = AnswerValidators(tag: "W/\"1\"")
        core.take([Self.quote("pepe", 150)], to: first, tags, at: Self.after(1))
        let news = core.news(at: Self.after(1))
        #expect(news.map(\.instrument) == [wishes[0].instrument] && news[0].reason.isEmpty)
        #expect(news[0].kept?.provider == Self.gecko && news[0].kept?.quote.price?.description == "1.5")
        #expect(core.news(at: Self.after(2)).isEmpty && core.toldCount == 1)
        // 267.84 s: what a month of 10,000 requests allows at rest.
        #expect(core.next(at: Self.after(268)) == nil)
        let second = try #require(Self.next(&core, Self.after(270)))
        #expect(second.request.headers == ["If-None-Match": "W/\"1\""])
        #expect(core.news(at: Self.after(270)).map(\.reason) == ["4 min old"])
        // "Not modified" makes what was said of now.
        core.take(nil, to: second, tags, at: Self.after(271))
        #expect(core.news(at: Self.after(271)).map(\.reason) == [""])
    }

    @Test("a coin that is wanted anew is asked for at once, and more often for a while")
    func interest() throws {
        var core = Self.core("coinlore")
        core.want([Self.wish("PEP", "pepe")], listedBy: Venue(rawValue: "coinlore"))
        let first = try #require(Self.next(&core, Self.start))
        core.take([Self.quote("pepe", 1)], to: first, .init(), at: Self.start)
        #expect(core.interest(at: Self.start) == .rest && core.next(at: Self.after(29)) == nil)
        core.want(
            [Self.wish("PEP", "pepe"), Self.wish("WIF", "wif", added: 5)],
            listedBy: Venue(rawValue: "coinlore"))
        #expect(core.interest(at: Self.after(7)) == .acting)
        let second = try #require(Self.next(&core, Self.after(7)))
        #expect(second.question == .keys(["pepe", "wif"]))
        core.take([], to: second, .init(), at: Self.after(7))
        #expect(core.next(at: Self.after(11)) == nil && core.next(at: Self.after(13)) != nil)
        #expect(core.interest(at: Self.after(66)) == .looking && core.interest(at: Self.after(606)) == .rest)
    }

    @Test("the next provider answers when the first fails; its list is read for its keys")
    func failing() throws {
        var core = Self.core("coingecko", "coinlore")
        core.want([Self.wish("PEP", "pepe")], listedBy: Self.gecko)
        let first = try #require(Self.next(&core, Self.start))
        var generator = SeededGenerator(seed: 1)
        let refused = ProviderFailure.refused(status: 429, retryAfter: 3_600 * Self.second)
        core.fail(refused, first, at: Self.start, using: &generator)
        let list = try #require(Self.next(&core, Self.after(5)))
        #expect(list.use.provider.venue.rawValue == "coinlore" && list.question == .list(page: 1))
        core.take([Self.quote("7", 1, code: "X", name: "x")], to: list, .init(), at: Self.after(6))
        let more = try #require(Self.next(&core, Self.after(20)))
        #expect(more.question == .list(page: 2))
        let found = Self.quote("93", 275, code: "PEP", name: "Pepe")
        core.take([found], to: more, .init(), at: Self.after(21))
        #expect(core.news(at: Self.after(21)).first?.kept?.provider.rawValue == "coinlore")
        let alone = try #require(Self.next(&core, Self.after(80)))
        #expect(alone.question == .keys(["93"]))
        core.take([Self.quote("93", 280)], to: alone, .init(), at: Self.after(81))
        #expect(core.news(at: Self.after(81)).first?.kept?.quote.price?.description == "2.8")
    }

    @Test("when everybody is away prices get old, and are gone after a day")
    func offline() throws {
        var core = Self.core("coingecko")
        core.want([Self.wish("PEP", "pepe")], listedBy: Self.gecko)
        let first = try #require(Self.next(&core, Self.start))
        core.take([Self.quote("pepe", 150)], to: first, .init(), at: Self.start)
        _ = core.news(at: Self.start)
        #expect(core.news(at: Self.after(600)).map(\.reason) == ["no provider answers; 10 min old"])
        let gone = core.news(at: Self.after(90_000))
        #expect(gone.map(\.reason) == ["no provider has answered for a day"] && gone[0].kept == nil)
        #expect(core.news(at: Self.after(90_001)).isEmpty)
    }

    @Test("a great many coins are asked for in batches, one after the other")
    func batches() throws {
        var core = Self.core("coingecko")
        let wishes = (0..<250).map { Self.wish("C\($0)", "coin-\($0)") }
        core.want(wishes, listedBy: Self.gecko)
        var asked: [String] = []
        for turn in 0..<3 {
            let errand = try #require(Self.next(&core, Self.after(Int64(turn) * 7)))
            guard case .keys(let keys) = errand.question else {
                Issue.record("\(errand.question)")
                return
            }
            asked += keys
            core.take([], to: errand, .init(), at: Self.after(Int64(turn) * 7))
        }
        #expect(asked == wishes.map(\.providerID))
        #expect(core.next(at: Self.after(21)) == nil)
    }

    @Test("the message has exact numbers, says who said it, and has no book and no trades")
    func message() throws {
        let venue = Venue(rawValue: "coinpaprika")
        var quote = Self.quote("x", 0)
        quote.price = try Amount(parsing: "0.000000123456789")
        quote.open = try Amount(parsing: "0.0000001")
        quote.high = try Amount(parsing: "12345")
        quote.change = try Amount(parsing: "23.456789")
        quote.quoteVolume = try Amount(parsing: "31260929299.52484")
        let kept = ProviderMemory.Kept(quote: quote, provider: venue, heard: Self.start)
        let id = InstrumentID(venue: Self.gecko, symbol: "X-USD")
        let message = AggregatedTicker.message(.init(instrument: id, kept: kept, reason: "1 min old"))
        #expect(message.instrument == "coingecko:X-USD" && message.source == "aggregated by coinpaprika")
        // Five digits before the point leave thirteen behind it.
        #expect(message.priceScale == 13 && message.lastPrice == 1_234_568)
        #expect(message.highPrice == 12_345 * 10_000_000_000_000 && message.openPrice == 1_000_000)
        #expect(message.change == "0.000000023456789" && message.changePercent == "23.4568")
        #expect(message.quoteVolume == "31260929299.52484" && message.staleReason == "1 min old")
        #expect(!message.hasBidPrice && !message.hasLowPrice && message.tradeCount == 0)
        let empty = AggregatedTicker.message(.init(instrument: id, kept: nil, reason: "gone"))
        #expect(!empty.hasLastPrice && empty.source == "aggregated" && empty.staleReason == "gone")
    }
}
