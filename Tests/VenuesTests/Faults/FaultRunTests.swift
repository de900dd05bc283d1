import Instruments
import MarketData
import Support
import Testing
import Venues

@testable import VenueSimulation

/// A session of each venue through seeded schedules of faults: two seeds a venue, with `SOAK=1` (`make soak`)
/// two hundred, each twice; `SEED=n` goes on from a seed.
///
/// No book that is called live is one that the venue did not have, or an earlier one than before, as far as
/// the venue's proof goes. After the last fault each is live and equal to the venue's; what the proof cannot
/// reveal one audit finds.
@Suite("Faults on the way from a venue", .timeLimit(.minutes(60)))
struct FaultRunTests {
    /// Tenths of a second in which faults strike.
    private static let length = 400
    /// Tenths of a second in which everything has to be live again: an image that is waited for, and the
    /// longest pause of a resync, some times over.
    private static let patience = 4_000

    /// Seeds that once found a mistake, by venue.
    private static let past: [String: [UInt64]] = [
        "binance": [83], "bitstamp": [1, 50], "gateio-futures": [83], "huobi": [4], "kraken": [19],
        "kucoin": [83],
    ]

    @Test("of the catalogue has a voice here")
    func spoken() {
        let venues = VenueSpeaker.catalogued.map(\.sample.description.venue).sorted()
        #expect(venues == VenueCatalogue.standard.venues)
    }

    @Test("make no wrong book live, and leave none behind", arguments: VenueSpeaker.catalogued)
    func run(_ speaker: VenueSpeaker) {
        var struck: [FaultKind: Int] = [:]
        var wrong = 0
        let past = Self.past[speaker.testDescription] ?? []
        property(cases: 2, pastFailures: past) { random in
            let faults = Self.schedule(&random)
            var world = FaultWorld(speaker, faults, &random)
            do {
                try world.start()
                for _ in 0..<Self.length { try world.pass() }
                wrong += try Self.recover(&world)
            } catch let failure as FaultFailure {
                let words = faults.map(\.description).joined(separator: " ")
                throw FaultFailure(description: "\(failure) (\(words))")
            }
            struck.merge(world.struck, uniquingKeysWith: +)
            random.note("\(world.messages) \(world.struck.sorted { $0.key.rawValue < $1.key.rawValue })")
        }
        let words = FaultKind.allCases.map { "\($0.rawValue) \(struck[$0] ?? 0)" }.joined(separator: ", ")
        print("\(speaker.testDescription): \(words); \(wrong) books that only an audit found")
        #expect(!struck.isEmpty)
    }

    @Test(
        "are none where the venue counts anew: its books stand still for half a minute at the most",
        arguments: VenueSpeaker.catalogued)
    func countsAnew(_ speaker: VenueSpeaker) throws {
        var random = SeededGenerator(seed: 5)
        var world = FaultWorld(speaker, [], &random)
        try world.start()
        for _ in 0..<100 { try world.pass() }
        let areLive = world.areLive
        try #require(areLive)
        for place in world.markets.indices { world.markets[place].countAnew() }
        // Eighty seconds.
        for _ in 0..<800 { try world.pass() }
        try Self.settle(&world)
        try world.expectTruth()
    }

    /// About half of the kinds, at rates from seldom to often.
    private static func schedule(_ random: inout SeededGenerator) -> [Fault] {
        FaultKind.allCases.filter { _ in random.chance(50) }.map { kind in
            let rates =
                switch kind {
                case .drop, .duplicate, .reorder, .corrupt, .truncate, .crossedBook: [2_000, 20_000, 100_000]
                case .stall, .halfOpen, .disconnect, .clockSkew: [1_000, 5_000]
                case .slowDrip: [5_000, 20_000]
                case .tooManyRequests, .overloaded, .lateSnapshot: [100_000, 400_000]
                }
            return Fault(kind, rate: random.pick(rates))
        }
    }

    /// From the last fault on: live again, audited, and the venue's; returns how many books an audit found.
    private static func recover(_ world: inout FaultWorld) throws -> Int {
        world.rest()
        // What is said shows what was lost.
        for _ in 0..<150 { try world.pass() }
        try settle(&world)
        try world.expectTruth(butTainted: true)
        let wrong = try world.audit()
        world.isTrading = true
        try settle(&world)
        try world.expectTruth()
        return wrong
    }

    /// Until all books are live, and then until everything that was said has come.
    private static func settle(_ world: inout FaultWorld) throws {
        var passed = 0
        while !world.areLive, passed < patience {
            try world.pass()
            passed += 1
        }
        world.isTrading = false
        for _ in 0..<30 { try world.pass() }
    }
}
