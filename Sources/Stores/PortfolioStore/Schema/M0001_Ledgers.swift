import Store

/// Portfolios, their wallets, and their transactions with every revision.
enum M0001_Ledgers: Migration {
    static let version = 1
    static let name = "ledgers"
    static let sql = """
        CREATE TABLE portfolio.portfolio (
            portfolio_id uuid PRIMARY KEY,
            user_id uuid NOT NULL REFERENCES accounts.app_user,
            name text NOT NULL CHECK (octet_length(name) BETWEEN 1 AND 64),
            base text NOT NULL CHECK (base <> ''),
            change bigint NOT NULL DEFAULT 0 CHECK (change >= 0),
            changed_at timestamptz NOT NULL,
            last_number bigint NOT NULL DEFAULT 0 CHECK (last_number >= 0),
            created_at timestamptz NOT NULL,
            deleted_at timestamptz
        );
        COMMENT ON COLUMN portfolio.portfolio.base IS 'The currency of its costs, gains and values.';
        COMMENT ON COLUMN portfolio.portfolio.change IS 'Number of the last change of what it contains.';
        CREATE UNIQUE INDEX portfolio_name ON portfolio.portfolio (user_id, name) WHERE deleted_at IS NULL;

        CREATE TABLE portfolio.wallet (
            portfolio_id uuid NOT NULL REFERENCES portfolio.portfolio,
            name text NOT NULL CHECK (octet_length(name) BETWEEN 1 AND 128),
            kind text NOT NULL CHECK (kind IN ('exchange', 'address', 'cold', 'other')),
            note text NOT NULL,
            created_at timestamptz NOT NULL,
            PRIMARY KEY (portfolio_id, name)
        );

        CREATE TABLE portfolio.change (
            portfolio_id uuid NOT NULL REFERENCES portfolio.portfolio,
            change bigint NOT NULL CHECK (change >= 1),
            made_at timestamptz NOT NULL,
            kind text NOT NULL CHECK (kind IN ('added', 'edited', 'removed', 'imported', 'lots')),
            PRIMARY KEY (portfolio_id, change)
        );
        COMMENT ON TABLE portfolio.change IS
            'Changes of a portfolio. Their times rise with their numbers, so that the contents at any moment '
            'are those of the last change at or before it.';

        CREATE TABLE portfolio.revision (
            portfolio_id uuid NOT NULL,
            number bigint NOT NULL CHECK (number >= 1),
            revision integer NOT NULL CHECK (revision >= 1),
            change bigint NOT NULL CHECK (change >= 1),
            superseded bigint CHECK (superseded > change),
            -- Nanoseconds since 1970-01-01 UTC, as the sources have them.
            time bigint NOT NULL,
            kind text NOT NULL CHECK (kind IN (
                'buy', 'sell', 'swap', 'deposit', 'withdrawal', 'transfer', 'fee', 'staking', 'lending',
                'mining', 'airdrop', 'fork', 'income', 'gift_in', 'gift_out', 'spend', 'loss', 'dividend',
                'interest', 'opening')),
            wallet text NOT NULL,
            to_wallet text,
            asset text NOT NULL CHECK (asset <> ''),
            amount numeric NOT NULL CHECK (amount > 0),
            counter_asset text,
            counter_amount numeric CHECK (counter_amount >= 0),
            fee_asset text,
            fee_amount numeric CHECK (fee_amount >= 0),
            external_id text NOT NULL,
            note text NOT NULL,
            tags text[] NOT NULL,
            price_source text NOT NULL,
            lots text[] NOT NULL,
            PRIMARY KEY (portfolio_id, number, revision),
            FOREIGN KEY (portfolio_id, wallet) REFERENCES portfolio.wallet (portfolio_id, name),
            FOREIGN KEY (portfolio_id, to_wallet) REFERENCES portfolio.wallet (portfolio_id, name),
            CHECK ((counter_asset IS NULL) = (counter_amount IS NULL)),
            CHECK ((fee_asset IS NULL) = (fee_amount IS NULL))
        );
        COMMENT ON TABLE portfolio.revision IS
            'Each transaction as it was from one change on until another superseded it. Rows are only added.';
        COMMENT ON COLUMN portfolio.revision.number IS 'Of the transaction within its portfolio, for ever.';
        COMMENT ON COLUMN portfolio.revision.superseded IS
            'The change that edited or removed the transaction; NULL while this revision is in force.';
        COMMENT ON COLUMN portfolio.revision.lots IS 'Lots that a disposal names: external id, =, amount.';
        CREATE UNIQUE INDEX revision_in_force ON portfolio.revision (portfolio_id, number)
            WHERE superseded IS NULL;
        CREATE UNIQUE INDEX revision_external_id ON portfolio.revision (portfolio_id, external_id)
            WHERE superseded IS NULL AND external_id <> '';

        CREATE FUNCTION portfolio.keep_revision() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF TG_OP = 'UPDATE' AND OLD.superseded IS NULL THEN
                OLD.superseded := NEW.superseded;
                IF OLD IS NOT DISTINCT FROM NEW THEN RETURN NEW; END IF;
            END IF;
            RAISE EXCEPTION 'a revision of a transaction never changes' USING ERRCODE = '23001';
        END
        $$;
        CREATE TRIGGER keep BEFORE UPDATE OR DELETE ON portfolio.revision
        FOR EACH ROW EXECUTE FUNCTION portfolio.keep_revision();

        CREATE FUNCTION portfolio.notify_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM pg_notify('portfolio_change', NEW.portfolio_id::text);
            RETURN NULL;
        END
        $$;
        CREATE TRIGGER notify AFTER INSERT OR UPDATE ON portfolio.portfolio
        FOR EACH ROW EXECUTE FUNCTION portfolio.notify_change();
        """
}
