import Store

/// That an account can be erased with everything, also with what else is kept for ever.
enum M0005_Erasure: Migration {
    static let version = 5
    static let name = "erasure"
    static let sql = """
        CREATE TABLE accounts.erasure (
            user_id uuid PRIMARY KEY REFERENCES accounts.app_user ON DELETE CASCADE
                CHECK (user_id <> '00000000-0000-7000-8000-000000000001')
        );
        COMMENT ON TABLE accounts.erasure IS
            'Who is being erased, during the transaction that does it; empty to everybody else. What is kept '
            'for ever may be deleted where its owner stands here.';
        CREATE FUNCTION accounts.require_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF EXISTS (SELECT FROM accounts.app_user WHERE user_id = NEW.user_id) THEN
                RAISE EXCEPTION 'an erasure ends with the user' USING ERRCODE = '23001';
            END IF;
            RETURN NULL;
        END
        $$;
        CREATE CONSTRAINT TRIGGER complete AFTER INSERT OR UPDATE ON accounts.erasure
        DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION accounts.require_erasure();
        \(GatewayRole.policies("accounts.erasure", "false"))
        """
}
