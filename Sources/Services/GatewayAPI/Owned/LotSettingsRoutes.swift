import AccountStore
import Accounts
import Hummingbird
import Instruments
import JSON
import Portfolio
import PortfolioStore
import Store

extension Gateway {
    /// How a portfolio's lots are taken, from which day on.
    func addLotSettingsRoutes(to routes: RouteTable) {
        routes.put("/v1/portfolios/{id}/lots/settings", .scope(.portfolioWrite)) { _, context in
            let (id, now) = (try context.portfolioID(), services.clock())
            let changes = try context.json(LotSettingsBody.self).changes()
            let stored = try await own(context) { session, user in
                try session.setLots(changes, of: id, of: user, at: now)
                return try session.lotSettings(of: id, by: user)
            }
            return OwnedAnswer.object { line in
                line.list("settings", LotPolicy(settings: stored).changes, LotSettingsBody.write)
            }
        }
    }
}

/// Methods and scopes, each from a day on; none for the standard.
struct LotSettingsBody: Decodable {
    struct Setting: Decodable {
        /// `2026-01-01`, or a time; `nil` for the beginning.
        var from: String?
        var method: String
        var scope: String?
    }

    var settings: [Setting]

    /// As the store takes them.
    ///
    /// - Throws: `invalid-field` that names the place.
    func changes() throws(Problem) -> [LotPolicy.Change] {
        var changes: [LotPolicy.Change] = []
        for (index, setting) in settings.enumerated() {
            let place = "settings[\(index)]"
            changes.append(
                LotPolicy.Change(
                    from: try Self.time(setting.from, "\(place).from"),
                    method: try Self.word(setting.method, "\(place).method"),
                    scope: try Self.word(setting.scope ?? LotScope.universal.rawValue, "\(place).scope")))
        }
        return changes
    }

    private static func time(_ text: String?, _ field: String) throws(Problem) -> Timestamp {
        guard let text else { return Timestamp(nanoseconds: .min) }
        guard let time = Timestamp(iso8601: text.utf8.count == 10 ? "\(text)T00:00:00Z" : text) else {
            throw .invalid(
                field, text, accepted: "null for the beginning, or a day in UTC such as 2026-01-01")
        }
        return time
    }

    private static func word<Word: RawRepresentable & CaseIterable>(
        _ text: String, _ field: String
    ) throws(Problem) -> Word where Word.RawValue == String {
        guard let word = Word(rawValue: text) else {
            throw .invalid(field, text, accepted: Word.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return word
    }

    /// Writes the members of a setting.
    static func write(_ change: LotPolicy.Change, to line: inout JSONWriter) {
        line.pair("from", change.from.nanoseconds == .min ? nil : change.from.plain)
        line.text("method", change.method.rawValue)
        line.text("scope", change.scope.rawValue)
    }
}
