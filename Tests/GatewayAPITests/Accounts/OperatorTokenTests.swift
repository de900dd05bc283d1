import AccountStore
import Accounts
import Credentials
import Foundation
import Operations
import Store
import Support
import Testing

@testable import GatewayAPI

@Suite("Whoever works on the machine itself", .serialized, .timeLimit(.minutes(10)))
struct OperatorTokenTests {
    @Test("acts for the local user, and for the first operator from then on that there is one")
    func owner() async throws {
        let path = try TestDatabase.temporaryDirectory() + "/operator.token"
        try await AccountGatewayFixture.run { configuration in
            configuration.accounts.operatorTokenFile = path
        } _: { fixture async throws in
            let text = try OperatorTokenFile.token(path).text
            let terminal = fixture.client(token: text)
            let list = #"{"name":"Coins"}"#
            #expect(try await terminal.ask("POST", "/v1/watchlists", json: list).status == 201)
            // Nobody has an account that a token could be of.
            let early = try await terminal.ask(
                "POST", "/v1/account/tokens", json: #"{"name":"ci","scopes":["market:read"]}"#)
            #expect(early.status == 409 && early.text.contains("bitpal user add"), "\(early.text)")

            let boss = try await fixture.operatorClient()
            #expect(try await boss.get("/v1/watchlists").text.contains("Coins"))
            #expect(try await terminal.get("/v1/account").text.contains("boss@example.org"))
            #expect(try await terminal.ask("POST", "/v1/watchlists", json: #"{"name":"More"}"#).status == 201)
            #expect(try await boss.get("/v1/watchlists").text.contains("More"))
            #expect(try await terminal.get("/v1/operator/users").status == 200)

            let made = try await terminal.ask(
                "POST", "/v1/account/tokens", json: #"{"name":"ci","scopes":["account:write"]}"#)
            let program = fixture.client(token: try #require(made.string("token")))
            let wish = #"{"name":"another","scopes":["account:write"]}"#
            #expect(try await program.ask("POST", "/v1/account/tokens", json: wish).status == 403)
            // What a person has to be signed in for, the terminal cannot do either.
            let erasure = #"{"password":"\#(AccountGatewayFixture.password)"}"#
            #expect(try await terminal.ask("DELETE", "/v1/account", json: erasure).status == 403)
            #expect(try await terminal.get("/v1/account/sessions").status == 403)
        }
    }

    @Test("is nobody with another secret, and where no file has one")
    func refused() async throws {
        let folder = try TestDatabase.temporaryDirectory()
        let other = try OperatorTokenFile.made(folder + "/other").text
        for path in [folder + "/operator.token", nil] {
            try await AccountGatewayFixture.run { configuration in
                configuration.accounts.operatorTokenFile = path
            } _: { fixture async throws in
                #expect(try await fixture.client(token: other).get("/v1/watchlists").status == 401)
            }
        }
    }

    @Test("makes for the first operator what it began to make before there was one")
    func late() async throws {
        // Who asks was told apart before the account was there.
        try await GatewayFixture.run(
            prepare: { gateway in
                gateway.identify = { _, _ in
                    Identity(
                        user: .localOperator, role: .operator, scopes: Scope.all(of: .operator),
                        credential: .terminal)
                }
            }
        ) { fixture in
            let database = fixture.services.database
            let list = #"{"name":"Early"}"#
            #expect(try await fixture.client.ask("POST", "/v1/watchlists", json: list).status == 201)
            let account = StoredAccount(
                user: TwoUserFixture.ann, email: try EmailAddress(parsing: "ann@example.org"),
                passwordHash: nil, role: .operator, created: TwoUserFixture.now)
            try await database.transaction { try $0.createAccount(account) }
            let late = #"{"name":"Late"}"#
            #expect(try await fixture.client.ask("POST", "/v1/watchlists", json: late).status == 201)
            let lists = try await database.withSession { session in
                (try session.watchlists(of: TwoUserFixture.ann), try session.watchlists(of: .localOperator))
            }
            #expect(lists.0.map(\.name) == ["Early", "Late"] && lists.1.isEmpty)
        }
    }

    @Test("has a file that only its owner may read; another file is refused at the start")
    func file() async throws {
        let folder = try TestDatabase.temporaryDirectory()
        let path = folder + "/operator.token"
        let made = try OperatorTokenFile.made(path)
        #expect(try OperatorTokenFile.made(path) == made)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
        OperatorTokenFile.remove(path)
        #expect(try OperatorTokenFile.made(path) != made)

        let account = TokenText(id: [UInt8](repeating: 7, count: 16), secret: Secrets.bytes(32)).text
        for text in ["", "cm_", account] {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            #expect(throws: SealingFault.self) { try OperatorTokenFile.made(path) }
        }
        try made.text.write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect(throws: SealingFault.self) { try OperatorTokenFile.token(path) }
    }
}
