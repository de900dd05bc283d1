import Instruments
import Support
import Testing

@testable import MarketStore

@Suite("Rendezvous hashing")
struct RendezvousTests {
    /// The values that the algorithm's authors publish.
    @Test(
        "FNV-1a has its published values",
        arguments: [
            ("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8),
        ] as [(String, UInt64)])
    func fnv(text: String, expected: UInt64) {
        #expect(StableHash.fnv1a(text.utf8) == expected)
    }

    /// SplitMix64 from seed 0 gives the finalizer of multiples of its step.
    @Test("the finalizer is SplitMix64's")
    func finalizer() {
        var generator = SeededGenerator(seed: 0)
        for number in 1...100 as ClosedRange<UInt64> {
            #expect(StableHash.mix(number &* 0x9E37_79B9_7F4A_7C15) == generator.next())
        }
    }

    /// Made by a separate program after the description in `StableHash`.
    ///
    /// Leases of running instances depend on these: a change of the hash shows here.
    @Test(
        "instruments stay in their shards for ever",
        arguments: [
            ("binance-usdm:BTCUSDT", 90), ("kraken:BTC/USD", 131), ("bitmex:XBTUSD", 229),
            ("okx:ETH-USDT", 148),
        ] as [(String, UInt8)])
    func shards(name: String, shard: UInt8) throws {
        #expect(Shard(of: try #require(InstrumentID(name))) == Shard(rawValue: shard))
    }

    @Test("weights and owners stay what they are")
    func knownOwners() {
        let instances = ["a", "b", "c"]
        let owners = (0..<24).map { Rendezvous.owner(of: Shard(rawValue: $0), among: instances) ?? "" }
        #expect(owners.joined() == "bbcbccbabaacaacbbbccaccc")
        #expect(Rendezvous.weight(of: "a", for: Shard(rawValue: 0)) == 6_163_337_724_034_373_884)
        #expect(Rendezvous.weight(of: "b", for: Shard(rawValue: 255)) == 17_302_189_479_738_602_063)
    }

    private func names(_ random: inout SeededGenerator, _ counts: ClosedRange<Int>) -> Set<String> {
        Set((0..<random.int(counts)).map { _ in "\(random.pick(["host", "b", ""]))\(random.next())" })
    }

    @Test("the order of the instances does not matter, and the assignment says the same as one question")
    func order() {
        property { random in
            let names = names(&random, 1...9)
            let assignment = Rendezvous.assignment(among: names)
            for shard in Shard.all {
                let shuffled = names.shuffled(using: &random)
                try #require(Rendezvous.owner(of: shard, among: shuffled) == assignment[shard])
            }
        }
    }

    @Test("the shares are even: no instance is more than five standard deviations from its part")
    func balance() {
        property { random in
            let names = names(&random, 2...8)
            let assignment = Rendezvous.assignment(among: names)
            let part = 1 / Double(names.count)
            let deviation = (256 * part * (1 - part)).squareRoot()
            for name in names {
                let share = assignment.values.count { $0 == name }
                try #require(abs(Double(share) - 256 * part) <= 5 * deviation, "\(name) has \(share)")
            }
        }
    }

    /// By how much the fullest instance has less to do, since all wait for that one.
    @Test(
        "twice as many instances carry 1.7 times as much, on the average of their names",
        arguments: [1, 2, 4] as [Int])
    func capacity(count: Int) {
        var generator = SeededGenerator(seed: 20_261_127)
        let cases = 400
        var growth = 0.0
        for _ in 0..<cases {
            let few = names(&generator, count...count)
            let many = names(&generator, (2 * count)...(2 * count))
            growth += fullest(of: few) / fullest(of: many)
        }
        #expect(growth / Double(cases) >= 1.7, "\(growth / Double(cases)) times")
    }

    /// The shards of the instance that has most of them.
    private func fullest(of names: Set<String>) -> Double {
        let shares = Dictionary(grouping: Rendezvous.assignment(among: names).values) { $0 }
        return Double(shares.values.map(\.count).max() ?? 0)
    }

    @Test("instruments spread evenly over the shards")
    func spread() {
        property(cases: 20) { random in
            let venue = random.pick(Venue.known)
            var counts = [Int](repeating: 0, count: 256)
            for number in 0..<25_600 {
                let symbol = "\(random.pick(["BTC", "ETH", "A"]))\(number)USDT"
                counts[Int(Shard(of: InstrumentID(venue: venue, symbol: symbol)).rawValue)] += 1
            }
            // A hundred each, give or take six standard deviations.
            try #require(counts.allSatisfy { (40...160).contains($0) }, "\(counts)")
        }
    }

    @Test("who comes takes only for itself, who goes leaves only its own")
    func movement() {
        property { random in
            let before = names(&random, 1...8)
            let newcomer = "new\(random.next())"
            let small = Rendezvous.assignment(among: before)
            let large = Rendezvous.assignment(among: before.union([newcomer]))
            for shard in Shard.all where small[shard] != large[shard] {
                try #require(large[shard] == newcomer)
            }
        }
    }

    @Test("of nobody, nobody owns anything")
    func nobody() {
        #expect(Rendezvous.owner(of: Shard(rawValue: 7), among: [String]()) == nil)
        #expect(Rendezvous.assignment(among: []).isEmpty)
    }
}
