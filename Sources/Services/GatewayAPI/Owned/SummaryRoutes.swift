import AccountStore
import Accounts
import AlertStore
import Hummingbird
import Instruments
import JSON
import PortfolioStore
import Store
import Wire

extension Gateway {
    /// What a widget or a lock screen shows, in less than 2 kB.
    func addSummaryRoutes(to routes: RouteTable) {
        routes.get("/v1/summary", .scope(.accountRead), weight: 2, query: ["instruments"]) { _, context in
            let who = try context.who
            var instruments = try summaryInstruments(context)
            if instruments.isEmpty { instruments = try await firstWatched(context) }
            let quotes = instruments.map { ($0, live.quote($0)) }
            let worth = who.allows(.portfolioRead) ? try await worth(context) : nil
            let alerts = who.allows(.alertsRead) ? try await triggered(context) : nil
            return OwnedAnswer.json(
                SummaryText.bytes(time: services.clock(), quotes, portfolio: worth, alerts: alerts))
        }
    }

    private static let instrumentLimit = 8

    private func summaryInstruments(_ context: GatewayContext) throws(Problem) -> [InstrumentID] {
        guard let text = try context.query.text("instruments", atMost: 1_000) else { return [] }
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard names.count <= Self.instrumentLimit else {
            throw .invalid(
                "instruments", "\(names.count) of them", accepted: "at most \(Self.instrumentLimit)")
        }
        var instruments: [InstrumentID] = []
        for name in names {
            guard name.utf8.count <= 64 else {
                throw .invalid("instruments", name, accepted: "names of at most 64 bytes")
            }
            instruments.append(try Self.instrument(name, field: "instruments"))
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
    private func worth(_ context: GatewayContext) async throws -> [UInt8]? {
        let row = try await own(context) { try $0.portfolios(of: $1).first }
        guard let row else { return nil }
        let valuation = try await valuation(of: row, context)
        return OwnedAnswer.item { line in
            line.text("id", row.id.description)
            line.text("name", row.name)
            line.text("base", valuation.base)
            line.pair("value", valuation.value.isEmpty ? nil : valuation.value)
            line.text("known_value", valuation.knownValue)
            line.key("stale")
            line.bool(!valuation.stale.isEmpty)
        }
    }

    /// How often rules fired in the last 24 hours, and the last time.
    private func triggered(_ context: GatewayContext) async throws -> [UInt8] {
        let since = services.clock().adding(nanoseconds: -86_400_000_000_000)
        let (count, last) = try await own(context) { session, user in
            (
                try session.firingCount(of: user, since: since),
                try session.firings(of: user, kind: .fired, limit: 1).first
            )
        }
        return OwnedAnswer.item { line in
            line.key("fired_24h")
            line.integer(count)
            line.key("last")
            guard let last else { return line.null() }
            line.beginObject()
            line.text("rule", last.rule.description)
            line.pair("instrument", last.instrument?.description)
            line.text("reason", SummaryText.cut(last.reason))
            line.text("fired", last.fired.plain)
            line.endObject()
        }
    }
}

/// The answer for a widget, which stays below a size whatever is in it.
enum SummaryText {
    /// Bytes that it never reaches.
    static let limit = 2_000
    /// Bytes of a sentence.
    private static let sentence = 160

    /// The whole object; the last instruments are left out where there is no room for them.
    static func bytes(
        time: Timestamp, _ quotes: [(InstrumentID, LiveThings.Quote?)], portfolio: [UInt8]?,
        alerts: [UInt8]?
    ) -> [UInt8] {
        var quotes = quotes
        while true {
            let bytes = OwnedAnswer.item { line in
                line.text("time", time.plain)
                line.list("instruments", quotes) { quote, line in
                    line.text("instrument", quote.0.description)
                    line.pair("last", quote.1?.last)
                    line.pair("change_percent", quote.1?.changePercent)
                    line.pair("stale", quote.1.map { $0.stale.map { cut($0) } } ?? "no price was heard")
                }
                line.key("portfolio")
                if let portfolio { line.raw(portfolio) } else { line.null() }
                line.key("alerts")
                if let alerts { line.raw(alerts) } else { line.null() }
            }
            if bytes.count < limit || quotes.isEmpty { return bytes }
            quotes.removeLast()
        }
    }

    /// As many whole characters of a text as a sentence may have bytes.
    static func cut(_ text: String) -> String {
        guard text.utf8.count > sentence else { return text }
        var cut = ""
        for character in text {
            guard cut.utf8.count + character.utf8.count <= sentence - 3 else { break }
            cut.append(character)
        }
        return cut + "…"
    }
}
