import Instruments
import MarketData
import Shapes
import Support
import Testing

@testable import OperatorCommands

@Suite("Book page")
struct BookPageTests {
    private static let id = InstrumentID(venue: .kraken, symbol: "BTC/USD")
    private static let text = """
        seq 7 | bids 63388.7×1.50000000 63388.1×0.50000000 63387.4×2.00000000 | asks 63388.8×0.25 63389.0×0.75
        """

    private static func view(
        _ text: String = text, state: BookState = .live, reason: BookStateReason = .verified,
        detail: String = "",
        range: BookRange = BookRange(depth: 25), connection: ConnectionWord? = nil
    ) throws -> BookView {
        let book = try BookText(text)
        var replica = BookReplica()
        _ = replica.apply(
            BookSnapshot(
                state: state, reason: reason, detail: detail, priceScale: book.priceScale,
                sizeScale: book.sizeScale,
                bids: book.bids, asks: book.asks,
                continues: StreamPosition(producer: "feed", epoch: 1, sequence: book.sequence ?? 0),
                venueTime: nil,
                receivedTime: try #require(Timestamp(iso8601: "2026-08-02T03:35:50.862Z"))))
        return BookView(replica, of: id, range: range, connection: connection)
    }

    private static func page(_ view: BookView, _ columns: Int, rows: Int? = nil) -> String {
        // Blanks at the end of a line are not seen, and editors drop them from this file.
        BookPage(view, columns: columns, rows: rows).lines.map { line in
            String(line.text.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }

    @Test("shows both sides next to one another in 80 columns")
    func wide() throws {
        #expect(
            Self.page(try Self.view(), 80) == """
                kraken:BTC/USD                                                      03:35:50 UTC
                ● live  book live, verified
                spread 0.1 (0.02 bp)

                           share  total  size    price │   price  size  total  share
                           37.5%   1.50  1.50  63388.7 │ 63388.8  0.25   0.25  25.0%
                           12.5%   2.00  0.50  63388.1 │ 63389.0  0.75   1.00  75.0%
                           50.0%   4.00  2.00  63387.4 │
                """)
    }

    @Test("puts asks above bids in 40 columns")
    func narrow() throws {
        #expect(
            Self.page(try Self.view(), 40) == """
                kraken:BTC/USD              03:35:50 UTC
                ● live  book live, verified
                spread 0.1 (0.02 bp)

                  price  size  total  share
                63389.0  0.75   1.00  75.0%
                63388.8  0.25   0.25  25.0%
                ───────────────────────────
                63388.7  1.50   1.50  37.5%
                63388.1  0.50   2.00  12.5%
                63387.4  2.00   4.00  50.0%
                """)
    }

    @Test("leaves out the share, then the total, where there is no room")
    func narrower() throws {
        let text = "bids 0.000022880×11947.13445094 | asks 0.000022890×31.75709827"
        let three = """
                 price           size          total
            0.00002289    31.75709827    31.75709827
            ────────────────────────────────────────
            0.00002288 11947.13445094 11947.13445094
            """
        #expect(Self.page(try Self.view(text), 40).hasSuffix("\n" + three))
        let two = """
                 price            size
            0.00002289     31.75709827
            ──────────────────────────
            0.00002288  11947.13445094
            """
        #expect(Self.page(try Self.view(text), 30).hasSuffix("\n" + two))
    }

    @Test("keeps to the rows of the screen, best levels first")
    func rows() throws {
        let lines = Self.page(try Self.view(), 80, rows: 6).split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 6)
        #expect(lines[5].contains("63388.7 │ 63388.8"))
        let narrow = Self.page(try Self.view(), 40, rows: 8).split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(narrow.count == 8)
        #expect(narrow[5].contains("63388.8"))
        #expect(narrow[7].contains("63388.7"))
    }

    @Test("shows only what is near enough to the middle")
    func within() throws {
        let range = BookRange(depth: 25, within: try Percent.parse("0.0005%"))
        let page = Self.page(try Self.view(range: range), 40)
        #expect(page.contains("63388.7") && page.contains("63389.0"))
        #expect(!page.contains("63388.1") && !page.contains("63387.4"))
    }

    @Test(
        "says in words how far the book may be believed",
        arguments: [
            (BookState.live, BookStateReason.verified, "live"), (.syncing, .snapshotPending, "connecting"),
            (.syncing, .sequenceGap, "error"), (.stale, .disconnected, "offline"),
            (.stale, .feedSilent, "stale"),
            (.suspect, .crossed, "error"), (.stale, .busSilent, "offline"),
        ])
    func words(state: BookState, reason: BookStateReason, word: String) throws {
        let page = Self.page(try Self.view(state: state, reason: reason, detail: "because"), 80)
        #expect(page.contains("● \(word)  book \(state.name), \(reason.name): because"))
    }

    @Test("says that there are no levels instead of drawing none")
    func empty() throws {
        #expect(Self.page(try Self.view("seq 1"), 80).hasSuffix("no spread\n\nThe book is empty."))
        let view = BookView(BookReplica(), of: Self.id, range: BookRange(depth: 5))
        #expect(
            Self.page(view, 40) == """
                kraken:BTC/USD
                ● connecting  book syncing, snapshot-pe…
                no spread

                No levels yet.
                """)
    }

    @Test("colours bids green and asks red")
    func colours() throws {
        var bytes: [UInt8] = []
        for line in BookPage(try Self.view(), columns: 40, rows: nil).lines {
            line.encode(isColoured: true, into: &bytes)
        }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("\u{1B}[32m63388.7\u{1B}[0m"))
        #expect(text.contains("\u{1B}[31m63388.8\u{1B}[0m"))
    }

    @Test("writes JSON with exact decimals and stable names")
    func json() throws {
        let line = BookLine(try Self.view(range: BookRange(depth: 1)))
        #expect(
            String(decoding: line.json, as: UTF8.self) == """
                {"venue":"kraken","symbol":"BTC/USD","state":"live","reason":"verified","detail":"",\
                "connection":"live","sequence":7,"epoch":"1","producer":"feed","venue_time":null,\
                "received_time":"2026-08-02T03:35:50.862000000Z","bid_levels":3,"ask_levels":2,\
                "bids":[["63388.7","1.50000000"]],"asks":[["63388.8","0.25000000"]]}
                """)
    }
}
