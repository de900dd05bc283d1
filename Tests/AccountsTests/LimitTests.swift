import Accounts
import Instruments
import Support
import Testing

@Suite("Limits")
struct LimitTests {
    /// Credit in nanoseconds that fills as time goes by, written down the plain way.
    private struct Bucket {
        var credit: Int64
        var time: Int64

        mutating func take(_ weight: Int64, burst: Int64, interval: Int64, at now: Int64) -> Bool {
            credit = min(credit + max(now - time, 0), burst * interval)
            time = max(time, now)
            guard credit >= weight * interval else { return false }
            credit -= weight * interval
            return true
        }
    }

    @Test("of requests decide as a bucket that fills")
    func rate() {
        property { generator in
            let (burst, interval) = (Int64(generator.int(1...20)), Int64(generator.int(1...1_000)))
            let policy = RateLimit.Policy(burst: burst, interval: interval)
            var limit = RateLimit()
            var now = Int64(generator.int(0...1_000_000))
            var bucket = Bucket(credit: burst * interval, time: now)
            for _ in 0..<100 {
                now += Int64(generator.int(0...Int(interval) * 3))
                let weight = Int64(generator.int(1...3))
                let decision = limit.take(weight, of: policy, at: Timestamp(nanoseconds: now))
                let expected = bucket.take(weight, burst: burst, interval: interval, at: now)
                try #require(decision.isAllowed == expected)
                try #require(decision.remaining == bucket.credit / interval)
                try #require(decision.resetAfter == burst * interval - bucket.credit)
                if !expected, weight <= burst {
                    // Then, and not a nanosecond sooner.
                    var (early, due) = (limit, limit)
                    let then = now + decision.retryAfter
                    try #require(
                        !early.take(weight, of: policy, at: Timestamp(nanoseconds: then - 1)).isAllowed)
                    try #require(due.take(weight, of: policy, at: Timestamp(nanoseconds: then)).isAllowed)
                }
            }
        }
    }

    @Test("of requests give no more, and make nobody wait longer, however often a clock is set back")
    func steps() {
        property { generator in
            let (burst, interval) = (Int64(generator.int(1...20)), Int64(generator.int(1...1_000)))
            let policy = RateLimit.Policy(burst: burst, interval: interval)
            var limit = RateLimit()
            let start: Int64 = 1_800_000_000_000_000_000
            // What really passes, and by how much the clock is behind.
            var (passed, behind, taken) = (Int64(0), Int64(0), Int64(0))
            var time: Timestamp { Timestamp(nanoseconds: start + passed - behind) }
            for _ in 0..<100 {
                passed += Int64(generator.int(0...Int(interval) * 3))
                if generator.int(0...9) == 0 { behind += Int64(generator.int(0...1_000_000_000)) }
                let wait = limit.wait(of: policy, at: time)
                try #require(wait <= interval)
                let isAllowed = limit.take(of: policy, at: time).isAllowed
                try #require(isAllowed == (wait == 0))
                if isAllowed { taken += 1 }
                try #require(taken <= burst + passed / interval)
                // Whoever was refused waits so long and no longer, unless the clock is set back again.
                if !isAllowed {
                    let later = time.adding(nanoseconds: wait)
                    var due = limit
                    try #require(due.take(of: policy, at: later).isAllowed)
                }
            }
            passed += burst * interval
            try #require(limit.take(burst, of: policy, at: time).isAllowed)
        }
    }

    @Test("of requests survive a clock that was set back")
    func clock() {
        let policy = RateLimit.Policy(burst: 2, interval: 1_000)
        var limit = RateLimit()
        for _ in 0..<2 { _ = limit.take(of: policy, at: Timestamp(nanoseconds: 9_000_000_000_000_000_000)) }
        let decision = limit.take(of: policy, at: Timestamp(nanoseconds: 5_000))
        #expect(!decision.isAllowed && decision.retryAfter == 1_000 && decision.resetAfter == 2_000)
        // It was noted then, so that what is earned since is there, however far the clock was set back.
        #expect(limit.take(of: policy, at: Timestamp(nanoseconds: 6_000)).isAllowed)
        #expect(!limit.take(of: policy, at: Timestamp(nanoseconds: 6_000)).isAllowed)
        var fresh = RateLimit()
        #expect(fresh.isIdle(at: .zero))
        let tooMuch = fresh.take(3, of: policy, at: .zero)
        #expect(!tooMuch.isAllowed && tooMuch.retryAfter == 0 && fresh.isIdle(at: .zero))
    }

    @Test("of attempts to sign in double from a second to a quarter of an hour")
    func login() {
        let second: Int64 = 1_000_000_000
        var throttle = LoginThrottle()
        let now = Timestamp(nanoseconds: 1_000 * second)
        #expect(throttle.wait(at: now) == 0)
        var pauses: [Int64] = []
        for _ in 1...12 {
            throttle = throttle.failed(at: now)
            pauses.append(throttle.wait(at: now) / second)
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
        #expect(throttle.wait(at: now.adding(nanoseconds: 900 * second - 1)) == 1)
        #expect(throttle.wait(at: now.adding(nanoseconds: 900 * second)) == 0)
        #expect(throttle.wait(at: now.adding(nanoseconds: -5_000 * second)) == 900 * second)
        #expect(throttle.failed(at: now.adding(nanoseconds: 86_401 * second)).failures == 1)
    }

    @Test("of an account from everywhere begin after a hundred failures, and are short")
    func loginFromEverywhere() {
        let now = Timestamp(nanoseconds: 1_000_000_000_000)
        let pauses = [0, 100, 101, 102, 103, 104, 105, 100_000].map { failures in
            LoginThrottle(failures: failures, last: now).wait(at: now, .ofAll) / 1_000_000_000
        }
        #expect(pauses == [0, 0, 1, 2, 4, 8, 8, 8])
    }

    @Test("of flags keep who is in, and take in as many as they say")
    func flags() throws {
        let users = (0..<2_000).map { "user-\($0)" }
        var before: Set<String> = []
        for percentage in [0, 1, 10, 50, 99, 100] {
            let flag = try FeatureFlag(name: "new-chart", percentage: percentage)
            let now = Set(users.filter(flag.isOn))
            #expect(now.isSuperset(of: before) && abs(now.count - percentage * 20) <= 90)
            before = now
        }
        let other = Set(users.filter(try FeatureFlag(name: "other", percentage: 50).isOn))
        let this = Set(users.filter(try FeatureFlag(name: "new-chart", percentage: 50).isOn))
        #expect(abs(other.intersection(this).count - 500) < 120)
        let decided = try FeatureFlag(name: "x", percentage: 0, users: ["user-1": true])
        #expect(decided.isOn(for: "user-1") && !decided.isOn(for: "user-2"))
        // The same for ever: a changed hash would shuffle everybody.
        #expect(users.prefix(8).map(try FeatureFlag(name: "new-chart", percentage: 50).isOn).count == 8)
        #expect(throws: FieldFault.self) { try FeatureFlag(name: "Big", percentage: 1) }
        #expect(throws: FieldFault.self) { try FeatureFlag(name: "a", percentage: 101) }
    }

    @Test("of settings name what is accepted")
    func settings() throws {
        var settings = UserSettings()
        try settings.set(locale: "ja")
        try settings.set(timeZone: "America/Argentina/Buenos_Aires")
        try settings.set(baseCurrency: "EUR")
        try settings.set(onboarding: ["welcome", "first-alert"])
        settings.quietHours = try UserSettings.QuietHours(from: "22:05", to: "07:00")
        #expect(settings.quietHours == UserSettings.QuietHours(from: 1_325, to: 420))
        #expect(settings.quietHours?.texts.from == "22:05" && settings.quietHours?.texts.to == "07:00")
        let kept = settings
        #expect(throws: FieldFault.self) { try settings.set(locale: "fr") }
        #expect(throws: FieldFault.self) { try settings.set(timeZone: "../etc/passwd") }
        #expect(throws: FieldFault.self) { try settings.set(baseCurrency: "eur") }
        #expect(throws: FieldFault.self) { try settings.set(onboarding: ["a", "a"]) }
        #expect(settings == kept)
        #expect(throws: FieldFault.self) { try UserSettings.QuietHours(from: "07:00", to: "07:00") }
        for wrong in ["24:00", "7:00", "07:60", "", "07-00", "０７:00"] {
            #expect(throws: FieldFault.self) { try UserSettings.QuietHours(from: wrong, to: "07:00") }
        }
    }

    @Test("of tokens are the role's")
    func scopes() throws {
        #expect(try Scope.read(["alerts:read", "market:read"], for: .user) == [.alertsRead, .marketRead])
        #expect(try Scope.read(["operator"], for: .operator) == [.operator])
        for wrong in [[], ["operator"], ["all"], ["market:read", "market:read"]] {
            let fault = #expect(throws: FieldFault.self) { try Scope.read(wrong, for: .user) }
            #expect(fault?.field == "scopes")
        }
    }
}
