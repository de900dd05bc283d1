import Accounts
import Testing

@Suite("Role")
struct RoleTests {
    @Test("is stored by its name")
    func names() { #expect(Role.allCases.map(\.rawValue) == ["user", "operator"]) }
}
