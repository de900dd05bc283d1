import Store

/// What somebody who acts for a user may do here, and that it sees no rows but the user's own.
enum M0006_OwnRows: Migration {
    static let version = 6
    static let name = "own rows"
    static let sql = """
        \(GatewayRole.creation)
        GRANT USAGE ON SCHEMA alerts TO bitpal_gateway;
        GRANT SELECT, UPDATE ON alerts.rule_clock TO bitpal_gateway;
        GRANT SELECT, INSERT, UPDATE ON alerts.rule TO bitpal_gateway;
        GRANT SELECT, INSERT ON alerts.rule_event, alerts.firing TO bitpal_gateway;
        GRANT SELECT, INSERT, UPDATE, DELETE ON alerts.channel, alerts.outbox TO bitpal_gateway;
        CREATE INDEX firing_newest ON alerts.firing (user_id, fired_at DESC, rule_id DESC, epoch DESC);
        DROP INDEX alerts.firing_of_user;
        \(GatewayRole.policies("alerts.rule", "user_id = \(GatewayRole.actor)"))
        \(GatewayRole.policies("alerts.channel", "user_id = \(GatewayRole.actor)"))
        \(GatewayRole.policies("alerts.firing", "user_id = \(GatewayRole.actor)"))
        \(GatewayRole.policies(
            "alerts.rule_event",
            """
            rule_id IN (
                SELECT own.rule_id FROM alerts.rule AS own WHERE own.user_id = \(GatewayRole.actor))
            """))
        \(GatewayRole.policies(
            "alerts.outbox",
            """
            channel_id IN (
                SELECT own.channel_id FROM alerts.channel AS own WHERE own.user_id = \(GatewayRole.actor))
            """))
        """
}
