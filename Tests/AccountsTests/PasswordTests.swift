import Instruments
import Testing

@testable import Accounts

@Suite("Passwords")
struct PasswordTests {
    private static let email = try? EmailAddress(parsing: "Grace.Hopper@navy.example.org")

    @Test(
        "that are long and of nobody's list are accepted, whatever they are made of",
        arguments: [
            "vacuum trombone quilt lantern", "nur kleine buchstaben hier", "zxkqjvbwmpfhgdt",
            "ありがとう世界の片隅で静かに眠る猫",
            "91847362539017462", "T7#kQ!vR2@pLx9$w", String(repeating: "ab c9 zq ", count: 28),
        ])
    func accepted(password: String) {
        #expect(PasswordPolicy().opinion(of: password, email: Self.email).refusal == nil)
    }

    @Test(
        "that are guessed first are refused, also dressed up",
        arguments: [
            "passwordpassword", "password12345678", "P@ssw0rd!P@ssw0rd!", "aaaaaaaaaaaaaaaaaaaa",
            "1234567890123456",
            "qwertyuiopasdfghjkl", "abcabcabcabcabcabc", "correcthorsebatterystaple", "iloveyouforever1990",
            "bitpalbitpalbitpal", "grace.hopper2026", "hoppernavyexample", "letmein123456789",
        ])
    func common(password: String) {
        let opinion = PasswordPolicy().opinion(of: password, email: Self.email)
        #expect(opinion.refusal?.field == "password" && opinion.score < 2)
        #expect(opinion.refusal?.description.contains(password) == false)
    }

    @Test("are counted in characters and have two ends")
    func length() {
        let policy = PasswordPolicy(shortest: 8)
        #expect(policy.opinion(of: "jq7vkwz").refusal?.value == "7 characters long")
        #expect(policy.opinion(of: "jq7vkwzp").refusal == nil)
        // Eight characters of more bytes.
        #expect(policy.opinion(of: "яблокоyü").refusal == nil)
        let long = String(repeating: "xk9 qv2 ", count: 32)
        #expect(policy.opinion(of: long).refusal == nil)
        #expect(policy.opinion(of: long + "m").refusal?.accepted == "8...256 characters")
        #expect(policy.opinion(of: "tromboneé\u{7}x").refusal?.value == "with control characters")
        #expect(policy.opinion(of: "").score == 0)
    }

    @Test("are refused when they are common, of more than three thousand")
    func list() {
        #expect(CommonPasswords.all.count > 3_000)
        #expect(CommonPasswords.all.allSatisfy { $0 == $0.lowercased() && !$0.isEmpty })
        let policy = PasswordPolicy(shortest: 8)
        let long = CommonPasswords.all.filter { $0.count >= 8 }.sorted()
        for word in stride(from: 0, to: long.count, by: 20).map({ long[$0] }) {
            #expect(policy.opinion(of: word).refusal != nil, "\(word)")
        }
    }

    @Test("are stronger the more there is of them")
    func meter() {
        let scores = ["password", "tromboneq", "trombone quilt", "trombone quilt lantern vac"]
            .map { PasswordStrength(of: $0, context: []).score }
        #expect(scores == scores.sorted() && scores.first == 0 && scores.last == 4)
    }

    @Test("belong to addresses of one form")
    func addresses() throws {
        let address = try EmailAddress(parsing: "A.b+c@Mail.Example.ORG")
        #expect(address.folded == "a.b+c@mail.example.org" && address.text == "A.b+c@Mail.Example.ORG")
        let wrong = [
            "", "a", "a@b", "@b.c", "a@", "a@b..c", "a@-b.c", "a b@c.d", "a..b@c.d", ".a@c.d", "a@c.d\n",
            "a@c.d@e.f",
            "\"a\"@c.d", String(repeating: "a", count: 65) + "@c.d",
            "a@" + String(repeating: "b.", count: 130) + "c",
        ]
        for text in wrong {
            #expect(throws: FieldFault.self, "\(text)") { try EmailAddress(parsing: text) }
        }
    }
}
