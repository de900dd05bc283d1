import Instruments
import Store
import Support
import Testing

@testable import AccountStore

@Suite("Watchlists", .timeLimit(.minutes(10)))
struct WatchlistTests {
    private typealias W = WatchlistFixture

    @Test("keep their order and that of their entries, and ask the feeds for what they show")
    func keeps() async throws {
        let database = try await W.database()
        try await database.watch(1, "First", W.bitcoin, W.ether)
        try await database.watch(2, "Second", W.bitcoin)
        #expect(try await database.watchlists(of: W.ann).map(\.name) == ["First", "Second"])
        let entries = try await database.watchlistEntries(of: W.id(1), by: W.ann)
        #expect(entries.map(\.instrument) == [W.bitcoin, W.ether])
        #expect(
            try await database.wishes() == [
                "kraken:BTC/USD watchlist", "kraken:BTC/USD watchlist", "kraken:ETH/USD watchlist",
            ])
        let moved = try await database.transaction(as: W.ann) { session in
            try session.orderEntries([W.ether, W.bitcoin], of: W.id(1), by: W.ann)
        }
        #expect(moved.map(\.instrument) == [W.ether, W.bitcoin])
        #expect(try await database.watchlistEntries(of: W.id(1), by: W.ann) == moved)
        let second = try await database.transaction(as: W.ann) { session in
            try session.changeWatchlist(W.id(2), of: W.ann, name: "Top", position: 0)
        }
        let lists = try await database.watchlists(of: W.ann)
        #expect(lists.map(\.name) == ["Top", "First"])
        #expect(lists.first == second)
    }

    @Test("say how many entries they have, of their owner's alone")
    func sizes() async throws {
        let database = try await W.database()
        try await database.watch(1, "First", W.bitcoin, W.ether)
        try await database.watch(2, "Second", W.bitcoin)
        try await database.watch(3, "Empty")
        try await database.watch(4, "Ben's", of: W.ben, W.bitcoin)
        let sizes = try await database.transaction(as: W.ann) { try $0.watchlistSizes(of: W.ann) }
        #expect(sizes == [W.id(1): 2, W.id(2): 1])
    }

    @Test("take a wish back with the entry, and all with the list")
    func wishesGo() async throws {
        let database = try await W.database()
        try await database.watch(1, "First", W.bitcoin, W.ether, W.dogecoin)
        try await database.transaction(as: W.ann) { session in
            try session.removeEntry(W.ether, from: W.id(1), of: W.ann)
        }
        #expect(try await database.wishes().count == 2)
        try await database.transaction(as: W.ann) { session in
            try session.deleteWatchlist(W.id(1), of: W.ann)
        }
        #expect(try await database.wishes().isEmpty)
        #expect(try await database.watchlists(of: W.ann).isEmpty)
    }

    @Test("refuse what stands there already, what nobody knows, and names that are none")
    func refuses() async throws {
        let database = try await W.database()
        try await database.watch(1, "First", W.bitcoin)
        func add(_ id: InstrumentID, to list: UInt64 = 1) async throws -> WatchlistRefused? {
            try await refusal {
                try await database.transaction(as: W.ann) { session in
                    try session.addEntry(id, to: W.id(list), of: W.ann, at: W.now)
                }
            }
        }
        #expect(try await add(W.bitcoin) == .duplicate(W.bitcoin))
        let unknown = InstrumentID(venue: .kraken, symbol: "NO/USD")
        #expect(try await add(unknown) == .unknownInstrument(unknown))
        #expect(try await add(W.ether, to: 9) == .noSuchWatchlist(W.id(9)))
        for name in ["", String(repeating: "x", count: 65), "two\nlines", "First"] {
            let refused = try await refusal {
                try await database.transaction(as: W.ann) { session in
                    try session.createWatchlist(W.id(5), named: name, of: W.ann, at: W.now)
                }
            }
            guard case .fault(let fault) = refused, fault.field == "name" else {
                Issue.record("\(name) gave \(String(describing: refused))")
                continue
            }
        }
        for order in [[], [W.bitcoin, W.bitcoin], [W.ether]] {
            let refused = try await refusal {
                try await database.transaction(as: W.ann) { session in
                    try session.orderEntries(order, of: W.id(1), by: W.ann)
                }
            }
            guard case .fault(let fault) = refused, fault.field == "instruments" else {
                Issue.record("\(order) gave \(String(describing: refused))")
                continue
            }
        }
        #expect(try await database.wishes() == ["kraken:BTC/USD watchlist"])
    }

    @Test("end at their bounds")
    func bounds() async throws {
        let database = try await W.database()
        try await database.transaction(as: W.ann) { session in
            for number in 0..<UInt64(WatchlistLimits.lists) {
                _ = try session.createWatchlist(W.id(number), named: "\(number)", of: W.ann, at: W.now)
            }
        }
        let refused = try await refusal { try await database.watch(99, "One more") }
        guard case .fault(let fault) = refused, fault.field == "name" else {
            Issue.record("\(String(describing: refused))")
            return
        }
    }
}
