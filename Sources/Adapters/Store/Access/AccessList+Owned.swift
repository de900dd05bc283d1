extension AccessList {
    /// Who one is, and how one proves it; services beside the gateway read the few columns that they need.
    static let accounts: [TableAccess] = [
        TableAccess("accounts.schema_migration", signedIn),
        TableAccess("accounts.app_user", [.gateway: "rad w(user_id)"]),
        TableAccess(
            "accounts.account",
            [
                .gateway: "raw", .alertEvaluator: "r(user_id,role,disabled_at)",
                .notifier: "r(user_id,disabled_at)",
            ]),
        TableAccess("accounts.session", [.gateway: "rawd"]),
        TableAccess("accounts.token", [.gateway: "raw"]),
        TableAccess("accounts.passkey", [.gateway: "rawd"]),
        // Who reads an authenticator's secret signs in as whom he likes: nobody beside the gateway.
        TableAccess("accounts.totp", [.gateway: "rawd"]),
        TableAccess("accounts.letter", [.gateway: "rawd"]),
        TableAccess("accounts.recovery_code", [.gateway: "rawd"]),
        TableAccess("accounts.ticket", [.gateway: "rawd"]),
        TableAccess("accounts.login_failure", [.gateway: "rawd"]),
        TableAccess(
            "accounts.setting",
            [
                .gateway: "raw", .alertEvaluator: "r(user_id,alerts)",
                .notifier: "r(user_id,locale,time_zone,sounds,badges,quiet_from,quiet_to)",
            ]),
        TableAccess("accounts.flag", [.gateway: "rad"]),
        TableAccess("accounts.flag_user", [.gateway: "ra"]),
        TableAccess("accounts.watchlist", [.gateway: "rawd"]),
        TableAccess("accounts.watchlist_entry", [.gateway: "rawd"]),
        TableAccess("accounts.erasure", [.gateway: "ra"]),
        // A trigger keeps all but what an erasure puts in the place of a person, and what is two years old.
        TableAccess("accounts.audit", [.gateway: "rawd"]),
    ]

    /// What is wanted to be told of, what fired, and where it is told.
    static let alerts: [TableAccess] = [
        TableAccess(
            "alerts.schema_migration", [.alertEvaluator: "r", .notifier: "r", .gateway: "r"]),
        TableAccess("alerts.rule_clock", [.alertEvaluator: "r", .gateway: "rw"]),
        TableAccess("alerts.rule", [.alertEvaluator: "rwd", .notifier: "r", .gateway: "raw"]),
        // Who locks rows of history to remove them needs a right to write, of one column.
        TableAccess("alerts.rule_event", [.alertEvaluator: "rd w(at)", .gateway: "rad"]),
        TableAccess("alerts.evaluation", [.alertEvaluator: "raw", .gateway: "r"]),
        TableAccess("alerts.firing", [.alertEvaluator: "rad", .notifier: "r", .gateway: "rad"]),
        TableAccess(
            "alerts.channel",
            [
                .alertEvaluator: "r(channel_id,user_id,name,kind,verified_at,disabled_at)", .notifier: "rw",
                .gateway: "rawd",
            ]),
        TableAccess(
            "alerts.outbox", [.alertEvaluator: "rad w(created_at)", .notifier: "raw", .gateway: "rawd"]),
        TableAccess("alerts.user_pace", [.notifier: "raw"]),
        TableAccess("alerts.channel_pace", [.notifier: "raw"]),
        TableAccess("alerts.signing_key", [.notifier: "raw", .gateway: "raw"]),
        TableAccess("alerts.retention", [.alertEvaluator: "raw"]),
        TableAccess("alerts.operator_notice", [.alertEvaluator: "raw"]),
    ]

    /// What people own, and what currencies are worth.
    static let portfolio: [TableAccess] = [
        TableAccess("portfolio.schema_migration", signedIn),
        // Who stores days locks the portfolio.
        TableAccess(
            "portfolio.portfolio",
            [.portfolioService: "r w(changed_at)", .alertEvaluator: "r", .gateway: "rawd"]),
        TableAccess("portfolio.wallet", [.gateway: "rawd"]),
        TableAccess("portfolio.change", [.gateway: "rad"]),
        TableAccess("portfolio.revision", [.portfolioService: "r", .gateway: "rawd"]),
        TableAccess("portfolio.balance", [.gateway: "rawd"]),
        TableAccess("portfolio.asset_use", [.gateway: "rawd"]),
        TableAccess("portfolio.import", [.gateway: "rad"]),
        TableAccess("portfolio.import_line", [.gateway: "rad"]),
        TableAccess("portfolio.lot_setting", [.portfolioService: "r", .gateway: "rawd"]),
        TableAccess("portfolio.day", [.portfolioService: "raw", .gateway: "rd"]),
        TableAccess("portfolio.target", [.gateway: "rad"]),
        TableAccess("portfolio.share_link", [.gateway: "rawd"]),
        TableAccess("rates.schema_migration", signedIn),
        TableAccess("rates.euro", [.portfolioService: "raw", .gateway: "r"]),
    ]

    /// What was answered.
    static let gateway: [TableAccess] = [
        TableAccess("gateway.schema_migration", [.gateway: "r"]),
        TableAccess("gateway.answer", [.gateway: "rawd"]),
    ]

    /// Those that work on what people own.
    private static let signedIn: [ServiceRole: String] = [
        .alertEvaluator: "r", .portfolioService: "r", .notifier: "r", .gateway: "r",
    ]
}
