import Store

/// That portfolios which were made before anybody had an account become the first operator's.
///
/// What they contain goes with them, and so do those that were deleted.
enum M0006_Adoption: Migration {
    static let version = 6
    static let name = "adoption"
    /// Programs of earlier versions work on their own version only.
    static let readableFrom: Int? = 6
    static let sql = """
        CREATE FUNCTION portfolio.adopt(terminal uuid, owner uuid) RETURNS void LANGUAGE plpgsql
        SET search_path = pg_catalog, pg_temp AS $$
        DECLARE
            moved record;
            called text;
        BEGIN
            FOR moved IN
                SELECT portfolio_id, name, deleted_at FROM portfolio.portfolio WHERE user_id = terminal
                ORDER BY portfolio_id
                FOR NO KEY UPDATE
            LOOP
                called := moved.name;
                -- Those that were deleted may share a name.
                IF moved.deleted_at IS NULL AND EXISTS (
                    SELECT FROM portfolio.portfolio
                    WHERE user_id = owner AND name = called AND deleted_at IS NULL)
                THEN
                    called := accounts.terminal_name(called, ARRAY(
                        SELECT name FROM portfolio.portfolio
                        WHERE user_id IN (terminal, owner) AND deleted_at IS NULL));
                END IF;
                UPDATE portfolio.portfolio SET user_id = owner, name = called
                WHERE portfolio_id = moved.portfolio_id;
            END LOOP;
        END
        $$;
        REVOKE ALL ON FUNCTION portfolio.adopt FROM PUBLIC;
        DO $$
        BEGIN
            PERFORM accounts.adopt_terminal();
        END
        $$;
        """
}
