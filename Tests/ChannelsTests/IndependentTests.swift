import Alerting
import Encodings
import Foundation
import Instruments
import JSON
import Support
import Testing

@testable import Channels

/// What `scripts/install-dependencies.sh test` made.
private enum PythonEnvironment {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let python = root.appending(path: ".build/python/bin/python")
    static let isReady = FileManager.default.fileExists(
        atPath: root.appending(path: ".build/python/ready").path)

    static func run(_ program: String, _ arguments: [String]) -> (status: Int32, output: String)? {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = pipe
        do { try process.run() } catch { return nil }
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}

@Suite("What is sent to channels", .timeLimit(.minutes(10)))
struct IndependentTests {
    @Test(
        "is understood by other people's implementations",
        .enabled(
            if: PythonEnvironment.isReady, "SKIPPED: scripts/install-dependencies.sh test gets the packages"))
    func isUnderstood() throws {
        var samples: [JSONValue] = []
        property(cases: 40) { samples += try Samples.of(&$0) }
        let file = FileManager.default.temporaryDirectory.appending(path: "channels-\(UUID()).json")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(JSONValue.array(samples).bytes).write(to: file)
        let script = PythonEnvironment.root.appending(path: "Tests/Tools/check_channels.py")
        let python = PythonEnvironment.python.path
        let result = try #require(PythonEnvironment.run(python, [script.path, file.path]))
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.hasPrefix("\(samples.count / 10) webhook"), "\(result.output)")
    }
}

/// Random notices with what was made of them, as JSON for the check in Python.
private enum Samples {
    private static let letters: [Character] = ["a", "b", " ", "é", "日", "👩‍👩‍👧", "\"", "<", "=", "&", ".", "\\"]
    /// The receiver's own clock judges signatures, so this is the real time, in whole seconds.
    private static let now = Timestamp(nanoseconds: Int64(Date().timeIntervalSince1970) * 1_000_000_000)

    private static func words(_ generator: inout SeededGenerator, _ count: ClosedRange<Int>) -> String {
        let middle = String((0..<generator.int(count)).map { _ in generator.pick(letters) })
        // Readers of mail fold blanks at the ends, and several of them.
        return "x" + middle.replacing("  ", with: " .") + "y"
    }

    static func of(_ generator: inout SeededGenerator) throws -> [JSONValue] {
        var notice = try ChannelFixtures.notice()
        notice.note = words(&generator, 0...300)
        notice.epoch = Int64(generator.int(1...1_000))
        notice.id = "\(notice.rule.map(\.description) ?? ""):\(generator.next())"
        let text = ChannelFixtures.text(
            words(&generator, 0...20), (0..<generator.int(1...4)).map { _ in words(&generator, 0...1_500) })
        let messages = try [
            webhook(notice), mail(notice, text), apns(notice, text), webPush(notice, text),
        ]
        return try messages + numbers(&generator) + [time(&generator), plural(&generator)]
    }

    private static func context() throws -> SendingContext {
        var context = try ChannelFixtures.context()
        context.now = now
        context.apns = try APNsKey(
            keyID: "ABC123DEFG", teamID: "DEF123GHIJ", pem: Secret(ChannelFixtures.pem)
        )
        .token(reusing: nil, at: now)
        return context
    }

    private static func headers(_ request: OutgoingRequest) -> JSONValue {
        .object(JSONObject(request.headers.map { (key: $0.name, value: .string($0.value)) }))
    }

    private static var seconds: JSONValue { .integer(now.nanoseconds / 1_000_000_000) }

    private static func webhook(_ notice: Notice) throws -> JSONValue {
        let keys = [ChannelFixtures.hookKey, "whsec_" + Base64.text([UInt8](repeating: 9, count: 32))]
        let secrets = String(
            decoding: JSONValue.object(["keys": .array(keys.map(JSONValue.string))]).bytes, as: UTF8.self)
        let settings = try ChannelSettings(
            kind: "webhook", settings: #"{"url":"https://example.org/hook"}"#, secrets: secrets)
        guard
            case .request(let request) = try settings.outgoing(notice, ChannelFixtures.text(), try context())
        else { throw ChannelFixtures.Missing() }
        return .object([
            "kind": .string("webhook"), "keys": .array(keys.map(JSONValue.string)),
            "headers": headers(request),
            "body": .string(Base64URL.text(request.body)), "id": .string(notice.id),
            "price": .optional(notice.price?.description),
        ])
    }

    private static func mail(_ notice: Notice, _ text: NoticeText) throws -> JSONValue {
        let settings = try ChannelFixtures.settings("email")
        let context = try context()
        guard case .mail(let mail) = try settings.outgoing(notice, text, context) else {
            throw ChannelFixtures.Missing()
        }
        return .object([
            "kind": .string("mail"), "message": .string(Base64URL.text(mail.message)), "to": .string(mail.to),
            "name": .string("Ada Lövelace"), "from": .string(mail.from), "title": .string(text.title),
            "text": .string(text.body), "unsubscribe": .optional(context.unsubscribe), "now": seconds,
        ])
    }

    private static func apns(_ notice: Notice, _ text: NoticeText) throws -> JSONValue {
        guard
            case .request(let request) = try ChannelFixtures.settings("apns").outgoing(
                notice, text, try context())
        else { throw ChannelFixtures.Missing() }
        return .object([
            "kind": .string("apns"), "headers": headers(request),
            "body": .string(Base64URL.text(request.body)),
            "pem": .string(ChannelFixtures.pem), "key": .string("ABC123DEFG"), "team": .string("DEF123GHIJ"),
            "title": .string(TextCut.json(text.title, 512)), "now": seconds,
        ])
    }

    private static func webPush(_ notice: Notice, _ text: NoticeText) throws -> JSONValue {
        guard
            case .request(let request) = try ChannelFixtures.settings("web_push").outgoing(
                notice, text, try context())
        else { throw ChannelFixtures.Missing() }
        return .object([
            "kind": .string("web_push"), "headers": headers(request),
            "body": .string(Base64URL.text(request.body)),
            "receiver": .string("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"),
            "auth": .string(ChannelFixtures.browserSecret), "audience": .string("https://push.example.net"),
            "subject": .string("mailto:ops@bitpal.example"), "title": .string(TextCut.json(text.title, 512)),
            "now": seconds,
        ])
    }

    private static func numbers(_ generator: inout SeededGenerator) throws -> [JSONValue] {
        let scale = try #require(Scale(generator.int(0...12)))
        let units = Int64(generator.int(1...1_000_000_000_000_000)) >> Int64(generator.int(0...40))
        let number = DecimalNumber(units: generator.chance(20) ? -units : units, scale: scale)
        let currency = generator.pick(["USD", "EUR", "GBP", "JPY", "KRW", "CHF", "USDT", "BTC"])
        return Language.all.map { language in
            .object([
                "kind": .string("number"), "language": .string(language.tag),
                "number": .string(number.description), "text": .string(language.numbers.text(number)),
                "currency": .string(currency),
                "money": .string(language.numbers.text(number, currency: currency)),
            ])
        }
    }

    private static func time(_ generator: inout SeededGenerator) throws -> JSONValue {
        let language = generator.pick(Language.all)
        let seconds = Int64(generator.int(-1_000_000_000...4_000_000_000))
        let offset = generator.int(-48...56) * 900
        let zone = ZoneOffsets(name: "x", spans: [.init(from: .zero, seconds: Int32(offset))])
        let time = Timestamp(nanoseconds: seconds * 1_000_000_000)
        return .object([
            "kind": .string("time"), "language": .string(language.tag), "seconds": .integer(seconds),
            "offset": .integer(Int64(offset)),
            "text": .string(language.times.text(time, in: zone, digits: language.numbers)),
        ])
    }

    private static func plural(_ generator: inout SeededGenerator) -> JSONValue {
        let language = generator.pick(Language.all)
        let count = generator.pick([0, 1, 2, 3, 11, 21, 100, 999_999])
        return .object([
            "kind": .string("plural"), "language": .string(language.tag), "count": .integer(Int64(count)),
            "form": .string(language.plural.form(count).rawValue),
        ])
    }
}
