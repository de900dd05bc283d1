import Instruments
import MarketData
import Support
import Testing

@testable import Venues

/// Five hundred books lose their sequence in one moment, by a clock of the test's own.
///
/// The venue answers each question after 300 milliseconds.
private struct Storm {
    static let count = 500
    static let answerTime: Int64 = 300_000_000
    static let second: Int64 = 1_000_000_000

    let sample: VenueSample
    let symbols: [String]
    private(set) var driver: SessionDriver
    /// When images were asked for.
    private(set) var asks: [Timestamp] = []
    /// Symbols that were asked for although their answer was still to come.
    private(set) var doubled: [String] = []
    private var awaited: [String: Timestamp] = [:]
    private var spokeAt = Timestamp.zero

    init(_ sample: VenueSample) throws {
        self.sample = sample
        symbols = (0..<Self.count).map { number in
            // As long as the digits of the largest, so that none is a part of another.
            let digits = String(String(1_000 + number).dropFirst())
            return sample.product + "Q\(digits)" + sample.written(sample.first).dropFirst(3)
        }
        var configuration = VenueConfiguration(sample.description)
        configuration.subscriptions = symbols.map { ($0, [.book]) }
        driver = SessionDriver(configuration)
        driver.session.start(at: driver.clock, into: &driver.output)
        driver.session.opened(connection: 0, at: driver.clock, into: &driver.output)
        driver.confirm(as: sample)
        for symbol in symbols { try driver.play(image(of: symbol)) }
        try #require(lost.isEmpty, "\(lost.count) books are not live at the start")
    }

    /// Whether anything is still to be asked for or to be answered.
    var isRunning: Bool { asks.count < Self.count || !awaited.isEmpty }

    /// Symbols whose books are not live.
    var lost: [String] { symbols.filter { driver.state($0) != .live } }

    /// Every book is wrong.
    mutating func breakOut() throws {
        for symbol in symbols {
            let index = try #require(driver.session.registry.find(symbol))
            driver.output.removeAll()
            driver.session.resync(
                index, reason: .sequenceGap, detail: "lost", at: driver.clock, into: &driver.output)
            note()
        }
    }

    /// Lets a tenth of a second pass.
    mutating func step() throws {
        driver.tick(after: Self.second / 10)
        note()
        if driver.clock.nanoseconds(since: spokeAt) >= Self.second {
            spokeAt = driver.clock
            driver.receive(sample.keepAlive)
            note()
        }
        for (symbol, due) in awaited.sorted(by: { $0.key < $1.key }) where due <= driver.clock {
            awaited[symbol] = nil
            try driver.play(image(of: symbol))
            note()
        }
    }

    /// The most questions that ever lay within so many nanoseconds.
    func most(within span: Int64) -> Int {
        var (first, most) = (0, 0)
        for last in asks.indices {
            while asks[last].nanoseconds(since: asks[first]) > span { first += 1 }
            most = max(most, last - first + 1)
        }
        return most
    }

    private func image(of symbol: String) -> String {
        sample.imageOf?(symbol)
            ?? sample.image.split(separator: sample.written(sample.first), omittingEmptySubsequences: false)
            .joined(separator: sample.written(symbol))
    }

    /// Takes down what the last call asked for, by request or by a new subscription.
    private mutating func note() {
        for action in driver.output.actions {
            switch action {
            case .request(let request):
                if case .bookSnapshot(let index) = request.purpose {
                    note(driver.session.registry[index].symbol)
                }
            case .send(_, let text) where text.contains(sample.asksForImage):
                for symbol in named(in: text) { note(symbol) }
            default: break
            }
        }
    }

    /// The symbols of a message: a Q and three digits each.
    private func named(in text: String) -> [String] {
        let bytes = Array(text.utf8)
        return bytes.indices.dropLast(3).compactMap { place in
            guard bytes[place] == UInt8(ascii: "Q") else { return nil }
            return Int(String(decoding: bytes[place + 1...place + 3], as: UTF8.self)).map { symbols[$0] }
        }
    }

    private mutating func note(_ symbol: String) {
        asks.append(driver.clock)
        if awaited[symbol] != nil { doubled.append(symbol) }
        awaited[symbol] = driver.clock.adding(nanoseconds: Self.answerTime)
    }
}

extension VenueSample {
    /// A message that says nothing but that the venue is there.
    fileprivate var keepAlive: String {
        switch description.venue {
        case .bitmex: "pong"
        case .kraken: #"{"channel":"heartbeat"}"#
        default: #"{"result":null,"id":1}"#
        }
    }
}

@Suite("Five hundred books lost at once")
struct ResyncStormTests {
    @Test(
        "are all live again within the venue's limits, each asked for once at a time",
        arguments: VenueSample.catalogued)
    func storm(_ sample: VenueSample) throws {
        var storm = try Storm(sample)
        try storm.breakOut()
        #expect(storm.lost.count == Storm.count)
        let images = sample.description.images
        let (perSecond, burst) = (Int(images.perSecond), Int(images.burst))
        // All of them at the venue's rate, and the longest delay before a repetition.
        let bound = Int64(Storm.count / perSecond + 60) * Storm.second
        let start = storm.driver.clock
        while storm.isRunning, storm.driver.clock.nanoseconds(since: start) < bound { try storm.step() }
        #expect(storm.lost == [])
        #expect(storm.asks.count == Storm.count && storm.doubled == [])
        for seconds in [0, 1, 10, 60] {
            #expect(storm.most(within: Int64(seconds) * Storm.second) <= burst + perSecond * seconds)
        }
        #expect(storm.driver.output.counters.resyncs >= UInt64(Storm.count))
    }

    @Test(
        "ask for no more images than the REST interface may be asked for",
        arguments: VenueSample.catalogued.filter { $0.image.contains("@https") })
    func limits(_ sample: VenueSample) {
        let images = sample.description.images
        let requests = sample.description.requests
        #expect(images.perSecond * requests.refillEvery <= Storm.second)
        #expect(images.burst <= Int64(requests.capacity))
    }
}
