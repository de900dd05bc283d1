import Instruments
import MarketData
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
                "received_time":"1970-01-01T00:00:00.000000000Z","silent":false,"detail":"",\
                "messages_received":9,"malformed_messages":0,"resyncs":0,"reconnects":0,"books_live":1,\
                "books_total":2,"trades_stored":0,"trades_waiting":0,"connected_since":null,\
                "last_received":"1970-01-01T00:00:01.000000000Z","rest_url":"http://localhost"}
                """)
    }
}
