import Support
import Testing
import Wire

@testable import Bus

@Suite("Flow window", .timeLimit(.minutes(10)))
struct FlowWindowTests {
    @Test("closes before the first answer, and stays open for a broker that was given up")
    func neverAnswered() {
        var window = FlowWindow(limit: 1_000)
        for count in 1...1_000 {
            #expect(window.isOpen, "\(count)")
            window.send()
            _ = window.mark()
        }
        #expect(!window.isOpen)
        window.giveUp()
        for _ in 0..<10_000 {
            window.send()
            _ = window.mark()
        }
        #expect(window.isOpen)
    }

    @Test("waits again for a broker that answers after all, and for the next one")
    func answersLate() throws {
        var window = FlowWindow(limit: 10)
        for isGivenUp in [true, false] {
            if isGivenUp { window.giveUp() } else { window.reset() }
            var marks: [UInt64] = []
            for _ in 0..<10 {
                window.send()
                if let mark = window.mark() { marks.append(mark) }
            }
            window.receive(mark: try #require(marks.last))
            for _ in 0..<10 { window.send() }
            #expect(!window.isOpen)
        }
    }

    @Test("closes at its limit and opens with the answer")
    func closes() {
        var window = FlowWindow(limit: 3_000)
        var marks: [UInt64] = []
        for count in 1...3_001 {
            window.send()
            if let mark = window.mark() { marks.append(mark) }
            if count == 1 { window.receive(mark: 1) }
            if count <= 3_000 { #expect(window.isOpen) }
        }
        #expect(!window.isOpen && window.underWay == 3_000)
        #expect(marks == [1, 2, 3, 4])
        window.receive(mark: 3)
        #expect(window.isOpen && window.underWay == 1_000)
        window.receive(mark: 2)
        window.receive(mark: 99)
        #expect(window.underWay == 0)
    }

    @Test("opens again when an answer is lost for good")
    func lost() {
        var window = FlowWindow(limit: 1)
        window.send()
        #expect(window.mark() == 1)
        window.receive(mark: 1)
        window.send()
        #expect(!window.isOpen)
        window.giveUp()
        #expect(window.isOpen && window.underWay == 0)
    }

    @Test("a burst far beyond every high-water mark reaches the broker whole")
    func burst() async throws {
        try await TestBus.run { bus in
            let publisher = try bus.publisher { configuration in
                configuration.sendHighWaterMark = 3_000
                configuration.maximumUnderWay = 2_500
                configuration.maximumWaitingBatches = 4
                // However slow the machine is: the broker is alive, so its answer comes.
                configuration.brokerPatience = .seconds(3_600)
            }
            let status = try bus.subscriber(["service.status."])
            try await running([publisher, status]) {
                try await publisher.waitForBroker()
                let topic = try publisher.topic("trade.kraken.X.")
                let payload = BusFixtures.trade("x")
                for _ in 0..<400 {
                    var batch = OutboundBatch()
                    for _ in 0..<250 { batch.append(payload, to: topic) }
                    #expect(await publisher.publish(batch))
                }
                var follower = Follower(status)
                let items = try await follower.until { item in
                    guard case .serviceStatus(let status) = item.decoded else { return false }
                    return (status.figures["messages_total"] ?? 0) >= 100_000
                }
                guard case .serviceStatus(let status) = items.last?.decoded else { return }
                #expect(status.figures["messages_missing"] == 0)
            }
        }
    }
}
