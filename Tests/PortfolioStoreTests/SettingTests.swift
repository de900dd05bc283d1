import AccountStore
import Instruments
import MarketStore
import Portfolio
import PortfolioStore
import Store
import Support
import Testing

@Suite("Portfolios and their settings", .timeLimit(.minutes(10)))
struct SettingTests {
    @Test("are found by name by their owner until they are deleted")
    func names() async throws {
        let database = try await PortfolioFixture.database()
        let id = try await database.make()
        let named = try await database.withSession {
            try $0.findPortfolio(named: "p1", of: PortfolioFixture.user)
        }
        #expect(named?.id == id)
        let stranger = UserID(rawValue: UniqueID(high: 1, low: 1))
        #expect(try await database.find(id, of: stranger) == nil)
        for (name, base, words) in [
            ("p1", "USD", "field \"name\" is \"p1\": accepted is a name that none of your portfolios has"),
            ("", "USD", "field \"name\" is \"\": accepted is one line of 1...64 bytes"),
            ("q", "BTC", "field \"base\" is \"BTC\": accepted is a currency of ISO 4217 such as USD or EUR"),
        ] {
            let refused = await refusal {
                try await database.transaction { session in
                    try session.createPortfolio(
                        PortfolioFixture.id(9), named: name, base: Asset(rawValue: base),
                        of: PortfolioFixture.user,
                        at: PortfolioFixture.now)
                }
            }
            #expect(refused?.description == words)
        }
        try await database.transaction { session in
            try session.deletePortfolio(id, of: PortfolioFixture.user, at: PortfolioFixture.now)
        }
        let left = try await database.withSession { try $0.portfolios(of: PortfolioFixture.user) }
        #expect(left.isEmpty)
        let gone = await refusal { try await database.add([], to: id) }
        #expect(gone?.reason == .noSuchPortfolio(id.description))
        _ = try await database.transaction { session in
            try session.createPortfolio(
                PortfolioFixture.id(9), named: "p1", base: PortfolioFixture.usd, of: PortfolioFixture.user,
                at: PortfolioFixture.now)
        }
        await database.close()
    }

    @Test("keep how lots were taken at any past moment")
    func lots() async throws {
        let database = try await PortfolioFixture.database()
        let id = try await database.make()
        let start = Timestamp(nanoseconds: .min)
        let first = [LotPolicy.Change(from: start, method: .lifo, scope: .universal)]
        let second = first + [LotPolicy.Change(from: PortfolioFixture.now, method: .hifo, scope: .wallet)]
        for changes in [first, second, second] {
            try await database.transaction { session in
                try session.setLots(changes, of: id, of: PortfolioFixture.user, at: PortfolioFixture.now)
            }
        }
        #expect(try await database.lots(of: id) == second)
        #expect(try await database.lots(of: id, after: 1) == first)
        #expect(try await database.lots(of: id, after: 0).isEmpty)
        #expect(LotPolicy(settings: second).changes == second)
        #expect(LotPolicy(settings: []) == LotPolicy())
        #expect(try await database.find(id)?.change == 2)
        await database.close()
    }

    @Test("forget the days that a change of the past makes wrong, and take none that were computed before")
    func days() async throws {
        let database = try await PortfolioFixture.database()
        let id = try await database.make()
        _ = try await database.add([try PortfolioFixture.row(.buy, "2", for: "100", hour: 1)], to: id)
        let length: Int64 = 86_400_000_000_000
        var days: [DailyHistory.Day] = []
        for index in 0..<5 {
            let end = 1_735_689_600_000_000_000 + Int64(index + 1) * length
            var day = DailyHistory.Day(
                end: Timestamp(nanoseconds: end),
                value: index == 3 ? nil : try PortfolioFixture.amount("1.\(index)"))
            day.inflow = try PortfolioFixture.amount("0.000000000000000001")
            days.append(day)
        }
        let computed = days
        #expect(try await database.put(computed, of: id, after: 1))
        let stored = try await database.days(of: id)
        #expect(stored.map(\.end) == days.map(\.end) && stored.map(\.value) == days.map(\.value))
        #expect(stored.map(\.inflow) == days.map(\.inflow))
        _ = try await database.add([try PortfolioFixture.row(.buy, "2", for: "100", hour: 49)], to: id)
        #expect(try await database.days(of: id).map(\.end) == days[..<2].map(\.end))
        #expect(try await !database.put(computed, of: id, after: 1))
        #expect(try await database.days(of: id).count == 2)
        await database.close()
    }

    @Test("have links that open until they expire or are revoked, and whose secrets are not stored")
    func links() async throws {
        let database = try await PortfolioFixture.database()
        let id = try await database.make()
        let link = ShareLink(
            id: UniqueID(high: 7, low: 7), portfolio: id, created: Timestamp(nanoseconds: 1_000),
            expires: Timestamp(nanoseconds: 9_000))
        let secret = String(repeating: "s", count: 43)
        try await database.transaction { session in
            try session.addShareLink(link, secret: secret, of: PortfolioFixture.user)
        }
        let links = try await database.withSession { try $0.shareLinks(of: id, by: PortfolioFixture.user) }
        #expect(links == [link])
        func opened(_ secret: String, at time: Int64) async throws -> PortfolioID? {
            try await database.withSession { session in
                try session.sharedPortfolio(secret: secret, at: Timestamp(nanoseconds: time))?.id
            }
        }
        func revoke() async throws -> Bool {
            try await database.withSession { session in
                try session.revokeShareLink(
                    link.id, of: id, by: PortfolioFixture.user, at: Timestamp(nanoseconds: 2_000))
            }
        }
        #expect(try await opened(secret, at: 8_000) == id)
        #expect(try await opened(secret + "x", at: 8_000) == nil)
        #expect(try await opened(secret, at: 9_000) == nil)
        #expect(try await revoke())
        #expect(try await !revoke())
        #expect(try await opened(secret, at: 8_000) == nil)
        // A revoked one stays on record: who makes and revokes one after another is held up for a week.
        var limits = PortfolioLimits()
        limits.shares = 1
        let bounds = limits
        func make(_ number: UInt64, at time: Int64) async throws {
            let link = ShareLink(
                id: UniqueID(high: 8, low: number), portfolio: id, created: Timestamp(nanoseconds: time),
                expires: Timestamp(nanoseconds: time + 1_000))
            try await database.transaction { session in
                try session.addShareLink(
                    link, secret: secret + "\(number)", of: PortfolioFixture.user, limits: bounds)
                _ = try session.revokeShareLink(
                    link.id, of: id, by: PortfolioFixture.user, at: Timestamp(nanoseconds: time))
            }
        }
        for number in 2...4 as ClosedRange<UInt64> { try await make(number, at: 3_000) }
        let refused = await refusal { try await make(5, at: 4_000) }
        #expect("\(String(describing: refused))".contains("shares made within a week"))
        try await make(6, at: 5_000 + QuotaFault.newNanoseconds)
        await database.close()
    }

    @Test("have targets that sum to one at most")
    func targets() async throws {
        let database = try await PortfolioFixture.database()
        let id = try await database.make()
        let half = try PortfolioFixture.amount("0.5")
        try await database.transaction { session in
            try session.setTargets([PortfolioFixture.bitcoin: half], of: id, of: PortfolioFixture.user)
        }
        let tooMuch = [
            PortfolioFixture.bitcoin: half, Asset(rawValue: "ETH"): try PortfolioFixture.amount("0.500001"),
        ]
        let refused = await refusal {
            try await database.transaction { session in
                try session.setTargets(tooMuch, of: id, of: PortfolioFixture.user)
            }
        }
        #expect(
            refused?.description
                == "field \"target\" is 1.000001 in all: accepted is shares that sum to at most 1")
        #expect(try await database.targets(of: id).map(\.share) == [half])
        await database.close()
    }
}

extension Database {
    fileprivate func put(
        _ days: [DailyHistory.Day], of id: PortfolioID, after change: Int64
    ) async throws -> Bool {
        try await transaction { session in try session.putDays(days, of: id, after: change) }
    }

    fileprivate func days(of id: PortfolioID) async throws -> [DailyHistory.Day] {
        try await withSession { try $0.days(of: id, by: PortfolioFixture.user) }
    }

    fileprivate func lots(
        of id: PortfolioID, after change: Int64? = nil
    ) async throws -> [LotPolicy.Change] {
        try await withSession { try $0.lotSettings(of: id, by: PortfolioFixture.user, after: change) }
    }
}

@Suite("Markets that portfolios follow", .timeLimit(.minutes(10)))
struct FollowedMarketTests {
    private static func market(_ venue: Venue, _ base: String, _ quote: String) -> Instrument {
        Instrument(
            id: InstrumentID(venue: venue, symbol: "\(base)/\(quote)"), base: Asset(rawValue: base),
            quote: Asset(rawValue: quote), kind: .spot, priceScale: .zero, sizeScale: .zero)
    }

    private static func followed(_ database: Database) async throws -> [String] {
        try await database.subscriptions().map { "\($0.instrument) \($0.wantedBy)" }
    }

    @Test("are asked for with the holding, and no longer when it is gone")
    func life() async throws {
        let database = try await PortfolioFixture.database()
        try await database.store(
            [
                Self.market(.kraken, "BTC", "USD"), Self.market(.kraken, "BTC", "JPY"),
                Self.market(.kraken, "ETH", "USDT"), Self.market(.kraken, "USDT", "USD"),
            ], at: .zero)
        let id = try await database.make()
        let name = "portfolio:\(id)"
        _ = try await database.add([try PortfolioFixture.row(.buy, "2", for: "1", hour: 1)], to: id)
        #expect(try await Self.followed(database) == ["kraken:BTC/USD \(name)"])
        _ = try await database.add([try PortfolioFixture.row(.buy, "2", "ETH", for: "1", hour: 2)], to: id)
        #expect(
            try await Self.followed(database) == [
                "kraken:BTC/USD \(name)", "kraken:ETH/USDT \(name)", "kraken:USDT/USD \(name)",
            ])
        _ = try await database.add([try PortfolioFixture.row(.sell, "2", "ETH", for: "1", hour: 3)], to: id)
        #expect(try await Self.followed(database) == ["kraken:BTC/USD \(name)"])
        try await database.transaction { session in
            try session.deletePortfolio(id, of: PortfolioFixture.user, at: PortfolioFixture.now)
        }
        #expect(try await Self.followed(database).isEmpty)
        await database.close()
    }
}
