import Testing

@testable import Store

@Suite("The plan of roles")
struct AccessPlanTests {
    @Test("reads the letters of rights, for whole tables and for columns")
    func letters() {
        let access = TableAccess("alerts.outbox", [.notifier: "ra w(state,attempts)"])
        let found = access.privileges(of: .notifier).map { "\($0.privilege) \($0.column)" }
        #expect(found == ["SELECT ", "INSERT ", "UPDATE state", "UPDATE attempts"])
        #expect(access.privileges(of: .gateway).isEmpty)
        #expect(access.schema == "alerts")
    }

    @Test("makes every role of a new server, none of which is a superuser")
    func new() {
        let plan = AccessPlan(AccessState())
        let made = plan.administration.filter { $0.hasPrefix("CREATE ROLE ") }
        #expect(made.count == ServiceRole.allCases.count + 2)
        for statement in made {
            #expect(statement.contains("NOSUPERUSER") && statement.contains("NOINHERIT"))
            let isOwner = statement.hasPrefix("CREATE ROLE bitpal_owner ")
            #expect(statement.contains(" NOLOGIN ") == isOwner)
        }
        #expect(plan.administration.contains("GRANT bitpal_owner TO bitpal_migrate"))
        #expect(plan.administration.contains("GRANT bitpal_gateway TO bitpal_gateway_service"))
        #expect(plan.administration.contains("GRANT bitpal_notifier TO bitpal_owner"))
        #expect(plan.grants.contains("GRANT SELECT (user_id) ON TABLE accounts.account TO bitpal_notifier"))
        #expect(plan.grants.contains("GRANT USAGE ON SEQUENCE market.trade_batch TO bitpal_feed_ingestor"))
    }

    @Test("corrects a role that may too much, and takes it out of other roles")
    func corrects() {
        var state = AccessState()
        state.roles["bitpal_notifier"] = AccessState.Role(
            canLogIn: true, inherits: false, isMighty: true, mayMakeDatabases: false)
        state.roles["bitpal_gateway_service"] = AccessState.Role(
            canLogIn: true, inherits: false, isMighty: false, mayMakeDatabases: false)
        state.memberships = [
            "bitpal_notifier": ["bitpal_owner"], "bitpal_gateway_service": ["bitpal_gateway"],
        ]
        let plan = AccessPlan(state)
        let notifier = plan.administration.filter { $0.contains("bitpal_notifier") }
        #expect(notifier.contains { $0.hasPrefix("ALTER ROLE bitpal_notifier LOGIN NOCREATEDB") })
        #expect(notifier.contains("REVOKE \"bitpal_owner\" FROM bitpal_notifier"))
        let gateway = plan.administration.filter { $0.contains("bitpal_gateway_service") }
        #expect(gateway == ["GRANT bitpal_gateway_service TO bitpal_owner"])
    }

    @Test("gives services rows, and never a table, a trigger or a rule of their own")
    func least() {
        for role in ServiceRole.allCases {
            let rights = AccessList.rights(of: role, in: "bitpal")
            let privileges = Set(rights.map(\.privilege))
            #expect(
                privileges.isSubset(of: [
                    "SELECT", "INSERT", "UPDATE", "DELETE", "USAGE", "EXECUTE", "CONNECT", "TEMPORARY",
                ]))
            #expect(!rights.contains { $0.name.hasSuffix(".schema_migration") && $0.privilege != "SELECT" })
        }
        // Each table once: of two lines one would be overlooked.
        let names = AccessList.tables.map(\.table)
        #expect(Set(names).count == names.count)
    }
}
