import AccountStore
import Accounts
import Channels
import Credentials
import Instruments
import Sending
import Store
import Support
import Synchronization
import Testing

@testable import GatewayAPI

@Suite("Letters about accounts", .serialized, .timeLimit(.minutes(10)))
struct LetterTests {
    /// What was sent, and what the relay answers.
    private final class Relay: Sendable {
        let letters = Mutex<[OutgoingMail]>([])
        let status = Mutex(250)
    }

    private static func letterSender(_ fixture: AccountGatewayFixture, _ relay: Relay) throws
        -> AccountLetterSender
    {
        let accountService = try #require(fixture.accountService)
        return AccountLetterSender(
            accountService: accountService, vault: try #require(accountService.vault),
            sender: try MailSender(address: "bitpal@example.org", name: "Bitpal"),
            logger: TestDatabase.logger,
            send: { outgoing throws(SendFailure) in
                if case .mail(let mail) = outgoing { relay.letters.withLock { $0.append(mail) } }
                return Answer(status: relay.status.withLock { $0 })
            })
    }

    /// The secret of the link in a letter's plain part.
    private static func token(_ mail: OutgoingMail?) throws -> String {
        let bytes = Array(
            String(decoding: try #require(mail).message, as: UTF8.self).replacing("=\r\n", with: "").utf8)
        var plain: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let isEscape = bytes[index] == 0x3D && index + 2 < bytes.count
            let code = isEscape ? String(decoding: bytes[index + 1...index + 2], as: UTF8.self) : ""
            plain.append(UInt8(code, radix: 16) ?? bytes[index])
            index += UInt8(code, radix: 16) == nil ? 1 : 3
        }
        let text = String(decoding: plain, as: UTF8.self)
        let tail = try #require(text.split(separator: "#token=").dropFirst().first)
        return String(tail.prefix(43))
    }

    private static func mail() throws -> MailConfiguration {
        MailConfiguration(
            relay: MailRelay(host: "localhost", port: 25, security: .none, user: nil, password: nil),
            from: try MailSender(address: "bitpal@example.org", name: "Bitpal"))
    }

    @Test("set a new password by a link that is good once, and say nothing of who has an account")
    func reset() async throws {
        let mail = try Self.mail()
        try await AccountGatewayFixture.run {
            $0.accounts.mail = mail
        } _: { fixture in
            let ann = try fixture.client(try await fixture.signUp("Ann@example.org"))
            func ask(_ email: String) async throws -> TestAnswer {
                try await fixture.nobody.ask("POST", "/v1/auth/reset", json: #"{"email":"\#(email)"}"#)
            }
            let (known, unknown) = (try await ask("ann@example.org"), try await ask("eve@example.org"))
            #expect(known.status == 202 && unknown.status == 202 && known.body == unknown.body)
            let relay = Relay()
            relay.status.withLock { $0 = 451 }
            let letterSender = try Self.letterSender(fixture, relay)
            try await letterSender.carry()
            try await letterSender.carry()
            #expect(relay.letters.withLock { $0.map(\.to) } == ["Ann@example.org"])
            relay.status.withLock { $0 = 250 }
            fixture.clock.advance(seconds: 4)
            try await letterSender.carry()
            fixture.clock.advance(seconds: 3_000)
            try await letterSender.carry()
            let letters = relay.letters.withLock { $0 }
            #expect(letters.count == 2)
            let token = try Self.token(letters.last)
            func confirm() async throws -> TestAnswer {
                try await fixture.nobody.ask(
                    "POST", "/v1/auth/reset/confirm",
                    json: #"{"token":"\#(token)","password":"another lantern quilt"}"#)
            }
            #expect(try await confirm().status == 204)
            #expect(try await confirm().problem == "expired")
            #expect(try await ann.get("/v1/account").status == 401)
            #expect(try await fixture.signIn("ann@example.org", "another lantern quilt").status == 200)
            // No more than three an hour.
            for _ in 0..<5 { #expect(try await ask("ann@example.org").status == 202) }
            try await letterSender.carry()
            #expect(relay.letters.withLock { $0.count } == 4)
        }
    }

    @Test("let nobody in whose address is not confirmed, where that is asked for")
    func verification() async throws {
        let mail = try Self.mail()
        try await AccountGatewayFixture.run {
            $0.accounts.mail = mail
            $0.accounts.verifiesEmail = true
        } _: { fixture in
            let made = try await fixture.signUp("ann@example.org")
            #expect(made.status == 201 && made.header("set-cookie") == nil)
            // As a wrong password is: who has just signed up learns nothing more.
            #expect(try await fixture.signIn("ann@example.org").problem == "unauthenticated")
            fixture.clock.advance(seconds: 60)
            let relay = Relay()
            try await Self.letterSender(fixture, relay).carry()
            let token = try Self.token(relay.letters.withLock { $0.first })
            func verify() async throws -> TestAnswer {
                try await fixture.nobody.ask("POST", "/v1/auth/verify", json: #"{"token":"\#(token)"}"#)
            }
            #expect(try await verify().status == 204)
            #expect(try await verify().problem == "expired")
            let ann = try fixture.client(try await fixture.signIn("ann@example.org"))
            #expect(try await ann.get("/v1/account").flag("user.verified") == true)
            // Whoever signs up with her address learns nothing, she does.
            let again = try await fixture.signUp("ann@example.org")
            #expect(again.status == 201 && again.header("set-cookie") == nil)
            #expect(again.string("user.email") == "ann@example.org" && again.flag("user.verified") == false)
            #expect(again.string("user.id") != made.string("user.id"))
            try await Self.letterSender(fixture, relay).carry()
            let letters = relay.letters.withLock { $0 }
            #expect(letters.count == 3)
            let link = try Self.token(letters.last)
            let reset = #"{"token":"\#(link)","password":"another lantern quilt"}"#
            #expect(try await fixture.nobody.ask("POST", "/v1/auth/reset/confirm", json: reset).status == 204)
        }
    }

    @Test("open an address that two signed up with to neither password, only to who has the mailbox")
    func hijack() async throws {
        let mail = try Self.mail()
        try await AccountGatewayFixture.run {
            $0.accounts.mail = mail
            $0.accounts.verifiesEmail = true
        } _: { fixture in
            func signUp(_ password: String, _ key: String) async throws -> TestAnswer {
                try await fixture.nobody.ask(
                    "POST", "/v1/auth/sign-up", headers: [("Idempotency-Key", key)],
                    json: #"{"email":"ann@example.org","password":"\#(password)"}"#)
            }
            let relay = Relay()
            let letterSender = try Self.letterSender(fixture, relay)
            let eves = try await signUp("the password of eve", "a")
            // The same request once more is no other sign-up, and tells nothing.
            let again = try await signUp("the password of eve", "a")
            try await letterSender.carry()
            let first = try Self.token(relay.letters.withLock { $0.last })
            let anns = try await signUp("the password of ann", "b")
            let mixed = try await signUp("the password of bob", "a")
            for answer in [eves, again, anns, mixed] {
                #expect(answer.status == 201 && answer.header("idempotency-replayed") == nil)
            }
            #expect(Set([eves, again, anns, mixed].map { $0.string("user.id") }).count == 4)
            let dropped = try await fixture.audited(.passwordDrop)
            #expect(dropped.count == 1 && dropped.first?.actor.kind == .service)
            try await letterSender.carry()
            let verify = #"{"token":"\#(first)"}"#
            let late = try await fixture.nobody.ask("POST", "/v1/auth/verify", json: verify)
            #expect(late.problem == "expired")
            let letters = relay.letters.withLock { $0 }
            #expect(letters.count == 3)
            let link = try Self.token(letters.last)
            let reset = #"{"token":"\#(link)","password":"another lantern quilt"}"#
            #expect(try await fixture.nobody.ask("POST", "/v1/auth/reset/confirm", json: reset).status == 204)
            for password in ["the password of eve", "the password of ann", "the password of bob"] {
                fixture.clock.advance(seconds: 60)
                let refused = try await fixture.signIn("ann@example.org", password)
                #expect(refused.problem == "unauthenticated")
            }
            fixture.clock.advance(seconds: 60)
            #expect(try await fixture.signIn("ann@example.org", "another lantern quilt").status == 200)
        }
    }

    @Test("open an address that several sign up with at the same moment to no password of theirs")
    func sameMoment() async throws {
        let mail = try Self.mail()
        try await AccountGatewayFixture.run {
            $0.accounts.mail = mail
            $0.accounts.verifiesEmail = true
        } _: { fixture in
            let answers = try await withThrowingTaskGroup(of: TestAnswer.self) { group in
                for number in 0..<6 {
                    group.addTask {
                        try await fixture.nobody.ask(
                            "POST", "/v1/auth/sign-up", headers: [("Idempotency-Key", "\(number)")],
                            json: #"{"email":"ann@example.org","password":"the password of \#(number)"}"#)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.allSatisfy { $0.status == 201 && $0.header("set-cookie") == nil })
            #expect(Set(answers.map { $0.string("user.id") }).count == 6)
            let relay = Relay()
            try await Self.letterSender(fixture, relay).carry()
            let letters = relay.letters.withLock { $0 }
            // The first one's letter waited when its link was withdrawn: nobody gets it.
            #expect(letters.count == 5)
            let link = try Self.token(letters.first)
            let reset = #"{"token":"\#(link)","password":"another lantern quilt"}"#
            #expect(try await fixture.nobody.ask("POST", "/v1/auth/reset/confirm", json: reset).status == 204)
            for number in 0..<6 {
                fixture.clock.advance(seconds: 60)
                let refused = try await fixture.signIn("ann@example.org", "the password of \(number)")
                #expect(refused.problem == "unauthenticated")
            }
            fixture.clock.advance(seconds: 60)
            #expect(try await fixture.signIn("ann@example.org", "another lantern quilt").status == 200)
        }
    }

    @Test("are written in each language")
    func languages() {
        for kind in AccountLetter.Kind.allCases {
            let texts = UserSettings.locales.map { AccountLetterText.text(kind, in: $0) }
            #expect(Set(texts.map(\.title)).count == UserSettings.locales.count)
            #expect(texts.map(\.language) == UserSettings.locales)
        }
        #expect(AccountLetterText.text(.reset, in: "fr").language == "en")
    }
}
