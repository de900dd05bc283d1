import Channels
package import Store

/// What this module gives to somebody who takes everything along; of channels no secrets.
package enum AlertExport {
    private typealias S = ExportSection

    private static let devices = ChannelKind.allCases.filter(\.isDevice).map { "'\($0.rawValue)'" }
        .joined(separator: ", ")

    private static func channels(_ user: String, _ kinds: String) -> String {
        """
        SELECT channel_id AS id, name, kind, settings, locale, time_zone, per_minute, per_hour,
            to_char(make_interval(mins => quiet_from), 'HH24:MI') AS quiet_from,
            to_char(make_interval(mins => quiet_to), 'HH24:MI') AS quiet_to,
            \(S.time("created_at")) AS created, \(S.time("verified_at")) AS verified,
            \(S.time("disabled_at")) AS disabled, \(S.time("seen_at")) AS seen
        FROM alerts.channel WHERE user_id = \(user) AND kind \(kinds) (\(devices))
        ORDER BY channel_id
        """
    }

    /// In the document's order.
    package static let sections = [
        S("devices") { channels($0, "IN") },
        S("channels") { channels($0, "NOT IN") },
        S("alerts") { user in
            """
            SELECT rule, enabled, version, epoch, \(S.time("created_at")) AS created,
                \(S.time("updated_at")) AS updated, \(S.time("done_at")) AS done,
                \(S.time("deleted_at")) AS deleted
            FROM alerts.rule WHERE user_id = \(user) ORDER BY rule_id
            """
        },
        S("alert_events") { user in
            """
            SELECT event.rule_id AS alert, event.kind, event.version, \(S.time("event.at")) AS time,
                event.rule
            FROM alerts.rule_event AS event JOIN alerts.rule AS own USING (rule_id)
            WHERE own.user_id = \(user) ORDER BY event_id
            """
        },
        S("firings") { user in
            """
            SELECT rule_id AS alert, epoch, kind, rule_version AS version,
                venue || ':' || symbol AS instrument,
                reason, \(S.number("price")) AS price, \(S.number("previous")) AS previous,
                \(S.number("level")) AS level, trade_id AS trade,
                \(S.nanoseconds("venue_time")) AS venue_time,
                \(S.nanoseconds("received_time")) AS received_time, \(S.time("fired_at")) AS fired
            FROM alerts.firing WHERE user_id = \(user) ORDER BY fired_at, rule_id, epoch
            """
        },
        S("deliveries") { user in
            """
            SELECT delivery_id AS id, channel_id AS channel, rule_id AS alert, epoch,
                notice ->> 'kind' AS notice, state, attempts, failures, held, last_error,
                \(S.time("outbox.created_at")) AS created,
                \(S.time("ended_at")) AS ended
            FROM alerts.outbox AS outbox JOIN alerts.channel AS own USING (channel_id)
            WHERE own.user_id = \(user) ORDER BY outbox.created_at, delivery_id
            """
        },
    ]
}
