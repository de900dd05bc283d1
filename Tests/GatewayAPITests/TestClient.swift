import JSON
import NIOCore
import NIOPosix
import Support

@testable import GatewayFrame

/// What came back.
struct TestAnswer: Sendable {
    var status: Int
    /// Names in lower case.
    var headers: [String: [String]]
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
    func header(_ name: String) -> String? { headers[name.lowercased()]?.first }

    /// The body as JSON.
    func json() throws -> JSONValue { try JSONInput.read(body) }

    /// A member of the body's object; a path such as `items.0.id`.
    func json(_ path: String) throws -> JSONValue? {
        var value = try json()
        for part in path.split(separator: ".") {
            switch value {
            case .object(let members):
                guard let member = members[String(part)] else { return nil }
                value = member
            case .array(let values):
                guard let index = Int(part), values.indices.contains(index) else { return nil }
                value = values[index]
            default: return nil
            }
        }
        return value
    }

    /// The code of a problem; `nil` when it is none.
    var problem: String? {
        guard header("content-type") == "application/problem+json", case .string(let code) = try? json("code")
        else { return nil }
        return code
    }
}

/// Asks a server, one connection a request, over a bare socket, so that it can ask wrongly, too.
struct TestClient: Sendable {
    var port: Int
    /// Headers of every request.
    var headers: [(String, String)] = []

    /// Asks and reads the answer.
    func ask(
        _ method: String, _ path: String, headers: [(String, String)] = [], json: String? = nil
    ) async throws -> TestAnswer {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n"
        for (name, value) in self.headers + headers { head += "\(name): \(value)\r\n" }
        if let json {
            if !headers.contains(where: { $0.0.lowercased() == "content-type" }) {
                head += "Content-Type: application/json\r\n"
            }
            head += "Content-Length: \(json.utf8.count)\r\n"
        }
        return try await raw(Array((head + "\r\n" + (json ?? "")).utf8), isHead: method == "HEAD")
    }

    /// Reads.
    func get(_ path: String, headers: [(String, String)] = []) async throws -> TestAnswer {
        try await ask("GET", path, headers: headers)
    }

    /// Sends bytes and reads until the server hangs up.
    func raw(_ bytes: [UInt8], isHead: Bool = false) async throws -> TestAnswer {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        let answer = try await channel.executeThenClose { inbound, outbound in
            // Who is refused in the middle of a body need not take the rest.
            try? await outbound.write(ByteBuffer(bytes: bytes))
            var answer: [UInt8] = []
            do {
                for try await part in inbound { answer += Array(part.readableBytesView) }
            } catch {
                // A connection that is reset after the answer has still answered.
                if answer.isEmpty { throw error }
            }
            return answer
        }
        return try Self.read(answer, isHead: isHead)
    }

    private static func read(_ bytes: [UInt8], isHead: Bool) throws -> TestAnswer {
        guard let end = firstRange(of: Array("\r\n\r\n".utf8), in: bytes) else {
            throw PropertyFailure("no answer but \(bytes.count) bytes")
        }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        guard let first = lines.first, let status = Int(first.split(separator: " ")[1]) else {
            throw PropertyFailure("no status line")
        }
        var headers: [String: [String]] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            headers[parts[0].lowercased(), default: []].append(String(parts[1].drop { $0 == " " }))
        }
        var body = Array(bytes[(end + 4)...])
        if headers["transfer-encoding"]?.first == "chunked" { body = try unchunked(body) }
        if !isHead, let length = headers["content-length"]?.first, Int(length) != body.count {
            throw PropertyFailure("\(body.count) bytes came of \(length)")
        }
        return TestAnswer(status: status, headers: headers, body: body)
    }

    private static func unchunked(_ bytes: [UInt8]) throws -> [UInt8] {
        var whole: [UInt8] = []
        var rest = bytes[...]
        while let end = firstRange(of: [0x0D, 0x0A], in: Array(rest)) {
            let size = Int(String(decoding: rest.prefix(end), as: UTF8.self), radix: 16) ?? 0
            rest = rest.dropFirst(end + 2)
            if size == 0 { return whole }
            whole += rest.prefix(size)
            rest = rest.dropFirst(size + 2)
        }
        throw PropertyFailure("the last chunk is missing")
    }

    private static func firstRange(of pattern: [UInt8], in bytes: [UInt8]) -> Int? {
        guard bytes.count >= pattern.count else { return nil }
        return (0...(bytes.count - pattern.count)).first {
            bytes[$0..<$0 + pattern.count].elementsEqual(pattern)
        }
    }
}
