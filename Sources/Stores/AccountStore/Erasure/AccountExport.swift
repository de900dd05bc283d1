package import Store

/// What this module gives to somebody who takes everything along; no secret, and no digest of one.
package enum AccountExport {
    private typealias S = ExportSection

    /// In the document's order.
    package static let sections = [
        S("account", isSingle: true) { user in
            """
            SELECT user_id AS id, email, role, \(S.time("created_at")) AS created,
                \(S.time("verified_at")) AS verified, \(S.time("disabled_at")) AS disabled,
                password_hash IS NOT NULL AS password, apple_subject AS apple
            FROM accounts.account WHERE user_id = \(user)
            """
        },
        S("settings", isSingle: true) { user in
            """
            SELECT locale, time_zone, base_currency, theme, alerts, sounds, badges,
                to_char(make_interval(mins => quiet_from), 'HH24:MI') AS quiet_from,
                to_char(make_interval(mins => quiet_to), 'HH24:MI') AS quiet_to, onboarding
            FROM accounts.setting WHERE user_id = \(user)
            """
        },
        S("flags") { user in
            "SELECT name, is_on AS on FROM accounts.flag_user WHERE user_id = \(user) ORDER BY name"
        },
        S("sessions") { user in
            """
            SELECT session_id AS id, \(S.time("created_at")) AS created,
                \(S.time("last_seen_at")) AS last_seen,
                \(S.time("expires_at")) AS expires, client, agent
            FROM accounts.session WHERE user_id = \(user) ORDER BY session_id
            """
        },
        S("tokens") { user in
            """
            SELECT token_id AS id, name, scopes, \(S.time("created_at")) AS created,
                \(S.time("expires_at")) AS expires, \(S.time("last_used_at")) AS last_used,
                \(S.time("revoked_at")) AS revoked
            FROM accounts.token WHERE user_id = \(user) ORDER BY token_id
            """
        },
        S("passkeys") { user in
            """
            SELECT passkey_id AS id, name, encode(credential, 'hex') AS credential,
                \(S.time("created_at")) AS created, \(S.time("last_used_at")) AS last_used
            FROM accounts.passkey WHERE user_id = \(user) ORDER BY passkey_id
            """
        },
        S("authenticator", isSingle: true) { user in
            """
            SELECT \(S.time("created_at")) AS created, \(S.time("confirmed_at")) AS confirmed, (
                SELECT count(*) FROM accounts.recovery_code AS code
                WHERE code.user_id = totp.user_id AND used_at IS NULL) AS recovery_codes_left
            FROM accounts.totp AS totp WHERE user_id = \(user)
            """
        },
        S("links") { user in
            """
            SELECT ticket_id AS id, kind, email, \(S.time("created_at")) AS created,
                \(S.time("expires_at")) AS expires, \(S.time("used_at")) AS used
            FROM accounts.ticket WHERE user_id = \(user) OR email = (
                SELECT email_folded FROM accounts.account WHERE user_id = \(user))
            ORDER BY ticket_id
            """
        },
        S("letters") { user in
            """
            SELECT letter_id AS id, kind, \(S.time("created_at")) AS created,
                \(S.time("expires_at")) AS expires, attempts, problem
            FROM accounts.letter WHERE user_id = \(user) ORDER BY letter_id
            """
        },
        S("watchlists") { user in
            """
            SELECT watchlist_id AS id, name, place, \(S.time("created_at")) AS created, ARRAY(
                SELECT json_build_object(
                    'instrument', venue || ':' || symbol, 'added', \(S.time("added_at")))
                FROM accounts.watchlist_entry AS entry
                WHERE entry.watchlist_id = list.watchlist_id ORDER BY entry.place) AS entries
            FROM accounts.watchlist AS list WHERE user_id = \(user) ORDER BY place
            """
        },
        // Of others who did something to the account it is told what they are, and not who and where.
        S("audit") { user in
            """
            SELECT audit_id AS id, \(S.time("happened_at")) AS time, actor_kind AS actor,
                CASE WHEN actor_id = \(user) THEN actor_id END AS actor_id,
                CASE WHEN actor_id = \(user) THEN actor_token_id END AS token,
                CASE WHEN actor_id = \(user) THEN address END AS address,
                command, action, subject_kind AS subject, subject_id, detail
            FROM accounts.audit WHERE actor_id = \(user) OR owner_id = \(user)
            ORDER BY happened_at, audit_id
            """
        },
    ]
}
