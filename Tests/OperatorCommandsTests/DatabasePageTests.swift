import Instruments
import Support
import Testing

@testable import MarketStore
@testable import OperatorCommands

@Suite("bitpal db status")
struct DatabasePageTests {
    /// 2021-07-22T00:00:00Z.
    private static let midnight: Int64 = 1_626_912_000_000_000_000
    private static let second: Int64 = 1_000_000_000
    private static let day = 86_400 * second

    private static func time(_ seconds: Int64) -> Timestamp {
        Timestamp(nanoseconds: midnight + seconds * second)
    }

    private let report = DatabaseReport(
        name: "bitpal", bytes: 1_536, now: time(0),
        tables: [
            DatabaseReport.Table(
                name: "trade", partitions: 11, bytes: 12 << 20, rows: 345, from: time(-7 * 86_400),
                to: time(4 * 86_400), keep: 7 * day, swept: time(-30)),
            DatabaseReport.Table(
                name: "candle 1h", partitions: 1, bytes: 900, rows: nil, from: time(0), to: time(86_400),
                keep: nil, swept: time(-30)),
            DatabaseReport.Table(
                name: "asset", partitions: nil, bytes: 5 << 30, rows: 0, from: nil, to: nil, keep: nil,
                swept: nil),
        ],
        feeds: [
            DatabaseReport.Feed(
                venue: .kraken, trade: time(-1), received: time(0), candle: time(-61), written: time(-3)),
            DatabaseReport.Feed(
                venue: Venue(rawValue: "okx"), trade: nil, received: nil, candle: time(-61), written: nil),
        ],
        sharing: [DatabaseReport.Sharing(service: "book-builder", members: 3, held: 256, refused: 2)])

    @Test("is a page with a table each for what is stored, the venues and the instances")
    func page() {
        let lines = DatabasePage(report).lines(columns: 200).map(\.text)
        #expect(
            lines == [
                "database bitpal, 1.5 kB", "",
                "table      partitions     size  rows  from        to              kept  swept",
                "trade              11  12.0 MB  ~345  2021-07-15  2021-07-26       7 d   30 s",
                "candle 1h           1    900 B     ?  2021-07-22  2021-07-23  for ever   30 s",
                "asset                   5.0 GB    ~0                                         ", "",
                "venue   newest trade          received  newest 1m candle      written   lag",
                "kraken  2021-07-21T23:59:59Z       now  2021-07-21T23:58:59Z      3 s  60 s",
                "okx     none                            2021-07-21T23:58:59Z               ", "",
                "service       instances  leases held  writes refused",
                "book-builder          3   256 of 256               2",
            ])
    }

    @Test("is one JSON object per line with stable names, null where nothing is known")
    func json() {
        let lines = String(decoding: DatabasePage(report).json, as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 7)
        #expect(
            lines[0]
                == #"{"type":"database","name":"bitpal","bytes":1536,"time":"2021-07-22T00:00:00.000000000Z"}"#
        )
        #expect(
            lines[3] == """
                {"type":"table","table":"asset","partitions":null,"bytes":5368709120,"rows_estimated":0,\
                "from":null,"to":null,"keep_seconds":null,"swept":null}
                """)
        #expect(lines[1].contains(#""keep_seconds":604800,"#))
        #expect(
            lines[5] == """
                {"type":"venue","venue":"okx","trade":null,"received":null,\
                "candle":"2021-07-21T23:58:59.000000000Z","written":null,"lag_nanos":null}
                """)
        #expect(
            lines[6]
                == #"{"type":"service","service":"book-builder","instances":3,"leases":256,"refused":2}"#)
    }

    @Test(
        "sizes are cut to one digit after the point",
        arguments: [
            (0, "0 B"), (1_023, "1023 B"), (1_024, "1.0 kB"), (1_048_575, "1023.9 kB"), (1 << 20, "1.0 MB"),
            (3 << 40, "3.0 TB"),
        ] as [(Int64, String)])
    func sizes(bytes: Int64, text: String) {
        #expect(DatabasePage.size(bytes) == text)
    }
}
