import NIOCore
import Testing

@testable import Operations

@Suite("Who may ask for metrics")
struct OperationsClientsTests {
    private static func clients(_ text: String) throws -> OperationsClients {
        let environment = ["BITPAL_OPERATIONS_CLIENTS": text]
        return try OperationsClients(settings: Settings.load(service: "gateway", environment: environment))
    }

    private static func admitted(_ addresses: [String], by clients: OperationsClients) throws -> [String] {
        try addresses.filter { clients.admit(try SocketAddress(ipAddress: $0, port: 9_090)) }
    }

    private static let all = [
        "127.0.0.1", "::1", "172.30.88.2", "::ffff:172.30.88.2", "172.30.88.3", "fe80::2",
    ]

    @Test("is everybody where nobody is named")
    func everybody() throws {
        #expect(try Self.admitted(Self.all, by: Self.clients("")) == Self.all)
        #expect(Self.everyone.admit(nil))
    }

    private static let everyone = OperationsClients.everybody

    @Test("are those that are named, and the machine itself")
    func named() throws {
        let clients = try Self.clients("172.30.88.2,fe80::2")
        #expect(
            try Self.admitted(Self.all, by: clients)
                == ["127.0.0.1", "::1", "172.30.88.2", "::ffff:172.30.88.2", "fe80::2"])
        #expect(!clients.admit(nil))
        let one = try Self.clients("::FFFF:172.30.88.3")
        #expect(try Self.admitted(Self.all, by: one).last == "172.30.88.3")
    }

    @Test(
        "is refused with the variable's name where it is no address",
        arguments: ["prometheus", "172.30.88.0/24"])
    func refused(_ text: String) {
        let error = #expect(throws: ConfigurationError.self) { _ = try Self.clients(text) }
        #expect(error.map { "\($0)".contains("BITPAL_OPERATIONS_CLIENTS") } == true)
    }
}
