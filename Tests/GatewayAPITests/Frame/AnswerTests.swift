import CZlib
import Glibc
import Hummingbird
import Instruments
import NIOCore
import Support
import Testing

@testable import GatewayAPI
@testable import GatewayFrame

@Suite("Gateway answers", .timeLimit(.minutes(10)))
struct AnswerTests {
    private static let long = ["text": String(repeating: "long text ", count: 500)]

    private static func run(_ body: (GatewayFixture) async throws -> Void) async throws {
        try await GatewayFixture.run(
            prepare: { gateway in
                gateway.addFurtherRoutes = { routes in
                    routes.get("/v1/long", .open, Operation("long", .service, "A long text.")) { _ in
                        OK(Self.long, freshness: .seconds(2))
                    }
                }
            }, body)
    }

    @Test("says 304 to who has the bytes already, packed or not")
    func notModified() async throws {
        try await Self.run { fixture async throws in
            let first = try await fixture.client.get("/v1/long")
            let tag = try #require(first.header("etag"))
            #expect(first.header("cache-control") == "private, max-age=2")
            for given in [tag, "\"other\", \(tag)", "W/\(tag)", "*", String(tag.dropLast()) + "-gz\""] {
                let again = try await fixture.client.get("/v1/long", headers: [("If-None-Match", given)])
                #expect(again.status == 304 && again.body.isEmpty && again.header("etag") != nil, "\(given)")
            }
            let other = try await fixture.client.get("/v1/long", headers: [("If-None-Match", "\"other\"")])
            #expect(other.status == 200)
        }
    }

    @Test("packs what is long where that is accepted")
    func gzip() async throws {
        try await Self.run { fixture async throws in
            let plain = try await fixture.client.get("/v1/long")
            #expect(plain.header("content-encoding") == nil && plain.header("vary") == "Accept-Encoding")
            let packed = try await fixture.client.get(
                "/v1/long", headers: [("Accept-Encoding", "br, gzip;q=0.5")])
            #expect(packed.header("content-encoding") == "gzip" && packed.body.count < plain.body.count / 10)
            #expect(try Self.unpacked(packed.body) == plain.body)
            #expect(packed.header("etag") != plain.header("etag"))
            let refused = try await fixture.client.get("/v1/long", headers: [("Accept-Encoding", "gzip;q=0")])
            #expect(refused.header("content-encoding") == nil)
            let short = try await fixture.client.get("/health/live", headers: [("Accept-Encoding", "gzip")])
            #expect(short.header("content-encoding") == nil)
        }
    }

    private static func unpacked(_ bytes: [UInt8]) throws -> [UInt8] {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        try #require(inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, size) == Z_OK)
        defer { inflateEnd(&stream) }
        var output = [UInt8](repeating: 0, count: 1 << 20)
        var input = bytes
        let count = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                return inflate(&stream, Z_FINISH) == Z_STREAM_END ? output.count - Int(stream.avail_out) : -1
            }
        }
        try #require(count >= 0)
        return Array(output[..<count])
    }

    @Test("serves a folder's files whole, packed and by their tags, and nothing beside them")
    func files() async throws {
        let folder = try TestDatabase.temporaryDirectory()
        let secret = try TestDatabase.temporaryDirectory() + "/secret.txt"
        try Self.write("secret", to: secret)
        let page = "<!doctype html>" + String(repeating: "<p>page</p>", count: 200)
        try Self.write(page, to: folder + "/index.html")
        try Self.write("export {};", to: folder + "/main.js")
        try Self.write("hidden", to: folder + "/.hidden.txt")
        try Self.write("other", to: folder + "/notes.bak")
        try await GatewayFixture.run(prepare: { $0.web = try? WebFolder(path: folder) }) { fixture in
            let page = try await fixture.client.get("/")
            #expect(page.status == 200 && page.header("content-type") == "text/html; charset=utf-8")
            #expect(page.header("cache-control") == "no-cache")
            #expect(try await fixture.client.get("/setup").body == page.body)
            #expect(try await fixture.client.get("/shared/abc").body == page.body)
            let packed = try await fixture.client.get("/", headers: [("Accept-Encoding", "gzip")])
            #expect(try Self.unpacked(packed.body) == page.body)
            let tag = try #require(packed.header("etag"))
            let again = try await fixture.client.get(
                "/", headers: [("Accept-Encoding", "gzip"), ("If-None-Match", tag)])
            #expect(again.status == 304)
            #expect(try await fixture.client.get("/main.js").text == "export {};")
            for path in ["/.hidden.txt", "/notes.bak", "/index.htm", "//index.html/x", "/main.js/"] {
                let answer = try await fixture.client.get(path)
                #expect(answer.status == 404 || answer.text == "export {};", "\(path)")
            }
            for path in ["/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/" + secret] {
                let answer = try await fixture.client.get(path)
                #expect(answer.status == 400 || answer.status == 404, "\(path)")
            }
        }
    }

    private static func write(_ text: String, to path: String) throws {
        let file = try #require(fopen(path, "w"))
        defer { fclose(file) }
        try #require(fputs(text, file) >= 0)
    }
}
