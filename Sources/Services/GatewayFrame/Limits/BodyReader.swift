import Hummingbird
import NIOCore

/// Reads bodies, bounded in size and time.
struct BodyReader: Sendable {
    /// The largest body, in bytes.
    static let limit = 1 << 20
    /// The same of a file that somebody sends who works on the machine itself: 64 MiB, each byte of which
    /// may take two as JSON.
    static let fileLimit = 128 << 20

    let timeout: Duration

    /// The whole body, of at most `limit` bytes.
    ///
    /// - Throws: `payload-too-large`, `too-slow`.
    func read(_ request: Request, atMost limit: Int = BodyReader.limit) async throws -> ByteBuffer {
        if let length = request.headers[.contentLength].flatMap({ Int($0) }) {
            if length == 0 { return ByteBuffer() }
            guard length <= limit else { throw Self.tooLarge(limit) }
        } else if request.headers[.transferEncoding] == nil {
            return ByteBuffer()
        }
        return try await withThrowingTaskGroup(of: ByteBuffer?.self) { group in
            group.addTask { try await Self.collect(request.body, atMost: limit) }
            group.addTask { [timeout] in
                try await Task.sleep(for: timeout)
                return nil
            }
            defer { group.cancelAll() }
            guard let body = try await group.next() ?? nil else {
                var problem = Problem(.tooSlow, "the body did not come within \(timeout)")
                problem.headers[.connection] = "close"
                throw problem
            }
            return body
        }
    }

    private static func collect(_ body: RequestBody, atMost limit: Int) async throws -> ByteBuffer {
        var whole = ByteBuffer()
        do {
            for try await part in body {
                guard whole.readableBytes + part.readableBytes <= limit else { throw tooLarge(limit) }
                whole.writeImmutableBuffer(part)
            }
        } catch let problem as Problem {
            throw problem
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            // Whatever else ends a body early is its sender's doing: chunks that are none, or a hang-up.
            var problem = Problem(.badRequest, "the body is not what HTTP/1.1 makes of one")
            problem.headers[.connection] = "close"
            throw problem
        }
        return whole
    }

    private static func tooLarge(_ limit: Int) -> Problem {
        var problem = Problem(.payloadTooLarge, "the body is larger than \(limit) bytes")
        // Nobody reads the rest.
        problem.headers[.connection] = "close"
        return problem
    }
}
