/// Rows such as the programs of the landed release store, in every schema.
///
/// Written by hand against that release's tables, so that no statement of this version has a part in it.
enum LandedData {
    /// What was there before the upgrade.
    static let first = data(1)
    /// What the programs of before add after it.
    static let second =
        data(2) + """
            UPDATE accounts.account SET verified_at = now();
            UPDATE alerts.rule SET enabled = false, version = version + 1;
            UPDATE alerts.outbox SET state = 'delivered', ended_at = now() WHERE state = 'waiting';
            UPDATE portfolio.revision SET superseded = 3 WHERE superseded IS NULL AND number = 1;
            UPDATE market.instrument SET updated_at = now();
            DELETE FROM gateway.answer;
            """

    /// Everything of one user, with keys of its own.
    private static func data(_ number: Int) -> String {
        market(number) + accounts(number) + alerts(number) + portfolio(number)
    }

    private static func key(_ kind: Int, _ number: Int) -> String {
        "'0190163d-8694-7\(kind)0\(number)-aea5-966c26f8ad91'"
    }

    private static func market(_ number: Int) -> String {
        """
        INSERT INTO market.instrument (
            venue, symbol, base, quote, kind, price_scale, size_scale, tick_size, is_inverse, updated_at)
        VALUES ('kraken', 'BTC\(number)', 'BTC', 'USD', 'spot', 1, 8, 0.1, false, now());
        INSERT INTO market.subscription (venue, symbol, wanted_by, channels, added_at)
        VALUES ('kraken', 'BTC\(number)', 'configuration', '{trades,book}', now());
        DO $$ BEGIN
            PERFORM market.ensure_trade_partition(date '2026-11-01');
            PERFORM market.ensure_candle_partition(60, 1793491200000000000);
        END $$;
        INSERT INTO market.trade (
            instrument_id, side, price_scale, venue_time_unix_nanos, received_time_unix_nanos, price, size,
            arrival, size_scale, is_aggregate, is_backfill, trade_id)
        SELECT instrument_id, 1, 1, 1793491201000000000 + step, 1793491202000000000, 600000, 5, step, 8,
            false, false, 't' || step
        FROM market.instrument, generate_series(1, 500) AS step WHERE symbol = 'BTC\(number)';
        INSERT INTO market.candle (
            instrument_id, interval_seconds, start_unix_nanos, open_time_unix_nanos, close_time_unix_nanos,
            open, high, low, close, trade_count, lease_epoch, written_at, price_scale, size_scale, flags,
            volume)
        SELECT instrument_id, 60, 1793491200000000000, 1793491201000000001, 1793491201000000500, 600000,
            600000, 600000, 600000, 500, 0, now(), 1, 8, 1, 0.00002500
        FROM market.instrument WHERE symbol = 'BTC\(number)';
        INSERT INTO rates.euro (currency, day, rate, source)
        VALUES ('USD', 2075\(number), 1.08\(number), 'European Central Bank');

        """
    }

    private static func accounts(_ number: Int) -> String {
        """
        INSERT INTO accounts.app_user (user_id, name) VALUES (\(key(0, number)), 'ann\(number)');
        INSERT INTO accounts.account (user_id, email, email_folded, role, created_at)
        VALUES (\(key(0, number)), 'Ann\(number)@example.org', 'ann\(number)@example.org', 'user', now());
        INSERT INTO accounts.session (
            session_id, user_id, digest, created_at, last_seen_at, expires_at, client, agent)
        VALUES (\(key(1, number)), \(key(0, number)), decode(repeat('0\(number)', 32), 'hex'), now(), now(),
            now() + interval '1 day', '127.0.0.1', 'curl');
        INSERT INTO accounts.watchlist (watchlist_id, user_id, name, place, created_at)
        VALUES (\(key(2, number)), \(key(0, number)), 'Coins', 0, now());
        INSERT INTO accounts.watchlist_entry (watchlist_id, venue, symbol, place, added_at)
        VALUES (\(key(2, number)), 'kraken', 'BTC\(number)', 0, now());
        INSERT INTO gateway.answer (user_id, key_hash, request_hash)
        VALUES (\(key(0, number)), decode(repeat('aa', 32), 'hex'), decode(repeat('bb', 32), 'hex'));

        """
    }

    private static func alerts(_ number: Int) -> String {
        """
        UPDATE alerts.rule_clock SET change = change + 1;
        INSERT INTO alerts.rule (
            rule_id, user_id, venue, symbol, shard, rule, channels, enabled, change, created_at, updated_at)
        SELECT \(key(3, number)), \(key(0, number)), 'kraken', 'BTC\(number)', 7,
            '{"above": "60000.10",  "name": "ä"}', '{phone}', true, change, now(), now()
        FROM alerts.rule_clock;
        INSERT INTO alerts.rule_event (rule_id, at, kind, version, rule)
        VALUES (\(key(3, number)), now(), 'created', 1, '{"above": "60000.10"}');
        INSERT INTO alerts.channel (channel_id, user_id, name, kind, settings, secrets, created_at)
        VALUES (\(key(4, number)), \(key(0, number)), 'phone', 'ntfy', '{"topic":"a"}', '{}', now());
        INSERT INTO alerts.firing (
            rule_id, epoch, user_id, rule_version, venue, symbol, reason, price, venue_time, received_time,
            sequence, late_by)
        VALUES (\(key(3, number)), 1, \(key(0, number)), 1, 'kraken', 'BTC\(number)', 'rose', 60000.10,
            1793491201000000000, 1793491202000000000, 9, 0);
        INSERT INTO alerts.outbox (rule_id, epoch, channel_id)
        VALUES (\(key(3, number)), 1, \(key(4, number)));

        """
    }

    private static func portfolio(_ number: Int) -> String {
        """
        INSERT INTO portfolio.portfolio (
            portfolio_id, user_id, name, base, change, changed_at, last_number, created_at)
        VALUES (\(key(5, number)), \(key(0, number)), 'main', 'USD', 2, now(), 2, now());
        INSERT INTO portfolio.wallet (portfolio_id, name, kind, note, created_at)
        VALUES (\(key(5, number)), 'cold', 'cold', '', now());
        INSERT INTO portfolio.change (portfolio_id, change, made_at, kind)
        VALUES (\(key(5, number)), 1, now(), 'imported'), (\(key(5, number)), 2, now(), 'added');
        INSERT INTO portfolio.revision (
            portfolio_id, number, revision, change, time, kind, wallet, asset, amount, counter_asset,
            counter_amount, external_id, note, tags, price_source, lots)
        SELECT \(key(5, number)), step, 1, 1, 1793491201000000000 + step, 'buy', 'cold', 'BTC',
            0.000000000000000001 * step, 'USD', 10.10, 'x' || step, '', '{}', '', '{}'
        FROM generate_series(1, 200) AS step;

        """
    }
}
