import Store

/// That what was made on the machine itself before anybody had an account becomes the first operator's.
///
/// Each schema that has such things moves its own by a function `adopt`. Others keep nothing to be moved:
/// who has a session, a token, a device to sign in with or settings has an account; who wants a market is
/// named by the list, portfolio or rule that stays what it is; `gateway.answer` is over within a day.
enum M0009_Adoption: Migration {
    static let version = 9
    static let name = "adoption"
    /// Programs of earlier versions work on their own version only.
    static let readableFrom: Int? = 9
    static let sql = """
        DROP TRIGGER adopt ON accounts.account;
        DROP FUNCTION accounts.adopt_for_operator();
        DROP FUNCTION accounts.adopt_terminal();
        CREATE FUNCTION accounts.terminal_name(wanted text, taken text[]) RETURNS text
        LANGUAGE plpgsql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
        DECLARE
            head text;
            tail text := ' (terminal)';
            attempt integer := 1;
        BEGIN
            LOOP
                head := wanted;
                WHILE octet_length(head || tail) > 64 LOOP
                    head := rtrim(left(head, -1));
                END LOOP;
                IF head || tail <> ALL (taken) THEN RETURN head || tail; END IF;
                attempt := attempt + 1;
                tail := format(' (terminal %s)', attempt);
            END LOOP;
        END
        $$;
        COMMENT ON FUNCTION accounts.terminal_name IS
            'What a thing is called whose name its new owner has given already: at most 64 bytes.';

        CREATE FUNCTION accounts.adopt_terminal() RETURNS void LANGUAGE plpgsql
        SET search_path = pg_catalog, pg_temp AS $$
        DECLARE
            terminal CONSTANT uuid := '00000000-0000-7000-8000-000000000001';
            owner uuid;
            list record;
            called text;
        BEGIN
            -- A schema that was not migrated yet will ask again. Not one before the other: a rule about a
            -- portfolio that is somebody else's does not fire.
            IF to_regclass('portfolio.portfolio') IS NOT NULL
                    AND to_regprocedure('portfolio.adopt(uuid, uuid)') IS NULL
                OR to_regclass('alerts.rule') IS NOT NULL
                    AND to_regprocedure('alerts.adopt(uuid, uuid)') IS NULL
            THEN RETURN; END IF;
            -- Two who become operators at once, and who changes things there, wait for each other.
            PERFORM FROM accounts.app_user WHERE user_id = terminal FOR NO KEY UPDATE;
            LOOP
                SELECT user_id INTO owner FROM accounts.account
                WHERE role = 'operator' AND disabled_at IS NULL AND user_id <> terminal
                ORDER BY created_at, user_id LIMIT 1;
                IF owner IS NULL THEN RETURN; END IF;
                PERFORM FROM accounts.app_user WHERE user_id = owner FOR NO KEY UPDATE;
                -- Unless the account was being erased: then the next one's.
                EXIT WHEN FOUND;
            END LOOP;
            FOR list IN
                SELECT watchlist_id, name FROM accounts.watchlist WHERE user_id = terminal
                ORDER BY place, watchlist_id
            LOOP
                called := list.name;
                IF EXISTS (SELECT FROM accounts.watchlist WHERE user_id = owner AND name = called) THEN
                    called := accounts.terminal_name(called, ARRAY(
                        SELECT name FROM accounts.watchlist WHERE user_id IN (terminal, owner)));
                END IF;
                UPDATE accounts.watchlist SET
                    user_id = owner, name = called, place = (
                        SELECT coalesce(max(own.place), -1) + 1 FROM accounts.watchlist AS own
                        WHERE own.user_id = owner)
                WHERE watchlist_id = list.watchlist_id;
            END LOOP;
            IF to_regprocedure('portfolio.adopt(uuid, uuid)') IS NOT NULL THEN
                PERFORM portfolio.adopt(terminal, owner);
            END IF;
            IF to_regprocedure('alerts.adopt(uuid, uuid)') IS NOT NULL THEN
                PERFORM alerts.adopt(terminal, owner);
            END IF;
        END
        $$;
        COMMENT ON FUNCTION accounts.adopt_terminal IS
            'Makes everything that was made without an account the first operator''s, where there is one.';

        CREATE FUNCTION accounts.follow_operator() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
        -- An import of the terminal may hold its portfolio for longer than others wait for a row.
        SET search_path = pg_catalog, pg_temp SET lock_timeout = '20s' AS $$
        BEGIN
            PERFORM accounts.adopt_terminal();
            RETURN NULL;
        END
        $$;
        -- At the end of the transaction: a restoration puts accounts back before what they are to own.
        CREATE CONSTRAINT TRIGGER adopt AFTER INSERT OR UPDATE OF role, disabled_at ON accounts.account
        DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW WHEN (NEW.role = 'operator' AND NEW.disabled_at IS NULL)
        EXECUTE FUNCTION accounts.follow_operator();
        REVOKE ALL ON FUNCTION accounts.terminal_name, accounts.adopt_terminal FROM PUBLIC;
        """
}
