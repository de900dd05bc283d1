import Instruments
import Synchronization
import Testing
import Venues

@testable import FeedIngestion

@Suite("Messages to a venue")
struct SendQueueTests {
    private static let second: Int64 = 1_000_000_000

    /// When each of so many messages, added at once to so many connections, is sent.
    private func times(_ venue: VenueDescription, connections: Int, messages: Int) throws -> [[Timestamp]] {
        let time = Mutex(Timestamp(nanoseconds: 1_000 * Self.second))
        let gate = VenueGate(venue) { time.withLock { $0 } }
        var queues = (0..<connections).map { _ in SendQueue(venue.connections.messages) }
        for place in queues.indices {
            for number in 0..<messages { queues[place].add("\(number)") }
        }
        var times = [[Timestamp]](repeating: [], count: connections)
        while queues.contains(where: { !$0.isEmpty }) {
            let now = time.withLock { $0 }
            for place in queues.indices {
                let sent = queues[place].takeDue(at: now, gate.takeMessage)
                let first = times[place].count
                try #require(sent == (first..<first + sent.count).map(String.init))
                times[place] += sent.map { _ in now }
            }
            time.withLock { $0 = $0.adding(nanoseconds: 10_000_000) }
        }
        return times
    }

    /// The most that fall into one stretch of time.
    private func most(_ times: [Timestamp], within nanoseconds: Int64) -> Int {
        let times = times.sorted()
        return times.indices.map { first in
            times[first...].prefix { $0.nanoseconds(since: times[first]) < nanoseconds }.count
        }.max() ?? 0
    }

    @Test("five a second go out on a connection of Binance, in order, whatever the others send")
    func connection() throws {
        let times = try times(Binance.spot, connections: 3, messages: 20)
        for times in times { #expect(most(times, within: Self.second) == 5) }
    }

    @Test("eight a second at most go out to Coinbase on all connections, and six hundred go out at last")
    func address() throws {
        let times = try times(Coinbase.description, connections: 10, messages: 60)
        #expect((7...8).contains(most(times.flatMap { $0 }, within: Self.second)))
        #expect(times.allSatisfy { $0.count == 60 })
    }

    @Test("two thousand a minute go out to Hyperliquid")
    func minute() throws {
        let times = try times(Hyperliquid.description, connections: 4, messages: 1_000)
        #expect(most(times.flatMap { $0 }, within: 60 * Self.second) <= 2_000)
    }

    @Test("everything goes out at once where the venue does not count")
    func uncounted() throws {
        let times = try times(Gateio.spot, connections: 2, messages: 50)
        #expect(Set(times.flatMap { $0 }).count == 1)
    }
}
