# What programs of one release ask the server, in the order of their sources. `make landed` wrote it; nobody edits it.
@ temporary
CREATE TEMPORARY TABLE IF NOT EXISTS candle_batch (
    instrument_id integer, interval_seconds integer, start_unix_nanos bigint,
    open_time_unix_nanos bigint, close_time_unix_nanos bigint, open bigint, high bigint, low bigint,
    close bigint, trade_count bigint, lease_epoch bigint, price_scale smallint, size_scale smallint,
    flags smallint, volume numeric, taker_buy_volume numeric, notional numeric
) ON COMMIT DELETE ROWS
@ Sources/Services/GatewayAPI/Frame/Gateway+Assembly.swift
SELECT 1
@ Sources/Services/GatewayAPI/Frame/Idempotency/AnswerSweeper.swift
DELETE FROM gateway.answer WHERE (user_id, key_hash) IN (
    SELECT user_id, key_hash FROM gateway.answer
    WHERE started_at < clock_timestamp() - interval '24 hours' LIMIT 1000)
@ Sources/Services/GatewayAPI/Frame/Idempotency/IdempotentAnswers.swift
DELETE FROM gateway.answer
WHERE user_id = $1 AND key_hash = $2 AND answer IS NULL
@ Sources/Services/GatewayAPI/Frame/Idempotency/IdempotentAnswers.swift
UPDATE gateway.answer SET answer = $1
WHERE user_id = $2 AND key_hash = $3
@ Sources/Services/GatewayAPI/Frame/Idempotency/Session+Answers.swift
INSERT INTO gateway.answer (user_id, key_hash, request_hash)
VALUES ($1, $2, $3)
ON CONFLICT (user_id, key_hash) DO UPDATE
    SET request_hash = excluded.request_hash, started_at = clock_timestamp(), answer = NULL
    WHERE answer.started_at < clock_timestamp() - interval '24 hours'
        OR (answer.answer IS NULL
            AND answer.started_at < clock_timestamp() - interval '1 minute')
RETURNING true
@ Sources/Services/GatewayAPI/Frame/Idempotency/Session+Answers.swift
SELECT request_hash, answer FROM gateway.answer
WHERE user_id = $1 AND key_hash = $2
@ Sources/Stores/AccountStore/Accounts/Session+Accounts.swift
INSERT INTO accounts.app_user (user_id, name, created_at)
VALUES ($1, $2::text, $3)
@ Sources/Stores/AccountStore/Accounts/Session+Accounts.swift
INSERT INTO accounts.account
    (user_id, email, email_folded, password_hash, apple_subject, role, created_at, verified_at)
VALUES ($1, $2, $3, $4,
    $5, $6, $7, $8)
ON CONFLICT DO NOTHING
@ Sources/Stores/AccountStore/Accounts/Session+Accounts.swift
INSERT INTO accounts.setting
    (user_id, locale, time_zone, base_currency, theme, alerts, sounds, badges, onboarding)
VALUES ($1, $2, $3, $4,
    $5, true, true, true, '{}')
@ Sources/Stores/AccountStore/Accounts/Session+Accounts.swift
SELECT
        account.user_id, account.email, account.password_hash, account.role, account.created_at,         account.verified_at, account.disabled_at, EXISTS (SELECT FROM accounts.totp AS totp         WHERE totp.user_id = account.user_id AND totp.confirmed_at IS NOT NULL),         account.apple_subject IS NOT NULL
         FROM accounts.account AS account WHERE user_id = $1
@ Sources/Stores/AccountStore/Accounts/Session+Accounts.swift
SELECT
        account.user_id, account.email, account.password_hash, account.role, account.created_at,         account.verified_at, account.disabled_at, EXISTS (SELECT FROM accounts.totp AS totp         WHERE totp.user_id = account.user_id AND totp.confirmed_at IS NOT NULL),         account.apple_subject IS NOT NULL
         FROM accounts.account AS account WHERE email_folded = $1
@ Sources/Stores/AccountStore/Accounts/Session+Accounts.swift
SELECT
        account.user_id, account.email, account.password_hash, account.role, account.created_at,         account.verified_at, account.disabled_at, EXISTS (SELECT FROM accounts.totp AS totp         WHERE totp.user_id = account.user_id AND totp.confirmed_at IS NOT NULL),         account.apple_subject IS NOT NULL
         FROM accounts.account AS account WHERE apple_subject = $1
@ Sources/Stores/AccountStore/Accounts/Session+Accounts.swift
    SELECT
account.user_id, account.email, account.password_hash, account.role, account.created_at,         account.verified_at, account.disabled_at, EXISTS (SELECT FROM accounts.totp AS totp         WHERE totp.user_id = account.user_id AND totp.confirmed_at IS NOT NULL),         account.apple_subject IS NOT NULL
 FROM accounts.account AS account
    WHERE $1::uuid IS NULL OR user_id > $2 ORDER BY user_id LIMIT $3
@ Sources/Stores/AccountStore/Accounts/Session+Accounts.swift
SELECT FROM accounts.account WHERE role = 'operator' AND disabled_at IS NULL
@ Sources/Stores/AccountStore/Accounts/Session+Accounts.swift
SELECT user_id FROM accounts.account WHERE role = 'operator' AND disabled_at IS NULL
ORDER BY created_at, user_id LIMIT 1
@ Sources/Stores/AccountStore/Accounts/Session+Accounts.swift
SELECT FROM accounts.adopt_terminal()
@ Sources/Stores/AccountStore/Accounts/Session+Accounts.swift
UPDATE accounts.account SET verified_at = $1 WHERE user_id = $2 AND verified_at IS NULL
@ Sources/Stores/AccountStore/Accounts/Session+Accounts.swift
UPDATE accounts.account SET disabled_at = $1 WHERE user_id = $2
@ Sources/Stores/AccountStore/Accounts/Session+Accounts.swift
SELECT user_id FROM accounts.account WHERE role = 'operator' AND disabled_at IS NULL
ORDER BY user_id FOR NO KEY UPDATE
@ Sources/Stores/AccountStore/Accounts/Session+Accounts.swift
UPDATE accounts.account SET password_hash = $1
WHERE user_id = $2 AND ($3::text IS NULL OR password_hash = $4)
@ Sources/Stores/AccountStore/Accounts/Session+Apple.swift
UPDATE accounts.account SET apple_subject = $1 WHERE user_id = $2
@ Sources/Stores/AccountStore/Erasure/AccountExport.swift
SELECT user_id AS id, email, role, $1 AS created,
    $2 AS verified, $3 AS disabled,
    password_hash IS NOT NULL AS password, apple_subject AS apple
FROM accounts.account WHERE user_id = $4
@ Sources/Stores/AccountStore/Erasure/AccountExport.swift
SELECT locale, time_zone, base_currency, theme, alerts, sounds, badges,
    to_char(make_interval(mins => quiet_from), 'HH24:MI') AS quiet_from,
    to_char(make_interval(mins => quiet_to), 'HH24:MI') AS quiet_to, onboarding
FROM accounts.setting WHERE user_id = $1
@ Sources/Stores/AccountStore/Erasure/AccountExport.swift
SELECT name, is_on AS on FROM accounts.flag_user WHERE user_id = $1 ORDER BY name
@ Sources/Stores/AccountStore/Erasure/AccountExport.swift
SELECT session_id AS id, $1 AS created,
    $2 AS last_seen,
    $3 AS expires, client, agent
FROM accounts.session WHERE user_id = $4 ORDER BY session_id
@ Sources/Stores/AccountStore/Erasure/AccountExport.swift
SELECT token_id AS id, name, scopes, $1 AS created,
    $2 AS expires, $3 AS last_used,
    $4 AS revoked
FROM accounts.token WHERE user_id = $5 ORDER BY token_id
@ Sources/Stores/AccountStore/Erasure/AccountExport.swift
SELECT passkey_id AS id, name, encode(credential, 'hex') AS credential,
    $1 AS created, $2 AS last_used
FROM accounts.passkey WHERE user_id = $3 ORDER BY passkey_id
@ Sources/Stores/AccountStore/Erasure/AccountExport.swift
SELECT $1 AS created, $2 AS confirmed, (
    SELECT count(*) FROM accounts.recovery_code AS code
    WHERE code.user_id = totp.user_id AND used_at IS NULL) AS recovery_codes_left
FROM accounts.totp AS totp WHERE user_id = $3
@ Sources/Stores/AccountStore/Erasure/AccountExport.swift
SELECT ticket_id AS id, kind, email, $1 AS created,
    $2 AS expires, $3 AS used
FROM accounts.ticket WHERE user_id = $4 OR email = (
    SELECT email_folded FROM accounts.account WHERE user_id = $5)
ORDER BY ticket_id
@ Sources/Stores/AccountStore/Erasure/AccountExport.swift
SELECT letter_id AS id, kind, $1 AS created,
    $2 AS expires, attempts, problem
FROM accounts.letter WHERE user_id = $3 ORDER BY letter_id
@ Sources/Stores/AccountStore/Erasure/AccountExport.swift
SELECT watchlist_id AS id, name, place, $1 AS created, ARRAY(
    SELECT json_build_object(
        'instrument', venue || ':' || symbol, 'added', $2)
    FROM accounts.watchlist_entry AS entry
    WHERE entry.watchlist_id = list.watchlist_id ORDER BY entry.place) AS entries
FROM accounts.watchlist AS list WHERE user_id = $3 ORDER BY place
@ Sources/Stores/AccountStore/Erasure/Session+Erasure.swift
SELECT app.user_id FROM accounts.app_user AS app JOIN accounts.account USING (user_id)
WHERE app.user_id = $1 FOR UPDATE OF app
@ Sources/Stores/AccountStore/Erasure/Session+Erasure.swift
INSERT INTO accounts.erasure (user_id) VALUES ($1)
@ Sources/Stores/AccountStore/Erasure/Session+Erasure.swift
WITH account AS (SELECT user_id, email_folded FROM accounts.account WHERE user_id = $1),
tickets AS (
    DELETE FROM accounts.ticket WHERE email = (SELECT email_folded FROM account)
)
DELETE FROM accounts.login_failure WHERE subject IN (
    SELECT sha256(convert_to(email_folded, 'UTF8')) FROM account
    UNION ALL SELECT sha256(convert_to('confirm ' || user_id, 'UTF8')) FROM account
    UNION ALL SELECT sha256(convert_to('code ' || user_id, 'UTF8')) FROM account)
@ Sources/Stores/AccountStore/Erasure/Session+Erasure.swift
DELETE FROM accounts.app_user AS app USING accounts.account AS account
WHERE app.user_id = $1 AND account.user_id = app.user_id
@ Sources/Stores/AccountStore/Factors/Session+OneTimePasswords.swift
INSERT INTO accounts.totp AS old (user_id, sealed, created_at)
VALUES ($1, $2, $3)
ON CONFLICT (user_id) DO UPDATE
    SET sealed = excluded.sealed, created_at = excluded.created_at, last_step = NULL
    WHERE old.confirmed_at IS NULL
@ Sources/Stores/AccountStore/Factors/Session+OneTimePasswords.swift
SELECT sealed, confirmed_at, last_step FROM accounts.totp WHERE user_id = $1 FOR UPDATE
@ Sources/Stores/AccountStore/Factors/Session+OneTimePasswords.swift
UPDATE accounts.totp SET last_step = $1, confirmed_at = coalesce(confirmed_at, $2)
WHERE user_id = $3 AND (last_step IS NULL OR last_step < $4)
@ Sources/Stores/AccountStore/Factors/Session+OneTimePasswords.swift
DELETE FROM accounts.totp WHERE user_id = $1
@ Sources/Stores/AccountStore/Factors/Session+OneTimePasswords.swift
INSERT INTO accounts.recovery_code (user_id, digest) VALUES ($1, $2)
@ Sources/Stores/AccountStore/Factors/Session+OneTimePasswords.swift
UPDATE accounts.recovery_code SET used_at = $1
WHERE user_id = $2 AND digest = $3 AND used_at IS NULL
@ Sources/Stores/AccountStore/Factors/Session+OneTimePasswords.swift
SELECT count(*) FROM accounts.recovery_code WHERE user_id = $1 AND used_at IS NULL
@ Sources/Stores/AccountStore/Factors/Session+OneTimePasswords.swift
DELETE FROM accounts.recovery_code WHERE user_id = $1
@ Sources/Stores/AccountStore/Factors/Session+Passkeys.swift
INSERT INTO accounts.passkey
    (passkey_id, user_id, credential, public_key, counter, name, created_at)
VALUES ($1, $2, $3, $4,
    $5, $6, $7)
ON CONFLICT DO NOTHING
@ Sources/Stores/AccountStore/Factors/Session+Passkeys.swift
SELECT passkey_id, user_id, credential, public_key, counter, name, created_at, last_used_at FROM accounts.passkey WHERE user_id = $1
ORDER BY created_at, passkey_id
@ Sources/Stores/AccountStore/Factors/Session+Passkeys.swift
SELECT passkey_id, user_id, credential, public_key, counter, name, created_at, last_used_at FROM accounts.passkey WHERE credential = $1
FOR UPDATE
@ Sources/Stores/AccountStore/Factors/Session+Passkeys.swift
UPDATE accounts.passkey SET counter = $1, last_used_at = $2
WHERE passkey_id = $3
@ Sources/Stores/AccountStore/Factors/Session+Passkeys.swift
DELETE FROM accounts.passkey WHERE passkey_id = $1 AND (user_id = $2)
@ Sources/Stores/AccountStore/Letters/LetterQueue.swift
SELECT count(*), count(*) FILTER (WHERE attempts > 0 AND problem IS NOT NULL), min(created_at),
    (array_agg(problem ORDER BY due_at DESC) FILTER (WHERE problem IS NOT NULL))[1]
FROM accounts.letter WHERE sealed IS NOT NULL
@ Sources/Stores/AccountStore/Letters/Session+Letters.swift
INSERT INTO accounts.letter (letter_id, user_id, kind, sealed, created_at, expires_at, due_at)
VALUES ($1, $2, $3, $4,
    $5, $6, $7)
@ Sources/Stores/AccountStore/Letters/Session+Letters.swift
WITH due AS (
    SELECT letter_id, due_at FROM accounts.letter
    WHERE sealed IS NOT NULL AND due_at <= $1 AND expires_at > $2
    ORDER BY due_at, letter_id LIMIT $3 FOR UPDATE SKIP LOCKED
), taken AS (
    UPDATE accounts.letter AS letter
    SET attempts = attempts + 1, due_at = $4
    FROM due WHERE letter.letter_id = due.letter_id
    RETURNING letter.*, due.due_at AS was_due_at
)
SELECT letter_id, taken.user_id, kind, sealed, taken.created_at, expires_at, email, locale,
    attempts
FROM taken JOIN accounts.account USING (user_id) JOIN accounts.setting USING (user_id)
ORDER BY was_due_at, letter_id
@ Sources/Stores/AccountStore/Letters/Session+Letters.swift
UPDATE accounts.letter
SET sealed = NULL, due_at = 'infinity', problem = $1
WHERE letter_id = $2
@ Sources/Stores/AccountStore/Letters/Session+Letters.swift
UPDATE accounts.letter SET due_at = $1, problem = $2
WHERE letter_id = $3 AND sealed IS NOT NULL
@ Sources/Stores/AccountStore/Letters/Session+Letters.swift
SELECT count(*) FROM accounts.letter WHERE user_id = $1 AND created_at > $2
@ Sources/Stores/AccountStore/Sessions/Session+Sessions.swift
INSERT INTO accounts.session
    (session_id, user_id, digest, created_at, last_seen_at, expires_at, client, agent)
VALUES ($1, $2, $3, $4, $5, $6,
    $7, $8)
@ Sources/Stores/AccountStore/Sessions/Session+Sessions.swift
SELECT session_id, user_id, role, last_seen_at
FROM accounts.session JOIN accounts.account USING (user_id)
WHERE digest = $1 AND expires_at > $2
    AND last_seen_at > $3 AND disabled_at IS NULL
@ Sources/Stores/AccountStore/Sessions/Session+Sessions.swift
UPDATE accounts.session SET last_seen_at = $1
WHERE session_id = $2 AND last_seen_at < $3
@ Sources/Stores/AccountStore/Sessions/Session+Sessions.swift
SELECT session_id, user_id, created_at, last_seen_at, expires_at, client, agent
FROM accounts.session WHERE user_id = $1 AND expires_at > $2
    AND last_seen_at > $3
ORDER BY created_at DESC, session_id LIMIT 500
@ Sources/Stores/AccountStore/Sessions/Session+Sessions.swift
DELETE FROM accounts.session WHERE session_id = $1 AND (user_id = $2)
@ Sources/Stores/AccountStore/Sessions/Session+Sessions.swift
DELETE FROM accounts.session WHERE session_id = $1
@ Sources/Stores/AccountStore/Sessions/Session+Sessions.swift
DELETE FROM accounts.session
WHERE user_id = $1 AND ($2::uuid IS NULL OR session_id <> $3)
@ Sources/Stores/AccountStore/Sessions/Session+Sessions.swift
SELECT FROM accounts.session JOIN accounts.account USING (user_id)
WHERE session_id = $1 AND role = $2 AND expires_at > $3
    AND last_seen_at > $4 AND disabled_at IS NULL
@ Sources/Stores/AccountStore/Settings/Session+Flags.swift
DELETE FROM accounts.flag
@ Sources/Stores/AccountStore/Settings/Session+Flags.swift
INSERT INTO accounts.flag (name, note, percentage)
VALUES ($1, $2, $3)
@ Sources/Stores/AccountStore/Settings/Session+Flags.swift
INSERT INTO accounts.flag_user (name, user_id, is_on)
SELECT $1, user_id, $2 FROM accounts.account WHERE user_id = $3
@ Sources/Stores/AccountStore/Settings/Session+Flags.swift
SELECT name, user_id, is_on FROM accounts.flag_user
WHERE $1::uuid IS NULL OR user_id = $2
@ Sources/Stores/AccountStore/Settings/Session+Flags.swift
SELECT name, note, percentage FROM accounts.flag ORDER BY name LIMIT 500
@ Sources/Stores/AccountStore/Settings/Session+Settings.swift
SELECT locale, time_zone, base_currency, theme, alerts, sounds, badges, quiet_from, quiet_to,
    onboarding
FROM accounts.setting WHERE user_id = $1
@ Sources/Stores/AccountStore/Settings/Session+Settings.swift
UPDATE accounts.setting
SET locale = $1, time_zone = $2,
    base_currency = $3, theme = $4,
    alerts = $5, sounds = $6, badges = $7,
    quiet_from = $8, quiet_to = $9, onboarding = $10
WHERE user_id = $11
@ Sources/Stores/AccountStore/Tickets/LoginAttempt.swift
INSERT INTO accounts.login_failure (subject, failures, last_at) VALUES ($1, 0, now())
ON CONFLICT (subject) DO NOTHING
@ Sources/Stores/AccountStore/Tickets/LoginAttempt.swift
SELECT failures, last_at FROM accounts.login_failure WHERE subject = $1 FOR UPDATE
@ Sources/Stores/AccountStore/Tickets/LoginAttempt.swift
UPDATE accounts.login_failure
SET failures = $1, last_at = $2
WHERE subject = $3
@ Sources/Stores/AccountStore/Tickets/LoginAttempt.swift
UPDATE accounts.login_failure SET failures = failures - 1,
    last_at = CASE WHEN last_at = $1 THEN $2
        ELSE last_at END
WHERE subject = $3 AND failures > 0
@ Sources/Stores/AccountStore/Tickets/LoginAttempt.swift
UPDATE accounts.login_failure
SET failures = greatest(failures - $1, 0)
WHERE subject = $2
@ Sources/Stores/AccountStore/Tickets/Session+Tickets.swift
INSERT INTO accounts.ticket (ticket_id, kind, digest, user_id, email, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5,
    $6, $7)
@ Sources/Stores/AccountStore/Tickets/Session+Tickets.swift
UPDATE accounts.ticket SET used_at = $1
WHERE digest = $2 AND kind = $3 AND used_at IS NULL AND expires_at > $4
RETURNING ticket_id, kind, user_id, email, created_at, expires_at
@ Sources/Stores/AccountStore/Tickets/Session+Tickets.swift
DELETE FROM accounts.ticket
WHERE kind = $1 AND used_at IS NULL AND ($2::uuid IS NULL OR user_id = $3)
@ Sources/Stores/AccountStore/Tickets/Session+Tickets.swift
UPDATE accounts.letter SET sealed = NULL, due_at = 'infinity', problem = 'its link was withdrawn'
WHERE kind = $1 AND sealed IS NOT NULL
    AND ($2::uuid IS NULL OR user_id = $3)
@ Sources/Stores/AccountStore/Tickets/Session+Tickets.swift
SELECT ticket_id, kind, user_id, email, created_at, expires_at FROM accounts.ticket
WHERE kind = $1 AND used_at IS NULL AND expires_at > $2
ORDER BY created_at DESC, ticket_id LIMIT 500
@ Sources/Stores/AccountStore/Tickets/Session+Tickets.swift
DELETE FROM accounts.ticket WHERE expires_at <= $1
@ Sources/Stores/AccountStore/Tickets/Session+Tickets.swift
DELETE FROM accounts.login_failure WHERE last_at <= $1
@ Sources/Stores/AccountStore/Tickets/Session+Tickets.swift
DELETE FROM accounts.letter WHERE expires_at <= $1
@ Sources/Stores/AccountStore/Tickets/Session+Tickets.swift
DELETE FROM accounts.session WHERE expires_at <= $1 OR last_seen_at <= $2
@ Sources/Stores/AccountStore/Tokens/Session+Tokens.swift
INSERT INTO accounts.token (token_id, user_id, name, digest, scopes, created_at, expires_at)
VALUES ($1, $2, $3, $4,
    $5, $6, $7)
@ Sources/Stores/AccountStore/Tokens/Session+Tokens.swift
SELECT token_id, user_id, role, scopes, digest, last_used_at
FROM accounts.token JOIN accounts.account USING (user_id)
WHERE token_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)
    AND disabled_at IS NULL
@ Sources/Stores/AccountStore/Tokens/Session+Tokens.swift
UPDATE accounts.token SET last_used_at = $1 WHERE token_id = $2
@ Sources/Stores/AccountStore/Tokens/Session+Tokens.swift
SELECT token_id, user_id, name, scopes, created_at, expires_at, last_used_at, revoked_at FROM accounts.token WHERE user_id = $1
ORDER BY created_at DESC, token_id LIMIT 500
@ Sources/Stores/AccountStore/Tokens/Session+Tokens.swift
UPDATE accounts.token SET revoked_at = $1
WHERE token_id = $2 AND (user_id = $3) AND revoked_at IS NULL
@ Sources/Stores/AccountStore/Tokens/Session+Tokens.swift
SELECT FROM accounts.token JOIN accounts.account USING (user_id)
WHERE token_id = $1 AND role = $2 AND revoked_at IS NULL
    AND (expires_at IS NULL OR expires_at > $3) AND disabled_at IS NULL
@ Sources/Stores/AccountStore/Tokens/Session+Tokens.swift
UPDATE accounts.token SET revoked_at = expires_at
WHERE revoked_at IS NULL AND expires_at <= $1
@ Sources/Stores/AccountStore/UserID.swift
SELECT user_id FROM accounts.app_user WHERE user_id = $1 FOR NO KEY UPDATE
@ Sources/Stores/AccountStore/Watchlists/ChangeEntries.swift
INSERT INTO accounts.watchlist_entry (watchlist_id, venue, symbol, place, added_at)
SELECT $1, $2, $3, $4, $5
WHERE /*owner*/(EXISTS (SELECT FROM accounts.watchlist AS own WHERE own.watchlist_id = $6 AND own.user_id = $7))/*own*/
@ Sources/Stores/AccountStore/Watchlists/ChangeEntries.swift
DELETE FROM accounts.watchlist_entry
WHERE watchlist_id = $1 AND venue = $2
    AND symbol = $3 AND /*owner*/(EXISTS (SELECT FROM accounts.watchlist AS own WHERE own.watchlist_id = $4 AND own.user_id = $5))/*own*/
@ Sources/Stores/AccountStore/Watchlists/ChangeEntries.swift
UPDATE accounts.watchlist_entry SET place = $1
WHERE watchlist_id = $2 AND venue = $3
    AND symbol = $4 AND /*owner*/(EXISTS (SELECT FROM accounts.watchlist AS own WHERE own.watchlist_id = $5 AND own.user_id = $6))/*own*/
@ Sources/Stores/AccountStore/Watchlists/ChangeWatchlists.swift
INSERT INTO accounts.watchlist (watchlist_id, user_id, name, place, created_at)
VALUES ($1, $2, $3, $4, $5)
@ Sources/Stores/AccountStore/Watchlists/ChangeWatchlists.swift
UPDATE accounts.watchlist SET name = $1, place = $2
WHERE watchlist_id = $3 AND (user_id = $4)
    AND (name, place) IS DISTINCT FROM ($5, $6)
@ Sources/Stores/AccountStore/Watchlists/ChangeWatchlists.swift
DELETE FROM accounts.watchlist WHERE watchlist_id = $1 AND (user_id = $2)
@ Sources/Stores/AccountStore/Watchlists/ChangeWatchlists.swift
SELECT watchlist_id, user_id, name, place, created_at FROM accounts.watchlist
WHERE watchlist_id = $1 AND (user_id = $2)
FOR NO KEY UPDATE
@ Sources/Stores/AccountStore/Watchlists/WatchlistQueries.swift
SELECT watchlist_id, user_id, name, place, created_at FROM accounts.watchlist
WHERE (user_id = $1)
ORDER BY place, watchlist_id
@ Sources/Stores/AccountStore/Watchlists/WatchlistQueries.swift
SELECT watchlist_id, user_id, name, place, created_at FROM accounts.watchlist
WHERE watchlist_id = $1 AND (user_id = $2)
@ Sources/Stores/AccountStore/Watchlists/WatchlistQueries.swift
SELECT venue, symbol, place, added_at FROM accounts.watchlist_entry
WHERE watchlist_id = $1 AND /*owner*/(EXISTS (SELECT FROM accounts.watchlist AS own WHERE own.watchlist_id = $2 AND own.user_id = $3))/*own*/
ORDER BY place, venue, symbol
@ Sources/Stores/AccountStore/Watchlists/WatchlistQueries.swift
SELECT watchlist_id, count(*)
FROM accounts.watchlist JOIN accounts.watchlist_entry USING (watchlist_id)
WHERE (user_id = $1)
GROUP BY watchlist_id
@ Sources/Stores/AlertStore/Deliveries/Database+Claim.swift
SELECT delivery_id
FROM alerts.claim($1, $2, $3, $4)
@ Sources/Stores/AlertStore/Deliveries/Database+Claim.swift
    SELECT claimed.delivery_id, claimed.attempts, claimed.claimed_by, claimed.failures, claimed.held,
        claimed.created_at, claimed.counted,
notice ->> 'kind', (notice ->> 'time')::bigint, notice ->> 'reason', notice ->> 'note',         (notice ->> 'count')::bigint
,
channel.channel_id, channel.user_id, channel.name, channel.kind, channel.settings::text,
channel.secrets::text,
CASE WHEN channel.kind IN ('word') THEN coalesce(setting.locale, channel.locale)
    ELSE channel.locale END,
CASE WHEN channel.kind IN ('word') THEN coalesce(setting.time_zone, channel.time_zone)
    ELSE channel.time_zone END,
channel.per_minute, channel.per_hour, coalesce(channel.quiet_from, setting.quiet_from),
coalesce(channel.quiet_to, setting.quiet_to), channel.created_at, channel.verified_at,
channel.disabled_at,
CASE WHEN channel.quiet_from IS NULL THEN setting.time_zone END,
coalesce(setting.sounds, true), coalesce(setting.badges, true)
,

firing.rule_id, firing.epoch, firing.rule_version, rule.rule::text, firing.venue, firing.symbol,         firing.reason, firing.price, firing.previous, firing.level, firing.trade_id, firing.venue_time,         firing.late_by, firing.fired_at, firing.kind, (SELECT quote FROM market.instrument AS traded         WHERE traded.venue = firing.venue AND traded.symbol = firing.symbol)

    FROM unnest($1::uuid[]) WITH ORDINALITY AS due (delivery_id, place)
    JOIN alerts.outbox AS claimed USING (delivery_id)
    JOIN alerts.channel AS channel USING (channel_id)
    LEFT JOIN accounts.setting AS setting ON setting.user_id = channel.user_id
    LEFT JOIN alerts.firing AS firing USING (rule_id, epoch)
    LEFT JOIN alerts.rule AS rule ON rule.rule_id = claimed.rule_id
    -- Of a channel that was disabled since, or of a newer version's kind, the claim is left to end.
    WHERE claimed.claimed_by = $2 AND channel.disabled_at IS NULL
        AND channel.kind IN ('word')
    ORDER BY due.place
@ Sources/Stores/AlertStore/Deliveries/DeliveryQueue.swift
SELECT
    count(*) FILTER (WHERE state = 'waiting'),
    count(*) FILTER (WHERE state = 'waiting' AND failures > 0),
    count(*) FILTER (WHERE state = 'waiting' AND held),
    min(created_at) FILTER (WHERE state = 'waiting'),
    count(*) FILTER (WHERE state = 'dead'),
    (array_agg(last_error ORDER BY ended_at DESC) FILTER (WHERE state = 'dead'))[1]
FROM alerts.outbox WHERE state IN ('waiting', 'dead')
@ Sources/Stores/AlertStore/Deliveries/DeliveryRow.swift
UPDATE alerts.outbox AS outbox SET
    state = 'waiting', ended_at = NULL, failures = 0, next_attempt = clock_timestamp()
FROM alerts.channel AS channel
WHERE channel.channel_id = outbox.channel_id AND (channel.user_id = $1)
    AND outbox.state = 'dead'
    AND ($2::uuid IS NULL OR outbox.delivery_id = $3)
    AND ($4::text IS NULL OR channel.name = $5)
@ Sources/Stores/AlertStore/Deliveries/OutboxNotice.swift
INSERT INTO alerts.outbox (delivery_id, channel_id, notice)
VALUES ($1, $2, json_strip_nulls(json_build_object(
    'kind', $3::text, 'time', $4::bigint,
    'reason', $5::text,
    'note', $6::text, 'count', $7::bigint)))
ON CONFLICT (delivery_id) DO NOTHING
@ Sources/Stores/AlertStore/Deliveries/Pace.swift
INSERT INTO alerts.user_pace (user_id) SELECT * FROM unnest($1::uuid[]) AS own (user_id)
ORDER BY user_id ON CONFLICT DO NOTHING
@ Sources/Stores/AlertStore/Deliveries/Pace.swift
SELECT user_id, hour_start, told_in_hour, quieted_until FROM alerts.user_pace
WHERE user_id = ANY ($1) ORDER BY user_id FOR NO KEY UPDATE
@ Sources/Stores/AlertStore/Deliveries/Pace.swift
SELECT channel_id, minute_start, told_in_minute, has_digest, hour_start, told_in_hour
FROM alerts.channel_pace WHERE channel_id = ANY ($1)
@ Sources/Stores/AlertStore/Deliveries/Pace.swift
UPDATE alerts.user_pace AS own SET
    hour_start = told.hour_start, told_in_hour = told.told_in_hour,
    quieted_until = told.quieted_until
FROM unnest($1::uuid[], $2::bigint[],
        $3::integer[],
        $4::bigint[])
    AS told (user_id, hour_start, told_in_hour, quieted_until)
WHERE own.user_id = told.user_id
@ Sources/Stores/AlertStore/Deliveries/Pace.swift
INSERT INTO alerts.channel_pace (channel_id, minute_start, told_in_minute, has_digest, hour_start,
    told_in_hour)
SELECT told.* FROM unnest($1::uuid[],
        $2::bigint[],
        $3::integer[],
        $4::boolean[], $5::bigint[],
        $6::integer[])
    AS told (channel_id, minute_start, told_in_minute, has_digest, hour_start, told_in_hour)
JOIN alerts.channel AS channel USING (channel_id)
ORDER BY channel_id
ON CONFLICT (channel_id) DO UPDATE SET
    minute_start = excluded.minute_start, told_in_minute = excluded.told_in_minute,
    has_digest = excluded.has_digest, hour_start = excluded.hour_start,
    told_in_hour = excluded.told_in_hour
@ Sources/Stores/AlertStore/Deliveries/Pace.swift
UPDATE alerts.outbox SET counted = true WHERE delivery_id = ANY ($1)
@ Sources/Stores/AlertStore/Deliveries/Query+Attempts.swift
UPDATE alerts.outbox SET
    state = $1, next_attempt = COALESCE($2, next_attempt),
    last_error = CASE WHEN $3 <> 'delivered'
        THEN COALESCE($4, last_error) END,
    failures = failures + $5, held = $6, claimed_by = NULL,
    ended_at = CASE WHEN $7 <> 'waiting' THEN clock_timestamp() END
WHERE delivery_id = $8 AND state = 'waiting' AND claimed_by = $9
    AND attempts = $10
@ Sources/Stores/AlertStore/Deliveries/Query+Attempts.swift
UPDATE alerts.outbox AS outbox SET
    state = 'delivered', last_error = NULL, claimed_by = NULL, ended_at = clock_timestamp()
FROM unnest($1::uuid[], $2::integer[])
    AS arrived (delivery_id, attempts)
WHERE outbox.delivery_id = arrived.delivery_id AND outbox.attempts = arrived.attempts
    AND outbox.state = 'waiting' AND outbox.claimed_by = $3
@ Sources/Stores/AlertStore/Deliveries/Query+Attempts.swift
WITH ended AS (
    UPDATE alerts.channel SET disabled_at = clock_timestamp()
    WHERE channel_id = $1 AND disabled_at IS NULL
        AND settings::text = $2 AND secrets::text = $3
        AND ($4::timestamptz IS NULL OR NOT EXISTS (
            SELECT FROM alerts.outbox
            WHERE channel_id = $5 AND state = 'delivered' AND ended_at > $6))
    RETURNING channel_id, user_id, name
), other AS (
    SELECT channel.channel_id, ended.name
    FROM ended JOIN alerts.channel AS channel USING (user_id)
    WHERE channel.channel_id <> ended.channel_id
        AND channel.verified_at IS NOT NULL AND channel.disabled_at IS NULL
    ORDER BY channel.kind <> 'email', channel.created_at, channel.channel_id
    LIMIT 1
)
INSERT INTO alerts.outbox (delivery_id, channel_id, notice)
SELECT $7, channel_id, json_build_object(
    'kind', 'channel_ended', 'time', $8::bigint,
    'reason', $9::text, 'note', name, 'count', 1)
FROM other
@ Sources/Stores/AlertStore/Deliveries/Session+Badges.swift
SELECT count(*) FROM (
    SELECT FROM alerts.outbox AS outbox
    JOIN alerts.channel AS channel USING (channel_id)
    WHERE outbox.channel_id = $1 AND outbox.epoch IS NOT NULL
        AND outbox.created_at > COALESCE(channel.seen_at, channel.created_at)
        AND (outbox.state IN ('delivered', 'gathered') OR outbox.claimed_by IS NOT NULL)
    LIMIT 999
) AS unseen
@ Sources/Stores/AlertStore/Deliveries/Session+Badges.swift
UPDATE alerts.channel SET seen_at = clock_timestamp() WHERE user_id = $1
@ Sources/Stores/AlertStore/Deliveries/Session+Channels.swift
    SELECT
channel.channel_id, channel.user_id, channel.name, channel.kind, channel.settings::text,         channel.secrets::text, channel.locale, channel.time_zone, channel.per_minute, channel.per_hour,         channel.quiet_from, channel.quiet_to, channel.created_at, channel.verified_at, channel.disabled_at
 FROM alerts.channel AS channel
    WHERE (user_id = $1) AND channel.kind IN ('word')
    ORDER BY name
@ Sources/Stores/AlertStore/Deliveries/Session+Channels.swift
    SELECT
channel.channel_id, channel.user_id, channel.name, channel.kind, channel.settings::text,         channel.secrets::text, channel.locale, channel.time_zone, channel.per_minute, channel.per_hour,         channel.quiet_from, channel.quiet_to, channel.created_at, channel.verified_at, channel.disabled_at
 FROM alerts.channel AS channel
    WHERE (user_id = $1) AND channel_id = $2 AND channel.kind IN ('word')
@ Sources/Stores/AlertStore/Deliveries/Session+Channels.swift
SELECT channel_id FROM alerts.channel WHERE (user_id = $1)
ORDER BY channel_id FOR NO KEY UPDATE
@ Sources/Stores/AlertStore/Deliveries/Session+Channels.swift
INSERT INTO alerts.channel AS old (
    channel_id, user_id, name, kind, settings, secrets, created_at, verified_at, disabled_at,
    locale, time_zone, per_minute, per_hour, quiet_from, quiet_to)
VALUES ($1, $2, $3, $4,
    $5::text::json, $6::text::json, $7,
    $8, $9, $10,
    $11, $12,
    $13,
    $14,
    $15)
ON CONFLICT (channel_id) DO UPDATE SET
    name = excluded.name, kind = excluded.kind, settings = excluded.settings,
    secrets = excluded.secrets, verified_at = excluded.verified_at,
    disabled_at = excluded.disabled_at, locale = excluded.locale, time_zone = excluded.time_zone,
    per_minute = excluded.per_minute, per_hour = excluded.per_hour,
    quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to
WHERE /*owner*/(old.user_id = excluded.user_id)/*own*/
@ Sources/Stores/AlertStore/Deliveries/Session+Channels.swift
UPDATE alerts.channel SET disabled_at = clock_timestamp()
WHERE channel_id = $1 AND disabled_at IS NULL
@ Sources/Stores/AlertStore/Deliveries/Session+Channels.swift
WITH gone AS (
    SELECT channel_id FROM alerts.channel WHERE (user_id = $1) AND name = $2
), letters AS (
    DELETE FROM alerts.outbox USING gone WHERE outbox.channel_id = gone.channel_id
)
DELETE FROM alerts.channel AS channel USING gone WHERE channel.channel_id = gone.channel_id
@ Sources/Stores/AlertStore/Deliveries/Session+Channels.swift
UPDATE alerts.channel SET
    verified_at = CASE WHEN code = $1 THEN COALESCE(verified_at, clock_timestamp())
        ELSE verified_at END,
    code = NULL
WHERE (user_id = $2) AND name = $3 AND code IS NOT NULL
RETURNING verified_at IS NOT NULL
@ Sources/Stores/AlertStore/Deliveries/Session+Channels.swift
UPDATE alerts.channel SET code = $1
WHERE (user_id = $2) AND name = $3
@ Sources/Stores/AlertStore/Deliveries/Session+Digests.swift
WITH parts AS (
    SELECT delivery_id FROM alerts.outbox
    WHERE channel_id = $1 AND state = 'waiting' AND epoch IS NOT NULL
        AND (claimed_by = $2 AND delivery_id = ANY ($3)
            OR failures = 0 AND (claimed_by IS NULL OR next_attempt <= clock_timestamp())
                AND (held OR next_attempt <= clock_timestamp()))
    ORDER BY created_at
    LIMIT 1000
    FOR UPDATE SKIP LOCKED
), open AS (
    SELECT delivery_id FROM alerts.outbox
    WHERE channel_id = $4 AND state = 'waiting' AND attempts = 0
        AND notice ->> 'kind' = 'digest'
    ORDER BY created_at
    LIMIT 1
    FOR UPDATE SKIP LOCKED
), made AS (
    INSERT INTO alerts.outbox (delivery_id, channel_id, notice, next_attempt)
    SELECT $5, $6, '{"kind":"digest"}', $7
    WHERE EXISTS (SELECT FROM parts) AND NOT EXISTS (SELECT FROM open)
    RETURNING delivery_id
)
UPDATE alerts.outbox AS outbox SET
    state = 'gathered', digest_id = COALESCE((SELECT delivery_id FROM open), $8),
    claimed_by = NULL, ended_at = clock_timestamp()
FROM parts
WHERE outbox.delivery_id = parts.delivery_id
@ Sources/Stores/AlertStore/Deliveries/Session+Digests.swift
    SELECT
firing.rule_id, firing.epoch, firing.rule_version, rule.rule::text, firing.venue, firing.symbol,         firing.reason, firing.price, firing.previous, firing.level, firing.trade_id, firing.venue_time,         firing.late_by, firing.fired_at, firing.kind, (SELECT quote FROM market.instrument AS traded         WHERE traded.venue = firing.venue AND traded.symbol = firing.symbol)
, gathered.of_rule, gathered.total
    FROM (
        SELECT rule_id, max(epoch) AS epoch, count(*) AS of_rule,
            sum(count(*)) OVER () :: bigint AS total
        FROM alerts.outbox WHERE digest_id = $1 GROUP BY rule_id
    ) AS gathered
    JOIN alerts.firing AS firing USING (rule_id, epoch)
    JOIN alerts.rule AS rule ON rule.rule_id = gathered.rule_id
    ORDER BY firing.fired_at, firing.rule_id
    LIMIT $2
@ Sources/Stores/AlertStore/Deliveries/Session+Outbox.swift
SELECT pg_notify($1, '')
@ Sources/Stores/AlertStore/Erasure/Session+Erasure.swift
SELECT rule_id FROM alerts.rule WHERE user_id = $1
@ Sources/Stores/AlertStore/Erasure/Session+Erasure.swift
WITH deliveries AS (
    DELETE FROM alerts.outbox WHERE channel_id IN (
        SELECT channel_id FROM alerts.channel WHERE user_id = $1)
), events AS (
    DELETE FROM alerts.rule_event WHERE rule_id IN (
        SELECT rule_id FROM alerts.rule WHERE user_id = $2)
), firings AS (DELETE FROM alerts.firing WHERE user_id = $3)
DELETE FROM alerts.channel WHERE user_id = $4
@ Sources/Stores/AlertStore/Erasure/Session+Erasure.swift
UPDATE alerts.rule SET
    user_id = $1, venue = NULL, symbol = NULL, channels = '{}',
    enabled = false, state = NULL, epoch = 0, version = version + 1, change = $2,
    done_at = NULL, created_at = $3, updated_at = $4, deleted_at = $5,
    rule = json_build_object(
        'id', rule_id, 'instrument', 'erased:ERASED', 'condition', json_build_object(
            'price', 'last', 'crosses', 'above', 'level', '1'))
WHERE user_id = $6
@ Sources/Stores/AlertStore/Evaluation/EvaluationCommit.swift
    SELECT
rule.rule_id, rule.user_id, rule.rule::text, rule.shard, rule.enabled, rule.version, rule.change,         rule.epoch, rule.state, rule.done_at, rule.created_at, rule.updated_at, rule.deleted_at, rule.rested
 FROM alerts.rule AS rule
    WHERE rule_id = ANY ($1)
    ORDER BY rule_id
    FOR NO KEY UPDATE OF rule
@ Sources/Stores/AlertStore/Evaluation/EvaluationCommit.swift
INSERT INTO alerts.evaluation AS old (shard, number, rule_change, state, updated_at)
VALUES ($1, $2, $3,
    $4, clock_timestamp())
ON CONFLICT (shard) DO UPDATE SET
    number = excluded.number, rule_change = excluded.rule_change, state = excluded.state,
    updated_at = excluded.updated_at
WHERE old.number = excluded.number - 1
@ Sources/Stores/AlertStore/Evaluation/StoredEvaluation.swift
SELECT shard, number, rule_change, state, updated_at FROM alerts.evaluation
WHERE shard = ANY ($1) ORDER BY shard
@ Sources/Stores/AlertStore/Firings/FireRules.swift
SELECT FROM alerts.firing WHERE rule_id = $1 AND epoch = $2
@ Sources/Stores/AlertStore/Firings/FireRules.swift
WITH moved AS (
    UPDATE alerts.rule SET
        epoch = $1, state = $2,
        done_at = CASE WHEN $3 THEN clock_timestamp() ELSE done_at END
    WHERE rule_id = $4 AND version = $5 AND epoch = $6 - 1
        AND shard = $7
        AND (enabled AND NOT rested AND done_at IS NULL OR $8 = 'tested')
    RETURNING rule_id, epoch, user_id, version, channels
), fired AS (
    INSERT INTO alerts.firing (
        rule_id, epoch, user_id, rule_version, venue, symbol, reason, price, previous, level,
        trade_id, venue_time, received_time, sequence, late_by, kind)
    SELECT rule_id, epoch, user_id, version, $9,
        $10, $11, $12,
        $13, $14, $15,
        $16, $17,
        $18, $19, $20
    FROM moved
    RETURNING rule_id, epoch
), told AS (
    INSERT INTO alerts.outbox (rule_id, epoch, channel_id)
    SELECT fired.rule_id, fired.epoch, channel.channel_id
    FROM fired, moved JOIN alerts.channel AS channel
        ON channel.user_id = moved.user_id
        AND (moved.channels = '{}' OR channel.name = ANY (moved.channels))
        AND channel.verified_at IS NOT NULL AND channel.disabled_at IS NULL
    LEFT JOIN accounts.setting AS setting ON setting.user_id = moved.user_id
    WHERE NOT channel.kind IN ('word') OR coalesce(setting.alerts, true)
)
SELECT count(*) FROM fired
@ Sources/Stores/AlertStore/Firings/FireRules.swift
UPDATE alerts.rule SET
    state = $1, done_at = CASE WHEN $2 THEN clock_timestamp() END
WHERE rule_id = $3 AND version = $4 AND epoch = $5
    AND shard = $6 AND enabled AND NOT rested AND done_at IS NULL
@ Sources/Stores/AlertStore/Firings/LastFiring.swift
SELECT epoch, venue_time, price, previous, level, trade_id, late_by, reason FROM alerts.firing
WHERE rule_id = $1 AND kind = 'fired' AND (user_id = $2)
ORDER BY epoch DESC LIMIT 1
@ Sources/Stores/AlertStore/Firings/ListFirings.swift
    SELECT
firing.rule_id, firing.epoch, firing.rule_version, rule.rule::text, firing.venue, firing.symbol,         firing.reason, firing.price, firing.previous, firing.level, firing.trade_id, firing.venue_time,         firing.late_by, firing.fired_at, firing.kind, (SELECT quote FROM market.instrument AS traded         WHERE traded.venue = firing.venue AND traded.symbol = firing.symbol)

    FROM alerts.firing AS firing
    JOIN alerts.rule AS rule USING (rule_id)
    WHERE (firing.user_id = $1)
        AND ($2::uuid IS NULL OR firing.rule_id = $3)
        AND ($4::text IS NULL OR firing.kind = $5)
        AND ($6::timestamptz IS NULL OR (firing.fired_at, firing.rule_id, firing.epoch)
            < ($7, $8, $9))
    ORDER BY firing.fired_at DESC, firing.rule_id DESC, firing.epoch DESC
    LIMIT $10
@ Sources/Stores/AlertStore/Firings/ListFirings.swift
SELECT count(*) FROM alerts.firing
WHERE (user_id = $1) AND kind = 'fired' AND fired_at > $2
@ Sources/Stores/AlertStore/Rules/ChangeRules.swift
SELECT rule_id FROM alerts.rule
WHERE $1 = ANY (channels) AND (user_id = $2) AND deleted_at IS NULL
@ Sources/Stores/AlertStore/Rules/ChangeRules.swift
SELECT rule_id FROM alerts.rule
WHERE rule_id = ANY ($1) AND deleted_at IS NOT NULL AND (user_id = $2)
@ Sources/Stores/AlertStore/Rules/ChangeRules.swift
SELECT rule_id FROM alerts.rule WHERE rule_id = ANY ($1)
@ Sources/Stores/AlertStore/Rules/ChangeRules.swift
SELECT count(*) FROM alerts.rule
WHERE (user_id = $1) AND deleted_at IS NULL AND enabled AND done_at IS NULL
@ Sources/Stores/AlertStore/Rules/ChangeRules.swift
    SELECT
rule.rule_id, rule.user_id, rule.rule::text, rule.shard, rule.enabled, rule.version, rule.change,         rule.epoch, rule.state, rule.done_at, rule.created_at, rule.updated_at, rule.deleted_at, rule.rested
 FROM alerts.rule AS rule
    WHERE (user_id = $1) AND deleted_at IS NULL AND enabled AND done_at IS NULL
@ Sources/Stores/AlertStore/Rules/RuleAdmission.swift
SELECT venue, symbol FROM market.instrument
WHERE (venue, symbol) IN (
    SELECT * FROM unnest($1::text[], $2::text[]))
@ Sources/Stores/AlertStore/Rules/RuleHistory.swift
SELECT at, kind, version, epoch, text, (
    SELECT string_agg(channel.name || ': ' || outbox.last_error, '; ' ORDER BY channel.name)
    FROM alerts.outbox AS outbox JOIN alerts.channel AS channel USING (channel_id)
    WHERE outbox.rule_id = $1 AND outbox.epoch = happened.epoch AND outbox.held
        AND (channel.user_id = $2)
), venue_time, price, previous, level, trade_id, late_by FROM (
    SELECT at, kind, version, NULL::bigint AS epoch, rule::text AS text,
        NULL::bigint AS venue_time, NULL::numeric AS price, NULL::numeric AS previous,
        NULL::numeric AS level, NULL::text AS trade_id, NULL::bigint AS late_by
    FROM alerts.rule_event
    WHERE rule_id = $3 AND /*owner*/(EXISTS (
        SELECT FROM alerts.rule WHERE rule_id = $4 AND user_id = $5))/*own*/
    UNION ALL
    SELECT fired_at, kind, rule_version, epoch, reason, venue_time, price, previous, level,
        trade_id, late_by
    FROM alerts.firing
    WHERE rule_id = $6 AND (user_id = $7)
) AS happened
WHERE $8::timestamptz IS NULL OR (at, version, coalesce(epoch, -1))
    < ($9, $10::bigint, $11::bigint)
ORDER BY at DESC, version DESC, coalesce(epoch, -1) DESC
LIMIT $12
@ Sources/Stores/AlertStore/Rules/Session+Rules.swift
    SELECT

rule.rule_id, rule.user_id, rule.rule::text, rule.shard, rule.enabled, rule.version, rule.change,         rule.epoch, rule.state, rule.done_at, rule.created_at, rule.updated_at, rule.deleted_at, rule.rested
, (SELECT count(*) FROM alerts.firing AS told         WHERE told.rule_id = rule.rule_id AND told.kind = 'fired')
 FROM alerts.rule AS rule
    WHERE (user_id = $1) AND deleted_at IS NULL
    ORDER BY created_at, rule_id
@ Sources/Stores/AlertStore/Rules/Session+Rules.swift
    SELECT

rule.rule_id, rule.user_id, rule.rule::text, rule.shard, rule.enabled, rule.version, rule.change,         rule.epoch, rule.state, rule.done_at, rule.created_at, rule.updated_at, rule.deleted_at, rule.rested
, (SELECT count(*) FROM alerts.firing AS told         WHERE told.rule_id = rule.rule_id AND told.kind = 'fired')
 FROM alerts.rule AS rule
    WHERE (user_id = $1) AND deleted_at IS NULL
        AND ($2::timestamptz IS NULL
            OR (created_at, rule_id) > ($3, $4))
        AND ($5::text IS NULL OR (rule.rule -> 'tags')::jsonb ? $6)
        AND ($7::text IS NULL OR $8 = CASE
            WHEN done_at IS NOT NULL OR (rule.rule ->> 'expires')::timestamptz <= $9 THEN 'done'
            WHEN enabled THEN 'armed' ELSE 'disabled' END)
    ORDER BY created_at, rule_id
    LIMIT $10
@ Sources/Stores/AlertStore/Rules/Session+Rules.swift
    SELECT

rule.rule_id, rule.user_id, rule.rule::text, rule.shard, rule.enabled, rule.version, rule.change,         rule.epoch, rule.state, rule.done_at, rule.created_at, rule.updated_at, rule.deleted_at, rule.rested
, (SELECT count(*) FROM alerts.firing AS told         WHERE told.rule_id = rule.rule_id AND told.kind = 'fired')
 FROM alerts.rule AS rule
    WHERE rule_id = $1 AND (user_id = $2)
@ Sources/Stores/AlertStore/Rules/Session+Rules.swift
    SELECT

rule.rule_id, rule.user_id, rule.rule::text, rule.shard, rule.enabled, rule.version, rule.change,         rule.epoch, rule.state, rule.done_at, rule.created_at, rule.updated_at, rule.deleted_at, rule.rested
, (SELECT count(*) FROM alerts.firing AS told         WHERE told.rule_id = rule.rule_id AND told.kind = 'fired')
 FROM alerts.rule AS rule
    WHERE rule_id = ANY ($1) AND (user_id = $2) AND deleted_at IS NULL
    ORDER BY rule_id
    FOR NO KEY UPDATE OF rule
@ Sources/Stores/AlertStore/Rules/Session+Rules.swift
UPDATE alerts.rule_clock SET change = change + 1 RETURNING change
@ Sources/Stores/AlertStore/Rules/Session+Rules.swift
SELECT change FROM alerts.rule_clock
@ Sources/Stores/AlertStore/Rules/Session+Rules.swift
    SELECT
rule.rule_id, rule.user_id, rule.rule::text, rule.shard, rule.enabled, rule.version, rule.change,         rule.epoch, rule.state, rule.done_at, rule.created_at, rule.updated_at, rule.deleted_at, rule.rested
 FROM alerts.rule AS rule
    WHERE shard = ANY ($1)
        AND enabled AND NOT rested AND done_at IS NULL
@ Sources/Stores/AlertStore/Rules/Session+Rules.swift
    SELECT
rule.rule_id, rule.user_id, rule.rule::text, rule.shard, rule.enabled, rule.version, rule.change,         rule.epoch, rule.state, rule.done_at, rule.created_at, rule.updated_at, rule.deleted_at, rule.rested
 FROM alerts.rule AS rule
    WHERE (change, rule_id) > ($1, $2)
    ORDER BY change, rule_id
    LIMIT $3
@ Sources/Stores/AlertStore/Rules/StatementBatch+Rules.swift
INSERT INTO alerts.rule (
    rule_id, user_id, venue, symbol, shard, rule, channels, enabled, change, created_at,
    updated_at)
VALUES ($1, $2, $3, $4,
    $5, $6::text::json, $7,
    $8, $9, $10, $11)
@ Sources/Stores/AlertStore/Rules/StatementBatch+Rules.swift
INSERT INTO alerts.rule_event (rule_id, at, kind, version, rule)
SELECT rule_id, updated_at, 'created', version, rule FROM alerts.rule
WHERE rule_id = $1 AND (user_id = $2)
@ Sources/Stores/AlertStore/Rules/StatementBatch+Rules.swift
WITH changed AS (
    UPDATE alerts.rule SET
        venue = $1, symbol = $2,
        shard = $3, rule = $4::text::json,
        channels = $5, enabled = $6,
        version = $7, change = $8, updated_at = $9,
        deleted_at = $10, state = $11, done_at = $12
    WHERE rule_id = $13
    RETURNING rule_id, updated_at, version, rule
)
INSERT INTO alerts.rule_event (rule_id, at, kind, version, rule)
SELECT rule_id, updated_at, $14, version, rule FROM changed
@ Sources/Stores/InstallationStore/Secrets/KeptKey.swift
INSERT INTO alerts.signing_key AS kept (name, secret) VALUES ($1, $2)
ON CONFLICT (name) DO UPDATE SET name = kept.name
RETURNING secret
@ Sources/Stores/InstallationStore/Secrets/StoredSecret.swift
SELECT kind, row_key, owner, content FROM (
    SELECT 'channel' AS kind, channel_id::text AS row_key, user_id::text AS owner,
        convert_to(secrets::text, 'UTF8') AS content
    FROM alerts.channel WHERE secrets::text <> '{}'
    UNION ALL
    SELECT 'letter', letter_id::text, user_id::text, sealed
    FROM accounts.letter WHERE sealed IS NOT NULL
    UNION ALL
    SELECT 'signing', name, '', secret FROM alerts.signing_key
    UNION ALL
    SELECT 'totp', user_id::text, user_id::text, sealed FROM accounts.totp
) AS stored
WHERE (kind, row_key) > ($1::text, $2::text)
ORDER BY kind, row_key LIMIT $3
@ Sources/Stores/InstallationStore/Secrets/StoredSecret.swift
WITH channels AS (
    UPDATE alerts.channel SET secrets = convert_from($1::bytea, 'UTF8')::json
    WHERE channel_id = CASE WHEN $2::text = 'channel' THEN $3::text::uuid END
        AND convert_to(secrets::text, 'UTF8') = $4::bytea
    RETURNING 1
), letters AS (
    UPDATE accounts.letter SET sealed = $5
    WHERE letter_id = CASE WHEN $6 = 'letter' THEN $7::uuid END AND sealed = $8
    RETURNING 1
), keys AS (
    UPDATE alerts.signing_key SET secret = $9
    WHERE $10 = 'signing' AND name = $11 AND secret = $12
    RETURNING 1
), authenticators AS (
    UPDATE accounts.totp SET sealed = $13
    WHERE user_id = CASE WHEN $14 = 'totp' THEN $15::uuid END AND sealed = $16
    RETURNING 1
)
SELECT count(*) FROM (
    TABLE channels UNION ALL TABLE letters UNION ALL TABLE keys UNION ALL TABLE authenticators
) AS replaced
@ Sources/Stores/MarketStore/Assets/AssetQueries.swift
INSERT INTO market.asset AS known (code, name, provider_id, categories, rank, updated_at)
VALUES ($1, $2, $3, $4, $5,
    $6)
ON CONFLICT (code) DO UPDATE SET
    name = excluded.name, provider_id = excluded.provider_id, rank = excluded.rank,
    updated_at = excluded.updated_at,
    -- Most routes of a provider say nothing of categories: what is known of the same coin
    -- stays.
    categories = CASE
        WHEN known.provider_id = excluded.provider_id AND excluded.categories = '{}'
        THEN known.categories ELSE excluded.categories END
@ Sources/Stores/MarketStore/Assets/AssetQueries.swift
WITH categories AS (DELETE FROM market.category)
UPDATE market.asset SET updated_at = timestamptz 'epoch'
@ Sources/Stores/MarketStore/Assets/AssetQueries.swift
SELECT code, name, provider_id, categories, rank, updated_at FROM market.asset
ORDER BY rank NULLS LAST, code
@ Sources/Stores/MarketStore/Assets/CategoryQueries.swift
WITH gone AS (
    DELETE FROM market.category WHERE id <> ALL ($1::text[])
), kept AS (
    INSERT INTO market.category AS known (id, name, listed_at)
    SELECT id, name, $2 FROM unnest($3::text[], $4::text[]) AS new (id, name)
    ORDER BY id
    ON CONFLICT (id) DO UPDATE SET
        name = excluded.name, listed_at = excluded.listed_at,
        -- Under a new name its coins are yet to be told.
        asked_at = CASE WHEN known.name = excluded.name THEN known.asked_at END
)
UPDATE market.asset SET categories = ARRAY(
    SELECT word FROM unnest(categories) WITH ORDINALITY AS old (word, place)
    WHERE word = ANY ($5::text[]) ORDER BY place)
WHERE NOT categories <@ $6::text[]
@ Sources/Stores/MarketStore/Assets/CategoryQueries.swift
UPDATE market.asset SET categories = CASE
    WHEN provider_id = ANY ($1::text[])
    THEN array_append(categories, $2)
    ELSE array_remove(categories, $3) END
WHERE (provider_id = ANY ($4::text[])) <> ($5 = ANY (categories))
@ Sources/Stores/MarketStore/Assets/CategoryQueries.swift
UPDATE market.category SET asked_at = $1 WHERE id = $2
@ Sources/Stores/MarketStore/Assets/CategoryQueries.swift
SELECT (SELECT max(updated_at) FROM market.asset), (SELECT max(listed_at) FROM market.category),
    next.id, next.name, next.asked_at
FROM (VALUES (1)) AS always
LEFT JOIN (SELECT * FROM market.category ORDER BY asked_at NULLS FIRST, id LIMIT 1) AS next
    ON true
@ Sources/Stores/MarketStore/Assets/CategoryQueries.swift
SELECT (SELECT count(*) FROM market.asset), count(*), count(asked_at) FROM market.category
@ Sources/Stores/MarketStore/Assets/TrendingInputs.swift
SELECT i.venue, i.symbol, trim_scale(day.volume), trim_scale(day.volume_before), day.open,
    day.last
FROM market.instrument AS i
CROSS JOIN LATERAL (
    SELECT
        coalesce(sum(volume) FILTER (WHERE start_unix_nanos >= $1), 0) AS volume,
        coalesce(sum(volume) FILTER (WHERE start_unix_nanos < $2), 0) AS volume_before,
        (array_agg(open * ('1e-' || price_scale)::numeric ORDER BY start_unix_nanos)
            FILTER (WHERE start_unix_nanos >= $3))[1] AS open,
        (array_agg(close * ('1e-' || price_scale)::numeric ORDER BY start_unix_nanos DESC)
            FILTER (WHERE start_unix_nanos >= $4))[1] AS last
    FROM market.candle AS c
    WHERE c.instrument_id = i.instrument_id AND c.interval_seconds = $5
        AND c.start_unix_nanos >= $6 AND c.start_unix_nanos < $7) AS day
WHERE day.volume > 0
ORDER BY i.venue, i.symbol
@ Sources/Stores/MarketStore/Assets/TrendingInputs.swift
SELECT max(newest.start_unix_nanos)
FROM market.instrument AS i
CROSS JOIN LATERAL (
    SELECT c.start_unix_nanos FROM market.candle AS c
    WHERE c.instrument_id = i.instrument_id AND c.interval_seconds = $1
    ORDER BY c.start_unix_nanos DESC LIMIT 1) AS newest
@ Sources/Stores/MarketStore/Assets/TrendingRows.swift
INSERT INTO market.trending (
    hour_unix_nanos, instrument_id, score, volume_score, price_score, volume, usual_volume,
    price_change)
SELECT $1, i.instrument_id, new.score, new.volume_score, new.price_score,
    new.volume, new.usual_volume, new.price_change
FROM unnest(
    $2::text[],
    $3::text[], $4::numeric[],
    $5::numeric[],
    $6::numeric[], $7::numeric[],
    $8::numeric[], $9::numeric[])
    AS new (venue, symbol, score, volume_score, price_score, volume, usual_volume, price_change)
JOIN market.instrument AS i USING (venue, symbol)
ORDER BY i.instrument_id
ON CONFLICT (hour_unix_nanos, instrument_id) DO UPDATE SET
    score = excluded.score, volume_score = excluded.volume_score,
    price_score = excluded.price_score, volume = excluded.volume,
    usual_volume = excluded.usual_volume, price_change = excluded.price_change
@ Sources/Stores/MarketStore/Assets/TrendingRows.swift
SELECT t.hour_unix_nanos, i.venue, i.symbol, t.score, t.volume_score, t.price_score, t.volume,
    t.usual_volume, t.price_change
FROM market.trending AS t
JOIN market.instrument AS i USING (instrument_id)
WHERE t.hour_unix_nanos = (SELECT max(hour_unix_nanos) FROM market.trending)
ORDER BY t.score DESC, i.venue, i.symbol
LIMIT $1
@ Sources/Stores/MarketStore/Books/BookSnapshots.swift
INSERT INTO market.book_snapshot AS old (
    instrument_id, minute_unix_nanos, venue_time_unix_nanos, received_time_unix_nanos, state,
    reason, detail, price_scale, size_scale, bid_prices, bid_sizes, ask_prices, ask_sizes,
    producer, epoch, sequence)
SELECT instrument_id, $1, $2,
    $3, $4,
    $5, $6, $7,
    $8, $9,
    $10, $11,
    $12, $13, $14, $15
FROM market.instrument WHERE venue = $16 AND symbol = $17
ON CONFLICT (instrument_id, minute_unix_nanos) DO UPDATE SET
    venue_time_unix_nanos = excluded.venue_time_unix_nanos,
    received_time_unix_nanos = excluded.received_time_unix_nanos,
    state = excluded.state, reason = excluded.reason, detail = excluded.detail,
    price_scale = excluded.price_scale, size_scale = excluded.size_scale,
    bid_prices = excluded.bid_prices, bid_sizes = excluded.bid_sizes,
    ask_prices = excluded.ask_prices, ask_sizes = excluded.ask_sizes,
    producer = excluded.producer, epoch = excluded.epoch, sequence = excluded.sequence
WHERE (coalesce(old.venue_time_unix_nanos, old.received_time_unix_nanos),
    old.received_time_unix_nanos)
    <= (coalesce(excluded.venue_time_unix_nanos, excluded.received_time_unix_nanos),
    excluded.received_time_unix_nanos)
@ Sources/Stores/MarketStore/Books/BookSnapshots.swift
SELECT
    state, reason, detail, price_scale, size_scale, bid_prices, bid_sizes, ask_prices, ask_sizes,
    producer, epoch, sequence, venue_time_unix_nanos, received_time_unix_nanos
FROM market.book_snapshot
WHERE instrument_id = (SELECT instrument_id FROM market.instrument WHERE venue = $1 AND symbol = $2)
    AND minute_unix_nanos <= $3
ORDER BY minute_unix_nanos DESC
LIMIT 1
@ Sources/Stores/MarketStore/Candles/AggregateTrades.swift
WITH trade AS (
    SELECT
        venue_time_unix_nanos AS time, arrival, side, price, size, price_scale, size_scale,
        venue_time_unix_nanos - ((venue_time_unix_nanos - cut.shift) % cut.length + cut.length)
            % cut.length AS start
    FROM market.trade
    CROSS JOIN (SELECT
        $1::bigint * 1000000000 AS length,
        CASE $2::bigint WHEN 604800 THEN 345600000000000 ELSE 0 END AS shift) AS cut
    WHERE instrument_id = (SELECT instrument_id FROM market.instrument WHERE venue = $3 AND symbol = $4)
        AND venue_time_unix_nanos >= $5
        AND venue_time_unix_nanos < $6
), summed AS (
    SELECT
        start, min(time) AS first_time, max(time) AS last_time,
        (array_agg(price * ('1e-' || price_scale)::numeric ORDER BY time, arrival))[1] AS open,
        max(price * ('1e-' || price_scale)::numeric) AS high,
        min(price * ('1e-' || price_scale)::numeric) AS low,
        (array_agg(price * ('1e-' || price_scale)::numeric ORDER BY time DESC, arrival DESC))[1]
            AS close,
        max(price_scale) AS price_scale, max(size_scale) AS size_scale, count(*) AS trades,
        sum(size * ('1e-' || size_scale)::numeric) AS volume,
        coalesce(sum(size * ('1e-' || size_scale)::numeric) FILTER (WHERE side = 1), 0) AS bought,
        sum(price::numeric * size * ('1e-' || (price_scale + size_scale))::numeric) AS notional
    FROM trade GROUP BY start
)
SELECT
    $7::integer, start, first_time, last_time,
    (open * ('1e' || price_scale)::numeric)::bigint,
    (high * ('1e' || price_scale)::numeric)::bigint,
    (low * ('1e' || price_scale)::numeric)::bigint,
    (close * ('1e' || price_scale)::numeric)::bigint, price_scale, size_scale, trades,
    trim_scale(volume), trim_scale(bought), trim_scale(notional), 1::smallint
FROM summed ORDER BY start
@ Sources/Stores/MarketStore/Candles/CandleQueries.swift
SELECT open_time_unix_nanos
FROM market.candle
WHERE instrument_id = (SELECT instrument_id FROM market.instrument WHERE venue = $1 AND symbol = $2)
    AND interval_seconds = 60 AND flags & 4 = 0
ORDER BY start_unix_nanos LIMIT 1
@ Sources/Stores/MarketStore/Candles/CandleQueries.swift
    SELECT wanted.venue, wanted.symbol, newest.*
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted (venue, symbol, number)
    JOIN market.instrument AS i USING (venue, symbol)
    CROSS JOIN unnest($3::integer[]) AS length (seconds)
    CROSS JOIN LATERAL (
        SELECT
interval_seconds, start_unix_nanos, open_time_unix_nanos, close_time_unix_nanos, open, high, low,
close, price_scale, size_scale, trade_count, volume, taker_buy_volume, notional, flags
 FROM market.candle AS c
        WHERE c.instrument_id = i.instrument_id AND c.interval_seconds = length.seconds
        ORDER BY c.start_unix_nanos DESC LIMIT 1) AS newest
    ORDER BY wanted.number, length.seconds
@ Sources/Stores/MarketStore/Candles/CandleQueries.swift
SELECT
    wanted.venue, wanted.symbol,
    (SELECT t.venue_time_unix_nanos FROM market.trade AS t
        WHERE t.instrument_id = i.instrument_id ORDER BY t.venue_time_unix_nanos DESC LIMIT 1),
    (SELECT c.start_unix_nanos FROM market.candle AS c
        WHERE c.instrument_id = i.instrument_id AND c.interval_seconds = 60
        ORDER BY c.start_unix_nanos DESC LIMIT 1)
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted (venue, symbol, number)
JOIN market.instrument AS i USING (venue, symbol)
ORDER BY wanted.number
@ Sources/Stores/MarketStore/Candles/CandleQueries.swift
SELECT
interval_seconds, start_unix_nanos, open_time_unix_nanos, close_time_unix_nanos, open, high, low,
close, price_scale, size_scale, trade_count, volume, taker_buy_volume, notional, flags
 FROM market.candle
WHERE instrument_id = (SELECT instrument_id FROM market.instrument WHERE venue = $1 AND symbol = $2) AND interval_seconds = $3
    AND start_unix_nanos >= $4 AND start_unix_nanos < $5
ORDER BY start_unix_nanos DESC
LIMIT $6
@ Sources/Stores/MarketStore/Candles/CandleRuns.swift
SELECT min(start), max(start) + $1::bigint * 1000000000
FROM (
    SELECT start_unix_nanos AS start,
        start_unix_nanos - row_number() OVER (ORDER BY start_unix_nanos)
            * $2::bigint * 1000000000 AS island
    FROM market.candle
    WHERE instrument_id = (SELECT instrument_id FROM market.instrument WHERE venue = $3 AND symbol = $4) AND interval_seconds = $5
        AND start_unix_nanos >= $6 AND start_unix_nanos < $7
        AND flags & 3 <> 3) AS candle
GROUP BY island
ORDER BY 1
@ Sources/Stores/MarketStore/Candles/CandleRuns.swift
SELECT oldest.start_unix_nanos, newest.start_unix_nanos
FROM market.instrument AS i
CROSS JOIN LATERAL (
    SELECT c.start_unix_nanos FROM market.candle AS c
    WHERE c.instrument_id = i.instrument_id AND c.interval_seconds = $1
    ORDER BY c.start_unix_nanos LIMIT 1) AS oldest
CROSS JOIN LATERAL (
    SELECT c.start_unix_nanos FROM market.candle AS c
    WHERE c.instrument_id = i.instrument_id AND c.interval_seconds = $2
    ORDER BY c.start_unix_nanos DESC LIMIT 1) AS newest
WHERE i.venue = $3 AND i.symbol = $4
@ Sources/Stores/MarketStore/Candles/RollCandles.swift
WITH part AS (
    SELECT *,
        start_unix_nanos - ((start_unix_nanos - cut.shift) % cut.length + cut.length) % cut.length
            AS start
    FROM market.candle
    CROSS JOIN (SELECT
        $1::bigint * 1000000000 AS length,
        CASE $2::bigint WHEN 604800 THEN 345600000000000 ELSE 0 END AS shift) AS cut
    WHERE instrument_id = (SELECT instrument_id FROM market.instrument WHERE venue = $3 AND symbol = $4) AND interval_seconds = $5
        AND start_unix_nanos >= $6 AND start_unix_nanos < $7
        AND flags & 16 = 0
), summed AS (
    SELECT
        start, min(open_time_unix_nanos) AS first_time, max(close_time_unix_nanos) AS last_time,
        (array_agg(open * ('1e-' || price_scale)::numeric ORDER BY start_unix_nanos))[1] AS open,
        max(high * ('1e-' || price_scale)::numeric) AS high,
        min(low * ('1e-' || price_scale)::numeric) AS low,
        (array_agg(close * ('1e-' || price_scale)::numeric ORDER BY start_unix_nanos DESC))[1]
            AS close,
        max(price_scale) AS price_scale, max(size_scale) AS size_scale,
        sum(trade_count)::bigint AS trades, sum(volume) AS volume,
        -- A sum in which something is missing is not a sum.
        CASE WHEN count(*) = count(taker_buy_volume) THEN sum(taker_buy_volume) END AS bought,
        CASE WHEN count(*) = count(notional) THEN sum(notional) END AS notional,
        bit_or(flags & ~1) AS flags
    FROM part GROUP BY start
)
SELECT
    $8::integer, start, first_time, last_time,
    (open * ('1e' || price_scale)::numeric)::bigint,
    (high * ('1e' || price_scale)::numeric)::bigint,
    (low * ('1e' || price_scale)::numeric)::bigint,
    (close * ('1e' || price_scale)::numeric)::bigint, price_scale, size_scale, trades,
    trim_scale(volume), trim_scale(bought), trim_scale(notional), (flags | 1)::smallint
FROM summed ORDER BY start
@ Sources/Stores/MarketStore/Candles/StoreCandles.swift
SELECT known.instrument_id
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted (venue, symbol, number)
LEFT JOIN market.instrument AS known USING (venue, symbol)
ORDER BY wanted.number
@ Sources/Stores/MarketStore/Candles/StoreCandles.swift
INSERT INTO market.candle AS old (
    instrument_id, interval_seconds, start_unix_nanos, open_time_unix_nanos,
    close_time_unix_nanos, open, high, low, close, trade_count, lease_epoch, price_scale,
    size_scale, flags, volume, taker_buy_volume, notional, written_at)
SELECT
    instrument_id, interval_seconds, start_unix_nanos, open_time_unix_nanos,
    close_time_unix_nanos, open, high, low, close, trade_count, lease_epoch, price_scale,
    size_scale, flags,
    -- Once here instead of at every reading.
    trim_scale(volume), trim_scale(taker_buy_volume), trim_scale(notional), clock_timestamp()
FROM pg_temp.candle_batch
ORDER BY instrument_id, interval_seconds, start_unix_nanos
ON CONFLICT (instrument_id, interval_seconds, start_unix_nanos) DO UPDATE SET
    open_time_unix_nanos = excluded.open_time_unix_nanos,
    close_time_unix_nanos = excluded.close_time_unix_nanos,
    open = excluded.open, high = excluded.high, low = excluded.low, close = excluded.close,
    trade_count = excluded.trade_count, lease_epoch = excluded.lease_epoch,
    price_scale = excluded.price_scale, size_scale = excluded.size_scale, flags = excluded.flags,
    volume = excluded.volume, taker_buy_volume = excluded.taker_buy_volume,
    notional = excluded.notional, written_at = excluded.written_at
WHERE (old.lease_epoch <= excluded.lease_epoch
        -- What is filled in without a lease may mend what is over and incomplete.
        OR excluded.lease_epoch = 0 AND old.flags & 3 = 3 AND excluded.flags & 2 = 0)
    AND (old.open_time_unix_nanos, old.close_time_unix_nanos, old.open, old.high, old.low,
        old.close, old.trade_count, old.price_scale, old.size_scale, old.flags, old.volume,
        old.taker_buy_volume, old.notional)
    IS DISTINCT FROM (excluded.open_time_unix_nanos, excluded.close_time_unix_nanos,
        excluded.open, excluded.high, excluded.low, excluded.close, excluded.trade_count,
        excluded.price_scale, excluded.size_scale, excluded.flags, excluded.volume,
        excluded.taker_buy_volume, excluded.notional)
@ Sources/Stores/MarketStore/Candles/TradeStatistics.swift
WITH trade AS (
    SELECT
        venue_time_unix_nanos AS time, arrival,
        price * ('1e-' || price_scale)::numeric AS price,
        size * ('1e-' || size_scale)::numeric AS size
    FROM market.trade
    WHERE instrument_id = (SELECT instrument_id FROM market.instrument WHERE venue = $1 AND symbol = $2)
        AND venue_time_unix_nanos >= $3
        AND venue_time_unix_nanos < $4
)
SELECT
    trim_scale((array_agg(price ORDER BY time, arrival))[1]),
    trim_scale(max(price)), trim_scale(min(price)),
    trim_scale((array_agg(price ORDER BY time DESC, arrival DESC))[1]),
    trim_scale(sum(size)), trim_scale(sum(price * size)), count(*)
FROM trade HAVING count(*) > 0
@ Sources/Stores/MarketStore/Instruments/InstrumentQueries.swift
    SELECT
venue, symbol, base, quote, kind, price_scale, size_scale, tick_size, lot_size, contract_multiplier,
is_inverse
 FROM market.instrument
    WHERE $1::text IS NULL OR venue = $2
    ORDER BY venue, symbol
@ Sources/Stores/MarketStore/Instruments/InstrumentQueries.swift
    SELECT
venue, symbol, base, quote, kind, price_scale, size_scale, tick_size, lot_size, contract_multiplier,
is_inverse
 FROM market.instrument
    WHERE venue = $1 AND symbol = $2
@ Sources/Stores/MarketStore/Instruments/InstrumentQueries.swift
SELECT i.venue, i.symbol FROM market.instrument AS i
LEFT JOIN LATERAL (
    SELECT 1 AS found FROM market.trade AS t WHERE t.instrument_id = i.instrument_id
    ORDER BY t.venue_time_unix_nanos DESC LIMIT 1) AS trade ON true
LEFT JOIN LATERAL (
    SELECT 1 AS found FROM market.candle AS c
    WHERE c.instrument_id = i.instrument_id AND c.interval_seconds = 60
    ORDER BY c.start_unix_nanos DESC LIMIT 1) AS minute ON true
WHERE trade.found = 1 OR minute.found = 1
ORDER BY i.venue, i.symbol
@ Sources/Stores/MarketStore/Instruments/Listings.swift
SELECT DISTINCT venue, base, quote FROM market.instrument ORDER BY venue, base, quote
@ Sources/Stores/MarketStore/Instruments/Listings.swift
SELECT instrument_id::bigint, venue, symbol, base, quote, updated_at FROM market.instrument
WHERE venue = $1 AND instrument_id > $2 ORDER BY instrument_id
@ Sources/Stores/MarketStore/Instruments/StoreInstruments.swift
INSERT INTO market.instrument AS old (
    venue, symbol, base, quote, kind, price_scale, size_scale, tick_size, lot_size,
    contract_multiplier, is_inverse, updated_at)
SELECT new.*, $1
FROM unnest(
    $2::text[], $3::text[],
    $4::text[], $5::text[],
    $6::text[], $7::smallint[],
    $8::smallint[],
    $9::numeric[],
    $10::numeric[],
    $11::numeric[],
    $12::boolean[]) AS new (venue, symbol)
ORDER BY new.venue, new.symbol
ON CONFLICT (venue, symbol) DO UPDATE SET
    base = excluded.base, quote = excluded.quote, kind = excluded.kind,
    price_scale = excluded.price_scale, size_scale = excluded.size_scale,
    tick_size = excluded.tick_size, lot_size = excluded.lot_size,
    contract_multiplier = excluded.contract_multiplier,
    is_inverse = excluded.is_inverse, updated_at = excluded.updated_at
WHERE (old.base, old.quote, old.kind, old.price_scale, old.size_scale, old.tick_size,
    old.lot_size, old.contract_multiplier, old.is_inverse)
    IS DISTINCT FROM (excluded.base, excluded.quote, excluded.kind, excluded.price_scale,
    excluded.size_scale, excluded.tick_size, excluded.lot_size, excluded.contract_multiplier,
    excluded.is_inverse)
@ Sources/Stores/MarketStore/Leases/LeaseQueries.swift
SELECT instance, expires_at FROM market.member WHERE service = $1 ORDER BY instance
@ Sources/Stores/MarketStore/Leases/LeaseQueries.swift
SELECT instance, expires_at FROM market.member
WHERE service = $1 AND expires_at > clock_timestamp() ORDER BY instance
@ Sources/Stores/MarketStore/Leases/LeaseQueries.swift
SELECT shard, owner, epoch, greatest(expires_at, timestamptz 'epoch')
FROM market.lease WHERE service = $1 ORDER BY shard
@ Sources/Stores/MarketStore/Leases/LeaseQueries.swift
SELECT clock_timestamp()
@ Sources/Stores/MarketStore/Leases/LeaseQueries.swift
INSERT INTO market.member (service, instance, expires_at)
VALUES ($1, $2,
    clock_timestamp() + $3 * interval '1 microsecond')
ON CONFLICT (service, instance) DO UPDATE SET expires_at = excluded.expires_at
@ Sources/Stores/MarketStore/Leases/LeaseQueries.swift
DELETE FROM market.member
WHERE service = $1 AND expires_at < clock_timestamp() - interval '1 day'
@ Sources/Stores/MarketStore/Leases/LeaseQueries.swift
WITH free AS (
    SELECT shard FROM market.lease
    WHERE service = $1 AND shard = ANY ($2)
        AND (owner IS NULL OR expires_at <= clock_timestamp())
    ORDER BY shard
    -- Stronger than what a write holds on its lease, so a lease never changes hands under a
    -- write.
    FOR UPDATE SKIP LOCKED
)
UPDATE market.lease AS lease SET
    owner = $3, epoch = lease.epoch + 1,
    expires_at = clock_timestamp() + $4 * interval '1 microsecond'
FROM free WHERE lease.service = $5 AND lease.shard = free.shard
RETURNING lease.shard, lease.epoch
@ Sources/Stores/MarketStore/Leases/LeaseQueries.swift
WITH held AS (
    SELECT lease.shard
    FROM market.lease AS lease
    JOIN unnest($1::smallint[], $2::bigint[]) AS held (shard, epoch) USING (shard)
    WHERE lease.service = $3 AND lease.owner = $4
        AND lease.epoch = held.epoch AND lease.expires_at > clock_timestamp()
    -- In the order in which everybody locks them.
    ORDER BY lease.shard FOR NO KEY UPDATE OF lease
)
UPDATE market.lease AS lease SET
    owner = CASE WHEN $5 > 0 THEN lease.owner END,
    expires_at = clock_timestamp() + $6 * interval '1 microsecond'
FROM held WHERE lease.service = $7 AND lease.shard = held.shard
RETURNING lease.shard, lease.epoch
@ Sources/Stores/MarketStore/Leases/LeaseQueries.swift
SELECT lease.shard
FROM market.lease AS lease
JOIN unnest($1::smallint[], $2::bigint[]) AS held (shard, epoch) USING (shard)
WHERE lease.service = $3 AND lease.owner = $4
    AND lease.epoch = held.epoch AND lease.expires_at > clock_timestamp()
ORDER BY lease.shard
FOR KEY SHARE OF lease
@ Sources/Stores/MarketStore/Leases/LeaseQueries.swift
WITH counted AS (
    SELECT shard FROM market.lease
    WHERE service = $1 AND shard = ANY ($2)
    ORDER BY shard FOR NO KEY UPDATE
)
UPDATE market.lease AS lease SET refused = refused + 1
FROM counted WHERE lease.service = $3 AND lease.shard = counted.shard
@ Sources/Stores/MarketStore/Leases/TendLeases.swift
INSERT INTO market.lease (service, shard) SELECT $1, generate_series(0, 255)
ON CONFLICT DO NOTHING
@ Sources/Stores/MarketStore/Leases/TendLeases.swift
DELETE FROM market.member WHERE service = $1 AND instance = $2
@ Sources/Stores/MarketStore/Partitions/EnsurePartitions.swift
SELECT count(*) FILTER (WHERE made)::integer
FROM (SELECT market.ensure_trade_partition(date '1970-01-01' + day) AS made
    FROM unnest($1::integer[]) AS wanted (day)) AS partitions
@ Sources/Stores/MarketStore/Partitions/EnsurePartitions.swift
SELECT count(*) FILTER (WHERE made)::integer
FROM (SELECT market.ensure_candle_partition(seconds, start) AS made
    FROM unnest($1::integer[], $2::bigint[])
        AS wanted (seconds, start)) AS partitions
@ Sources/Stores/MarketStore/Partitions/SweepPartitions.swift
WITH newest AS (
    SELECT i.instrument_id, latest.minute
    FROM market.instrument AS i
    CROSS JOIN LATERAL (
        SELECT b.minute_unix_nanos AS minute FROM market.book_snapshot AS b
        WHERE b.instrument_id = i.instrument_id
        ORDER BY b.minute_unix_nanos DESC LIMIT 1) AS latest)
DELETE FROM market.book_snapshot AS old USING newest
WHERE old.instrument_id = newest.instrument_id
    AND old.minute_unix_nanos < newest.minute - $1
@ Sources/Stores/MarketStore/Partitions/SweepPartitions.swift
DELETE FROM market.trending
WHERE hour_unix_nanos < (SELECT max(hour_unix_nanos) FROM market.trending) - $1
@ Sources/Stores/MarketStore/Partitions/SweepPartitions.swift
INSERT INTO market.retention (parent, interval_seconds, keep_nanos, swept_at)
VALUES ($1, $2, $3, clock_timestamp())
ON CONFLICT (parent, interval_seconds) DO UPDATE SET
    keep_nanos = excluded.keep_nanos, swept_at = excluded.swept_at
@ Sources/Stores/MarketStore/Partitions/SweepPartitions.swift
SELECT max(newest.time)
FROM market.instrument AS i
CROSS JOIN LATERAL (
    SELECT t.venue_time_unix_nanos AS time FROM market.trade AS t
    WHERE t.instrument_id = i.instrument_id AND t.venue_time_unix_nanos <=
        (extract(epoch FROM clock_timestamp() + interval '1 hour') * 1000000000)::bigint
    ORDER BY t.venue_time_unix_nanos DESC LIMIT 1) AS newest
GROUP BY i.venue
@ Sources/Stores/MarketStore/Partitions/SweepPartitions.swift
SELECT max(newest.time)
FROM market.instrument AS i
CROSS JOIN LATERAL (
    SELECT c.start_unix_nanos AS time FROM market.candle AS c
    WHERE c.instrument_id = i.instrument_id AND c.interval_seconds = $1
        AND c.start_unix_nanos <=
        (extract(epoch FROM clock_timestamp() + interval '1 hour') * 1000000000)::bigint
    ORDER BY c.start_unix_nanos DESC LIMIT 1) AS newest
GROUP BY i.venue
@ Sources/Stores/MarketStore/Partitions/SweepPartitions.swift
SELECT name, parent, interval_seconds, from_unix_nanos, to_unix_nanos FROM market.partition
ORDER BY parent DESC, interval_seconds, from_unix_nanos
@ Sources/Stores/MarketStore/Partitions/SweepPartitions.swift
SELECT pg_try_advisory_xact_lock(1651532140, -1)
@ Sources/Stores/MarketStore/Reports/ReportQueries.swift
SELECT current_database(), pg_database_size(current_database()), clock_timestamp()
@ Sources/Stores/MarketStore/Reports/ReportQueries.swift
SELECT
    part.parent, part.interval_seconds, count(*),
    sum(pg_total_relation_size(part.part_oid))::bigint,
    -- -1 says that nobody has looked yet.
    sum(nullif(c.reltuples, -1))::bigint, min(part.from_unix_nanos), max(part.to_unix_nanos),
    max(kept.keep_nanos), max(kept.swept_at)
FROM market.partition AS part
JOIN pg_catalog.pg_class AS c ON c.oid = part.part_oid
LEFT JOIN market.retention AS kept
    ON kept.parent = part.parent AND kept.interval_seconds = part.interval_seconds
GROUP BY part.parent, part.interval_seconds
ORDER BY part.parent DESC, part.interval_seconds
@ Sources/Stores/MarketStore/Reports/ReportQueries.swift
SELECT c.relname::text, pg_total_relation_size(c.oid), nullif(c.reltuples, -1)::bigint
FROM pg_catalog.pg_class AS c
JOIN pg_catalog.pg_namespace AS space ON space.oid = c.relnamespace
WHERE space.nspname = 'market' AND c.relkind = 'r' AND NOT c.relispartition
ORDER BY c.relname
@ Sources/Stores/MarketStore/Reports/ReportQueries.swift
SELECT
    i.venue, max(trade.time), (array_agg(trade.received ORDER BY trade.time DESC NULLS LAST))[1],
    max(candle.time), (array_agg(candle.written ORDER BY candle.time DESC NULLS LAST))[1]
FROM market.instrument AS i
LEFT JOIN LATERAL (
    SELECT t.venue_time_unix_nanos AS time, t.received_time_unix_nanos AS received
    FROM market.trade AS t WHERE t.instrument_id = i.instrument_id
    ORDER BY t.venue_time_unix_nanos DESC LIMIT 1) AS trade ON true
LEFT JOIN LATERAL (
    SELECT c.close_time_unix_nanos AS time, c.written_at AS written
    FROM market.candle AS c WHERE c.instrument_id = i.instrument_id AND c.interval_seconds = 60
    ORDER BY c.start_unix_nanos DESC LIMIT 1) AS candle ON true
WHERE trade.time IS NOT NULL OR candle.time IS NOT NULL
GROUP BY i.venue
ORDER BY i.venue
@ Sources/Stores/MarketStore/Reports/ReportQueries.swift
SELECT
    l.service,
    (SELECT count(*) FROM market.member AS m
        WHERE m.service = l.service AND m.expires_at > clock_timestamp()),
    count(*) FILTER (WHERE l.owner IS NOT NULL AND l.expires_at > clock_timestamp()),
    sum(l.refused)::bigint
FROM market.lease AS l GROUP BY l.service ORDER BY l.service
@ Sources/Stores/MarketStore/Subscriptions/Subscription.swift
SELECT venue, symbol, channels, wanted_by FROM market.subscription
WHERE $1::text IS NULL OR venue = $2
ORDER BY venue, symbol, wanted_by
@ Sources/Stores/MarketStore/Subscriptions/Subscription.swift
DELETE FROM market.subscription WHERE wanted_by = ANY ($1)
@ Sources/Stores/MarketStore/Subscriptions/Subscription.swift
INSERT INTO market.subscription AS old (venue, symbol, wanted_by, channels, added_at)
VALUES ($1, $2, $3, $4,
    $5)
ON CONFLICT (venue, symbol, wanted_by) DO UPDATE SET channels = (
    SELECT array_agg(DISTINCT channel ORDER BY channel)
    FROM unnest(old.channels || excluded.channels) AS wanted (channel))
WHERE NOT old.channels @> excluded.channels
@ Sources/Stores/MarketStore/Subscriptions/Subscription.swift
DELETE FROM market.subscription
WHERE venue = $1 AND symbol = $2 AND wanted_by = $3
@ Sources/Stores/MarketStore/Tasks/TaskClaim.swift
INSERT INTO market.task (name) VALUES ($1) ON CONFLICT DO NOTHING
@ Sources/Stores/MarketStore/Tasks/TaskClaim.swift
SELECT epoch, failures, source, due_at <= clock_timestamp(),
    owner IS NULL OR expires_at <= clock_timestamp()
FROM market.task WHERE name = $1 FOR UPDATE
@ Sources/Stores/MarketStore/Tasks/TaskClaim.swift
UPDATE market.task SET owner = $1, source = $2, epoch = epoch + 1,
    expires_at = clock_timestamp() + $3 * interval '1 microsecond'
WHERE name = $4
@ Sources/Stores/MarketStore/Tasks/TaskClaim.swift
UPDATE market.task SET
    expires_at = clock_timestamp() + $1 * interval '1 microsecond'
WHERE name = $2 AND owner = $3 AND epoch = $4
@ Sources/Stores/MarketStore/Tasks/TaskClaim.swift
UPDATE market.task SET
    owner = NULL,
    due_at = clock_timestamp() + $1 * interval '1 microsecond',
    detail = $2,
    done_at = CASE WHEN $3 THEN clock_timestamp() ELSE done_at END,
    failures = CASE WHEN $4 THEN 0 ELSE failures + 1 END
WHERE name = $5 AND owner = $6 AND epoch = $7
@ Sources/Stores/MarketStore/Tasks/TaskClaim.swift
SELECT name, owner, greatest(due_at, timestamptz 'epoch'), done_at, failures, detail
FROM market.task ORDER BY name
@ Sources/Stores/MarketStore/Trades/CopyTrades.swift
WITH batch AS MATERIALIZED (SELECT nextval('market.trade_batch') AS number)
SELECT known.instrument_id, batch.number
FROM batch
CROSS JOIN unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted (venue, symbol, number)
LEFT JOIN market.instrument AS known USING (venue, symbol)
ORDER BY wanted.number
@ Sources/Stores/MarketStore/Trades/InsertTrades.swift
SELECT wanted.venue, wanted.symbol
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted (venue, symbol, number)
LEFT JOIN market.instrument AS known USING (venue, symbol)
WHERE known.instrument_id IS NULL
ORDER BY wanted.number
@ Sources/Stores/MarketStore/Trades/InsertTrades.swift
WITH named AS MATERIALIZED (
    SELECT wanted.number::integer AS number, known.instrument_id
    FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted (venue, symbol, number)
    LEFT JOIN market.instrument AS known USING (venue, symbol)
), inserted AS (
    INSERT INTO market.trade (
        instrument_id, trade_id, side, price, size, price_scale, size_scale,
        venue_time_unix_nanos, received_time_unix_nanos, is_aggregate, is_backfill, arrival)
    SELECT
        named.instrument_id, new.trade_id, new.side, new.price, new.size, new.price_scale,
        new.size_scale, new.venue_time, new.received_time, new.is_aggregate, new.is_backfill,
        (SELECT nextval('market.trade_batch')) * 16777216 + new.place
    FROM unnest(
        $3::integer[], $4::text[], $5::smallint[],
        $6::bigint[], $7::bigint[], $8::smallint[],
        $9::smallint[], $10::bigint[],
        $11::bigint[], $12::boolean[],
        $13::boolean[])
        WITH ORDINALITY AS new (number, trade_id, side, price, size, price_scale, size_scale,
        venue_time, received_time, is_aggregate, is_backfill, place)
    JOIN named ON named.number = new.number
    ON CONFLICT DO NOTHING
    RETURNING instrument_id
)
SELECT named.number, count(inserted.instrument_id)
FROM named LEFT JOIN inserted ON inserted.instrument_id = named.instrument_id
GROUP BY named.number
@ Sources/Stores/MarketStore/Trades/TradeHoles.swift
INSERT INTO market.trade_hole (instrument_id, after_unix_nanos, until_unix_nanos)
SELECT instrument_id, $1, $2
FROM market.instrument WHERE venue = $3 AND symbol = $4
ON CONFLICT (instrument_id, after_unix_nanos) DO UPDATE
    SET until_unix_nanos = greatest(market.trade_hole.until_unix_nanos, excluded.until_unix_nanos)
@ Sources/Stores/MarketStore/Trades/TradeHoles.swift
SELECT after_unix_nanos, until
FROM (
    SELECT hole.after_unix_nanos, coalesce(hole.until_unix_nanos, (
        SELECT venue_time_unix_nanos FROM market.trade AS next
        WHERE next.instrument_id = hole.instrument_id
            AND next.venue_time_unix_nanos > hole.after_unix_nanos
        ORDER BY next.venue_time_unix_nanos LIMIT 1)) AS until
    FROM market.trade_hole AS hole
    WHERE hole.instrument_id = (SELECT instrument_id FROM market.instrument WHERE venue = $1 AND symbol = $2)) AS hole
WHERE until IS NULL OR until >= $3
ORDER BY after_unix_nanos
@ Sources/Stores/MarketStore/Trades/TradeMinutes.swift
SELECT
    venue_time_unix_nanos - (venue_time_unix_nanos % 60000000000 + 60000000000) % 60000000000
        AS minute,
    count(*)
FROM market.trade
WHERE instrument_id = (SELECT instrument_id FROM market.instrument WHERE venue = $1 AND symbol = $2)
    AND venue_time_unix_nanos >= $3 AND venue_time_unix_nanos < $4
GROUP BY minute ORDER BY minute
@ Sources/Stores/MarketStore/Trades/TradeQueries.swift
    SELECT
trade_id, side, price, size, price_scale, size_scale, venue_time_unix_nanos, received_time_unix_nanos,
is_aggregate, is_backfill
 FROM market.trade
    WHERE instrument_id = (SELECT instrument_id FROM market.instrument WHERE venue = $1 AND symbol = $2) AND venue_time_unix_nanos < $3
    ORDER BY venue_time_unix_nanos DESC, arrival DESC
    LIMIT $4
@ Sources/Stores/MarketStore/Trades/TradeQueries.swift
SELECT venue, symbol, count
FROM (SELECT instrument_id, count(*) FROM market.trade GROUP BY instrument_id) AS counted
JOIN market.instrument USING (instrument_id)
ORDER BY venue, symbol
@ Sources/Stores/MarketStore/Trades/TradeQueries.swift
    SELECT i.venue, i.symbol, newest.*
    FROM market.instrument AS i
    CROSS JOIN LATERAL (
        SELECT
trade_id, side, price, size, price_scale, size_scale, venue_time_unix_nanos, received_time_unix_nanos,
is_aggregate, is_backfill
 FROM market.trade AS t
        WHERE t.instrument_id = i.instrument_id AND t.venue_time_unix_nanos <=
            (extract(epoch FROM clock_timestamp() + interval '1 hour') * 1000000000)::bigint
        ORDER BY venue_time_unix_nanos DESC, arrival DESC LIMIT 1) AS newest
    WHERE i.venue = $1
    ORDER BY i.symbol
@ Sources/Stores/MarketStore/Trades/TradeQueries.swift
SELECT
trade_id, side, price, size, price_scale, size_scale, venue_time_unix_nanos, received_time_unix_nanos,
is_aggregate, is_backfill
 FROM market.trade
WHERE instrument_id = (SELECT instrument_id FROM market.instrument WHERE venue = $1 AND symbol = $2)
    AND venue_time_unix_nanos >= $3 AND venue_time_unix_nanos < $4
ORDER BY venue_time_unix_nanos, arrival
LIMIT $5
@ Sources/Stores/PortfolioStore/Erasure/PortfolioExport.swift
SELECT portfolio_id AS id, name, base, change, $1 AS created,
    $2 AS changed, $3 AS deleted
FROM portfolio.portfolio WHERE user_id = $4 ORDER BY portfolio_id
@ Sources/Stores/PortfolioStore/Erasure/PortfolioExport.swift
SELECT portfolio_id AS portfolio, name, kind, note, $1 AS created
FROM portfolio.wallet WHERE $2 ORDER BY portfolio_id, name
@ Sources/Stores/PortfolioStore/Erasure/PortfolioExport.swift
SELECT portfolio_id AS portfolio, change, kind, $1 AS made
FROM portfolio.change WHERE $2 ORDER BY portfolio_id, change
@ Sources/Stores/PortfolioStore/Erasure/PortfolioExport.swift
SELECT portfolio_id AS portfolio, number, revision, change, superseded,
    $1 AS time, kind, wallet, to_wallet, asset,
    $2 AS amount, counter_asset,
    $3 AS counter_amount,
    fee_asset, $4 AS fee_amount, external_id, note, tags,
    price_source, lots
FROM portfolio.revision WHERE $5 ORDER BY portfolio_id, number, revision
@ Sources/Stores/PortfolioStore/Erasure/PortfolioExport.swift
SELECT portfolio_id AS portfolio, number, change, $1 AS made, source,
    format, rows, added
FROM portfolio.import WHERE $2 ORDER BY portfolio_id, number
@ Sources/Stores/PortfolioStore/Erasure/PortfolioExport.swift
SELECT portfolio_id AS portfolio, number, line, reason
FROM portfolio.import_line WHERE $1 ORDER BY portfolio_id, number, line
@ Sources/Stores/PortfolioStore/Erasure/PortfolioExport.swift
SELECT portfolio_id AS portfolio, change, superseded, method, scope,
    CASE WHEN valid_from > -9223372036854775808
    THEN $1 END AS valid_from
FROM portfolio.lot_setting WHERE $2 ORDER BY portfolio_id, change, valid_from
@ Sources/Stores/PortfolioStore/Erasure/PortfolioExport.swift
SELECT portfolio_id AS portfolio, asset, $1 AS share
FROM portfolio.target WHERE $2 ORDER BY portfolio_id, asset
@ Sources/Stores/PortfolioStore/Erasure/PortfolioExport.swift
SELECT portfolio_id AS portfolio, to_char(DATE '1970-01-01' + day, 'YYYY-MM-DD') AS "end",
    $1 AS value, $2 AS inflow,
    $3 AS outflow
FROM portfolio.day WHERE $4 ORDER BY portfolio_id, day
@ Sources/Stores/PortfolioStore/Erasure/PortfolioExport.swift
SELECT share_id AS id, portfolio_id AS portfolio, $1 AS created,
    $2 AS expires, $3 AS revoked
FROM portfolio.share_link WHERE $4 ORDER BY share_id
@ Sources/Stores/PortfolioStore/Erasure/Session+Erasure.swift
UPDATE portfolio.portfolio SET deleted_at = coalesce(deleted_at, changed_at)
WHERE user_id = $1
RETURNING portfolio_id
@ Sources/Stores/PortfolioStore/Erasure/Session+Erasure.swift
WITH revisions AS (DELETE FROM portfolio.revision WHERE portfolio_id = ANY ($1)),
lines AS (DELETE FROM portfolio.import_line WHERE portfolio_id = ANY ($2)),
imports AS (DELETE FROM portfolio.import WHERE portfolio_id = ANY ($3)),
settings AS (DELETE FROM portfolio.lot_setting WHERE portfolio_id = ANY ($4)),
days AS (DELETE FROM portfolio.day WHERE portfolio_id = ANY ($5)),
targets AS (DELETE FROM portfolio.target WHERE portfolio_id = ANY ($6)),
links AS (DELETE FROM portfolio.share_link WHERE portfolio_id = ANY ($7)),
changes AS (DELETE FROM portfolio.change WHERE portfolio_id = ANY ($8))
DELETE FROM portfolio.wallet WHERE portfolio_id = ANY ($9)
@ Sources/Stores/PortfolioStore/Erasure/Session+Erasure.swift
DELETE FROM portfolio.portfolio WHERE portfolio_id = ANY ($1)
@ Sources/Stores/PortfolioStore/Imports/ImportTransactions.swift
INSERT INTO portfolio.wallet (portfolio_id, name, kind, note, created_at)
SELECT $1, name, 'other', '', $2
FROM unnest($3::text[]) AS named (name)
ON CONFLICT (portfolio_id, name) DO NOTHING
@ Sources/Stores/PortfolioStore/Imports/ImportTransactions.swift
INSERT INTO portfolio.import (portfolio_id, number, change, made_at, source, format, rows, added)
SELECT $1, coalesce(max(number), 0) + 1, $2, $3,
    $4, $5, $6, $7
FROM portfolio.import WHERE portfolio_id = $8
RETURNING number
@ Sources/Stores/PortfolioStore/Imports/ImportTransactions.swift
INSERT INTO portfolio.import_line (portfolio_id, number, line, reason) VALUES ($1, $2, $3, $4)
@ Sources/Stores/PortfolioStore/Imports/ImportedFile.swift
SELECT number, made_at, source, format, rows, added FROM portfolio.import
WHERE portfolio_id = $1 AND /*owner*/(EXISTS (SELECT FROM portfolio.portfolio AS owned WHERE owned.portfolio_id = $2 AND owned.user_id = $3))/*own*/
ORDER BY number
@ Sources/Stores/PortfolioStore/Imports/ImportedFile.swift
SELECT line, reason FROM portfolio.import_line
WHERE portfolio_id = $1 AND number = $2 AND /*owner*/(EXISTS (SELECT FROM portfolio.portfolio AS owned WHERE owned.portfolio_id = $3 AND owned.user_id = $4))/*own*/
ORDER BY line
@ Sources/Stores/PortfolioStore/Portfolios/ChangePortfolios.swift
INSERT INTO portfolio.portfolio (portfolio_id, user_id, name, base, changed_at, created_at)
VALUES ($1, $2, $3, $4, $5, $6)
@ Sources/Stores/PortfolioStore/Portfolios/ChangePortfolios.swift
UPDATE portfolio.portfolio SET name = $1
WHERE portfolio_id = $2 AND (user_id = $3)
@ Sources/Stores/PortfolioStore/Portfolios/ChangePortfolios.swift
UPDATE portfolio.portfolio SET deleted_at = $1 WHERE portfolio_id = $2
@ Sources/Stores/PortfolioStore/Portfolios/ChangePortfolios.swift
INSERT INTO portfolio.wallet (portfolio_id, name, kind, note, created_at)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (portfolio_id, name) DO UPDATE SET kind = excluded.kind, note = excluded.note
@ Sources/Stores/PortfolioStore/Portfolios/ChangePortfolios.swift
    SELECT
portfolio.portfolio_id, portfolio.user_id, portfolio.name, portfolio.base, portfolio.change,         portfolio.changed_at, portfolio.last_number, portfolio.created_at, portfolio.deleted_at
 FROM portfolio.portfolio AS portfolio
    WHERE portfolio_id = $1 AND (user_id = $2) AND deleted_at IS NULL
    FOR NO KEY UPDATE
@ Sources/Stores/PortfolioStore/Portfolios/ChangePortfolios.swift
WITH moved AS (
    UPDATE portfolio.portfolio SET change = $1, changed_at = $2
    WHERE portfolio_id = $3
    RETURNING portfolio_id, change, changed_at
)
INSERT INTO portfolio.change (portfolio_id, change, made_at, kind)
SELECT portfolio_id, change, changed_at, $4 FROM moved
@ Sources/Stores/PortfolioStore/Portfolios/PortfolioQueries.swift
    SELECT
portfolio.portfolio_id, portfolio.user_id, portfolio.name, portfolio.base, portfolio.change,         portfolio.changed_at, portfolio.last_number, portfolio.created_at, portfolio.deleted_at
 FROM portfolio.portfolio AS portfolio
    WHERE (user_id = $1) AND deleted_at IS NULL
    ORDER BY name
@ Sources/Stores/PortfolioStore/Portfolios/PortfolioQueries.swift
    SELECT
portfolio.portfolio_id, portfolio.user_id, portfolio.name, portfolio.base, portfolio.change,         portfolio.changed_at, portfolio.last_number, portfolio.created_at, portfolio.deleted_at
 FROM portfolio.portfolio AS portfolio
    WHERE (user_id = $1) AND deleted_at IS NULL
        AND (name = $2 OR portfolio_id = $3)
@ Sources/Stores/PortfolioStore/Portfolios/PortfolioQueries.swift
    SELECT
portfolio.portfolio_id, portfolio.user_id, portfolio.name, portfolio.base, portfolio.change,         portfolio.changed_at, portfolio.last_number, portfolio.created_at, portfolio.deleted_at
 FROM portfolio.portfolio AS portfolio
    WHERE deleted_at IS NULL AND ($1::boolean OR portfolio_id = ANY ($2))
    ORDER BY portfolio_id
@ Sources/Stores/PortfolioStore/Portfolios/PortfolioQueries.swift
SELECT name, kind, note, created_at FROM portfolio.wallet
WHERE portfolio_id = $1 AND /*owner*/(EXISTS (SELECT FROM portfolio.portfolio AS owned WHERE owned.portfolio_id = $2 AND owned.user_id = $3))/*own*/
ORDER BY name
@ Sources/Stores/PortfolioStore/Portfolios/PortfolioQueries.swift
SELECT coalesce(max(change), 0) FROM portfolio.change
WHERE portfolio_id = $1 AND made_at <= $2 AND /*owner*/(EXISTS (SELECT FROM portfolio.portfolio AS owned WHERE owned.portfolio_id = $3 AND owned.user_id = $4))/*own*/
@ Sources/Stores/PortfolioStore/Rates/StoredEuroRates.swift
SELECT DISTINCT ON (currency) currency, day, rate, source FROM rates.euro
ORDER BY currency, day DESC
@ Sources/Stores/PortfolioStore/Rates/StoredEuroRates.swift
SELECT currency, day, rate FROM rates.euro WHERE currency = ANY ($1)
@ Sources/Stores/PortfolioStore/Rates/StoredEuroRates.swift
INSERT INTO rates.euro AS old (currency, day, rate, source)
SELECT currency, day, rate, $1
FROM unnest($2::text[], $3::integer[], $4::numeric[])
    AS new (currency, day, rate)
ON CONFLICT (currency, day) DO UPDATE SET rate = excluded.rate, source = excluded.source
WHERE (old.rate, old.source) IS DISTINCT FROM (excluded.rate, excluded.source)
@ Sources/Stores/PortfolioStore/Settings/LotSettings.swift
SELECT valid_from, method, scope FROM portfolio.lot_setting
WHERE portfolio_id = $1
    AND change <= $2 AND (superseded IS NULL OR superseded > $3)
    AND /*owner*/(EXISTS (SELECT FROM portfolio.portfolio AS owned WHERE owned.portfolio_id = $4 AND owned.user_id = $5))/*own*/
ORDER BY valid_from
@ Sources/Stores/PortfolioStore/Settings/LotSettings.swift
UPDATE portfolio.lot_setting SET superseded = $1
WHERE portfolio_id = $2 AND superseded IS NULL
@ Sources/Stores/PortfolioStore/Settings/LotSettings.swift
INSERT INTO portfolio.lot_setting (portfolio_id, change, valid_from, method, scope)
VALUES ($1, $2, $3, $4,
    $5)
@ Sources/Stores/PortfolioStore/Settings/PortfolioDays.swift
SELECT day, value, inflow, outflow FROM portfolio.day
WHERE portfolio_id = $1 AND /*owner*/(EXISTS (SELECT FROM portfolio.portfolio AS owned WHERE owned.portfolio_id = $2 AND owned.user_id = $3))/*own*/
ORDER BY day
@ Sources/Stores/PortfolioStore/Settings/PortfolioDays.swift
SELECT FROM portfolio.portfolio
WHERE portfolio_id = $1 AND change = $2 AND deleted_at IS NULL
FOR NO KEY UPDATE
@ Sources/Stores/PortfolioStore/Settings/PortfolioDays.swift
INSERT INTO portfolio.day AS old (portfolio_id, day, value, inflow, outflow)
SELECT $1, day, value, inflow, outflow
FROM unnest(
        $2::integer[], $3::numeric[],
        $4::numeric[], $5::numeric[])
    AS new (day, value, inflow, outflow)
ON CONFLICT (portfolio_id, day) DO UPDATE SET
    value = excluded.value, inflow = excluded.inflow, outflow = excluded.outflow
WHERE (old.value, old.inflow, old.outflow)
    IS DISTINCT FROM (excluded.value, excluded.inflow, excluded.outflow)
@ Sources/Stores/PortfolioStore/Settings/PortfolioDays.swift
DELETE FROM portfolio.day WHERE portfolio_id = $1 AND day >= $2
@ Sources/Stores/PortfolioStore/Settings/ShareLinks.swift
INSERT INTO portfolio.share_link (share_id, portfolio_id, secret_sha256, created_at, expires_at)
VALUES ($1, $2, encode(sha256(convert_to($3, 'UTF8')), 'hex'),
    $4, $5)
@ Sources/Stores/PortfolioStore/Settings/ShareLinks.swift
SELECT link.share_id, link.portfolio_id, link.created_at, link.expires_at, link.revoked_at
FROM portfolio.share_link AS link
WHERE portfolio_id = $1 AND /*owner*/(EXISTS (SELECT FROM portfolio.portfolio AS owned WHERE owned.portfolio_id = $2 AND owned.user_id = $3))/*own*/
ORDER BY created_at, share_id
@ Sources/Stores/PortfolioStore/Settings/ShareLinks.swift
    SELECT
portfolio.portfolio_id, portfolio.user_id, portfolio.name, portfolio.base, portfolio.change,         portfolio.changed_at, portfolio.last_number, portfolio.created_at, portfolio.deleted_at

    FROM portfolio.share_link AS link JOIN portfolio.portfolio AS portfolio USING (portfolio_id)
    WHERE secret_sha256 = encode(sha256(convert_to($1, 'UTF8')), 'hex')
        AND revoked_at IS NULL AND expires_at > $2 AND deleted_at IS NULL
        AND NOT EXISTS (
            SELECT FROM accounts.account AS account
            WHERE account.user_id = portfolio.user_id AND account.disabled_at IS NOT NULL)
@ Sources/Stores/PortfolioStore/Settings/ShareLinks.swift
UPDATE portfolio.share_link AS link SET revoked_at = $1
FROM portfolio.portfolio AS portfolio
WHERE share_id = $2 AND link.portfolio_id = $3
    AND portfolio.portfolio_id = $4
    AND (portfolio.user_id = $5) AND revoked_at IS NULL
@ Sources/Stores/PortfolioStore/Settings/Targets.swift
SELECT asset, share FROM portfolio.target
WHERE portfolio_id = $1 AND /*owner*/(EXISTS (SELECT FROM portfolio.portfolio AS owned WHERE owned.portfolio_id = $2 AND owned.user_id = $3))/*own*/
ORDER BY asset
@ Sources/Stores/PortfolioStore/Settings/Targets.swift
DELETE FROM portfolio.target WHERE portfolio_id = $1
@ Sources/Stores/PortfolioStore/Settings/Targets.swift
INSERT INTO portfolio.target (portfolio_id, asset, share)
VALUES ($1, $2, $3)
@ Sources/Stores/PortfolioStore/Transactions/ChangeTransactions.swift
UPDATE portfolio.revision SET superseded = $1
WHERE portfolio_id = $2 AND number = ANY ($3) AND superseded IS NULL
@ Sources/Stores/PortfolioStore/Transactions/ChangeTransactions.swift
UPDATE portfolio.portfolio SET last_number = $1
WHERE portfolio_id = $2
@ Sources/Stores/PortfolioStore/Transactions/TransactionPage.swift
SELECT $1 FROM portfolio.revision
WHERE portfolio_id = $2 AND superseded IS NULL AND /*owner*/(EXISTS (SELECT FROM portfolio.portfolio AS owned WHERE owned.portfolio_id = $3 AND owned.user_id = $4))/*own*/
    AND ($5::text IS NULL OR $6 IN (asset, counter_asset, fee_asset)) AND ($7::text IS NULL OR $8 IN (wallet, to_wallet)) AND ($9::text IS NULL OR kind = $10)
    AND ($11::bigint IS NULL OR (time, number) < ($12, $13))
ORDER BY time DESC, number DESC
LIMIT $14
@ Sources/Stores/PortfolioStore/Transactions/TransactionPage.swift
SELECT $1 FROM portfolio.revision
WHERE portfolio_id = $2 AND number >= $3
    AND change <= $4 AND (superseded IS NULL OR superseded > $5)
    AND /*owner*/(EXISTS (SELECT FROM portfolio.portfolio AS owned WHERE owned.portfolio_id = $6 AND owned.user_id = $7))/*own*/ AND ($8::text IS NULL OR $9 IN (asset, counter_asset, fee_asset)) AND ($10::text IS NULL OR $11 IN (wallet, to_wallet)) AND ($12::text IS NULL OR kind = $13)
ORDER BY number
LIMIT $14
@ Sources/Stores/PortfolioStore/Transactions/TransactionQueries.swift
SELECT $1 FROM portfolio.revision
WHERE portfolio_id = $2
    AND change <= $3 AND (superseded IS NULL OR superseded > $4)
    AND /*owner*/(EXISTS (SELECT FROM portfolio.portfolio AS owned WHERE owned.portfolio_id = $5 AND owned.user_id = $6))/*own*/
ORDER BY number
@ Sources/Stores/PortfolioStore/Transactions/TransactionQueries.swift
SELECT $1 FROM portfolio.revision
WHERE portfolio_id = $2 AND superseded IS NOT NULL AND /*owner*/(EXISTS (SELECT FROM portfolio.portfolio AS owned WHERE owned.portfolio_id = $3 AND owned.user_id = $4))/*own*/
    AND ($5 OR external_id = ANY ($6))
    AND EXISTS (
        SELECT FROM portfolio.revision AS present
        WHERE present.portfolio_id = $7 AND present.number = revision.number
            AND present.superseded IS NULL)
ORDER BY number, revision
@ Sources/Stores/PortfolioStore/Transactions/TransactionQueries.swift
SELECT $1 FROM portfolio.revision
WHERE portfolio_id = $2 AND number = $3 AND /*owner*/(EXISTS (SELECT FROM portfolio.portfolio AS owned WHERE owned.portfolio_id = $4 AND owned.user_id = $5))/*own*/
ORDER BY revision
@ Sources/Stores/PortfolioStore/Transactions/UnknownAsset.swift
SELECT DISTINCT named.asset FROM portfolio.revision AS entry
CROSS JOIN LATERAL (VALUES (entry.asset), (entry.counter_asset), (entry.fee_asset))
    AS named (asset)
WHERE named.asset IS NOT NULL AND entry.portfolio_id IN (
    SELECT own.portfolio_id FROM portfolio.portfolio AS own
    WHERE (own.user_id = $1))
