import Bus
import Instruments
import MarketData
import MarketStore
import Store
import Support
import Testing
import Wire

@testable import BookBuilding

@Suite("The last 24 hours at random instants", .serialized, .timeLimit(.minutes(10)))
struct DayTickerTests {
    private static let markets = 20
    /// Instants of each market, with a start of the service before every second one.
    private static let instants = 10

    @Test("are what all stored trades add up to one by one, and in SQL, across restarts")
    func bruteForce() async throws {
        let configuration = try await TestDatabase.market()
        try await Database.use(configuration, logger: TestDatabase.logger) { database in
            try await BuilderFixture.run { fixture in
                let publisher = try fixture.publisher("feed-ingestor")
                var feeds: [TapeFeed] = []
                for number in 0..<Self.markets {
                    let id = InstrumentID(venue: .kraken, symbol: "D\(number)/USD")
                    feeds.append(try TapeFeed(id, publisher, database, seed: UInt64(number)))
                    try await feeds[number].describe()
                }
                try await running([publisher]) {
                    try await publisher.waitForBroker()
                    var days = Days(feeds: feeds)
                    // More than a day, so that trades leave the window from the first instant on.
                    for _ in 0..<40 { try await days.pass() }
                    for _ in 0..<Self.instants / 2 {
                        try await running(fixture.storing(database)) {
                            for _ in 0..<2 {
                                try await days.pass()
                                try await days.areTold(by: fixture)
                            }
                        }
                        try await days.pass()
                    }
                    #expect(days.checked == Self.markets * Self.instants)
                }
            }
        }
    }
}

/// Feeds that share a venue's time.
private struct Days {
    private(set) var feeds: [TapeFeed]
    /// Tickers that were compared.
    private(set) var checked = 0
    private var generator = SeededGenerator(seed: 24)
    private var time: Int64 = 1_699_999_000_000_000_000

    init(feeds: [TapeFeed]) { self.feeds = feeds }

    /// Up to an hour passes, and something happens in most markets.
    mutating func pass() async throws {
        time += Int64(generator.int(1...3_000)) * 1_000_000_000
        for index in feeds.indices where generator.chance(80) {
            feeds[index].time = time
            feeds[index].say(generator.int(1...8), step: 9_000_000_000)
            try await feeds[index].store()
        }
    }

    /// Waits until every ticker is of all stored trades, and compares each with those.
    mutating func areTold(by fixture: BuilderFixture) async throws {
        var waiting = Dictionary(
            uniqueKeysWithValues: feeds.filter { !$0.stored.isEmpty }.map { ($0.id, $0) })
        checked += feeds.count - waiting.count
        while !waiting.isEmpty {
            try Task.checkCancellation()
            for case .dayTicker(let id, let ticker) in try await fixture.retained(["ticker.day."]) {
                guard let feed = waiting[id] else { continue }
                let day = NaiveDay(feed.stored, of: ticker)
                guard ticker.lastTradeTimeUnixNanos == day.lastTime, ticker.tradeCount == day.count else {
                    continue
                }
                #expect(day.says(ticker), "\(id) \(ticker) is not \(day)")
                try await checkSQL(ticker, feed)
                waiting[id] = nil
                checked += 1
            }
        }
    }

    private func checkSQL(_ ticker: Bitpal_V1_DayTicker, _ feed: TapeFeed) async throws {
        let span = try await feed.statistics(of: ticker)
        #expect(UInt64(span?.tradeCount ?? 0) == ticker.tradeCount)
        guard let span else { return }
        let said = try [ticker.baseVolume, ticker.quoteVolume].map {
            try DecimalNumber(parsing: $0).normalized.description
        }
        #expect(said == [span.volume.description, span.notional.description])
    }
}

/// What the trades of a ticker's window add up to, each looked at.
private struct NaiveDay: CustomStringConvertible {
    private(set) var count: UInt64 = 0
    private(set) var lastTime: Int64 = .min
    private var open: Int64?
    private var high: Int64?
    private var low: Int64?
    private var last: Int64 = 0
    private var volume: Int64 = 0
    private var notional: Int64 = 0

    init(_ trades: [Trade], of ticker: Bitpal_V1_DayTicker) {
        let sorted = trades.enumerated().sorted {
            ($0.element.venueTime, $0.offset) < ($1.element.venueTime, $1.offset)
        }
        for trade in sorted.map(\.element) {
            let price = trade.price.rawValue
            (last, lastTime) = (price, trade.venueTime.nanoseconds)
            guard trade.venueTime.nanoseconds >= ticker.windowStartUnixNanos else {
                open = price
                continue
            }
            count += 1
            open = open ?? price
            high = max(high ?? price, price)
            low = min(low ?? price, price)
            volume += trade.size.rawValue
            notional += price * trade.size.rawValue
        }
    }

    /// Prices have two places, sizes three.
    func says(_ ticker: Bitpal_V1_DayTicker) -> Bool {
        func text(_ units: Int64, _ places: Int) -> String {
            DecimalNumber(units: units, scale: Scale(places) ?? .zero).normalized.description
        }
        func plain(_ text: String) -> String? {
            (try? DecimalNumber(parsing: text))?.normalized.description
        }
        guard let open else { return false }
        let isRange =
            (ticker.hasHighPrice ? ticker.highPrice : nil) == high
            && (ticker.hasLowPrice ? ticker.lowPrice : nil) == low
        let isPrice = ticker.openPrice == open && ticker.lastPrice == last
        return isRange && isPrice && plain(ticker.baseVolume) == text(volume, 3)
            && plain(ticker.quoteVolume) == text(notional, 5) && plain(ticker.change) == text(last - open, 2)
            && plain(ticker.changePercent) == text(percent(of: last - open, open), 4)
            && ticker.windowEndUnixNanos - ticker.windowStartUnixNanos == 86_400_000_000_000
    }

    /// In ten thousandths of a percent, rounded half to even.
    private func percent(of change: Int64, _ open: Int64) -> Int64 {
        let dividend = abs(change) * 1_000_000
        var quotient = dividend / open
        let twice = dividend % open * 2
        if twice > open || twice == open && quotient % 2 == 1 { quotient += 1 }
        return change < 0 ? -quotient : quotient
    }

    var description: String {
        "\(count) trades, open \(open ?? 0) high \(high ?? 0) low \(low ?? 0) last \(last) \(volume) \(notional)"
    }
}
