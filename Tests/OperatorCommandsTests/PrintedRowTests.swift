import InstallationStore
import Instruments
import MarketData
import MarketStore
import Shapes
import Support
import Testing
import Wire

@testable import OperatorCommands

@Suite("A row that a command prints")
struct PrintedRowTests {
    private struct Fruit: PrintedRow {
        static let row = RowShape<Fruit>("Fruit", "What grows.") {
            Column("", .right) { TextTable.Cell("\($0.number)", .faint) }
            Field("name", \.name, "As people call it.", example: "apple").column(style: .strong)
            Field("seed_count", \.seeds).column(.right)
            Field("colours", \.colours)
            Field("price", \.price, as: .nullable(.decimal)).column(.right, as: "each", orElse: "-")
            Column("ripe") { $0.number > 1 ? "yes" : "no" }
        }

        var number: Int
        var name: String
        var seeds: Int
        var colours: [String]
        var price: String?
    }

    private let fruits = [
        Fruit(number: 1, name: "apple", seeds: 5, colours: ["red", "green"], price: "0.50"),
        Fruit(number: 2, name: "fig", seeds: 1_500, colours: [], price: nil),
    ]

    @Test("is a line of JSON of its fields in their order")
    func json() {
        #expect(
            String(decoding: fruits.jsonLines, as: UTF8.self) == """
                {"name":"apple","seed_count":5,"colours":["red","green"],"price":"0.50"}
                {"name":"fig","seed_count":1500,"colours":[],"price":null}

                """)
    }

    @Test("is a line of a table of its columns in their order, headed by the fields' names or other words")
    func table() {
        let lines = Fruit.table(fruits).lines(columns: 80)
        #expect(
            lines.map(\.text) == [
                "   name   seed count  each  ripe",
                "1  apple           5  0.50  no",
                "2  fig          1500     -  yes",
            ])
        #expect(lines[1].spans.contains(StyledLine.Span(text: "apple", style: .strong)))
    }

    @Test("is described by the same fields")
    func document() {
        #expect(Fruit.document.fields.map(\.name) == ["name", "seed_count", "colours", "price"])
        #expect(Fruit.document.text == "What grows.")
    }

    @Test("may be a part of a greater row, with a dash where that has none")
    func part() {
        let columns = Fruit.row.columns.map { $0.of { (pair: (String, Fruit?)) in pair.1 } }
        let table = TextTable([("a", fruits[0]), ("b", nil)], columns)
        #expect(
            table.lines(columns: 80).map(\.text) == [
                "   name   seed count  each  ripe",
                "1  apple           5  0.50  no",
                "-  -               -     -  -",
            ])
    }

    @Test("of a trade has the members that scripts know")
    func trade() throws {
        let time = try #require(Timestamp(iso8601: "2021-07-22T22:36:00.5Z"))
        let trade = Trade(
            id: "a\"1", side: .sell, price: Price(321_750), size: Quantity(1_000),
            priceScale: try #require(Scale(1)), sizeScale: try #require(Scale(2)), venueTime: time,
            receivedTime: time.adding(nanoseconds: 1), isBackfill: true)
        let line = TradeLine(trade, InstrumentID(venue: .kraken, symbol: "BTC/USD"))
        #expect(
            String(decoding: line.json, as: UTF8.self) == #"""
                {"venue":"kraken","symbol":"BTC/USD","id":"a\"1","side":"sell","price":"32175.0",\#
                "amount":"10.00","time":"2021-07-22T22:36:00.500000000Z",\#
                "received_time":"2021-07-22T22:36:00.500000001Z","is_aggregate":false,"is_backfill":true}
                """#)
    }

    @Test("of a service and a feed has the members that scripts know")
    func status() {
        var service = Bitpal_V1_ServiceStatus()
        (service.service, service.instance, service.version) = ("gateway", "0123456789", "1.0")
        (service.isReady, service.detail, service.figures) = (true, "well", ["b": 2, "a": 0])
        var feed = Bitpal_V1_FeedStatus()
        (feed.venue, feed.state, feed.restURL) = ("kraken", .live, "http://localhost")
        (feed.messagesReceived, feed.booksLive, feed.booksTotal) = (9, 1, 2)
        feed.lastReceivedUnixNanos = 1_000_000_000
        let now = Timestamp(nanoseconds: 5_000_000_000)
        let lines = [
            ServiceLine(status: service, time: .zero, now: now).json,
            FeedLine(status: feed, time: .zero, now: now).json,
        ].map { String(decoding: $0, as: UTF8.self) }
        #expect(
            lines[0] == """
                {"type":"service","service":"gateway","instance":"0123456789","version":"1.0",\
                "started":"1970-01-01T00:00:00.000000000Z","received_time":"1970-01-01T00:00:00.000000000Z",\
                "ready":true,"silent":false,"detail":"well","figures":{"a":0,"b":2},"private_database":""}
                """)
        #expect(
            lines[1] == """
                {"type":"feed","venue":"kraken","state":"live",\
                "received_time":"1970-01-01T00:00:00.000000000Z","instance":"","silent":false,"detail":"",\
                "messages_received":9,"malformed_messages":0,"resyncs":0,"reconnects":0,"books_live":1,\
                "books_total":2,"trades_stored":0,"trades_waiting":0,"connected_since":null,\
                "last_received":"1970-01-01T00:00:01.000000000Z","rest_url":"http://localhost"}
                """)
    }

    @Test("of what is wanted has venue and symbol in JSON, and the instrument in the table")
    func wanted() {
        let wanted = Subscription(
            instrument: InstrumentID(venue: .kraken, symbol: "BTC/USD"), channels: ["book", "trade"],
            wantedBy: "operator")
        let rows = [WantedLine(wanted: wanted)]
        #expect(
            String(decoding: rows.jsonLines, as: UTF8.self)
                == #"{"venue":"kraken","symbol":"BTC/USD","wanted_by":"operator","channels":["book","trade"]}"#
                + "\n")
        #expect(
            WantedLine.table(rows).lines(columns: 80).map(\.text) == [
                "instrument      wanted by  channels", "kraken:BTC/USD  operator   book, trade",
            ])
    }

    @Test("of a topic has its rate with one decimal, and its losses in red")
    func topic() {
        var topic = TopicStatistics.Topic(text: "trade.kraken.A.")
        (topic.messages, topic.lastSequence, topic.gaps, topic.isRetained) = (5, 70, 1, true)
        let rows = [TopicLine(topic: topic, seconds: 2)]
        #expect(
            String(decoding: rows.jsonLines, as: UTF8.self)
                == #"{"topic":"trade.kraken.A.","rate":"2.5","last_sequence":70,"gaps":1,"drops":0,"retained":true}"#
                + "\n")
        let lines = TopicLine.table(rows).lines(columns: 80)
        #expect(
            lines.map(\.text) == [
                "topic            per s  last  gaps  drops  retained",
                "trade.kraken.A.    2.5    70     1      0  yes",
            ])
        #expect(lines[1].spans.contains(StyledLine.Span(text: "   1", style: .bad)))
    }

    @Test("of an audit says that what could not be compared is not equal")
    func audit() {
        var reply = Bitpal_V1_ControlReply()
        (reply.isDone, reply.detail) = (false, "no book")
        let line = AuditLine(reply: reply, id: InstrumentID(venue: .kraken, symbol: "BTC/USD"))
        #expect(
            String(decoding: line.json, as: UTF8.self) == """
                {"venue":"kraken","symbol":"BTC/USD","done":false,"equal":false,"levels_compared":0,\
                "differences":[],"detail":"no book"}
                """)
    }

    @Test("of secrets has null for what is not sealed, and words in the table")
    func secrets() throws {
        let kind = try #require(StoredSecret.Kind.allCases.first)
        let rows = [SecretLine(kind: kind, key: nil, count: 2), SecretLine(kind: kind, key: 7, count: 3)]
        #expect(
            String(decoding: rows.jsonLines, as: UTF8.self) == """
                {"kind":"\(kind.rawValue)","key":null,"count":2}
                {"kind":"\(kind.rawValue)","key":"7","count":3}

                """)
        let lines = SecretLine.table(rows).lines(columns: 80).map(\.text)
        #expect(lines[1].hasSuffix("  not sealed      2") && lines[2].hasSuffix("           7      3"))
    }
}
