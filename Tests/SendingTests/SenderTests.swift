import Channels
import Foundation
import Support
import Synchronization
import Testing

@testable import Sending

@Suite("A sender", .timeLimit(.minutes(10)))
struct SenderTests {
    private static func request(_ url: String, body: String = "{}", isOwn: Bool = true) -> Outgoing {
        .request(
            OutgoingRequest(
                method: "POST", url: url, headers: [Header(name: "webhook-id", value: "m1")],
                body: Array(body.utf8), isOwnDestination: isOwn))
    }

    private static func failure(_ sender: Sender, _ outgoing: Outgoing) async -> SendFailure? {
        do throws(SendFailure) {
            _ = try await sender.send(outgoing)
            return nil
        } catch {
            return error
        }
    }

    /// A sender whose limits are short, so that a receiver that hangs is given up soon.
    private static func sender(
        policy: DestinationPolicy = .anything, timeout: Duration = .milliseconds(400)
    ) -> Sender {
        var configuration = SenderConfiguration()
        configuration.timeout = timeout
        return Sender(configuration: configuration, policy: policy)
    }

    @Test("delivers the body and headers, and brings back status, headers and the first 4 KiB")
    func delivers() async throws {
        let receiver = try HookReceiver()
        let sender = Self.sender(timeout: .seconds(15))
        let body = String(repeating: "ä", count: 30_000)
        let answer = try await sender.send(Self.request(receiver.url("/a?b=c"), body: body))
        #expect(answer.status == 200 && answer.body.isEmpty)
        let got = try #require(receiver.received.first)
        #expect(got.path == "/a?b=c" && got.id == "m1" && got.body == Array(body.utf8))
        #expect(got.headers["user-agent"] == "bitpal")
        let wait = try await sender.send(Self.request(receiver.url("/after/30")))
        #expect(wait.status == 429 && wait.headers.contains(Header(name: "Retry-After", value: "30")))
        receiver.close()
    }

    @Test(
        "reads what a receiver answers, and follows no redirect",
        arguments: [
            ("/", 200), ("/status/301", 301), ("/move", 302), ("/status/404", 404),
            ("/status/410", 410), ("/status/500", 500), ("/huge", 200),
        ])
    func matrix(_ path: String, _ status: Int) async throws {
        let receiver = try HookReceiver()
        let answer = try await Self.sender(timeout: .seconds(15)).send(Self.request(receiver.url(path)))
        #expect(answer.status == status)
        #expect(answer.body.count <= 4 << 10)
        #expect(receiver.received.map(\.path) == [path])
        receiver.close()
    }

    @Test("gives up a receiver that hangs, drips or breaks off", arguments: ["/hang", "/drip", "/reset"])
    func unanswered(_ path: String) async throws {
        let receiver = try HookReceiver()
        let sender = Self.sender(timeout: path == "/reset" ? .seconds(60) : .milliseconds(400))
        let failure = await Self.failure(sender, Self.request(receiver.url(path)))
        if path == "/reset" {
            guard case .failed = failure else {
                Issue.record("\(String(describing: failure))")
                return
            }
        } else {
            #expect(failure == .timedOut(.milliseconds(400)))
        }
        receiver.close()
    }

    @Test("ends at once when its task is cancelled or it is closed")
    func cancelled() async throws {
        let receiver = try HookReceiver()
        let sender = Self.sender(timeout: .seconds(600))
        for isClosed in [false, true] {
            let hanging = Task { await Self.failure(sender, Self.request(receiver.url("/hang"))) }
            await receiver.wait { $0.count == (isClosed ? 2 : 1) }
            if isClosed { sender.close() } else { hanging.cancel() }
            #expect(await hanging.value == .cancelled)
        }
        #expect(await Self.failure(sender, Self.request(receiver.url("/"))) == .cancelled)
        receiver.close()
    }

    @Test("connects to the address that was checked, although the name leads elsewhere a moment later")
    func pinned() async throws {
        let (good, trap) = (try HookReceiver(), try HookReceiver())
        let calls = Mutex(0)
        // A name that no resolver knows, so that only the pin can have led there.
        let sender = Sender(
            configuration: SenderConfiguration(), policy: .anything, refusal: { _ in nil }
        ) { host in
            #expect(host == "rebind.invalid")
            return [IPAddress("127.0.0.\(calls.withLock { $0 += 1; return $0 })")].compactMap { $0 }
        }
        let url = "http://rebind.invalid:\(good.port)/x"
        #expect(try await sender.send(Self.request(url)).status == 200)
        // Looked up again for each attempt, and never by libcurl.
        guard case .failed = await Self.failure(sender, Self.request(url)) else {
            Issue.record("127.0.0.2 has no receiver")
            return
        }
        #expect(calls.withLock { $0 } == 2)
        #expect(good.received.map { $0.headers["host"] } == ["rebind.invalid:\(good.port)"])
        #expect(trap.connections == 0)
        good.close()
        trap.close()
    }

    @Test(
        "connects nowhere when any address of the name is not a public one",
        arguments: [
            ["127.0.0.1"], ["93.184.216.34", "127.0.0.1"], ["169.254.169.254"], ["::1"],
            ["::ffff:127.0.0.1"], ["10.0.0.1"], ["2606:4700::1111", "fd00::1"], ["64:ff9b::7f00:1"],
        ])
    func forbidden(_ addresses: [String]) async throws {
        let sender = Sender(
            configuration: SenderConfiguration(), policy: .strict, refusal: AddressRule.refusal
        ) { _ in
            addresses.compactMap { IPAddress($0) }
        }
        let failure = await Self.failure(sender, Self.request("https://example.org/hook"))
        guard case .forbidden = failure else {
            Issue.record("\(addresses) was allowed")
            return
        }
        // Whoever asked learns nothing of where the name leads; the operator does.
        #expect(failure?.description == "not sent: example.org does not lead to a public address")
        #expect(failure?.detail?.hasPrefix("example.org leads to ") == true)
    }

    @Test(
        "refuses a URL whose text already leads inside, in whatever way it is written",
        arguments: [
            "http://example.org/", "https://127.0.0.1/", "https://2130706433/", "https://0x7f.1/",
            "https://0177.0.0.1/", "https://[::1]/", "https://[::ffff:127.0.0.1]/", "https://localhost/",
            "https://user@example.org/", "https://example.org:22/", "ftp://example.org/",
            "file:///etc/passwd",
            "https://example.org\\@127.0.0.1/", "https://127.1/", "https://169.254.169.254/latest",
        ])
    func refusedText(_ url: String) async {
        switch await Self.failure(Self.sender(policy: .strict), Self.request(url)) {
        case .forbidden, .malformed: break
        case let other: Issue.record("\(url): \(String(describing: other))")
        }
    }

    @Test("says when a name has no address")
    func unresolved() async {
        let sender = Sender(
            configuration: SenderConfiguration(), policy: .anything, refusal: { _ in nil }
        ) { _ in [] }
        let failure = await Self.failure(sender, Self.request("https://nowhere.invalid/"))
        #expect(failure == .unresolved(host: "nowhere.invalid"))
    }

    @Test("one that hangs delays nobody: 99 others are answered meanwhile")
    func bulkhead() async throws {
        let receiver = try HookReceiver()
        let sender = Self.sender(timeout: .seconds(600))
        let hanging = Task { await Self.failure(sender, Self.request(receiver.url("/hang"))) }
        await receiver.wait { $0.count == 1 }
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<99 {
                group.addTask { try await sender.send(Self.request(receiver.url("/\(number)"))).status }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 99))
        hanging.cancel()
        #expect(await hanging.value == .cancelled)
        receiver.close()
    }
}

@Suite("A command", .timeLimit(.minutes(10)))
struct CommandTests {
    private static func run(
        _ arguments: [String], input: String = "", timeout: Duration = .seconds(600)
    ) async -> Result<Answer, SendFailure> {
        var configuration = SenderConfiguration()
        configuration.timeout = timeout
        let sender = Sender(configuration: configuration, policy: .strict)
        do throws(SendFailure) {
            return .success(try await sender.send(.command(arguments, input: Array(input.utf8))))
        } catch {
            return .failure(error)
        }
    }

    @Test("gets its arguments as they are and its input, and its status and output come back")
    func runs() async throws {
        let answer = try await Self.run(["/bin/cat", "-"], input: "hello").get()
        #expect(answer.status == 0 && answer.body == Array("hello".utf8))
        let shell = try await Self.run(["/usr/bin/printf", "%s", "$(id); *"]).get()
        #expect(String(decoding: shell.body, as: UTF8.self) == "$(id); *")
        #expect(try await Self.run(["/bin/false"]).get().status == 1)
    }

    @Test("may read nothing or print without end")
    func bounded() async throws {
        let input = String(repeating: "x", count: 1 << 20)
        #expect(try await Self.run(["/bin/true"], input: input).get().status == 0)
        let answer = try await Self.run(["/usr/bin/head", "-c", "1000000", "/dev/zero"]).get()
        #expect(answer.body.count == 4 << 10)
    }

    @Test("is killed with what it started when it takes too long, and has only a small environment")
    func late() async throws {
        let started = await Self.run(
            ["/bin/sh", "-c", "cat /dev/zero | cat >/dev/null & wait"], timeout: .milliseconds(300))
        #expect(throws: SendFailure.timedOut(.milliseconds(300))) { try started.get() }
        let names = try await Self.run(["/usr/bin/env"]).get()
        let lines = String(decoding: names.body, as: UTF8.self).split(separator: "\n")
        #expect(Set(lines.map { $0.prefix { $0 != "=" } }) == ["PATH", "LC_ALL", "TZ"])
    }

    @Test("that cannot be started says why", arguments: ["/nowhere/x", "relative"])
    func missing(_ path: String) async {
        switch await Self.run([path]) {
        case .failure(.failed), .failure(.malformed): break
        case let other: Issue.record("\(other)")
        }
    }
}
