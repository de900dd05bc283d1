import AccountStore
import Accounts
import AlertStore
import GatewayFrame
import Hummingbird
import Instruments
import PortfolioStore
import Shapes
import Store
import Wire

extension Gateway {
    private static let instruments = Parameter(
        "instruments",
        """
        At most \(instrumentLimit), joined by commas; the first watchlist's unless said otherwise. Those at \
        the end are left out where the answer would come to 2 kB.
        """, .text(length: 0...1_000), example: "kraken:BTC/USD,kraken:ETH/USD", read: summaryInstruments)

    /// What a widget or a lock screen shows, in less than 2 kB.
    func addSummaryRoutes(to routes: RouteTable) {
        routes.get(
            "/v1/summary", .scope(.accountRead),
            Operation(
                "summary", .portfolios,
                "What a widget shows, in less than 2 kB; portfolio and alerts as far as the token allows."),
            weight: 2, query: [Self.instruments]
        ) { context in
            let who = try context.who
            var instruments = try context.query[Self.instruments]
            if instruments.isEmpty { instruments = try await firstWatched(context) }
            var summary = SummaryBody(
                time: services.clock(),
                instruments: instruments.map { SummaryInstrument(instrument: $0, quote: live.quote($0)) })
            if who.allows(.portfolioRead) { summary.portfolio = try await worth(context) }
            if who.allows(.alertsRead) { summary.alerts = try await triggered(context) }
            return OK(summary.small)
        }
    }

    private static let instrumentLimit = 8

    private static func summaryInstruments(_ query: RequestQuery) throws(Problem) -> [InstrumentID] {
        guard let text = try query.text("instruments", atMost: 1_000) else { return [] }
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard names.count <= instrumentLimit else {
            throw .invalid(
                "instruments", "\(names.count) of them", accepted: "at most \(instrumentLimit)")
        }
        var instruments: [InstrumentID] = []
        for name in names {
            guard name.utf8.count <= 64 else {
                throw .invalid("instruments", name, accepted: "names of at most 64 bytes")
            }
            guard let instrument = InstrumentID(name) else {
                throw .invalid(
                    "instruments", name,
                    accepted: "an instrument written VENUE:SYMBOL, such as kraken:BTC/USD")
            }
            instruments.append(instrument)
        }
        return instruments
    }

    /// The first entries of the first list.
    private func firstWatched(_ context: GatewayContext) async throws -> [InstrumentID] {
        try await own(context) { session, user in
            guard let list = try session.watchlists(of: user).first else { return [] }
            return try session.watchlistEntries(of: list.id, by: user)
                .map(\.instrument).filter { $0.description.utf8.count <= 64 }.prefix(5).map(\.self)
        }
    }

    /// What the first portfolio by name is worth.
    private func worth(_ context: GatewayContext) async throws -> SummaryPortfolio? {
        let row = try await own(context) { try $0.portfolios(of: $1).first }
        guard let row else { return nil }
        let valuation: Bitpal_V1_PortfolioValuation
        do {
            valuation = try await self.valuation(of: row, context)
        } catch let problem as Problem where problem.code == .throttled {
            // Quotes and alerts do not wait for reports.
            return nil
        }
        return SummaryPortfolio(
            row: row, base: valuation.base, value: valuation.value.isEmpty ? nil : valuation.value,
            knownValue: valuation.knownValue, isStale: !valuation.stale.isEmpty)
    }

    /// How often rules fired in the last 24 hours, and the last time.
    private func triggered(_ context: GatewayContext) async throws -> SummaryAlerts {
        let since = services.clock().adding(nanoseconds: -86_400_000_000_000)
        let (count, last) = try await own(context) { session, user in
            (
                try session.firingCount(of: user, since: since),
                try session.firings(of: user, kind: .fired, limit: 1).first
            )
        }
        return SummaryAlerts(count: count, last: last.map(SummaryFiring.init(firing:)))
    }
}
