import AccountStore
import Accounts
import HTTPTypes
import Store
import Testing

@testable import GatewayAPI
@testable import GatewayFrame

extension AccountGatewayFixture {
    /// The audit log, the newest line first.
    func auditLog() async throws -> [AuditEntry] {
        try await database.withSession { try $0.auditEntries(AuditQuery(), limit: 1_000) }
    }

    /// Lines of the audit log with a word.
    func audited(_ action: AuditAction) async throws -> [AuditEntry] {
        try await auditLog().filter { $0.action == action.rawValue }
    }
}

/// What routes say of the audit log.
enum AuditDeclarations {
    /// Of each route, by names such as `DELETE /v1/account`; `nil` where it says nothing.
    static func all() throws -> [(route: String, tag: Operation.Tag, rule: AuditRule?)] {
        let table = try GatewayFixture.idle().routes()
        return table.documents.map { name, document in
            ("\(name.method.rawValue) \(name.path)", document.operation.tag, document.operation.audit)
        }
    }
}
