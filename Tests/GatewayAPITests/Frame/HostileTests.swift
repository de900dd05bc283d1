import Foundation
import HTTPTypes
import NIOCore
import NIOPosix
import Support
import Testing

@testable import GatewayAPI
@testable import GatewayFrame

/// Everything that attackers send, to every route there is, by somebody who is signed in as an operator: a
/// clear refusal each, no failure here, and memory that does not grow.
@Suite("What attackers send to every route", .serialized, .timeLimit(.minutes(20)))
struct HostileTests {
    private static let long = String(repeating: "a", count: 300)
    private static let digits = String(repeating: "9", count: 400)

    /// In place of each id and name of a path.
    private static let parts = [
        "%00", "..%2f..%2fetc%2fpasswd", "%ff%fe", "%2e%2e", long, digits, "-1", "NaN",
        "%27;DROP%20TABLE%20x;--",
        "%F0%9F%92%A9", "%E2%80%AE", "00000000-0000-0000-0000-000000000000", "1e999", "%7B%7D", "a:b", ":",
        "-",
        "BTC-USD-", "%0d%0aX:y", "null",
    ]

    /// After each path.
    private static let queries = [
        "limit=0", "limit=-1", "limit=501", "limit=\(digits)", "limit=1e2", "limit=", "limit=%00",
        "cursor=%F0%28%8C%28", "cursor=AAAA", "cursor=\(long)", "cursor=%27", "q=%00", "q=\(long)",
        "from=\(digits)", "from=2026-13-40T99:99:99Z", "from=-9223372036854775808&to=9223372036854775807",
        "range=9Y", "interval=0m", "depth=\(digits)", "within=-5%25", "instruments=\(long),,,", "unknown=1",
        "limit=1&limit=2", "a[]=b", "%", "=", "&&&&",
    ]

    /// Bodies that are no JSON, or none that any route means.
    private static let bodies: [(name: String, bytes: [UInt8])] =
        [
            "", "{", "[", "nul", "null", "[]", "7", "\"a\"", "{}x", "{\"a\":}", "{a:1}", "{'a':1}",
            "{\"a\":1,}",
            "{\"a\":1,\"a\":2}", "{\"unknown\":true}", "{\"id\":1e999}", "{\"a\":01}", "{\"a\":+1}",
            "{\"a\":.5}",
            "{\"a\":NaN}", "{\"a\":Infinity}", "{\"a\":\"\\ud800\"}", "{\"a\":\"\\x00\"}", "{\"a\":\"\n\"}",
            "\u{FEFF}{}", "{\"a\":\"\\u0000\"}", "{\"\\u0000\":1}",
            "{\"email\":{},\"password\":[],\"code\":7}",
            "{\"name\":\"\(long)\",\"email\":\"\(long)@\(long)\",\"password\":\"\(long)\"}",
            "{\"name\":\(digits),\"code\":\(digits),\"token\":\(digits)}", "{\"__proto__\":{\"admin\":true}}",
            "{\"name\":\"\u{202E}\u{0}\",\"items\":[null]}",
            "<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY b \"c\">]>",
        ].map { ($0, Array($0.utf8)) } + [
            ("too deep", [UInt8](repeating: 0x5B, count: 33)),
            ("deep", [UInt8](repeating: 0x7B, count: 20_000)),
            ("no UTF-8", [0x7B, 0x22, 0xC3, 0x28, 0x22, 0x3A, 0x31, 0x7D]),
            ("overlong UTF-8", [0x22, 0xC0, 0xAE, 0x22]), ("UTF-16", [0xFF, 0xFE, 0x7B, 0x00, 0x7D, 0x00]),
            ("a surrogate", [0x22, 0xED, 0xA0, 0x80, 0x22]), ("zeros", [UInt8](repeating: 0, count: 1_000)),
        ]

    private static func run(
        _ configure: (inout GatewayConfiguration) -> Void = { _ in },
        _ body: (AccountGatewayFixture, TestClient, [RouteTable.Name]) async throws -> Void
    ) async throws {
        try await AccountGatewayFixture.run(
            configure, assemble: { gateway in gateway.addStream(gateway.services.market) }
        ) { fixture async throws in
            let boss = try await fixture.operatorClient()
            var gateway = Gateway(fixture.fixture.services)
            gateway.accounts = fixture.accountService
            _ = gateway.addStream(fixture.fixture.services.market)
            // What ends the session that asks is asked by nobody.
            let names = gateway.routes().names.filter { !$0.path.contains("sign-out") }
            try await body(fixture, boss, names)
        }
    }

    /// A quarter of them, another one for each neighbour; all of them in a soak.
    private static func some<Item>(_ items: [Item], _ place: Int) -> [Item] {
        if getenv("SOAK") != nil { return items }
        return items.enumerated().filter { ($0.offset + place) % 4 == 0 }.map(\.element)
    }

    private static func filled(_ path: String, _ part: String) -> String {
        path.split(separator: "/").map { $0.contains("{") ? part : String($0) }.joined(separator: "/")
    }

    @Test("in paths is refused or not found")
    func paths() async throws {
        try await Self.run { _, boss, names in
            // Of any code a picture is drawn.
            let named = names.filter { $0.path.contains("{") && $0.path != "/v1/icons/{code}" }
            for (place, route) in named.enumerated() {
                for part in Self.some(Self.parts, place) {
                    let path = "/" + Self.filled(route.path, part)
                    let answer = try await boss.ask("\(route.method)", path)
                    #expect(
                        (400..<500).contains(answer.status) && answer.problem != nil,
                        "\(route.method) \(path): \(answer.status) \(answer.text)")
                }
            }
        }
    }

    @Test("behind the question mark is refused or passed over")
    func queries() async throws {
        try await Self.run { _, boss, names in
            for (place, route) in names.enumerated() where route.method == .get && route.path != "/v1/events"
            {
                for query in Self.some(Self.queries, place) {
                    let path = "/" + Self.filled(route.path, "kraken:X") + "?" + query
                    let answer = try await boss.get(path)
                    #expect(answer.status < 500, "\(path): \(answer.status) \(answer.text)")
                    #expect(answer.status < 400 || answer.problem != nil, "\(path)")
                }
            }
        }
    }

    @Test("as bodies is refused, or what the route takes no body for")
    func bodies() async throws {
        try await Self.run { _, boss, names in
            let id = "0190a0b0-c0d0-7000-8000-00000000abcd"
            var reading = 0
            for (place, route) in names.enumerated() where route.method != .get {
                let path = "/" + Self.filled(route.path, id)
                var isReading = false
                // The second is read as JSON by whoever reads a body.
                for (name, bytes) in [Self.bodies[1]] + Self.some(Self.bodies, place) {
                    var head = "\(route.method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(boss.port)\r\n"
                    for (name, value) in boss.headers { head += "\(name): \(value)\r\n" }
                    head += "Connection: close\r\nContent-Type: application/json\r\n"
                    let answer = try await boss.raw(
                        Array((head + "Content-Length: \(bytes.count)\r\n\r\n").utf8) + bytes)
                    #expect(
                        answer.status < 500, "\(route.method) \(path), \(name.prefix(60)): \(answer.text)")
                    #expect(answer.status < 400 || answer.problem != nil)
                    // A removal looks at most whether a body is broken.
                    if answer.problem == "malformed-json", route.method != .delete { isReading = true }
                    // Who reads a body never takes one of these for it.
                    if isReading {
                        #expect(answer.status >= 400, "\(route.method) \(path), \(name.prefix(60))")
                    }
                }
                if isReading { reading += 1 }
            }
            #expect(reading > 25)
        }
    }

    @Test("costs no memory that stays, however large, deep or slow it is")
    func memory() async throws {
        try await Self.run {
            $0.server.bodyTimeout = .milliseconds(100)
        } _: { fixture, boss, _ in
            let large = String(repeating: "a", count: (1 << 20) - 100)
            let bodies = [
                #"{"name":"\#(large)"}"#, "[" + String(repeating: "1,", count: 500_000) + "1]",
                String(repeating: #"{"a":"#, count: 200_000), large + large,
            ]
            func flood(_ count: Int) async throws {
                for number in 0..<count {
                    let answer = try await boss.ask(
                        "POST", "/v1/watchlists", json: bodies[number % bodies.count])
                    #expect((400..<500).contains(answer.status))
                }
                // Heads with a body that does not come, many at once.
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<count {
                        group.addTask {
                            var head = "POST /v1/watchlists HTTP/1.1\r\nHost: 127.0.0.1:\(boss.port)\r\n"
                            for (name, value) in boss.headers { head += "\(name): \(value)\r\n" }
                            head += "Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{"
                            return try await boss.raw(Array(head.utf8)).status
                        }
                    }
                    for try await status in group { #expect(status == 408) }
                }
            }
            try await flood(20)
            let before = try Self.residentMemory()
            try await flood(60)
            let grown = try Self.residentMemory() - before
            // What was sent is about as much; a body that stayed would be many times its size.
            #expect(grown < 64 << 20, "\(grown >> 20) MiB more")
        }
    }

    @Test("behind a request for a WebSocket that was refused is not read")
    func behindRefusal() async throws {
        try await Self.run { fixture, boss, _ in
            let elsewhere = [("Origin", "http://elsewhere.example")]
            let before = try Self.residentMemory()
            try await StreamClient.run(port: boss.port, headers: elsewhere) { client, head async throws in
                #expect(head.hasPrefix("HTTP/1.1 403 "))
                let part = [UInt8](repeating: 0x61, count: 1 << 20)
                // Until the gateway closes, which it does after two seconds.
                await #expect(throws: (any Error).self) {
                    while true { try await client.send(raw: part) }
                }
            }
            let grown = try Self.residentMemory() - before
            #expect(grown < 64 << 20, "\(grown >> 20) MiB more")
        }
    }

    /// Bytes that this process has in memory.
    private static func residentMemory() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .ascii)
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
        return try #require(pages) * sysconf(Int32(_SC_PAGESIZE))
    }
}
