import Instruments
import Support
import Testing

@testable import Providers

@Suite("What is kept of providers")
struct BoundedCacheTests {
    @Test("equals a naive model, whatever is done")
    func model() {
        for seed in 0..<200 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var cache = BoundedCache<Int, Int>(capacity: 50)
            // The one that was used last stands last.
            var model: [(key: Int, value: Int, cost: Int)] = []
            for step in 0..<300 {
                let key = Int.random(in: 0..<12, using: &generator)
                let place = model.firstIndex { $0.key == key }
                switch Int.random(in: 0..<4, using: &generator) {
                case 0:
                    #expect(cache.use(key) == place.map { model[$0].value }, "seed \(seed)")
                    if let place { model.append(model.remove(at: place)) }
                case 1:
                    cache.remove(key)
                    if let place { model.remove(at: place) }
                default:
                    let cost = Int.random(in: 0...20, using: &generator)
                    cache.store(step, cost: cost, for: key)
                    if let place { model[place] = (key, step, cost) } else { model.append((key, step, cost)) }
                    while model.reduce(0, { $0 + $1.cost }) > 50 { model.removeFirst() }
                }
                #expect(cache.count == model.count && cache.cost == model.reduce(0) { $0 + $1.cost })
                #expect(model.allSatisfy { cache.peek($0.key) == $0.value }, "seed \(seed)")
            }
        }
    }

    @Test("what is too great is not kept, and ends what was there")
    func tooGreat() {
        var cache = BoundedCache<String, Int>(capacity: 10)
        cache.store(1, cost: 10, for: "a")
        cache.store(2, cost: 11, for: "a")
        #expect(cache.count == 0 && cache.cost == 0)
    }

    @Test("quotes stay within their bytes: those that nobody asks for leave first")
    func quotes() throws {
        let now = Timestamp(nanoseconds: 1_795_000_000_000_000_000)
        let venue = Venue(rawValue: "coingecko")
        func quote(_ number: Int) -> CoinQuote {
            var quote = CoinQuote(id: "coin-\(number)", symbol: Asset(rawValue: "C\(number)"), name: "Coin")
            quote.price = Amount(units: Int64(number + 1))
            return quote
        }
        var memory = ProviderMemory(priceBytes: 1 << 20, historyBytes: 1_000)
        for number in 0..<10_000 {
            let coin = quote(number)
            memory.keep(coin, of: coin.symbol, by: venue, heard: now)
            // Somebody looks at the first one all the time.
            #expect(memory.quote(of: Asset(rawValue: "C0"), at: now) != nil)
        }
        #expect(memory.bytes.prices <= 1 << 20 && memory.count > 500 && memory.count < 10_000)
        #expect(memory.quote(of: Asset(rawValue: "C1"), at: now) == nil)
        #expect(memory.quote(of: Asset(rawValue: "C9999"), at: now)?.kept.quote.id == "coin-9999")
        memory.keep(.init(body: Array(repeating: 0, count: 900), heard: now), of: "/a")
        memory.keep(.init(body: Array(repeating: 0, count: 900), heard: now), of: "/b")
        #expect(memory.past(of: "/a", within: 60, at: now) == nil)
        #expect(memory.past(of: "/b", within: 60, at: now) != nil)
        #expect(memory.past(of: "/b", within: 60, at: now.adding(nanoseconds: 61)) == nil)
    }

    @Test("a quote without a price is nothing, an older one replaces none, and after a day it is gone")
    func ages() {
        let now = Timestamp(nanoseconds: 1_795_000_000_000_000_000)
        let (coin, venue) = (Asset(rawValue: "A"), Venue(rawValue: "coinlore"))
        var quote = CoinQuote(id: "1", symbol: coin, name: "A")
        var memory = ProviderMemory()
        memory.keep(quote, of: coin, by: venue, heard: now)
        #expect(memory.count == 0)
        quote.price = Amount(units: 5)
        memory.keep(quote, of: coin, by: venue, heard: now)
        quote.price = Amount(units: 4)
        memory.keep(quote, of: coin, by: venue, heard: now.adding(nanoseconds: -1))
        #expect(memory.quote(of: coin, at: now)?.kept.quote.price == Amount(units: 5))
        let day: Int64 = 86_400_000_000_000
        #expect(memory.quote(of: coin, at: now.adding(nanoseconds: day))?.age == .offline(minutes: 1_440))
        #expect(memory.quote(of: coin, at: now.adding(nanoseconds: day + 1_000_000_000)) == nil)
    }
}
