import Bus
import BusBroker
import Foundation
import Instruments
import Logging
import MarketData
import Support
import Testing
import Wire

@testable import OperatorCommands

/// The commands against a real broker, each as a process of its own.
@Suite("Commands over the bus", .serialized, .timeLimit(.minutes(10)))
struct BusCommandTests {
    private static let id = InstrumentID(venue: .kraken, symbol: "BTC/USD")

    /// Runs a broker and a publisher that has said one book, one trade's ticker and one status.
    private static func withBus(_ body: (String, Publisher) async throws -> Void) async throws {
        let folder = try TestDatabase.temporaryDirectory()
        // The broker takes a socket only where nobody else can come.
        chmod(folder, 0o700)
        let base = "ipc://\(folder)/bus"
        let addresses = try BusAddresses(base: base)
        let context = try BusContext()
        let broker = try BusBroker(
            context: context, configuration: BusBrokerConfiguration(addresses: addresses), instance: "test",
            logger: .silent)
        let publisher = try Publisher(
            context: context, configuration: PublisherConfiguration(producer: "feed", addresses: addresses),
            logger: .silent)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await broker.run() }
            group.addTask { try await publisher.run() }
            _ = try await broker.bound()
            for await event in publisher.events where event == .brokerAppeared { break }
            try publish(publisher)
            try await body(base, publisher)
            group.cancelAll()
            // Ends of cancelled services are no failures of the test.
            while let _ = try? await group.next() {}
        }
    }

    private static func publish(_ publisher: Publisher) throws {
        let book = try BookText("bids 63388.7×1.5 63388.1×0.5 | asks 63388.8×0.25")
        let (deltas, snapshots) = (
            try publisher.topic(Topic.bookDelta(id)), try publisher.topic(Topic.bookSnapshot(id))
        )
        var batch = OutboundBatch()
        let state = BookStateChange(state: .syncing, reason: .snapshotPending, receivedTime: .zero)
        batch.append(.bookStateChange(id, state), to: deltas)
        let snapshot = BookSnapshot(
            state: .live, reason: .verified, priceScale: book.priceScale, sizeScale: book.sizeScale,
            bids: book.bids,
            asks: book.asks, continues: deltas.lastPosition, venueTime: nil, receivedTime: .now)
        batch.append(.bookSnapshot(id, snapshot), to: snapshots)
        let change = BookLevelChange(side: .ask, price: Price(633_888), size: Quantity(0))
        let better = BookLevelChange(side: .ask, price: Price(633_890), size: Quantity(75))
        let delta = BookDelta(
            priceScale: book.priceScale, sizeScale: book.sizeScale, changes: [change, better], venueTime: nil,
            receivedTime: .now)
        batch.append(.bookDelta(id, delta), to: deltas)
        var replica = BookReplica()
        _ = replica.apply(snapshot)
        batch.append(.bookTop(id, replica.top()), to: try publisher.topic(Topic.bookTop(id)))
        var status = Bitpal_V1_FeedStatus()
        (status.venue, status.restURL) = ("kraken", "http://127.0.0.1:9/kraken")
        batch.append(.feedStatus(status), to: try publisher.topic(Topic.feedStatus(.kraken)))
        var index = Bitpal_V1_IndexPrice()
        (index.pair, index.unavailable) = ("BTC-USD", "0 of at least 1 markets can be believed")
        batch.append(.indexPrice(index), to: try publisher.topic(Topic.index(base: "BTC", quote: "USD")))
        publisher.offer(&batch)
    }

    /// Asks again until the broker has what was published; the test's time limit bounds it.
    private static func answer(_ arguments: [String]) async throws -> BitpalExecutable.Outcome {
        while true {
            let outcome = try await BitpalExecutable().run(arguments)
            if outcome.status != 3 { return outcome }
        }
    }

    @Test("book shows the retained snapshot with the deltas after it")
    func book() async throws {
        try await Self.withBus { bus, _ in
            let outcome = try await Self.answer(["book", "kraken", "BTC/USD", "--json", "--bus", bus])
            #expect(outcome.status == 0)
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
            #expect(object["venue"] as? String == "kraken")
            #expect(object["symbol"] as? String == "BTC/USD")
            #expect(object["state"] as? String == "live")
            #expect(object["reason"] as? String == "verified")
            #expect(object["sequence"] as? Int == 2)
            #expect(object["bids"] as? [[String]] == [["63388.7", "1.50"], ["63388.1", "0.50"]])
            #expect(object["asks"] as? [[String]] == [["63389.0", "0.75"]])
            let page = try await Self.answer(["book", "kraken", "BTC/USD", "--depth", "1", "--bus", bus])
            #expect(page.lines[1] == "● live  book live, verified")
            #expect(page.lines[2] == "spread 0.3 (0.05 bp)")
            #expect(page.lines.last?.contains("63388.7 │ 63389") == true)
        }
    }

    @Test("index shows what was said last, and an unknown pair ends with 3 and those that there are")
    func index() async throws {
        try await Self.withBus { base, _ in
            let outcome = try await Self.answer(["index", "btc-usd", "--bus", base, "--json"])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let line = try #require(outcome.lines.first)
            #expect(line.hasPrefix(#"{"pair":"BTC-USD","price":null,"unavailable":"0 of at least"#))
            let all = try await Self.answer(["index", "--bus", base])
            #expect(all.lines.last?.hasPrefix("BTC-USD      -      0/0  unavailable: 0") == true)
            let none = try await BitpalExecutable().run(["index", "ETH-USD", "--bus", base])
            #expect(none.status == 3 && none.hasOneErrorLine && none.errors.contains("there are BTC-USD"))
            #expect(try await BitpalExecutable().run(["index", "ETH"]).status == 2)
        }
    }

    @Test("where the running feed asks is known on the bus, and only for its venue")
    func announced() async throws {
        try await Self.withBus { base, _ in
            _ = try await Self.answer(["index", "btc-usd", "--bus", base])
            let client = try BusClient(BusAddresses(base: base))
            #expect(await BackfillOptions.announced(.kraken, on: client) == "http://127.0.0.1:9/kraken")
            #expect(await BackfillOptions.announced(.bitmex, on: client) == nil)
        }
    }

    @Test("an unknown instrument ends with 3 and the names that are near")
    func notFound() async throws {
        try await Self.withBus { bus, _ in
            _ = try await Self.answer(["book", "kraken", "BTC/USD", "--bus", bus])
            let outcome = try await BitpalExecutable().run(["book", "kraken", "XBTUSD", "--bus", bus])
            #expect(outcome.status == 3)
            #expect(outcome.hasOneErrorLine)
            #expect(outcome.errors.contains("did you mean BTC/USD?"))
        }
    }

    @Test("sub prints so many messages, retained ones first, and ends")
    func sub() async throws {
        try await Self.withBus { bus, _ in
            _ = try await Self.answer(["book", "kraken", "BTC/USD", "--bus", bus])
            let outcome = try await BitpalExecutable().run(
                ["sub", "book.top.", "book.snapshot.", "--json", "--count", "2", "--bus", bus])
            #expect(outcome.status == 0)
            let objects = try outcome.lines.map {
                try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
            }
            #expect(objects.count == 2)
            #expect(
                Set(objects.compactMap { $0?["topic"] as? String })
                    == ["book.top.kraken.BTC%2FUSD.", "book.snapshot.kraken.BTC%2FUSD."])
            #expect(objects.allSatisfy { $0?["retained"] as? Bool == true && $0?["sequence"] as? Int == 1 })
            #expect(objects.allSatisfy { $0?["event"] is [String: Any] })
        }
    }

    @Test("topics counts what it hears and knows what is retained")
    func topics() async throws {
        try await Self.withBus { bus, _ in
            let outcome = try await BitpalExecutable().run([
                "topics", "--json", "--seconds", "2", "--bus", bus,
            ])
            #expect(outcome.status == 0)
            let objects = try outcome.lines.compactMap {
                try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
            }
            let snapshot = objects.first { $0["topic"] as? String == "book.snapshot.kraken.BTC%2FUSD." }
            #expect(snapshot?["retained"] as? Bool == true)
            #expect(snapshot?["last_sequence"] as? Int == 1)
            #expect(objects.allSatisfy { $0["gaps"] as? Int == 0 && $0["drops"] as? Int == 0 })
            #expect(objects.contains { ($0["topic"] as? String)?.hasPrefix("heartbeat.") == true })
        }
    }

    @Test("audit carries the question to whoever answers, and its exit status is the answer")
    func audit() async throws {
        try await Self.withBus { bus, publisher in
            _ = try await Self.answer(["book", "kraken", "BTC/USD", "--bus", bus])
            let context = try BusContext()
            let desk = try Subscriber(
                context: context,
                configuration: SubscriberConfiguration(
                    name: "desk", addresses: try BusAddresses(base: bus), prefixes: ["control.book-audit."]),
                logger: .silent)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await desk.run() }
                group.addTask { try await Self.answerAudits(desk, publisher) }
                let equal = try await BitpalExecutable().run([
                    "book", "audit", "kraken", "BTC/USD", "--bus", bus,
                ])
                #expect(equal.status == 0)
                #expect(equal.output == "kraken:BTC/USD: 3 levels compared, equal\n")
                let other = try await BitpalExecutable().run([
                    "book", "audit", "kraken", "BTC/USD", "--bus", bus,
                ])
                #expect(other.status == 1)
                #expect(
                    other.lines == [
                        "bid 1 ours 2 theirs 3", "kraken:BTC/USD: 3 levels compared, 1 difference",
                    ])
                #expect(other.hasOneErrorLine)
                desk.finish()
                group.cancelAll()
                while let _ = try? await group.next() {}
            }
        }
    }

    @Test("audits lists what the last comparison of each book found, or those alone that differed")
    func audits() async throws {
        try await Self.withBus { bus, publisher in
            var batch = OutboundBatch()
            for (symbol, different) in [("ETH/USD", 2), ("BTC/USD", 0)] as [(String, UInt64)] {
                var audit = Bitpal_V1_BookAudit()
                (audit.isDone, audit.levelsCompared, audit.levelsDifferent) = (true, 20, different)
                audit.detail = different == 0 ? "all 20 levels agree" : "2 levels differ"
                audit.differences = different == 0 ? [] : ["bid 1 ours 2 theirs 3", "bid 2 ours 1 theirs 3"]
                let id = InstrumentID(venue: .kraken, symbol: symbol)
                batch.append(.bookAudit(id, audit), to: try publisher.topic(Topic.bookAudit(id)))
            }
            // What comes last: once it is there, the others are.
            let index = try publisher.topic(Topic.index(base: "ETH", quote: "USD"))
            var price = Bitpal_V1_IndexPrice()
            price.pair = "ETH-USD"
            batch.append(.indexPrice(price), to: index)
            publisher.offer(&batch)
            _ = try await Self.answer(["index", "eth-usd", "--bus", bus])
            let all = try await BitpalExecutable().run(["book", "audits", "--json", "--bus", bus])
            #expect(all.status == 0, "\(all.errors)")
            #expect(all.lines.count == 2)
            #expect(
                all.lines[0].hasPrefix(#"{"venue":"kraken","symbol":"BTC/USD","done":true,"equal":true,"#))
            let some = try await BitpalExecutable().run(["book", "audits", "--different", "--bus", bus])
            #expect(some.lines.count == 2)
            #expect(some.lines[1].contains("kraken:ETH/USD") && some.lines[1].contains("2 levels differ"))
            let none = try await BitpalExecutable().run(["book", "audits", "bitmex", "--json", "--bus", bus])
            #expect(none.status == 0 && none.output.isEmpty)
        }
    }

    /// Answers the first question with "equal" and all later ones with a difference.
    private static func answerAudits(_ desk: Subscriber, _ publisher: Publisher) async throws {
        var answered = 0
        for await batch in desk.batches {
            for case .message(let message) in batch.events {
                guard case .controlCommand(let command) = try batch.decode(message) else { continue }
                var reply = Bitpal_V1_ControlReply()
                reply.requestID = command.requestID
                reply.isDone = true
                reply.levelsCompared = 3
                if answered > 0 { reply.differences = ["bid 1 ours 2 theirs 3"] }
                answered += 1
                var out = OutboundBatch()
                let topic = try publisher.topic(Topic.controlReply(requestID: command.requestID))
                out.append(.controlReply(reply), to: topic)
                publisher.offer(&out)
            }
        }
    }
}
