import Store

/// Sign in with Apple, and what somebody who acts for a user may do with the ways in.
enum M0006_Apple: Migration {
    static let version = 6
    static let name = "apple"
    static let sql = """
        ALTER TABLE accounts.ticket DROP CONSTRAINT ticket_kind_check;
        ALTER TABLE accounts.ticket ADD CONSTRAINT ticket_kind_check CHECK (kind IN (
            'first_operator', 'invitation', 'verification', 'reset', 'passkey_registration',
            'passkey_sign_in', 'apple_sign_in'));
        -- No digest: who acts for a user never needs one.
        GRANT SELECT (session_id, user_id), DELETE ON accounts.session TO bitpal_gateway;
        GRANT SELECT (token_id, user_id, revoked_at, expires_at), UPDATE (revoked_at) ON accounts.token
            TO bitpal_gateway;
        GRANT SELECT (passkey_id, user_id), DELETE ON accounts.passkey TO bitpal_gateway;
        """
}
