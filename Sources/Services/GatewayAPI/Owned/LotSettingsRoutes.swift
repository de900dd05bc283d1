import AccountStore
import Accounts
import GatewayFrame
import Instruments
import LedgerFiles
import Portfolio
import PortfolioStore
import Shapes
import Store

extension Gateway {
    /// How a portfolio's lots are taken, from which day on.
    func addLotSettingsRoutes(to routes: RouteTable) {
        let path = "/v1/portfolios/{id}/lots/settings"
        routes.get(
            path, .scope(.portfolioRead),
            Operation("lotSettings", .portfolios, "How lots are taken, from which day on.")
        ) { context in
            let id = try context.portfolioID()
            let stored = try await own(context) { session, user in
                _ = try session.portfolio(id, of: user)
                return try session.lotSettings(of: id, by: user)
            }
            return OK(LotSettingsBody(settings: LotPolicy(settings: stored).changes))
        }
        routes.put(
            path, .scope(.portfolioWrite),
            Operation(
                "setLots", .portfolios, "Sets how lots are taken, from which day on.",
                """
                Replaces all settings; an empty list is the standard, fifo over all wallets. Reports of the \
                past keep what held when they were made.
                """, problems: [.conflict])
        ) { (body: NewLotSettings, context) in
            let (id, now) = (try context.portfolioID(), services.clock())
            let changes = body.changes
            let stored = try await own(context) { session, user in
                try session.setLots(changes, of: id, of: user, at: now)
                return try session.lotSettings(of: id, by: user)
            }
            return OK(LotSettingsBody(settings: LotPolicy(settings: stored).changes))
        }
    }
}

/// Methods and scopes, each from a day on; none for the standard.
struct NewLotSettings: WireInput {
    static let shape = InputShape("NewLotSettings", Self.init(settings:)) {
        InputField(
            "settings",
            .list(.object(NewLotSetting.self)).documented(.array(.body(NewLotSetting.self), 0...100)),
            "In any order, one for each first day.",
            example: [
                ["from": nil, "method": "fifo", "scope": "universal"],
                ["from": "2026-01-01", "method": "hifo", "scope": "wallet"],
            ])
    }

    fileprivate var settings: [NewLotSetting]

    /// As the store takes them.
    var changes: [LotPolicy.Change] { settings.map(\.change) }
}

private struct NewLotSetting: WireInput {
    static let shape = InputShape("NewLotSetting", Self.init(from:method:scope:)) {
        InputField("from", start, "A day, or a time, in UTC; null for the beginning.", example: "2026-01-01")
        InputField("method", .choice(LotMethod.self), "Which lots a disposal takes.")
        InputField("scope", InputKind.choice(LotScope.self).otherwise(.universal, "universal"))
    }

    private static let start = InputKind<String?>.optional(.text).map(
        accepted: "null for the beginning, or a day in UTC such as 2026-01-01"
    ) { text in
        guard let text else { return Timestamp(nanoseconds: .min) }
        return Timestamp(iso8601: text.utf8.count == 10 ? "\(text)T00:00:00Z" : text)
    }

    var from: Timestamp
    var method: LotMethod
    var scope: LotScope
    var change: LotPolicy.Change { LotPolicy.Change(from: from, method: method, scope: scope) }
}

private struct LotSettingsBody: WireBody {
    static let shape = BodyShape<LotSettingsBody>("LotSettings") {
        Field(
            "settings", \.settings, "The earliest first.",
            example: [
                ["from": nil, "method": "fifo", "scope": "universal"],
                ["from": "2026-01-01T00:00:00Z", "method": "hifo", "scope": "wallet"],
            ])
    }

    var settings: [LotPolicy.Change]
}
