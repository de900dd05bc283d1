/// What is to be done so that roles and rights are as ``AccessList`` says, in its order; nothing where they
/// are.
///
/// What stands is compared with what should: nothing is taken away for a moment from services that run, and
/// whatever else somebody granted them goes.
struct AccessPlan: Hashable, Sendable {
    /// What only a superuser may: roles and whose things are.
    private(set) var administration: [String] = []
    /// What the owner may.
    private(set) var grants: [String] = []

    var isDone: Bool { administration.isEmpty && grants.isEmpty }

    init(_ state: AccessState) {
        addRoles(state)
        addMemberships(state)
        administration += state.adoptions
        addOwnerFunctions(state)
        addPolicies(state)
        addRights(state)
    }

    private static let attributes = "NOSUPERUSER NOCREATEROLE NOREPLICATION NOBYPASSRLS"

    private mutating func addRoles(_ state: AccessState) {
        let names = [ServiceRole.owner] + ServiceRole.signingIn.map(\.role)
        for name in names {
            let isOwner = name == ServiceRole.owner
            // The owner makes the database in which a backup is tried.
            let wanted = AccessState.Role(
                canLogIn: !isOwner, inherits: false, isMighty: false, mayMakeDatabases: isOwner)
            guard state.roles[name] != wanted else { continue }
            let verb = state.roles[name] == nil ? "CREATE" : "ALTER"
            administration.append(
                "\(verb) ROLE \(name) \(isOwner ? "NOLOGIN CREATEDB" : "LOGIN NOCREATEDB") NOINHERIT "
                    + Self.attributes)
        }
        if !state.beginsAsOwner {
            administration.append("ALTER ROLE \(ServiceRole.migrate) SET role TO \(ServiceRole.owner)")
        }
    }

    private mutating func addMemberships(_ state: AccessState) {
        var wanted: [String: Set<String>] = [
            // Its migrations grant things to whom the gateway takes on; a restoration ends what services
            // listen on, which only they may, see Session.endListening.
            ServiceRole.owner: Set([GatewayRole.name] + ServiceRole.allCases.map(\.name)),
            ServiceRole.migrate: [ServiceRole.owner],
            ServiceRole.gateway.name: [GatewayRole.name],
        ]
        for role in ServiceRole.allCases where wanted[role.name] == nil { wanted[role.name] = [] }
        for (member, groups) in wanted.sorted(by: { $0.key < $1.key }) {
            let found = state.memberships[member] ?? []
            for group in groups.subtracting(found).sorted() {
                administration.append("GRANT \(group) TO \(member)")
            }
            for group in found.subtracting(groups).sorted() {
                administration.append("REVOKE \(AccessPlan.quoted(group)) FROM \(member)")
            }
        }
    }

    private mutating func addOwnerFunctions(_ state: AccessState) {
        for function in OwnerFunction.all where state.bodies[function.name] != function.body {
            grants += function.creation
        }
        for function in AccessList.functions where function.isOwners {
            guard !state.definers.contains(function.function) else { continue }
            grants.append(
                "ALTER FUNCTION \(function.function) SECURITY DEFINER SET search_path = pg_catalog, pg_temp")
        }
        if !state.keepsNewFunctions {
            grants.append(
                "ALTER DEFAULT PRIVILEGES FOR ROLE \(ServiceRole.owner) "
                    + "REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC")
        }
    }

    /// Each service sees the rows of the tables that it has a right to; whoever acts for a user has policies
    /// of its own, and the owner needs none.
    private mutating func addPolicies(_ state: AccessState) {
        grants += state.forced.map { "ALTER TABLE \($0) NO FORCE ROW LEVEL SECURITY" }
        for (table, found) in state.policies.sorted(by: { $0.key < $1.key }) {
            let rights = AccessList.tables.first { $0.table == table }?.rights ?? [:]
            let wanted = rights.isEmpty ? [ServiceRole.owner] : Set(rights.keys.map(\.name))
            guard found != wanted else { continue }
            grants.append(
                "ALTER POLICY services ON \(table) TO \(wanted.sorted().joined(separator: ", "))")
        }
    }

    private mutating func addRights(_ state: AccessState) {
        // It inherits nothing: as the owner it begins with its first statement, and not before.
        var wanted: Set<AccessRight> = [
            AccessRight(
                kind: .database, name: state.database, privilege: "CONNECT", column: "",
                role: ServiceRole.migrate)
        ]
        for role in ServiceRole.allCases {
            wanted.formUnion(AccessList.rights(of: role, in: state.database))
        }
        grants += state.rights.subtracting(wanted).sorted().map(\.revocation)
        grants += wanted.subtracting(state.rights).sorted().map(\.grant)
    }

    private static func quoted(_ name: String) -> String {
        "\"\(name.replacing("\"", with: "\"\""))\""
    }
}
