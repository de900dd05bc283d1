import Support
import Testing

@testable import Web

/// A thousand clients of one venue, each with its own backoff, by a clock of the test's own.
private struct Crowd {
    /// What the venue answers to an attempt.
    enum Answer {
        /// No connection, and how long to wait at the least, in nanoseconds.
        case refused(retryAfter: Int64)
        /// A connection that lasts so long; `nil` is for good.
        case open(lasting: Int64?)
    }

    static let count = 1_000
    static let second: Int64 = 1_000_000_000

    /// When connections were tried, in order.
    private(set) var attempts: [Int64] = []
    /// Clients that are connected for good.
    private(set) var connected = 0

    /// All lose their connection at 0, after having been healthy for long.
    init(seed: UInt64, until end: Int64, _ venue: (Int64) -> Answer) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<Self.count {
            var backoff = Backoff()
            var time = backoff.delay(afterHealthy: 3_600 * Self.second, using: &generator)
            while time < end {
                attempts.append(time)
                switch venue(time) {
                case .refused(let asked): time += backoff.delay(atLeast: asked, using: &generator)
                case .open(let lasting?):
                    time += lasting + backoff.delay(afterHealthy: lasting, using: &generator)
                case .open(nil):
                    connected += 1
                    time = end
                }
            }
        }
        attempts.sort()
    }

    /// The most attempts of a second, from a second on.
    func most(from start: Int64) -> Int {
        let seconds = Dictionary(grouping: attempts) { $0 / Self.second }
        return seconds.filter { $0.key >= start }.map(\.value.count).max() ?? 0
    }
}

/// W2 of the reliability rules: a venue that was away is not pushed over by those who come back.
@Suite("A thousand clients")
struct OutageTests {
    private let second = Crowd.second

    // With waits of 0 to 60 s a thousand clients try 33 times a second: seven standard deviations are 41.
    private let bound = 75

    @Test("come back flat after an outage of five minutes, all within a minute", arguments: 1...5)
    func outage(seed: UInt64) {
        let end = 300 * second
        let crowd = Crowd(seed: seed, until: 600 * second) { time in
            time < end ? .refused(retryAfter: 0) : .open(lasting: nil)
        }
        #expect(crowd.connected == Crowd.count)
        #expect(crowd.most(from: 120) <= bound)
        #expect(crowd.attempts.last.map { $0 <= end + 60 * second } ?? false)
    }

    @Test("do not hammer a venue that takes connections and drops them after a second", arguments: 1...5)
    func kicked(seed: UInt64) {
        let crowd = Crowd(seed: seed, until: 600 * second) { _ in .open(lasting: second) }
        #expect(crowd.most(from: 120) <= bound)
        // Half a minute each in the mean.
        #expect(crowd.attempts.count <= Crowd.count * 40)
    }

    @Test("that were told to wait come no earlier, and not all at once", arguments: 1...5)
    func retryAfter(seed: UInt64) {
        // The gateway before the venue is up again after a second, and refuses everybody once.
        var refused: Set<Int64> = []
        let crowd = Crowd(seed: seed, until: 300 * second) { time in
            guard time < second else { return .open(lasting: nil) }
            refused.insert(time)
            return .refused(retryAfter: 30 * second)
        }
        #expect(refused.count >= Crowd.count * 9 / 10)
        #expect(!crowd.attempts.contains { $0 >= second && $0 < 30 * second })
        // Spread over fifteen seconds, 67 each: seven standard deviations are 57.
        #expect(crowd.most(from: 30) <= 125)
        #expect(crowd.connected == Crowd.count)
    }

    @Test("begin anew after a minute of health, and not before")
    func health() {
        for (lasting, isShort) in [(60 * second, true), (59 * second, false)] {
            var generator = SeededGenerator(seed: 3)
            var backoff = Backoff()
            for _ in 0..<10 { _ = backoff.delay(using: &generator) }
            _ = backoff.delay(afterHealthy: lasting, using: &generator)
            #expect((backoff.ceiling <= second) == isShort)
        }
    }
}
