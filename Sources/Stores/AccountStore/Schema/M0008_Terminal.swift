import Store

/// That what is made on the machine itself before anybody has an account becomes the first operator's.
///
/// Today these are watchlists.
enum M0008_Terminal: Migration {
    static let version = 8
    static let name = "terminal"
    static let sql = """
        CREATE FUNCTION accounts.adopt_terminal() RETURNS void LANGUAGE plpgsql
        SECURITY DEFINER SET search_path = pg_catalog AS $$
        DECLARE
            terminal CONSTANT uuid := '00000000-0000-7000-8000-000000000001';
            owner uuid;
            list record;
            stem text;
            wanted text;
            number integer;
        BEGIN
            SELECT user_id INTO owner FROM accounts.account
            WHERE role = 'operator' AND disabled_at IS NULL ORDER BY created_at, user_id LIMIT 1;
            IF owner IS NULL THEN RETURN; END IF;
            FOR list IN
                SELECT watchlist_id, name FROM accounts.watchlist
                WHERE user_id = terminal ORDER BY place, watchlist_id FOR UPDATE
            LOOP
                stem := list.name;
                wanted := stem;
                number := 1;
                -- Room for a number of three digits in the 64 bytes of a name.
                WHILE octet_length(stem) > 58 LOOP stem := left(stem, -1); END LOOP;
                WHILE EXISTS (SELECT FROM accounts.watchlist WHERE user_id = owner AND name = wanted) LOOP
                    number := number + 1;
                    wanted := stem || ' (' || number || ')';
                END LOOP;
                UPDATE accounts.watchlist SET user_id = owner, name = wanted, place = (
                    SELECT coalesce(max(place) + 1, 0) FROM accounts.watchlist WHERE user_id = owner)
                WHERE watchlist_id = list.watchlist_id;
            END LOOP;
        END
        $$;
        REVOKE ALL ON FUNCTION accounts.adopt_terminal() FROM PUBLIC;
        COMMENT ON FUNCTION accounts.adopt_terminal() IS
            'Gives what the local user owns to the first operator, when there is one; may be repeated.';
        CREATE FUNCTION accounts.adopt_for_operator() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            PERFORM accounts.adopt_terminal();
            RETURN NULL;
        END
        $$;
        CREATE TRIGGER adopt AFTER INSERT OR UPDATE OF role, disabled_at ON accounts.account FOR EACH ROW
        WHEN (NEW.role = 'operator' AND NEW.disabled_at IS NULL)
        EXECUTE FUNCTION accounts.adopt_for_operator();
        """
}
