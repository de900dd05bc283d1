import FuzzInputs
import Instruments
import MarketData
import Testing
import Venues

/// What the rest relies on, whatever the venue: of those of the catalogue, and of one that no code but these
/// tests knows.
@Suite("Every venue")
struct ConformanceTests {
    private func opened(
        _ sample: VenueSample, _ symbols: [String] = [], _ channels: Set<VenueChannel> = [.book]
    ) -> SessionDriver {
        var configuration = VenueConfiguration(sample.description)
        configuration.subscriptions = ([sample.first] + symbols).map { ($0, channels) }
        var driver = SessionDriver(configuration)
        driver.session.start(at: driver.clock, into: &driver.output)
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        driver.confirm(as: sample)
        return driver
    }

    private func live(
        _ sample: VenueSample, _ channels: Set<VenueChannel> = [.book]
    ) throws -> SessionDriver {
        var driver = opened(sample, [], channels)
        try driver.play(sample.image)
        try #require(driver.state(sample.first) == .live)
        return driver
    }

    @Test("of the catalogue has a sample here")
    func sampled() {
        #expect(VenueSample.catalogued.map(\.description.venue).sorted() == VenueCatalogue.standard.venues)
    }

    @Test("has an image that makes its book live, and changes that keep it so", arguments: VenueSample.all)
    func story(_ sample: VenueSample) throws {
        var driver = try live(sample)
        #expect(driver.text(sample.first) == "100×2 | 101×1")
        for change in sample.changes { try driver.play(change) }
        #expect(driver.text(sample.first) == VenueSample.book)
        #expect(driver.state(sample.first) == .live)
        #expect(driver.output.counters.resyncs == 0 && driver.output.counters.malformed == 0)
    }

    @Test("tells in its events of the books that it has, and never traps", arguments: VenueSample.all)
    func events(_ sample: VenueSample) {
        let lines = [sample.image] + sample.changes + ["!", sample.changes[0], sample.image, "~", "{"]
        VenueInput.run(
            lines.flatMap { $0.split(separator: "\n") }.map { Array($0.utf8) },
            of: .replay(of: sample.description))
    }

    @Test("makes no book live by changes alone", arguments: VenueSample.all)
    func changesFirst(_ sample: VenueSample) throws {
        guard sample.hasDeltas else { return }
        var driver = opened(sample)
        let events = try driver.play(sample.changes[0])
        #expect(bookEvents(events) == 0)
        #expect(driver.state(sample.first) == .syncing)
    }

    @Test("is not believed after a lost change, as far as its proof goes", arguments: VenueSample.all)
    func lostChange(_ sample: VenueSample) throws {
        var driver = try live(sample)
        try driver.play(sample.changes[0])
        let events = try driver.play(sample.changes[2])
        guard sample.description.proof != .nothing else {
            let index = try #require(driver.session.registry.find(sample.first))
            #expect(driver.session.auditRequest(for: index) != nil, "nothing else would find it")
            return
        }
        #expect(states(events) == [.syncing])
        #expect(bookEvents(events) == 0)
        var actions = driver.output.actions
        driver.tick(after: 2_000_000_000)
        actions += driver.output.actions
        #expect(!actions.isEmpty, "its image is asked for again")
    }

    @Test(
        "loses nothing but the book that a message was about which breaks off", arguments: VenueSample.all)
    func truncated(_ sample: VenueSample) throws {
        var driver = try live(sample)
        let events = try driver.play(String(sample.changes[0].dropLast(12)))
        #expect(bookEvents(events) == 0)
        #expect(driver.output.counters.malformed == 1)
        #expect(driver.state(sample.first) == .syncing)
        var noisy = try live(sample)
        try noisy.play("not json at all")
        #expect(noisy.output.counters.malformed == 1)
        #expect(noisy.state(sample.first) == .live)
    }

    @Test(
        "leaves a trade without a price or a size out, alone, and counts and names it",
        arguments: VenueSample.all)
    func unusableTrades(_ sample: VenueSample) throws {
        for row in sample.unusableRows {
            let rows = [VenueSample.TradeRow("100.5", "2"), row, VenueSample.TradeRow("101.5", "3")]
            var driver = try live(sample, [.book, .trade])
            let pages = [sample.trades(rows), sample.tradesAnswer(rows).map { [$0] } ?? []]
            for lines in pages where !lines.isEmpty {
                var events: [MarketEvent] = []
                var named: [UnusableTrade] = []
                for line in lines {
                    events += try driver.play(line)
                    if let trade = driver.output.latestUnusable { named.append(trade) }
                }
                #expect(tradeTexts(events) == ["100.5×2", "101.5×3"], "\(row)")
                let trade = try #require(named.first, "\(row)")
                #expect(named.count == 1, "\(row)")
                #expect(driver.session.registry[trade.instrument].symbol == sample.first)
                #expect(trade.id.hasSuffix("1"), "\(row)")
                #expect(trade.price.normalized == (try DecimalNumber(parsing: row.price).normalized))
                #expect(trade.size.normalized == (try DecimalNumber(parsing: row.size).normalized))
            }
            let counters = driver.output.counters
            #expect(counters.unusableTrades == UInt64(pages.count { !$0.isEmpty }), "\(row)")
            #expect(counters.malformed == 0 && counters.resyncs == 0, "\(row)")
            #expect(driver.state(sample.first) == .live, "\(row)")
            driver.tick(after: 1)
            #expect(driver.output.latestUnusable == nil)
        }
    }

    @Test("is stale without its connection and begins anew with the next", arguments: VenueSample.all)
    func reconnection(_ sample: VenueSample) throws {
        var driver = try live(sample)
        driver.session.closed(connection: 0, at: driver.clock, into: &driver.output)
        #expect(driver.state(sample.first) == .stale)
        driver.output.removeAll()
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        driver.confirm(as: sample)
        #expect(driver.state(sample.first) == .syncing)
        try driver.play(sample.image)
        #expect(driver.state(sample.first) == .live)
    }

    @Test("is pinged in its own way when it is silent, then connected again", arguments: VenueSample.all)
    func silence(_ sample: VenueSample) throws {
        var driver = opened(sample)
        let silence = sample.description.silence
        driver.tick(after: silence.ping.wholeNanoseconds + 100_000_000)
        switch sample.description.ping {
        case .frame: #expect(driver.output.actions.contains(.ping(connection: 0)))
        case .message: #expect(!driver.sent.isEmpty)
        }
        driver.tick(after: silence.answer.wholeNanoseconds + 100_000_000)
        #expect(driver.output.actions.contains(.reconnect(connection: 0, reason: "no answer to ping")))
    }

    @Test("says of an instrument that it does not list that it will not come", arguments: VenueSample.all)
    func unlisted(_ sample: VenueSample) throws {
        var driver = opened(sample, ["NO/SUCH"])
        let requests = driver.output.actions.compactMap { action in
            if case .request(let request) = action, request.purpose == .instruments { request } else { nil }
        }
        let url = try #require(requests.first).url
        #expect(url.hasPrefix(sample.description.restURL))
        let path = sample.description.instrumentList.prefix { $0 != "?" }
        #expect(url.prefix { $0 != "?" }.hasSuffix(path))
        try driver.respond(url, sample.list)
        #expect(driver.told == ["\(sample.first) defined", "NO/SUCH syncing unlisted"])
    }

    @Test("asks for candles at its own address, and takes no nonsense for them", arguments: VenueSample.all)
    func history(_ sample: VenueSample) throws {
        guard sample.description.history != nil else { return }
        let history = try #require(VenueCandleHistory(sample.description, restURL: "http://venue"))
        #expect(!history.lengths.isEmpty && history.lengths == history.lengths.sorted())
        let length = try #require(history.lengths.last)
        let end = Timestamp(nanoseconds: length * 10_000_000_000)
        let page = history.page(of: sample.first, seconds: length, from: .zero, to: end)
        #expect(page.url.hasPrefix("http://venue/"))
        #expect(page.from == .zero && page.to > page.from && page.to <= end)
        #expect(throws: HistoryError.malformed) {
            try Array("[[1]]".utf8).withUnsafeBytes { try history.parse($0, of: page, at: end) }
        }
    }

    @Test("has a description that says what it needs to", arguments: VenueSample.all)
    func description(_ sample: VenueSample) {
        let description = sample.description
        #expect(description.webSocketURL.hasPrefix("wss://") && !description.webSocketURL.hasSuffix("/"))
        #expect(description.restURL.hasPrefix("https://") && !description.restURL.hasSuffix("/"))
        #expect(description.instrumentList.hasPrefix("/"))
        #expect(description.options.allSatisfy { $0.words.contains($0.standard) })
        #expect(description.topicsPerMessage > 0 && description.requests.capacity > 1)
    }
}
