import Instruments
import MarketData
import Support
import Testing

@testable import Venues

/// A session that is replaced before its venue ends its connections.
@Suite("Planned rotation")
struct RotationTests {
    private static let second: Int64 = 1_000_000_000
    /// The first connection of the second session.
    private static let next = RotatingSession.connectionsOfSession

    private func live(_ sample: VenueSample) throws -> RotationDriver {
        var driver = RotationDriver(
            sample.description, [(sample.first, [.book])], SeededGenerator(seed: 1))
        driver.open(0, as: sample)
        try driver.play(sample.image, on: 0)
        try driver.play(sample.changes[0], on: 0)
        let index = try #require(driver.session.registry.find(sample.first))
        try #require(driver.session.state(of: index) == .live)
        return driver
    }

    /// Both are whole, and both are listened to.
    private func together(_ sample: VenueSample) throws -> RotationDriver {
        var driver = try live(sample)
        driver.clock = driver.clock.adding(nanoseconds: 39 * Self.second)
        try #require(driver.session.isDue(at: driver.clock))
        driver.act { $0.rotate(at: $1, into: &$2) }
        driver.open(Self.next, as: sample)
        try driver.play(sample.image, on: Self.next)
        try driver.play(sample.changes[0], on: Self.next)
        driver.tick(after: RotatingSession.lag)
        return driver
    }

    @Test("hands each venue's books over without a word of it", arguments: VenueSample.all)
    func handover(_ sample: VenueSample) throws {
        var driver = try together(sample)
        let told = driver.states.count
        for connection in [0, Self.next] { try driver.play(sample.changes[1], on: connection) }
        driver.tick(after: 4 * Self.second)
        #expect(driver.session.takeNews() == [.began, .tookOver])
        #expect(driver.session.takeRetired().contains(0) && driver.session.isRotating == false)
        try driver.play(sample.changes[2], on: Self.next)
        #expect(driver.text(sample.first) == VenueSample.book)
        if sample.hasDeltas { #expect(driver.states.count == told && driver.images == 1) }
        let index = try #require(driver.session.registry.find(sample.first))
        #expect(driver.session.state(of: index) == .live)
    }

    @Test("goes back to the old connection where the new one ends", arguments: VenueSample.all)
    func failure(_ sample: VenueSample) throws {
        var driver = try together(sample)
        let told = driver.states.count
        driver.act { $0.closed(connection: Self.next, at: $1, into: &$2) }
        #expect(driver.session.takeNews().last == .failed("its connection has ended"))
        #expect(driver.session.takeRetired().contains(Self.next))
        for change in sample.changes.dropFirst() { try driver.play(change, on: 0) }
        #expect(driver.text(sample.first) == VenueSample.book)
        if sample.hasDeltas { #expect(driver.states.count == told && driver.images == 1) }
        #expect(!driver.session.isDue(at: driver.clock), "it waits before it tries again")
    }

    @Test("goes on with the new connection where the old one ends first", arguments: VenueSample.all)
    func earlyEnd(_ sample: VenueSample) throws {
        var driver = try together(sample)
        let told = driver.states.count
        driver.act { $0.closed(connection: 0, at: $1, into: &$2) }
        #expect(driver.session.takeNews().last == .tookOverEarly)
        for change in sample.changes.dropFirst() { try driver.play(change, on: Self.next) }
        #expect(driver.text(sample.first) == VenueSample.book)
        if sample.hasDeltas { #expect(driver.states.count == told && driver.images == 1) }
    }

    @Test("leaves the old connection alone until every book is live on the new one")
    func patience() throws {
        let sample = CounterVenue.sample
        var driver = try live(sample)
        driver.clock = driver.clock.adding(nanoseconds: 39 * Self.second)
        driver.act { $0.rotate(at: $1, into: &$2) }
        driver.open(Self.next, as: sample)
        driver.tick(after: 5 * Self.second)
        try driver.play(sample.changes[1], on: 0)
        #expect(driver.session.takeNews() == [.began])
        #expect(driver.session.counts(0) && !driver.session.counts(Self.next))
        #expect(driver.text(sample.first) == "100×3 99×4 | 101×1")
        driver.act { $0.closed(connection: Self.next, at: $1, into: &$2) }
        driver.open(Self.next, as: sample)
        #expect(driver.session.takeNews().isEmpty, "its connection is opened again, with a pause")
        driver.tick(after: RotatingSession.preparingLimit)
        #expect(driver.session.takeNews() == [.failed("its books were not live in time")])
        #expect(driver.text(sample.first) == "100×3 99×4 | 101×1")
    }

    @Test("follows what is wanted anew on both connections, and lets go of what is not")
    func following() throws {
        let sample = CounterVenue.sample
        var driver = try together(sample)
        driver.act {
            $0.follow(
                [(sample.second, [.book]), (sample.first, [.book])], at: $1, into: &$2)
        }
        #expect(Set(driver.takeSent().map(\.connection)) == [0, Self.next])
        let image = sample.image.replacing(sample.first, with: sample.second)
        for connection in [0, Self.next] { try driver.play(image, on: connection) }
        driver.tick(after: 4 * Self.second)
        #expect(driver.session.takeNews().last == .tookOver)
        #expect(driver.text(sample.second) == "100×2 | 101×1")
    }

    @Test("begins at a random point of the last hour, and never where connections have no end")
    func schedule() {
        var generator: any RandomNumberGenerator & Sendable = SeededGenerator(seed: 7)
        var points: Set<Int64> = []
        var schedule = RotationSchedule(lifetime: .seconds(86_400), generator)
        for _ in 0..<100 {
            let point = schedule.point(ofOpened: .zero) ?? .zero
            let left = 86_400 * Self.second - point.nanoseconds
            #expect((600 * Self.second...3_600 * Self.second).contains(left))
            points.insert(point.nanoseconds)
        }
        #expect(points.count > 90)
        generator = SeededGenerator(seed: 7)
        var never = RotationSchedule(lifetime: nil, generator)
        #expect(never.point(ofOpened: .zero) == nil)
    }

    @Test("waits longer after each failure, for a quarter of an hour at most")
    func pauses() {
        var schedule = RotationSchedule(lifetime: .seconds(86_400), SeededGenerator(seed: 3))
        var ceilings: [ClosedRange<Int64>] = []
        for ceiling in [60, 120, 240, 480, 900, 900] as [Int64] {
            ceilings.append(ceiling * Self.second / 2...ceiling * Self.second)
        }
        for range in ceilings {
            schedule.failed(at: .zero)
            #expect(range.contains(schedule.pausedUntil.nanoseconds))
        }
    }

    @Test("is planned where a venue ends connections after a day")
    func lifetimes() {
        let day = VenueCatalogue.standard.descriptions
            .filter { $0.connections.lifetime == .seconds(86_400) }.map(\.venue.rawValue)
        #expect(
            day.sorted() == [
                "binance", "binance-coinm", "binance-us", "binance-usdm", "bitget", "kucoin",
            ])
    }
}
