import AccountStore
import AlertStore
import Alerting
import Channels
import Instruments
import Sending
import Store
import Support
import Testing

@testable import Notifying

@Suite("The schedule of attempts")
struct ScheduleTests {
    private static let second: Int64 = 1_000_000_000
    /// Standard Webhooks: the attempts of a delivery that always fails, without jitter.
    private static let steps: [Int64] = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]

    /// Answers a delivery gets one after the other, the last one for ever; its attempts in virtual time.
    private static func attempts(
        _ answers: [Result<Answer, SendFailure>], seed: UInt64
    ) throws -> (times: [Int64], end: AttemptOutcome) {
        let settings = try ChannelSettings(
            kind: "webhook", settings: #"{"url":"https://example.org/hook"}"#,
            secrets: #"{"keys":["whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="]}"#)
        var generator = SeededGenerator(seed: seed)
        var (times, now, failures): ([Int64], Int64, Int) = ([], 0, 0)
        while true {
            times.append(now)
            let outcome = AttemptOutcome(
                answers[min(failures, answers.count - 1)], settings, failures: failures,
                at: Timestamp(nanoseconds: now), using: &generator)
            guard case .retry(let time, _) = outcome.end else { return (times, outcome) }
            failures += 1
            now = time.nanoseconds
        }
    }

    private static func answer(_ status: Int, _ headers: [Header] = []) -> Result<Answer, SendFailure> {
        .success(Answer(status: status, headers: headers))
    }

    @Test(
        "is ten attempts over 75 hours for a receiver that fails, with jitter on top of each wait",
        arguments: [
            answer(500), answer(503), answer(404), answer(301), .failure(.timedOut(.seconds(15))),
            .failure(.failed("reset")), .failure(.forbidden("loopback")),
            .failure(.unresolved(host: "example.org")),
        ])
    func failing(_ answer: Result<Answer, SendFailure>) throws {
        for seed in UInt64(0)..<25 {
            let (times, end) = try Self.attempts([answer], seed: seed)
            #expect(times.count == 10 && times[0] == 0, "seed \(seed)")
            for (wait, step) in zip(zip(times.dropFirst(), times).map { $0 - $1 }, Self.steps) {
                let least = step * Self.second
                #expect(wait >= least && wait <= least + min(least, 600 * Self.second), "seed \(seed)")
            }
            #expect(times[9] >= 75 * 3_600 * Self.second, "seed \(seed)")
            guard case .dead = end.end else {
                Issue.record("seed \(seed): \(end)")
                continue
            }
            #expect(end.label == "given_up" && end.gone == nil)
        }
    }

    @Test("is the same for the same seed, and spread out for others")
    func jitter() throws {
        #expect(
            try Self.attempts([Self.answer(500)], seed: 1).times
                == Self.attempts([Self.answer(500)], seed: 1).times)
        let second = try Set((0..<50).map { try Self.attempts([Self.answer(500)], seed: $0).times[1] })
        #expect(second.count == 50)
    }

    @Test("goes forwards, ends after ten attempts at the latest, and is decided the same by the same seed")
    func simulation() {
        property { generator in
            let answers = (0..<generator.int(1...12)).map { _ in
                Self.answer(generator.pick([200, 301, 404, 410, 429, 500, 503]))
            }
            let (times, end) = try Self.attempts(answers, seed: generator.next())
            generator.note("\(times) \(end.end) \(end.label)")
            try #require(times == times.sorted() && times.count <= 10)
        }
    }

    @Test("waits at least as long as the receiver asks")
    func retryAfter() throws {
        let asked = Self.answer(429, [Header(name: "Retry-After", value: "7000")])
        let (times, end) = try Self.attempts([asked, asked, Self.answer(200)], seed: 3)
        #expect(times.count == 3)
        #expect(times[1] >= 7_000 * Self.second && times[1] <= 7_005 * Self.second)
        #expect(times[2] - times[1] >= 7_000 * Self.second)
        #expect(end.end == .delivered)
        // Less than the step changes nothing.
        let brief = Self.answer(429, [Header(name: "retry-after", value: "1")])
        #expect(try Self.attempts([brief, Self.answer(204)], seed: 3).times[1] >= 5 * Self.second)
    }

    @Test(
        "takes an answer for one: only who does not answer or says 5xx without a time is failing",
        arguments: [
            (answer(301), false), (answer(404), false), (answer(429), false), (answer(500), true),
            (answer(503), true), (answer(503, [Header(name: "Retry-After", value: "9")]), false),
            (.failure(.timedOut(.seconds(15))), true),
        ] as [(Result<Answer, SendFailure>, Bool)])
    func answers(_ answer: Result<Answer, SendFailure>, _ isFailing: Bool) throws {
        #expect(try Self.attempts([answer], seed: 1).end.isReceiverFailing == isFailing)
    }

    @Test("ends with the first 2xx, and at once with 410, which ends the channel too")
    func ends() throws {
        let (times, end) = try Self.attempts(
            [Self.answer(500), Self.answer(500), Self.answer(201)], seed: 1)
        #expect(times.count == 3 && end.end == .delivered && !end.isReceiverFailing)
        let gone = try Self.attempts([Self.answer(410)], seed: 1)
        #expect(gone.times == [0] && gone.end.gone != nil && gone.end.label == "gone")
        if case .dead = gone.end.end { return }
        Issue.record("\(gone.end)")
    }

    @Test("counts nothing when we stop: the delivery is told again at once, under the same id")
    func cancelled() throws {
        let (times, end) = try Self.attempts([.failure(.cancelled)], seed: 1)
        #expect(times == [0] && end.end == .postponed(until: Timestamp(nanoseconds: 0), error: nil))
    }
}

@Suite("Pacing")
struct PacingTests {
    private static let minute: Int64 = 60_000_000_000

    private static func channel(_ preferences: ChannelPreferences) -> Channel {
        Channel(
            id: UniqueID(high: 1, low: 1), user: .localOperator, name: "a", kind: .webhook,
            preferences: preferences,
            created: .zero)
    }

    private static func time(_ minutes: Int64) -> Timestamp { Timestamp(nanoseconds: minutes * minute) }

    @Test("tells so many within a minute and gathers the others at its end")
    func minute() {
        var preferences = ChannelPreferences()
        preferences.perMinute = 3
        var pacing = Pacing(perUser: 1_000)
        let channel = Self.channel(preferences)
        let start = Timestamp(nanoseconds: 5)
        let decisions = (0..<5).map { _ in pacing.decide(channel, isHeld: false, zone: .utc, at: start) }
        let end = start.adding(nanoseconds: Self.minute)
        #expect(decisions == [.deliver, .deliver, .deliver, .gather(at: end), .gather(at: end)])
        #expect(pacing.decide(channel, isHeld: false, zone: .utc, at: end) == .deliver)
    }

    @Test("is quiet after so many within an hour, and says so once")
    func hour() {
        var preferences = ChannelPreferences()
        preferences.perHour = 2
        var pacing = Pacing(perUser: 1_000)
        let channel = Self.channel(preferences)
        let end = Self.time(60)
        let decisions = (0..<4).map { pacing.decide(channel, isHeld: false, zone: .utc, at: Self.time($0)) }
        #expect(
            decisions == [
                .deliver, .deliver, .hold(.init(until: end, limit: .channel(2), isNews: true)),
                .hold(.init(until: end, limit: .channel(2))),
            ])
        // What was held comes together.
        #expect(pacing.decide(channel, isHeld: true, zone: .utc, at: end) == .gather(at: end))
    }

    @Test("is quiet for an hour at most after a clock was set back, and says so")
    func backwards() {
        var preferences = ChannelPreferences()
        preferences.perHour = 2
        var pacing = Pacing(perUser: 1_000)
        let channel = Self.channel(preferences)
        func decide(_ minute: Int64) -> Pacing.Decision {
            pacing.decide(channel, isHeld: false, zone: .utc, at: Self.time(minute))
        }
        #expect((10_000..<10_002).map { decide($0) } == [.deliver, .deliver])
        let first = Pacing.Hold(until: Self.time(10_060), limit: .channel(2), isNews: true)
        #expect(decide(10_003) == .hold(first))
        // Days; what was told counts for an hour from now on.
        #expect(decide(500) == .hold(.init(until: Self.time(560), limit: .channel(2))))
        #expect(decide(559) == .hold(.init(until: Self.time(560), limit: .channel(2))))
        #expect(decide(560) == .deliver)
    }

    @Test("is quiet after so many by all channels of a user, and says so once, not once by each")
    func allChannels() {
        var preferences = ChannelPreferences()
        preferences.perHour = 3
        var pacing = Pacing(perUser: 4)
        let others = (2...3).map { (number: UInt64) in
            var channel = Self.channel(preferences)
            channel.id = UniqueID(high: 1, low: number)
            return channel
        }
        let channels = [Self.channel(preferences)] + others
        func decide(_ place: Int, _ minute: Int64) -> Pacing.Decision {
            pacing.decide(channels[place], isHeld: false, zone: .utc, at: Self.time(minute))
        }
        #expect((0..<3).map { decide(0, $0) } == [.deliver, .deliver, .deliver])
        #expect(decide(1, 3) == .deliver)
        let end = Self.time(60)
        #expect(decide(1, 4) == .hold(.init(until: end, limit: .user(4), isNews: true)))
        #expect(decide(2, 5) == .hold(.init(until: end, limit: .user(4))))
        #expect(decide(0, 6) == .hold(.init(until: end, limit: .channel(3))))
        // Another one's channel is not concerned.
        var stranger = channels[0]
        (stranger.id, stranger.user) = (
            UniqueID(high: 2, low: 2), UserID(rawValue: UniqueID(high: 2, low: 1))
        )
        #expect(pacing.decide(stranger, isHeld: false, zone: .utc, at: Self.time(7)) == .deliver)
        #expect(decide(2, 60) == .deliver)
    }

    @Test("counts a digest as one message within the hour")
    func digests() {
        var preferences = ChannelPreferences()
        (preferences.perMinute, preferences.perHour) = (1, 5)
        var pacing = Pacing(perUser: 1_000)
        let channel = Self.channel(preferences)
        var told = 0
        for minute in Int64(0)..<60 {
            // One told by itself and three in a digest.
            let decisions = (0..<4).map { _ in
                pacing.decide(channel, isHeld: false, zone: .utc, at: Self.time(minute))
            }
            if decisions.contains(.deliver) { told += 1 }
            if decisions.contains(.gather(at: Self.time(minute + 1))) { told += 1 }
        }
        #expect(told == 5)
    }

    @Test(
        "holds in quiet hours until they end, by the clock of the channel's zone",
        arguments: [
            (22 * 60, 7 * 60, 21 * 60 + 59, nil), (22 * 60, 7 * 60, 22 * 60, 24 * 60 + 7 * 60),
            (22 * 60, 7 * 60, 24 * 60 + 6 * 60, 24 * 60 + 7 * 60), (22 * 60, 7 * 60, 24 * 60 + 7 * 60, nil),
            (9 * 60, 17 * 60, 12 * 60, 17 * 60), (20 * 60, 0, 23 * 60, 24 * 60),
        ] as [(Int, Int, Int64, Int64?)])
    func quiet(_ from: Int, _ to: Int, _ local: Int64, _ end: Int64?) {
        var preferences = ChannelPreferences()
        preferences.quiet = ChannelPreferences.Quiet(from: from, to: to)
        // Two hours east.
        let zone = ZoneOffsets(name: "X", spans: [.init(from: .zero, seconds: 7_200)])
        var pacing = Pacing(perUser: 1_000)
        let decision = pacing.decide(
            Self.channel(preferences), isHeld: false, zone: zone, at: Self.time(local - 120))
        #expect(decision == end.map { .hold(.init(until: Self.time($0 - 120))) } ?? .deliver)
    }
}
