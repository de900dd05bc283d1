import AlertStore
import Alerting
import Bus
import Foundation
import Instruments
import MarketData
import MarketStore
import Store
import Support
import Testing

/// Trades of every instrument, of which each second one rises over the level.
private struct CrossingLoad {
    let fleet: AlertFleet
    let tapes: [TestTape]
    let rules: [StoredRule]
    var generator: SeededGenerator
    /// Ids of the trades that have crossed, by tape.
    private(set) var crossings: [[String]]

    init(_ fleet: AlertFleet, _ publisher: Publisher, _ rules: [StoredRule], seed: UInt64) throws {
        self.fleet = fleet
        self.rules = rules
        tapes = try AlertFleet.instruments.map { try TestTape($0, publisher) }
        generator = SeededGenerator(seed: seed)
        crossings = tapes.map { _ in [] }
    }

    /// Says some trades of each tape, some of them stored at a time; in the middle something happens.
    mutating func round(_ accident: () async throws -> Void = {}) async throws {
        let trades = 10
        let moment = generator.int(0...trades - 1)
        for number in 0..<trades {
            if number == moment { try await accident() }
            for place in tapes.indices {
                let rises = number % 2 == 1
                let trade = tapes[place].trade(
                    Int64(rises ? generator.int(100...120) : generator.int(80...99)))
                if rises { crossings[place].append(trade.id) }
                tapes[place].say(trade)
                tapes[place].beat()
                if generator.chance(20) { try await tapes[place].store(in: fleet.database) }
            }
        }
        for tape in tapes { try await tape.store(in: fleet.database) }
    }

    /// Goes on until the evaluators of these places, and no others, share all shards.
    ///
    /// - Returns: Who holds the shard of each instrument then.
    mutating func goOn(untilSharedBy places: Set<Int>) async throws -> [Int] {
        var looks = PollPauses()
        while true {
            try fleet.checkProcesses()
            try await round()
            if let owners = try await fleet.owners(), Set(owners.values) == places {
                return AlertFleet.instruments.map { owners[Shard(of: $0)] ?? -1 }
            }
            try await looks.pause(missing: "for evaluators \(places.sorted()) to share all shards")
        }
    }

    /// Waits until all crossings have fired; none may be missing, and none have fired twice.
    func check(_ moment: String) async throws {
        let expected = Int64(crossings.reduce(0) { $0 + $1.count })
        try await eventuallyNothing {
            try fleet.checkProcesses()
            for tape in tapes { tape.beat() }
            let count = try await fleet.firingCount()
            return count < expected ? "for \(expected - count) of \(expected) firings \(moment)" : nil
        }
        try await compare(moment)
    }

    /// Compares what fired with what crossed, as it is now.
    func compare(_ moment: String) async throws {
        let fired = try await fleet.firings()
        for (rule, crossed) in zip(rules, crossings) {
            let told = fired[rule.id] ?? []
            let missed = Set(crossed).subtracting(told).sorted()
            let name = rule.rule.instrument?.description ?? ""
            try #require(
                told == crossed,
                """
                \(name) \(moment): \(told.count) firings of \(crossed.count), missed \(missed)
                \(fleet.logs)
                """)
        }
        let count = Int64(crossings.reduce(0) { $0 + $1.count })
        try #require(try await fleet.deliveries() == [count, count], "\(moment)")
    }
}

@Suite("A fleet of evaluators", .serialized, .timeLimit(.minutes(30)))
struct AlertFleetTests {
    /// `SEED=n` repeats.
    private static var seed: UInt64 {
        ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) } ?? .random(in: 1...1_000_000)
    }

    private static func running(_ fleet: AlertFleet, _ body: (Publisher) async throws -> Void) async throws {
        let publisher = try Publisher(
            context: BusContext(),
            configuration: PublisherConfiguration(producer: "feed", addresses: fleet.addresses),
            logger: TestDatabase.logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await publisher.run() }
            for await event in publisher.events where event == .brokerAppeared { break }
            do {
                try await body(publisher)
            } catch {
                group.cancelAll()
                throw error
            }
            group.cancelAll()
        }
    }

    /// The place that the most instruments move away from when it goes.
    private static func busiest(_ owners: [Int]) throws -> Int {
        let counts = Dictionary(grouping: owners, by: \.self).mapValues(\.count)
        let busiest = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
        return try #require(busiest?.key)
    }

    @Test("that grows from one to three and shrinks to two tells every crossing once, however one goes")
    func scaling() async throws {
        let fleet = try await AlertFleet()
        let rules = try await fleet.makeRules()
        let seed = Self.seed
        print("a fleet of evaluators: seed \(seed)")
        try fleet.start(0)
        try await Self.running(fleet) { publisher in
            var load = try CrossingLoad(fleet, publisher, rules, seed: seed)
            let alone = try await load.goOn(untilSharedBy: [0])
            try await load.check("alone")
            // 1 → 3.
            try await load.round {
                try fleet.start(1)
                try fleet.start(2)
            }
            let three = try await load.goOn(untilSharedBy: [0, 1, 2])
            try await load.check("after it grew to three")
            #expect(alone != three, "nothing has moved")
            // 3 → 2, in good order.
            let leaver = try Self.busiest(three)
            try await load.round { fleet.ask(leaver) }
            #expect(await fleet.stopped(leaver) == 0, "\(fleet.logs)")
            let two = try await load.goOn(untilSharedBy: Set(0..<AlertFleet.places).subtracting([leaver]))
            try await load.check("after one left")
            #expect(two != three, "nothing has moved")
            // 2 → 3 → 2, the last by a crash.
            try await load.round { try fleet.start(leaver) }
            let again = try await load.goOn(untilSharedBy: [0, 1, 2])
            let victim = try Self.busiest(again)
            try await load.round { await fleet.crash(victim) }
            let rest = try await load.goOn(untilSharedBy: Set(0..<AlertFleet.places).subtracting([victim]))
            try await load.check("after one was killed")
            #expect(rest != again, "nothing has moved")
            // Who stops commits what it knows: nothing of it may be news.
            let statuses = await fleet.stop()
            #expect(statuses.allSatisfy { $0 == 0 }, "\(statuses)")
            try await load.compare("after all have stopped")
        }
        await fleet.database.close()
    }
}
