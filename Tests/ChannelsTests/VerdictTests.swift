import Instruments
import Testing

@testable import Channels

@Suite("The verdict on an answer")
struct VerdictTests {
    enum Expected: Hashable, Sendable {
        case delivered
        case again(Int?)
        case refused
        case gone
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var kind: String
        var status: Int
        var body = ""
        var retryAfter: String?
        var expected: Expected

        var testDescription: String { "\(kind) \(status) \(retryAfter ?? "") \(body)" }
    }

    static let cases: [Case] = hooks + chats + pushes + others

    private static let hooks: [Case] = [
        Case(kind: "webhook", status: 200, expected: .delivered),
        Case(kind: "webhook", status: 204, expected: .delivered),
        Case(kind: "webhook", status: 301, expected: .again(nil)),
        Case(kind: "webhook", status: 404, expected: .again(nil)),
        Case(kind: "webhook", status: 410, expected: .gone),
        Case(kind: "webhook", status: 429, retryAfter: "120", expected: .again(120)),
        Case(
            kind: "webhook", status: 503, retryAfter: "Thu, 25 Feb 2021 15:03:10 GMT", expected: .again(60)),
        Case(
            kind: "webhook", status: 503, retryAfter: "Thursday, 25-Feb-21 15:03:10 GMT", expected: .again(60)
        ),
        Case(kind: "webhook", status: 503, retryAfter: "Thu Feb 25 15:03:10 2021", expected: .again(60)),
        Case(kind: "webhook", status: 503, retryAfter: "Thu, 25 Feb 2021 15:00:10 GMT", expected: .again(0)),
        Case(kind: "webhook", status: 503, retryAfter: "99999999999999999999", expected: .again(86_400)),
        Case(kind: "webhook", status: 503, retryAfter: "soon", expected: .again(nil)),
        Case(kind: "webhook", status: 503, retryAfter: "-5", expected: .again(nil)),
        Case(kind: "webhook", status: 500, expected: .again(nil)),
        Case(kind: "webhook", status: 0, expected: .again(nil)),
    ]

    private static let chats: [Case] = [
        Case(kind: "telegram", status: 200, body: #"{"ok":true,"result":{}}"#, expected: .delivered),
        Case(
            kind: "telegram", status: 429,
            body: #"{"ok":false,"error_code":429,"description":"x","parameters":{"retry_after":35}}"#,
            expected: .again(35)),
        Case(
            kind: "telegram", status: 200,
            body: #"{"ok":false,"error_code":429,"description":"x","parameters":{"retry_after":7}}"#,
            expected: .again(7)),
        Case(
            kind: "telegram", status: 403,
            body: #"{"ok":false,"error_code":403,"description":"Forbidden: bot was blocked by the user"}"#,
            expected: .gone),
        Case(
            kind: "telegram", status: 400,
            body: #"{"ok":false,"error_code":400,"description":"Bad Request: chat not found"}"#,
            expected: .gone),
        Case(
            kind: "telegram", status: 400,
            body: #"{"ok":false,"description":"x","parameters":{"migrate_to_chat_id":-100123}}"#,
            expected: .gone),
        Case(
            kind: "telegram", status: 400,
            body: #"{"ok":false,"description":"Bad Request: message is too long"}"#, expected: .refused),
        Case(kind: "telegram", status: 401, expected: .gone),
        Case(kind: "slack", status: 200, body: "ok", expected: .delivered),
        Case(kind: "slack", status: 404, body: "no_service", expected: .gone),
        Case(kind: "slack", status: 410, body: "channel_is_archived", expected: .gone),
        Case(kind: "slack", status: 403, body: "invalid_token", expected: .gone),
        Case(kind: "slack", status: 403, body: "action_prohibited", expected: .refused),
        Case(kind: "slack", status: 400, body: "invalid_payload", expected: .refused),
        Case(kind: "slack", status: 429, retryAfter: "30", expected: .again(30)),
        Case(kind: "slack", status: 500, body: "rollup_error", expected: .again(nil)),
        Case(kind: "discord", status: 200, expected: .delivered),
        Case(
            kind: "discord", status: 404, body: #"{"message":"Unknown Webhook","code":10015}"#,
            expected: .gone),
        Case(
            kind: "discord", status: 429, body: #"{"message":"x","retry_after":64.57,"global":false}"#,
            retryAfter: "64", expected: .again(65)),
        Case(kind: "discord", status: 400, body: #"{"code":50035}"#, expected: .refused),
    ]

    private static let pushes: [Case] = [
        Case(kind: "apns", status: 200, expected: .delivered),
        Case(kind: "apns", status: 400, body: #"{"reason":"BadDeviceToken"}"#, expected: .gone),
        Case(
            kind: "apns", status: 410, body: #"{"reason":"Unregistered","timestamp":1}"#, expected: .gone),
        Case(kind: "apns", status: 403, body: #"{"reason":"ExpiredProviderToken"}"#, expected: .again(nil)),
        Case(kind: "apns", status: 403, body: #"{"reason":"InvalidProviderToken"}"#, expected: .refused),
        Case(
            kind: "apns", status: 429, body: #"{"reason":"TooManyProviderTokenUpdates"}"#,
            expected: .again(1_200)),
        Case(kind: "apns", status: 413, body: #"{"reason":"PayloadTooLarge"}"#, expected: .refused),
        Case(kind: "apns", status: 503, body: #"{"reason":"Shutdown"}"#, expected: .again(nil)),
        Case(kind: "web_push", status: 201, expected: .delivered),
        Case(kind: "web_push", status: 404, expected: .gone),
        Case(kind: "web_push", status: 410, expected: .gone),
        Case(kind: "web_push", status: 413, expected: .refused),
        Case(kind: "web_push", status: 429, retryAfter: "10", expected: .again(10)),
    ]

    private static let others: [Case] = [
        Case(kind: "ntfy", status: 200, expected: .delivered),
        Case(kind: "ntfy", status: 302, expected: .refused),
        Case(kind: "ntfy", status: 403, expected: .refused),
        Case(kind: "ntfy", status: 429, expected: .again(nil)),
        Case(kind: "ntfy", status: 507, expected: .again(nil)),
        Case(kind: "email", status: 250, body: "2.0.0 Ok: queued", expected: .delivered),
        Case(kind: "email", status: 421, expected: .again(nil)),
        Case(kind: "email", status: 450, body: "4.2.1 greylisted", expected: .again(nil)),
        Case(kind: "email", status: 550, body: "550 5.1.1 <a@b>: no such user", expected: .gone),
        Case(kind: "email", status: 550, body: "5.7.1 blocked as spam", expected: .refused),
        Case(kind: "email", status: 554, body: "15.1.1.7 is listed", expected: .refused),
        Case(kind: "email", status: 0, expected: .again(nil)),
        Case(kind: "command", status: 0, expected: .delivered),
        Case(kind: "command", status: 1, expected: .again(nil)),
    ]

    @Test("follows the service's documentation", arguments: cases)
    func follows(_ example: Case) throws {
        let headers = example.retryAfter.map { [Header(name: "Retry-After", value: $0)] } ?? []
        let answer = Answer(status: example.status, headers: headers, body: Array(example.body.utf8))
        let verdict = try ChannelFixtures.settings(example.kind).verdict(answer, at: ChannelFixtures.now)
        let seen: Expected =
            switch verdict {
            case .delivered: .delivered
            case .again(let wait): .again(wait.map { Int($0.components.seconds) })
            case .refused: .refused
            case .gone: .gone
            }
        #expect(seen == example.expected, "\(verdict)")
    }

    @Test("repeats little of what the receiver said, and no control characters")
    func repeatsLittle() throws {
        let body = Array(("a\u{1B}[31m\r\n" + String(repeating: "x", count: 5_000)).utf8)
        let verdict = try ChannelFixtures.settings("ntfy").verdict(
            Answer(status: 400, body: body + [0xFF]), at: ChannelFixtures.now)
        guard case .refused(let reason) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        #expect(reason.count < 240)
        #expect(!reason.unicodeScalars.contains { $0.value < 0x20 })
        // What JSON says in escapes is a control character as well; with U+0000 no outcome could be stored.
        let moved = Array(#"{"parameters":{"migrate_to_chat_id":"a\u0000\u001bb"}}"#.utf8)
        let gone = try ChannelFixtures.settings("telegram").verdict(
            Answer(status: 400, body: moved), at: ChannelFixtures.now)
        if case .gone("the group is now chat ab") = gone { return }
        Issue.record("\(gone)")
    }

    @Test(
        "on letters repeats the relay's codes and none of its words",
        arguments: [
            (550, "550 5.7.1 relay [10.0.0.4] says no to 10.0.0.5", "it answers 550 5.7.1"),
            (550, "5.1.1 <ann@example.org>: no such user at mx1.internal", "it answers 550 5.1.1"),
            (554, "10.0.0.4 and 15.1.1.7 are listed", "it answers 554"),
            (554, "4.7.1. 5..1 5.1234.1", "it answers 554"), (551, "", "it answers 551"),
        ])
    func relay(status: Int, body: String, reason: String) throws {
        let answer = Answer(status: status, body: Array(body.utf8))
        switch try ChannelFixtures.settings("email").verdict(answer, at: ChannelFixtures.now) {
        case .refused(let said), .gone(let said): #expect(said == reason)
        case let other: Issue.record("\(other)")
        }
    }

    @Test("of an expired token asks for a new one")
    func asksForToken() {
        let body = Array(#"{"reason":"ExpiredProviderToken"}"#.utf8)
        #expect(Answer(status: 403, body: body).wantsNewAPNsToken)
        #expect(!Answer(status: 403, body: Array(#"{"reason":"x"}"#.utf8)).wantsNewAPNsToken)
    }
}
