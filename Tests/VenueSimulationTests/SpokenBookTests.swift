import Instruments
import MarketData
import Recordings
import Support
import Testing
import Venues

@testable import VenueSimulation

/// What is the same for each venue: the same small market in its words.
@Suite("The venues' words")
struct SpokenBookTests {
    private func scene(_ spoken: SpokenBook) throws -> PlaybackFixture {
        let scene = try PlaybackFixture(spoken.entries, Venue(rawValue: spoken.venue))
        #expect(scene.join(1, spoken.address))
        return scene
    }

    @Test(
        "subscriptions are confirmed, and then the recorded messages come as they are",
        arguments: SpokenBook.all)
    func confirms(_ spoken: SpokenBook) throws {
        let scene = try scene(spoken)
        for (subscription, confirmation) in zip(spoken.subscriptions, spoken.confirmations) {
            scene.say(1, subscription)
            #expect(scene.taken(1) == [confirmation].compactMap { $0 })
        }
        // Where the image comes by REST the playback waits for somebody who asks for it.
        if let image = spoken.image { scene.ask(1, RequestAddress(url: image.url).path) }
        scene.pass(milliseconds: 1_000)
        #expect(scene.taken(1) == spoken.messages)
        #expect(scene.body(1) == spoken.image?.body)
        #expect(scene.playback.hasEnded)
    }

    @Test("what there is not is refused, and pings are answered", arguments: SpokenBook.all)
    func refuses(_ spoken: SpokenBook) throws {
        let scene = try scene(spoken)
        scene.say(1, spoken.wrong)
        #expect(scene.taken(1).first == spoken.refusal)
        #expect(!scene.join(2, "/nowhere"))
        guard let ping = spoken.ping else { return }
        scene.say(1, ping.question)
        #expect(scene.taken(1) == [ping.answer])
    }

    @Test(
        "a session of ours that comes late has the true book, and an audit agrees",
        arguments: SpokenBook.all)
    func late(_ spoken: SpokenBook) throws {
        let early = try scene(spoken)
        for subscription in spoken.subscriptions { early.say(1, subscription) }
        early.pass(milliseconds: 2_350)
        var playback = early.playback
        playback.leave(1)
        let client = try SessionClient(playback)
        client.run(milliseconds: 5_000)
        let symbol = try #require(client.symbols.first)
        #expect(try client.state(symbol) == .live)
        let book = try client.book(symbol)
        #expect(Self.levels(book) == ["100 2", "99 5", "101 7"])
        #expect(client.relapses == [])
        #expect(client.output.counters.malformed == 0)
        #expect(client.output.counters.gaps == 0)
        let audited = try #require(try client.audit(symbol))
        #expect(Self.levels(audited) == ["100 2", "99 5", "101 7"])
    }

    private static func levels(_ book: Book) -> [String] {
        (book.top(10).bids + book.top(10).asks).map { level in
            "\(level.price.decimal(book.priceScale).normalized) \(level.size.decimal(book.sizeScale).normalized)"
        }
    }

    @Test("missed trades come again by REST where the venue has such a route", arguments: SpokenBook.all)
    func trades(_ spoken: SpokenBook) throws {
        let client = try SessionClient(scene(spoken).playback)
        client.run(milliseconds: 5_000)
        let symbol = try #require(client.symbols.first)
        let live = client.trades.values.flatMap { $0 }
        let mark = TradeMark(id: "3", venueTime: Timestamp(nanoseconds: 999_000_000))
        guard let missed = try client.missedTrades(symbol, after: mark) else {
            // Its route has whole seconds.
            #expect(spoken.venue == "bitstamp")
            return
        }
        #expect(missed.count == 1)
        #expect(missed == live)
    }

    @Test("a list of instruments is made that sessions of ours can read", arguments: SpokenBook.all)
    func list(_ spoken: SpokenBook) throws {
        let client = try SessionClient(scene(spoken).playback)
        client.run(milliseconds: 5_000)
        let instrument = try #require(client.instruments.first)
        #expect(client.symbols.contains(instrument.id.symbol))
        #expect(instrument.base == Asset(rawValue: "BTC"))
        #expect(["USD", "USDT"].contains(instrument.quote.rawValue))
    }
}
