package import Store

/// What this module gives to somebody who takes everything along.
package enum PortfolioExport {
    private typealias S = ExportSection

    /// Everything of a user, in the document's order; each row names its portfolio.
    package static let sections =
        [portfolios]
        + contents { user in
            """
            portfolio_id IN (
                SELECT own.portfolio_id FROM portfolio.portfolio AS own WHERE own.user_id = \(user))
            """
        }

    /// Of one portfolio what its own document has not.
    ///
    /// Every revision of its transactions and lot settings, what changed it, what was imported, its days and
    /// links. The owner's key is the portfolio's.
    package static let history = contents { portfolio in "portfolio_id = \(portfolio)" }
        .compactMap { section -> ExportSection? in
            switch section.name {
            case "wallets", "targets": nil
            case "transactions": section.renamed("revisions")
            case "lot_settings": section.renamed("lot_setting_revisions")
            default: section
            }
        }

    private static let portfolios = S("portfolios") { user in
        """
        SELECT portfolio_id AS id, name, base, change, \(S.time("created_at")) AS created,
            \(S.time("changed_at")) AS changed, \(S.time("deleted_at")) AS deleted
        FROM portfolio.portfolio WHERE user_id = \(user) ORDER BY portfolio_id
        """
    }

    /// What belongs to portfolios; `own` tells rows of whom.
    private static func contents(_ own: @escaping @Sendable (String) -> String) -> [ExportSection] {
        [
            S("wallets") { owner in
                """
                SELECT portfolio_id AS portfolio, name, kind, note, \(S.time("created_at")) AS created
                FROM portfolio.wallet WHERE \(own(owner)) ORDER BY portfolio_id, name
                """
            },
            S("changes") { owner in
                """
                SELECT portfolio_id AS portfolio, change, kind, \(S.time("made_at")) AS made
                FROM portfolio.change WHERE \(own(owner)) ORDER BY portfolio_id, change
                """
            },
            S("transactions") { owner in
                """
                SELECT portfolio_id AS portfolio, number, revision, change, superseded,
                    \(S.nanoseconds("time")) AS time, kind, wallet, to_wallet, asset,
                    \(S.number("amount")) AS amount, counter_asset,
                    \(S.number("counter_amount")) AS counter_amount,
                    fee_asset, \(S.number("fee_amount")) AS fee_amount, external_id, note, tags,
                    price_source, lots
                FROM portfolio.revision WHERE \(own(owner)) ORDER BY portfolio_id, number, revision
                """
            },
            S("imports") { owner in
                """
                SELECT portfolio_id AS portfolio, number, change, \(S.time("made_at")) AS made, source,
                    format, rows, added
                FROM portfolio.import WHERE \(own(owner)) ORDER BY portfolio_id, number
                """
            },
            S("import_lines") { owner in
                """
                SELECT portfolio_id AS portfolio, number, line, reason
                FROM portfolio.import_line WHERE \(own(owner)) ORDER BY portfolio_id, number, line
                """
            },
            S("lot_settings") { owner in
                """
                SELECT portfolio_id AS portfolio, change, superseded, method, scope,
                    CASE WHEN valid_from > -9223372036854775808
                    THEN \(S.nanoseconds("valid_from")) END AS valid_from
                FROM portfolio.lot_setting WHERE \(own(owner)) ORDER BY portfolio_id, change, valid_from
                """
            },
            S("targets") { owner in
                """
                SELECT portfolio_id AS portfolio, asset, \(S.number("share")) AS share
                FROM portfolio.target WHERE \(own(owner)) ORDER BY portfolio_id, asset
                """
            },
            S("days") { owner in
                """
                SELECT portfolio_id AS portfolio, to_char(DATE '1970-01-01' + day, 'YYYY-MM-DD') AS "end",
                    \(S.number("value")) AS value, \(S.number("inflow")) AS inflow,
                    \(S.number("outflow")) AS outflow
                FROM portfolio.day WHERE \(own(owner)) ORDER BY portfolio_id, day
                """
            },
            S("shares") { owner in
                """
                SELECT share_id AS id, portfolio_id AS portfolio, \(S.time("created_at")) AS created,
                    \(S.time("expires_at")) AS expires, \(S.time("revoked_at")) AS revoked
                FROM portfolio.share_link WHERE \(own(owner)) ORDER BY share_id
                """
            },
        ]
    }
}
