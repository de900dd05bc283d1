import Instruments
import MarketData
import Support
import Testing

@testable import MarketState

/// A feed that says trades and stores them later, a bus that loses messages, and somebody who joins.
private struct TapeSeamSimulation {
    private enum Message {
        case trade(Trade)
        case stored
        case confirmed
        case gap
    }

    var seam = TapeSeam()
    /// Trades of number 0 up to it were said, and stored.
    private var (said, stored) = (0, 0)
    private var inbox: [Message] = []
    private(set) var isSubscribed = false
    private var readings: [(reading: TapeSeam.Reading, found: Int?)] = []
    /// The numbers of the trades that somebody knows.
    private(set) var known: Set<Int> = []

    static func trade(_ number: Int, isBackfill: Bool = false) -> Trade {
        Trade(
            id: "\(number)", side: .buy, price: Price(rawValue: 1), size: Quantity(rawValue: 1),
            priceScale: .zero, sizeScale: .zero, venueTime: Timestamp(nanoseconds: Int64(number)),
            receivedTime: Timestamp(nanoseconds: Int64(number)), isBackfill: isBackfill)
    }

    var isQuiet: Bool {
        stored == said && inbox.isEmpty && readings.isEmpty && !seam.wantsReading
    }

    /// Whether every trade up to the newest that is known is known.
    var hasHole: Bool { known.count != (known.max() ?? -1) + 1 }

    var knowsAll: Bool { known.count == said }

    mutating func say() {
        send(.trade(Self.trade(said)))
        said += 1
    }

    /// The feed writes some of what waits, in order.
    mutating func store(_ count: Int) {
        guard stored < said else { return }
        stored = min(said, stored + count)
        send(.stored)
    }

    mutating func subscribe() {
        isSubscribed = true
        inbox.append(.confirmed)
    }

    private mutating func send(_ message: Message) { if isSubscribed { inbox.append(message) } }

    /// The bus loses the message that would come next, and says so.
    mutating func lose() {
        switch inbox.first {
        case .trade, .stored: inbox[0] = .gap
        case .confirmed, .gap, nil: break
        }
    }

    mutating func hear() {
        guard !inbox.isEmpty else { return }
        switch inbox.removeFirst() {
        case .trade(let trade):
            seam.hear(trade)
            known.insert(Int(trade.id) ?? -1)
        case .stored: seam.noteStored()
        case .confirmed: seam.confirm()
        case .gap: seam.lose()
        }
    }

    mutating func begin() { if seam.wantsReading { readings.append((seam.begin(), nil)) } }

    /// The database looks at what is stored, somewhere in the middle of a reading.
    mutating func look() {
        for index in readings.indices where readings[index].found == nil { readings[index].found = stored }
    }

    mutating func end(isRead: Bool) {
        guard let (reading, found) = readings.first, let found else { return }
        readings.removeFirst()
        guard isRead else { return seam.fail(reading) }
        seam.finish(reading, with: (0..<found).map { Self.trade($0) })
        known.formUnion(0..<found)
    }
}

@Suite("The seam between stored and live trades")
struct TapeSeamTests {
    @Test("has no hole wherever it says so, whatever is late or lost, and comes to say so")
    func whole() {
        property { generator in
            var market = TapeSeamSimulation()
            for _ in 0..<generator.int(10...200) {
                switch generator.int(0...9) {
                case 0, 1: market.say()
                case 2: market.store(generator.int(1...3))
                case 3: if !market.isSubscribed { market.subscribe() }
                case 4: if generator.int(0...3) == 0 { market.lose() }
                case 5, 6: market.hear()
                case 7: market.begin()
                case 8: market.look()
                default: market.end(isRead: generator.int(0...3) > 0)
                }
                try #require(!market.seam.isWhole || !market.hasHole, "whole, and some are missing")
            }
            if !market.isSubscribed { market.subscribe() }
            while !market.isQuiet {
                market.hear()
                market.store(1)
                market.begin()
                market.look()
                market.end(isRead: true)
                try #require(!market.seam.isWhole || !market.hasHole, "whole, and some are missing")
            }
            try #require(market.knowsAll, "some never came")
            market.say()
            market.store(1)
            while !market.isQuiet {
                market.hear()
                market.begin()
                market.look()
                market.end(isRead: true)
            }
            try #require(market.seam.isWhole && market.knowsAll, "it does not say that it is whole")
        }
    }

    @Test("reads no more once both are joined, and again after a loss")
    func reading() {
        var seam = TapeSeam()
        #expect(!seam.wantsReading && !seam.isWhole)
        seam.confirm()
        #expect(seam.wantsReading)
        seam.finish(seam.begin(), with: [TapeSeamSimulation.trade(0)])
        #expect(seam.isWhole, "nothing was heard that could be apart from it")
        seam.hear(TapeSeamSimulation.trade(2))
        #expect(!seam.isWhole && !seam.wantsReading, "number 1 may be under way")
        seam.noteStored()
        seam.finish(seam.begin(), with: (0...1).map { TapeSeamSimulation.trade($0) })
        #expect(!seam.isWhole)
        seam.noteStored()
        seam.finish(seam.begin(), with: (0...2).map { TapeSeamSimulation.trade($0) })
        #expect(seam.isWhole)
        seam.noteStored()
        #expect(!seam.wantsReading)
        seam.lose()
        #expect(seam.wantsReading && !seam.isWhole)
    }

    @Test("takes what a venue sent again for no proof, and a reading of before a loss neither")
    func proofs() {
        var seam = TapeSeam()
        seam.finish(seam.begin(), with: [TapeSeamSimulation.trade(0)])
        #expect(!seam.isWhole, "the subscription does not hold yet")
        seam.confirm()
        let early = seam.begin()
        seam.hear(TapeSeamSimulation.trade(0, isBackfill: true))
        seam.finish(seam.begin(), with: [TapeSeamSimulation.trade(0)])
        #expect(!seam.isWhole)
        seam.lose()
        seam.finish(seam.begin(), with: [])
        #expect(!seam.isWhole, "what was heard before may be apart from it")
        seam.lose()
        seam.hear(TapeSeamSimulation.trade(5))
        seam.finish(early, with: [TapeSeamSimulation.trade(5)])
        #expect(!seam.isWhole)
        let failed = seam.begin()
        #expect(!seam.wantsReading)
        seam.fail(failed)
        #expect(seam.wantsReading)
    }
}
