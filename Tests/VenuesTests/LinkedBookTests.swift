import Instruments
import MarketData
import Testing
import Venues

/// What OKX and Bitget have in common: books whose changes name the message before them.
@Suite("Linked books")
struct LinkedBookTests {
    private func okx(
        _ channel: String, _ action: String, _ sides: String, after previous: Int, number: Int
    ) -> String {
        #"{"arg":{"channel":"\#(channel)","instId":"BTC-USDT"},\#(action)"data":[{\#(sides),"#
            + #""ts":"1597026383085","checksum":0,"prevSeqId":\#(previous),"seqId":\#(number)}]}"#
    }

    private let snapshot = #""action":"snapshot","#
    private let image = VenueSample.okx(OKX.description).image

    private func opened(_ sample: VenueSample) -> SessionDriver {
        var driver = SessionDriver(VenueConfiguration(sample.description, following: [sample.first]))
        driver.session.start(at: driver.clock, into: &driver.output)
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        return driver
    }

    @Test("belong to their channel, unless a deeper one's image comes")
    func channels() {
        var driver = SessionDriver(.replay(of: OKX.description))
        let other = #""asks":[["105","1","0","1"]],"bids":[["90","2","0","1"]]"#
        driver.receive(okx("books50-l2-tbt", snapshot, other, after: -1, number: 3))
        driver.receive(image)
        #expect(driver.text("BTC-USDT") == "100×2 | 101×1")
        driver.receive(okx("books5", "", other, after: -1, number: 11))
        driver.receive(okx("books50-l2-tbt", #""action":"update","#, other, after: 10, number: 11))
        driver.receive(okx("books50-l2-tbt", snapshot, other, after: -1, number: 12))
        #expect(driver.text("BTC-USDT") == "100×2 | 101×1")
        #expect(driver.state("BTC-USDT") == .live && driver.output.counters.resyncs == 0)
    }

    @Test("begin with both sides and the word for an image")
    func images() {
        var driver = SessionDriver(.replay(of: OKX.description))
        driver.receive(okx("books", snapshot, #""asks":[["105","1","0","1"]]"#, after: -1, number: 3))
        let both = #""asks":[["105","1","0","1"]],"bids":[]"#
        driver.receive(okx("books", #""action":"other","#, both, after: -1, number: 3))
        #expect(driver.output.counters.malformed == 2 && driver.text("BTC-USDT") == " | ")
        driver.receive(okx("books", snapshot, both, after: -1, number: 3))
        #expect(driver.text("BTC-USDT") == " | 105×1")
    }

    @Test(
        "are lost when the venue ends them after a late image",
        arguments: [
            (
                VenueSample.okx(OKX.description),
                #"{"event":"unsubscribe","arg":{"channel":"books","instId":"BTC-USDT"}}"#
            ),
            (
                VenueSample.bitget,
                #"{"event":"unsubscribe","arg":{"instType":"SPOT","channel":"books","instId":"BTCUSDT"}}"#
            ),
            (
                VenueSample.krakenFutures,
                #"{"event":"unsubscribed","feed":"book","product_ids":["PF_XBTUSD"]}"#
            ),
        ])
    func ended(_ sample: VenueSample, _ answer: String) throws {
        var driver = opened(sample)
        driver.tick(after: 4_000_000_000)
        driver.receive(#"{"event":"info"}"#)
        driver.tick(after: 6_100_000_000)
        #expect(driver.sent.contains { $0.contains("unsubscribe") })
        try driver.play(sample.image)
        #expect(driver.state(sample.first) == .live)
        #expect(states(driver.receive(answer)) == [.syncing])
        driver.tick(after: 100_000_000)
        #expect(driver.sent == [], "its next image is on its way")
        try driver.play(sample.image)
        #expect(driver.state(sample.first) == .live)
    }

    @Test(
        "are not asked for any more when the venue has none",
        arguments: [
            (
                VenueSample.okx(OKX.description),
                #"{"event":"error","code":"60018","msg":"channel:books,instId:BTC-USDT doesn't exist."}"#
            ),
            (
                VenueSample.bitget,
                #"{"event":"error","code":30001,"msg":"x","#
                    + #""arg":{"instType":"SPOT","channel":"books","instId":"BTCUSDT"}}"#
            ),
        ])
    func refused(_ sample: VenueSample, _ answer: String) {
        var driver = opened(sample)
        driver.receive(answer)
        #expect(driver.output.counters.refused == 1)
        driver.tick(after: 100_000_000_000)
        #expect(!driver.sent.contains { $0.contains("subscribe") })
    }

    @Test(
        "are asked for by no more messages an hour than the venue takes",
        arguments: [(VenueSample.okx(OKX.description), 480), (VenueSample.bitget, 240)])
    func budget(_ sample: VenueSample, _ limit: Int) {
        let symbols = (0..<100).map { sample.product + "Q\($0)-USDT" }
        var driver = SessionDriver(VenueConfiguration(sample.description, following: symbols))
        driver.session.start(at: driver.clock, into: &driver.output)
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        var asked = driver.sent.count
        // No image ever comes.
        for _ in 0..<3_600 {
            driver.tick(after: 1_000_000_000)
            asked += driver.sent.count { $0.contains("subscribe") }
            driver.receive("pong")
        }
        #expect(asked > limit / 2 && asked <= limit)
    }
}
