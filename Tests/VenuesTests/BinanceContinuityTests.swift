import Instruments
import MarketData
import Testing
import Venues

/// Every small combination of update numbers, judged by a second reading of the venue's procedure.
///
/// A comparison in the session that is off by one, or turned around, differs from it somewhere here.
///
/// Source: Binance API documentation, "How to manage a local order book correctly", of spot and of USD-M
/// futures, read 2026-11.
@Suite("Binance's update numbers, all of them")
struct BinanceContinuityTests {
    private enum Verdict: Equatable { case applied, dropped, gap, unreadable }

    /// The numbers of one event, in the venue's words.
    fileprivate struct Numbers {
        let U: Int
        let u: Int
        let pu: Int
    }

    /// The two markets, each with the steps that its documentation has.
    enum Market: CaseIterable {
        case spot, futures

        fileprivate var venue: VenueDescription { self == .spot ? Binance.spot : Binance.usdm }

        fileprivate var depthURL: String {
            venue.restURL + (self == .spot ? "/api/v3" : "/fapi/v1") + "/depth?symbol=BNBBTC&limit=1000"
        }

        fileprivate func event(_ numbers: Numbers) -> String {
            let chain = self == .futures ? ",\"pu\":\(numbers.pu)" : ""
            return
                "{\"stream\":\"bnbbtc@depth@100ms\",\"data\":{\"e\":\"depthUpdate\",\"E\":1,\"s\":\"BNBBTC\","
                + "\"U\":\(numbers.U),\"u\":\(numbers.u)\(chain),\"b\":[[\"0.0023\",\"5\"]],\"a\":[]}}"
        }

        /// An event that each book takes that contains the updates up to `last`.
        fileprivate func next(after last: Int) -> String {
            event(Numbers(U: last + 1, u: last + 1, pu: last))
        }
    }

    /// The steps one after the other, without a thought for how the session does it.
    private static func verdict(
        _ numbers: Numbers, _ market: Market, last: Int, isFirst: Bool
    ) -> Verdict {
        if numbers.u < numbers.U { return .unreadable }
        switch (market, isFirst) {
        case (.spot, true):
            // "Drop any event where u is <= lastUpdateId in the snapshot."
            if numbers.u <= last { return .dropped }
            // "The first processed event should have U <= lastUpdateId+1 AND u >= lastUpdateId+1."
            return numbers.U <= last + 1 && numbers.u >= last + 1 ? .applied : .gap
        case (.spot, false):
            // "Each new event's U should be equal to the previous event's u+1"; what is older is known.
            if numbers.u <= last { return .dropped }
            return numbers.U == last + 1 ? .applied : .gap
        case (.futures, true):
            // "Drop any event where u is < lastUpdateId in the snapshot."
            if numbers.u < last { return .dropped }
            // "The first processed event should have U <= lastUpdateId AND u >= lastUpdateId."
            if numbers.U <= last { return .applied }
            // The chain proves as much: nothing lies between the snapshot and an event that follows it.
            return numbers.pu == last ? .applied : .gap
        case (.futures, false):
            // "Each new event's pu should be equal to the previous event's u, otherwise initialize again";
            // what is older is known.
            if numbers.pu == last { return .applied }
            return numbers.u <= last ? .dropped : .gap
        }
    }

    private static func numbers(of market: Market) -> [Numbers] {
        (0...6).flatMap { first in
            (0...6).flatMap { last in
                (market == .spot ? 0...0 : 0...6).map { Numbers(U: first, u: last, pu: $0) }
            }
        }
    }

    private static func snapshot(_ id: Int) -> String {
        "{\"lastUpdateId\":\(id),\"bids\":[[\"0.0024\",\"10\"]],\"asks\":[[\"0.0026\",\"100\"]]}"
    }

    /// A live book that contains the updates up to `last`.
    private static func live(_ market: Market, last: Int, isFirst: Bool) throws -> SessionDriver {
        var driver = SessionDriver(.replay(of: market.venue))
        guard !isFirst else {
            try driver.respond(market.depthURL, snapshot(last))
            return driver
        }
        // One event lies between the snapshot and now.
        try driver.respond(market.depthURL, snapshot(last - 1))
        driver.receive(market.next(after: last - 1))
        return driver
    }

    private static func check(
        _ verdict: Verdict, _ events: [MarketEvent], _ driver: SessionDriver,
        before: VenueCounters, _ context: Comment
    ) {
        let counters = driver.output.counters
        #expect(bookEvents(events) == (verdict == .applied ? 1 : 0), context)
        #expect(counters.staleDropped - before.staleDropped == (verdict == .dropped ? 1 : 0), context)
        #expect(counters.gaps - before.gaps == (verdict == .gap ? 1 : 0), context)
        #expect(counters.malformed - before.malformed == (verdict == .unreadable ? 1 : 0), context)
        let isLive = verdict == .applied || verdict == .dropped
        #expect(driver.state("BNBBTC") == (isLive ? .live : .syncing), context)
    }

    @Test("an event on a live book is what the steps say", arguments: Market.allCases, [true, false])
    func live(market: Market, isFirst: Bool) throws {
        for last in (isFirst ? 0 : 1)...4 {
            let start = try Self.live(market, last: last, isFirst: isFirst)
            try #require(start.state("BNBBTC") == .live)
            for numbers in Self.numbers(of: market) {
                let context: Comment =
                    "\(market) U \(numbers.U) u \(numbers.u) pu \(numbers.pu) after \(last)"
                var driver = start
                let verdict = Self.verdict(numbers, market, last: last, isFirst: isFirst)
                let events = driver.receive(market.event(numbers))
                Self.check(
                    verdict, events, driver, before: start.output.counters, context)
                // Whatever it was, the book goes on from the right place.
                guard verdict == .applied || verdict == .dropped else { continue }
                let now = verdict == .applied ? numbers.u : last
                #expect(bookEvents(driver.receive(market.next(after: now))) == 1, context)
                #expect(driver.state("BNBBTC") == .live, context)
            }
        }
    }

    @Test("an event that waits for its snapshot is what the steps say", arguments: Market.allCases)
    func waiting(market: Market) throws {
        for numbers in Self.numbers(of: market) where numbers.U <= numbers.u {
            var start = SessionDriver(.replay(of: market.venue))
            start.receive(market.event(numbers))
            for last in 0...4 {
                let context: Comment =
                    "\(market) U \(numbers.U) u \(numbers.u) pu \(numbers.pu) before \(last)"
                var driver = start
                let events = try driver.respond(market.depthURL, Self.snapshot(last))
                // "If the snapshot's lastUpdateId is less than the U of the first event, get another."
                if last < numbers.U - 1 {
                    #expect(bookEvents(events) == 0 && driver.state("BNBBTC") == .syncing, context)
                    #expect(driver.output.counters.gaps == 0, context)
                    // A newer one is taken.
                    try driver.respond(market.depthURL, Self.snapshot(numbers.u))
                    #expect(driver.state("BNBBTC") == .live, context)
                    continue
                }
                let verdict = Self.verdict(numbers, market, last: last, isFirst: true)
                // The snapshot is told as well.
                #expect(bookEvents(events) == (verdict == .applied ? 2 : 1), context)
                #expect(driver.output.counters.staleDropped == (verdict == .dropped ? 1 : 0), context)
                #expect(driver.output.counters.gaps == (verdict == .gap ? 1 : 0), context)
                #expect(driver.state("BNBBTC") == (verdict == .gap ? .syncing : .live), context)
            }
        }
    }

    @Test("of futures are not believed without pu, and none below zero")
    func incomplete() throws {
        let numbers = Numbers(U: 1, u: 2, pu: 0)
        for (market, part, instead) in [
            (Market.futures, ",\"pu\":0", ""), (.spot, "\"U\":1", "\"U\":-1"),
            (.futures, "\"U\":1", "\"U\":-1"),
        ] {
            var driver = try Self.live(market, last: 0, isFirst: true)
            let whole = market.event(numbers)
            try #require(whole.contains(part))
            #expect(bookEvents(driver.receive(whole.replacing(part, with: instead))) == 0)
            #expect(driver.output.counters.malformed == 1 && driver.state("BNBBTC") == .syncing)
        }
    }

    @Test(
        "a level needs a price above zero and a size that is not below",
        arguments: [
            ("0.0023", "5", true), ("0.0024", "0", true), ("0.0024", "0.00", true), ("0", "5", false),
            ("0.00", "5", false), ("-0.0023", "5", false), ("0.0023", "-5", false), ("0", "0", false),
        ])
    func levels(price: String, size: String, isTaken: Bool) throws {
        for market in Market.allCases {
            var driver = try Self.live(market, last: 0, isFirst: true)
            let event = market.event(Numbers(U: 0, u: 1, pu: 0))
                .replacing("[\"0.0023\",\"5\"]", with: "[\"\(price)\",\"\(size)\"]")
            let events = driver.receive(event)
            #expect(bookEvents(events) == (isTaken ? 1 : 0))
            #expect(driver.state("BNBBTC") == (isTaken ? .live : .syncing))
            #expect(driver.output.counters.malformed == (isTaken ? 0 : 1))
        }
    }
}
