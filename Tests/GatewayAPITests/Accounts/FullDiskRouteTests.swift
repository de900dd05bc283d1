import Store
import Support
import Testing

@testable import GatewayAPI
@testable import GatewayFrame

/// The database refuses every row as PostgreSQL does without room for one.
@Suite("Routes without room in the database", .timeLimit(.minutes(10)))
struct FullDiskRouteTests {
    private static let fill = """
        CREATE FUNCTION public.refuse_row() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100';
        END $$;
        DO $$
        DECLARE name text;
        BEGIN
            FOR name IN
                SELECT format('%I.%I', schemaname, tablename) FROM pg_catalog.pg_tables
                WHERE schemaname IN ('accounts', 'alerts', 'gateway', 'portfolio')
            LOOP
                EXECUTE format(
                    'CREATE TRIGGER refuse_row BEFORE INSERT OR UPDATE ON %s '
                    'FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_row()', name);
            END LOOP;
        END $$
        """

    @Test("go on reading, by cookies and tokens, and say why nothing can be stored")
    func readOnly() async throws {
        try await AccountGatewayFixture.run { fixture async throws in
            let ann = try fixture.client(try await fixture.signUp("ann@example.org"))
            let made = try await ann.ask(
                "POST", "/v1/account/tokens", json: #"{"name":"t","scopes":["account:read"]}"#)
            let program = fixture.client(token: try #require(made.string("token")))
            // That they are here is to be noted again by now.
            fixture.clock.advance(seconds: 61)
            try await fixture.database.withSession { try $0.script(Self.fill) }
            for client in [ann, program] {
                let answer = try await client.get("/v1/account")
                #expect(answer.status == 200, "\(answer.text)")
            }
            let refused = try await ann.ask("POST", "/v1/watchlists", json: #"{"name":"Mine"}"#)
            #expect(refused.status == 503 && refused.problem == "unavailable", "\(refused.text)")
            #expect(refused.string("detail")?.hasPrefix("the disk of the database is full") == true)
            #expect(refused.header("retry-after") == "30")
            try await fixture.database.withSession {
                try $0.script("DROP FUNCTION public.refuse_row() CASCADE")
            }
            #expect(try await ann.ask("POST", "/v1/watchlists", json: #"{"name":"Mine"}"#).status == 201)
        }
    }
}
