import Store

/// That revisions go with their owner, and in no other way.
enum M0005_OwnerErasure: Migration {
    static let version = 5
    static let name = "erasure"
    static let sql = """
        CREATE OR REPLACE FUNCTION portfolio.keep_revision() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF TG_OP = 'UPDATE' AND OLD.superseded IS NULL THEN
                OLD.superseded := NEW.superseded;
                IF OLD IS NOT DISTINCT FROM NEW THEN RETURN NEW; END IF;
            END IF;
            -- A transaction that puts its owner there cannot be committed while there is such a user.
            IF TG_OP = 'DELETE' AND EXISTS (
                SELECT FROM accounts.erasure JOIN portfolio.portfolio USING (user_id)
                WHERE portfolio_id = OLD.portfolio_id)
            THEN RETURN OLD; END IF;
            RAISE EXCEPTION 'a revision of a transaction never changes' USING ERRCODE = '23001';
        END
        $$;
        """
}
