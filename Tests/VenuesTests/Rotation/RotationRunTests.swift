import Support
import Testing

@testable import Venues

/// A market that goes on while connections are replaced.
@Suite("A market during planned rotations")
struct RotationRunTests {
    private func run(
        _ random: SeededGenerator, _ change: (inout RotationWorld) -> Void = { _ in }
    ) throws -> RotationWorld {
        var world = RotationWorld(random)
        change(&world)
        // Nothing happens before the first connection is up, so that all that happens is due.
        world.run(seconds: 2, isTrading: false)
        world.run(seconds: 60)
        world.run(seconds: 3, isTrading: false)
        try #require(world.driver.trades == world.expectedTrades, "each trade once, in its order")
        try #require(world.driver.candles.count == world.candles, "each closed candle once")
        try #require(world.toldBook == world.venueBook)
        try #require(world.driver.doubts.isEmpty && world.driver.images == 1, "no book is in doubt")
        return world
    }

    @Test("loses nothing, says nothing twice, and no book is in doubt")
    func seamless() {
        property(cases: 25) { random in
            let world = try run(random)
            try #require(world.news == [.began, .tookOver])
        }
    }

    @Test("does so where new connections end before they have taken over")
    func newEnds() {
        property(cases: 25) { random in
            _ = try run(random) { $0.breaksNew = true }
        }
    }

    @Test("does so where the old one ends as soon as the new one is whole")
    func oldEnds() {
        property(cases: 25) { random in
            // What the old one had said and the new one has not yet is still told once.
            _ = try run(random) { $0.breaksOld = true }
        }
    }
}
