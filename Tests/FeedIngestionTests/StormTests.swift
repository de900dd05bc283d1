import Instruments
import Support
import Testing
import Venues
import Web

@testable import FeedIngestion

/// What happens when much goes wrong at once, on a simulated clock.
@Suite("Storms at a venue")
struct StormTests {
    private static let second: Int64 = 1_000_000_000

    /// Whether any stretch of time has more than a limit allows in it.
    private func breaks(_ limit: RequestLimit, _ times: [Timestamp]) -> Bool {
        for first in times.indices {
            for last in times.indices.dropFirst(first + limit.capacity) {
                let earned = times[last].nanoseconds(since: times[first]) / limit.refillEvery
                if Int64(last - first + 1) > Int64(limit.capacity) + earned { return true }
            }
        }
        return false
    }

    @Test("five hundred instruments that lose their sequence at once ask no faster than the venue allows")
    func gaps() {
        var world = StormWorld(instruments: 500)
        #expect(world.parts == 3)
        world.run(seconds: 400)
        #expect(world.live == 500)
        let before = world.asked.count
        world.gap()
        #expect(world.live == 0)
        world.run(seconds: 400)
        #expect(world.live == 500)
        #expect(world.asked.count >= before + 500)
        // An image weighs 50 of the 6,000 units that an address has in a minute.
        let minute = 60 * Self.second
        let most = world.asked.indices.map { first in
            world.asked[first...].prefix { $0.nanoseconds(since: world.asked[first]) < minute }.count
        }
        #expect((90...120).contains(most.max() ?? 0), "\(most.max() ?? 0) images in a minute")
    }

    /// A connection that was lost.
    private struct Client {
        var backoff = Backoff()
        var due: Timestamp
    }

    /// When each of a thousand connections, lost at once, is tried again, until the venue takes them all.
    ///
    /// - Parameters:
    ///   - outage: Seconds until the venue takes a connection again.
    ///   - limit: Of the bucket that they share; `nil` where each is of a process of its own.
    /// - Returns: In their order.
    private func attempts(outage: Int64, sharing limit: RequestLimit?) -> [Timestamp] {
        var generator = SeededGenerator(seed: 7)
        let lost = Timestamp(nanoseconds: 1_000 * Self.second)
        let back = lost.adding(nanoseconds: outage * Self.second)
        var pace = limit.map(RequestPace.init)
        var clients = (0..<1_000).map { _ in Client(due: lost) }
        for place in clients.indices {
            clients[place].due = lost.adding(nanoseconds: clients[place].backoff.delay(using: &generator))
        }
        var (now, lane, attempts) = (lost, [Client](), [Timestamp]())
        while !clients.isEmpty || !lane.isEmpty {
            now = now.adding(nanoseconds: Self.second / 10)
            lane += clients.filter { $0.due <= now }.sorted { $0.due < $1.due }
            clients.removeAll { $0.due <= now }
            while var client = lane.first, pace?.take(isUrgent: true, at: now) ?? 0 == 0 {
                lane.removeFirst()
                attempts.append(now)
                guard now < back else { continue }
                client.due = now.adding(nanoseconds: client.backoff.delay(using: &generator))
                clients.append(client)
            }
        }
        return attempts
    }

    @Test("a thousand connections of one process come back no faster than the venue allows")
    func connections() {
        let limit = Binance.spot.connections.opening
        let attempts = attempts(outage: 120, sharing: limit)
        #expect(!breaks(limit, attempts))
        let back = Timestamp(nanoseconds: 1_120 * Self.second)
        #expect(attempts.count { $0 >= back } == 1_000)
        let last = attempts.last?.nanoseconds(since: back) ?? .max
        #expect(last <= 1_000 * limit.refillEvery + 60 * Self.second)
    }

    @Test("a thousand processes come back spread over the minute after an outage")
    func processes() {
        let attempts = attempts(outage: 180, sharing: nil)
        let back = Timestamp(nanoseconds: 1_180 * Self.second)
        var histogram = [Int](repeating: 0, count: 61)
        for time in attempts where time >= back {
            histogram[Int(time.nanoseconds(since: back) / Self.second)] += 1
        }
        #expect(histogram.reduce(0, +) == 1_000)
        // Of waits that end evenly within a minute, 33 fall into its first second.
        #expect(histogram.max() ?? 0 <= 60, "\(histogram)")
    }

    @Test("a refusal for too many connections stops all of them, others stop none")
    func refusals() async {
        let now = Timestamp(nanoseconds: 1_000 * Self.second)
        let gate = VenueGate(Binance.spot) { now }
        #expect(gate.refusedConnection(status: 503, retryAfter: .seconds(5)) == 0)
        await gate.wait(for: .connection)
        #expect(gate.refusedConnection(status: 429, retryAfter: .seconds(30)) == 30 * Self.second)
        #expect(gate.refusedConnection(status: 429, retryAfter: .seconds(2)) == 2 * Self.second)
        #expect(gate.refusedConnection(status: 429, retryAfter: nil) == 10 * Self.second)
        #expect(gate.refusedConnection(status: 418, retryAfter: nil) == 60 * Self.second)
    }

    @Test("how long the venue wants to be left alone is told, the longest of what it has said")
    func ban() {
        let now = Timestamp(nanoseconds: 1_000 * Self.second)
        let gate = VenueGate(Binance.spot) { now }
        #expect(gate.banWords(at: now) == "")
        gate.pauseRequests(for: 120 * Self.second, status: 418)
        gate.refusedConnection(status: 429, retryAfter: .seconds(30))
        let until = now.adding(nanoseconds: 120 * Self.second)
        #expect(gate.banWords(at: now) == "banned until \(until.iso8601): status 418 to a request")
        #expect(gate.banWords(at: until) == "")
    }
}
