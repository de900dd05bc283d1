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
        try await AccountBench.run { configuration in
            configuration.accounts.operatorTokenFile = path
        } _: { bench async throws in
            let text = try OperatorTokenFile.token(path).text
            let terminal = bench.client(token: text)
            let list = #"{"name":"Coins"}"#
            #expect(try await terminal.ask("POST", "/v1/watchlists", json: list).status == 201)
            // Nobody has an account that a token could be of.
            let early = try await terminal.ask(
                "POST", "/v1/account/tokens", json: #"{"name":"ci","scopes":["market:read"]}"#)
            #expect(early.status == 409 && early.text.contains("bitpal user add"), "\(early.text)")

            let boss = try await bench.operatorClient()
            #expect(try await boss.get("/v1/watchlists").text.contains("Coins"))
            #expect(try await terminal.get("/v1/account").text.contains("boss@example.org"))
            #expect(try await terminal.ask("POST", "/v1/watchlists", json: #"{"name":"More"}"#).status == 201)
            #expect(try await boss.get("/v1/watchlists").text.contains("More"))
            #expect(try await terminal.get("/v1/operator/users").status == 200)

            let made = try await terminal.ask(
                "POST", "/v1/account/tokens", json: #"{"name":"ci","scopes":["account:write"]}"#)
            let program = bench.client(token: try #require(made.string("token")))
            let wish = #"{"name":"another","scopes":["account:write"]}"#
            #expect(try await program.ask("POST", "/v1/account/tokens", json: wish).status == 403)
            // What a person has to be signed in for, the terminal cannot do either.
            let erasure = #"{"password":"\#(AccountBench.password)"}"#
            #expect(try await terminal.ask("DELETE", "/v1/account", json: erasure).status == 403)
            #expect(try await terminal.get("/v1/account/sessions").status == 403)
        }
    }

    @Test("is nobody with another secret, and where no file has one")
    func refused() async throws {
        let folder = try TestDatabase.temporaryDirectory()
        let other = try OperatorTokenFile.made(folder + "/other").text
        for path in [folder + "/operator.token", nil] {
            try await AccountBench.run { configuration in
                configuration.accounts.operatorTokenFile = path
            } _: { bench async throws in
                #expect(try await bench.client(token: other).get("/v1/watchlists").status == 401)
            }
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
