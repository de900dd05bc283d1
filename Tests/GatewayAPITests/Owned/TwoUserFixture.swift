import HummingbirdCore
import AccountStore
import Accounts
import Bus
import HTTPTypes
import Instruments
import JSON
import MarketStore
import Store
import Support

@testable import GatewayAPI

/// A gateway for two people who are known by a header, and one instrument.
enum TwoUserFixture {
    static let now = Timestamp(nanoseconds: 1_767_225_600_000_000_000)
    static let bitcoin = InstrumentID(venue: .kraken, symbol: "BTC/USD")
    static let ann = UserID(rawValue: UniqueID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_00AA))
    static let ben = UserID(rawValue: UniqueID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_00BB))

    /// Runs a gateway while `body` runs; clients are Ann's and Ben's.
    static func run(
        _ configure: (inout GatewayConfiguration) -> Void = { _ in },
        prepare: (inout Gateway) -> Void = { _ in },
        connect: (inout StoreConfiguration) -> Void = { _ in },
        clock: @escaping @Sendable () -> Timestamp = { BusClock.wall() },
        _ body: (GatewayFixture, TestClient, TestClient) async throws -> Void
    ) async throws {
        try await GatewayFixture.run(
            configure,
            prepare: { gateway in
                gateway.identify = { request, _ in
                    guard let name = HTTPField.Name("X-Test-User"), let user = request.headers[name],
                        let id = UniqueID(user)
                    else { return nil }
                    return Identity(
                        user: UserID(rawValue: id), role: .user, scopes: Scope.all(of: .user),
                        credential: .session(id))
                }
                gateway.accounts = try? AccountService(gateway.services)
                prepare(&gateway)
            }, connect: connect, clock: clock
        ) { fixture in
            let database = fixture.services.database
            for (user, name) in [(ann, "ann"), (ben, "ben")] {
                let account = StoredAccount(
                    user: user, email: try EmailAddress(parsing: "\(name)@example.org"),
                    passwordHash: nil, created: now)
                try await database.transaction { try $0.createAccount(account) }
            }
            let coin = Instrument(
                id: bitcoin, base: Asset(rawValue: "BTC"), quote: Asset(rawValue: "USD"), kind: .spot,
                priceScale: Scale(1) ?? .zero, sizeScale: Scale(8) ?? .zero, tickSize: nil, lotSize: nil)
            try await database.store([coin], at: .zero)
            try await body(fixture, client(fixture, ann), client(fixture, ben))
        }
    }

    private static func client(_ fixture: GatewayFixture, _ user: UserID) -> TestClient {
        TestClient(port: fixture.client.port, headers: [("X-Test-User", user.description)])
    }
}

extension TestClient {
    /// Posts and gives the id of what was made.
    func make(_ path: String, _ json: String) async throws -> String {
        let answer = try await ask("POST", path, json: json)
        guard answer.status == 201 || answer.status == 202 else {
            throw PropertyFailure("POST \(path) gave \(answer.status) \(answer.text)")
        }
        let key = try answer.json("id") ?? answer.json("delivery") ?? answer.json("number")
        switch key {
        case .string(let id)?, .number(let id)?: return id
        default: throw PropertyFailure("POST \(path) gave no id: \(answer.text)")
        }
    }
}

extension TestAnswer {
    /// A member that is text.
    func text(_ path: String) throws -> String? {
        guard case .string(let text)? = try json(path) else { return nil }
        return text
    }

    /// How many things a list has.
    func count(_ path: String = "items") throws -> Int? {
        guard case .array(let values)? = try json(path) else { return nil }
        return values.count
    }
}
