import Instruments
import Testing
import Venues

@testable import FeedIngestion

@Suite("Requests to a venue")
struct RequestPlanTests {
    private let second: Int64 = 1_000_000_000

    @Test("hands an answer to the session, also a refusal", arguments: [200, 400, 404])
    func answers(status: Int) {
        var plan = RequestPlan(.instruments)
        #expect(plan.next(status: status, retryAfter: nil) == .deliver)
    }

    @Test(
        "asks again when nobody answered or the venue is in trouble, so many times", arguments: [0, 500, 503])
    func trouble(status: Int) {
        var plan = RequestPlan(.trades(InstrumentIndex(rawValue: 0)))
        for _ in 1...3 { #expect(plan.next(status: status, retryAfter: nil) == .again(pause: 0)) }
        #expect(plan.next(status: status, retryAfter: nil) == .deliver)
    }

    @Test("leaves it to the session to ask for an image again")
    func image() {
        var plan = RequestPlan(.bookSnapshot(InstrumentIndex(rawValue: 0)))
        #expect(plan.next(status: 0, retryAfter: nil) == .deliver)
    }

    @Test("waits as long as the venue asks, and longer after a ban")
    func bans() {
        var plan = RequestPlan(.instruments)
        #expect(plan.next(status: 429, retryAfter: .seconds(30)) == .again(pause: 30 * second))
        #expect(plan.next(status: 429, retryAfter: nil) == .again(pause: 10 * second))
        #expect(plan.next(status: 418, retryAfter: .seconds(30)) == .again(pause: 60 * second))
        #expect(RequestPlan.ban(status: 429, retryAfter: nil) == 10 * second)
        #expect(RequestPlan.ban(status: 200, retryAfter: .seconds(5)) == 0)
    }

    @Test("keeps a part of the budget for what a book waits for")
    func reserve() {
        var pace = RequestPace(Kraken.description.requests)
        let now = Timestamp(nanoseconds: 1_000 * second)
        for _ in 1...5 { #expect(pace.take(isUrgent: false, at: now) == 0) }
        #expect(pace.take(isUrgent: false, at: now) > 0)
        for _ in 1...5 { #expect(pace.take(isUrgent: true, at: now) == 0) }
        #expect(pace.take(isUrgent: true, at: now) > 0)
        #expect(pace.take(isUrgent: true, at: now.adding(nanoseconds: second)) == 0)
    }

    @Test("of a small budget is half, so that what can wait is asked all the same")
    func smallReserve() {
        var pace = RequestPace(Coinbase.description.requests)
        let now = Timestamp(nanoseconds: 1_000 * second)
        #expect(pace.take(isUrgent: false, at: now) == 0)
    }

    @Test("asks nobody while the venue wants to be left alone")
    func pause() {
        var pace = RequestPace(BitMEX.description.requests)
        let now = Timestamp(nanoseconds: 1_000 * second)
        pace.pause(for: 10 * second, at: now)
        #expect(pace.take(isUrgent: true, at: now.adding(nanoseconds: 4 * second)) == 6 * second)
        #expect(pace.take(isUrgent: true, at: now.adding(nanoseconds: 10 * second)) == 0)
    }

    @Test("a clock that is set back by an hour stops nobody for longer than the pause or the budget")
    func clock() {
        let now = Timestamp(nanoseconds: 10_000 * second)
        let back = now.adding(nanoseconds: -3_600 * second)
        var paused = RequestPace(BitMEX.description.requests)
        paused.pause(for: 10 * second, at: now)
        #expect(paused.take(isUrgent: true, at: back) == 10 * second)
        paused.pause(for: 2 * second, at: back.adding(nanoseconds: 4 * second))
        #expect(paused.take(isUrgent: true, at: back.adding(nanoseconds: 4 * second)) == 6 * second)
        #expect(paused.take(isUrgent: true, at: back.adding(nanoseconds: 10 * second)) == 0)
        var spent = RequestPace(Kraken.description.requests)
        let limit = Kraken.description.requests
        for _ in 0..<limit.capacity { #expect(spent.take(isUrgent: true, at: now) == 0) }
        #expect(spent.take(isUrgent: false, at: back) > 0)
        let full = back.adding(nanoseconds: Int64(limit.capacity) * limit.refillEvery)
        #expect(spent.take(isUrgent: false, at: full) == 0)
    }

    @Test(
        "asks for five hundred images at once no faster than each venue allows, and for all of them",
        arguments: VenueCatalogue.standard.venues)
    func storm(_ venue: Venue) throws {
        let limit = try VenueCatalogue.standard.description(of: venue).requests
        var pace = RequestPace(limit)
        var now = Timestamp(nanoseconds: 1_000 * second)
        let start = now
        var asked: [Int64] = []
        while asked.count < 500 {
            let wait = pace.take(isUrgent: true, at: now)
            if wait == 0 { asked.append(now.nanoseconds(since: start)) }
            now = now.adding(nanoseconds: wait)
        }
        // What is saved up at first, and then one by one.
        for (place, time) in asked.enumerated() {
            let earliest = max(0, Int64(place + 1 - limit.capacity)) * limit.refillEvery
            #expect(time >= earliest && time <= earliest + limit.refillEvery)
        }
    }
}
