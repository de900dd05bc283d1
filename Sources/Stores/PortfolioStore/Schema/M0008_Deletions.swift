import Store

/// That portfolios which were deleted are forgotten after a while, with their revisions.
enum M0008_Deletions: Migration {
    static let version = 8
    static let name = "deletions"
    static let sql = """
        CREATE OR REPLACE FUNCTION portfolio.keep_revision() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF TG_OP = 'UPDATE' AND OLD.superseded IS NULL THEN
                OLD.superseded := NEW.superseded;
                IF OLD IS NOT DISTINCT FROM NEW THEN RETURN NEW; END IF;
            END IF;
            -- An erasure deletes the portfolios of a user before what is in them.
            IF TG_OP = 'DELETE' AND EXISTS (
                SELECT FROM portfolio.portfolio
                WHERE portfolio_id = OLD.portfolio_id AND deleted_at IS NOT NULL)
            THEN RETURN OLD; END IF;
            RAISE EXCEPTION 'a revision of a transaction never changes' USING ERRCODE = '23001';
        END
        $$;
        CREATE INDEX portfolio_deleted ON portfolio.portfolio (deleted_at) WHERE deleted_at IS NOT NULL;
        CREATE INDEX portfolio_deleted_of_user ON portfolio.portfolio (user_id) WHERE deleted_at IS NOT NULL;
        """
}
