/// Which service may do what in the database: the one place that says so.
///
/// A table is a line in ``market``, ``accounts``, ``alerts``, ``portfolio`` or ``gateway``; without one no
/// service can reach it. Whoever acts for a signed-in user has less, see ``GatewayRole``.
package enum AccessList {
    /// Tables, views and sequences.
    package static let tables = market + accounts + alerts + portfolio + gateway

    /// Functions that somebody calls; all others are for triggers and for the owner.
    package static let functions: [FunctionAccess] = [
        FunctionAccess(
            "market.ensure_trade_partition(date)", [.feedIngestor, .bookBuilder], isOwners: true),
        FunctionAccess(
            "market.ensure_candle_partition(integer,bigint)", [.bookBuilder, .portfolioService],
            isOwners: true),
        FunctionAccess("market.lock_instruments()", [.alertEvaluator]),
        FunctionAccess("market.lock_partitions(text[])", [.bookBuilder]),
        FunctionAccess("market.drop_partitions(text[])", [.bookBuilder]),
        FunctionAccess("accounts.adopt_terminal()", [.gateway], isOwners: true),
        FunctionAccess("alerts.claim(text,integer,bigint,uuid[])", [.notifier]),
    ]

    /// Who stages candles in a temporary table.
    package static let withTemporaryTables: Set<ServiceRole> = [.bookBuilder, .portfolioService]

    /// Every service with a database.
    static let everybody = Dictionary(uniqueKeysWithValues: ServiceRole.allCases.map { ($0, "r") })

    /// All rights of a service, in a database.
    static func rights(of role: ServiceRole, in database: String) -> Set<AccessRight> {
        var rights: Set<AccessRight> = []
        func add(_ kind: AccessRight.Kind, _ name: String, _ privilege: String, _ column: String = "") {
            rights.insert(
                AccessRight(kind: kind, name: name, privilege: privilege, column: column, role: role.name))
        }
        for table in tables {
            for (privilege, column) in table.privileges(of: role) {
                add(privilege == "USAGE" ? .sequence : .table, table.table, privilege, column)
                add(.schema, table.schema, "USAGE")
            }
        }
        for function in functions where function.callers.contains(role) {
            add(.function, function.function, "EXECUTE")
            add(.schema, function.schema, "USAGE")
        }
        add(.database, database, "CONNECT")
        if withTemporaryTables.contains(role) { add(.database, database, "TEMPORARY") }
        return rights
    }
}
