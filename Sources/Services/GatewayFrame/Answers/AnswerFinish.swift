import Crypto
import Encodings
import HTTPTypes
import Hummingbird
import NIOCore

/// What every answer gets before it leaves: a tag, 304 where the client has it already, and gzip.
enum AnswerFinish {
    /// Answers shorter than this are not worth compressing, in bytes.
    static let compressionFloor = 1_024

    /// The answer as it goes out.
    ///
    /// - Parameters:
    ///   - response: What the route made; one that is written piece by piece is left alone.
    ///   - request: What was asked.
    /// - Returns: The answer to send.
    /// - Throws: What writing the body throws.
    static func finish(_ response: Response, for request: HTTPRequest) async throws -> Response {
        guard let length = response.body.contentLength, length > 0 else { return response }
        var response = response
        let bytes = try await BodyCollector.bytes(of: response.body)
        var isTagged = false
        if request.method == .get, response.status == .ok {
            let tag = response.headers[.eTag] ?? Self.tag(of: bytes)
            response.headers[.eTag] = tag
            isTagged = true
            if request.headerFields[.ifNoneMatch].map({ matches($0, tag) }) == true {
                return notModified(response)
            }
        }
        guard bytes.readableBytes > compressionFloor, isCompressible(response.headers) else {
            return response
        }
        response.headers[.vary] = "Accept-Encoding"
        guard accepts(request.headerFields[.acceptEncoding]), let packed = Gzip.compress(bytes) else {
            return response
        }
        if isTagged, let tag = response.headers[.eTag] {
            response.headers[.eTag] = String(tag.dropLast()) + "-gz\""
        }
        response.headers[.contentEncoding] = "gzip"
        response.body = ResponseBody(byteBuffer: packed)
        return response
    }

    /// A strong tag of these bytes.
    static func tag(of bytes: ByteBuffer) -> String {
        "\"\(Hexadecimal.text(SHA256.hash(data: bytes.readableBytesView).prefix(12)))\""
    }

    /// Whether a client has what a tag stands for, packed or not.
    static func matches(_ header: String, _ tag: String) -> Bool {
        let packed = String(tag.dropLast()) + "-gz\""
        return header.split(separator: ",").contains { entry in
            var entry = entry.drop { $0 == " " }
            while entry.last == " " { entry.removeLast() }
            if entry.hasPrefix("W/") { entry = entry.dropFirst(2) }
            return entry == "*" || entry == tag || entry == packed
        }
    }

    /// Whether gzip is accepted (RFC 9110, section 12.5.3).
    static func accepts(_ header: String?) -> Bool {
        guard let header else { return false }
        var byStar = false
        for entry in header.lowercased().split(separator: ",") {
            let parts = entry.split(separator: ";").map { $0.filter { $0 != " " } }
            let isRefused = parts.dropFirst().contains { ["q=0", "q=0.0", "q=0.00", "q=0.000"].contains($0) }
            if parts.first == "gzip" { return !isRefused }
            if parts.first == "*" { byStar = !isRefused }
        }
        return byStar
    }

    private static func notModified(_ response: Response) -> Response {
        var headers = response.headers
        headers[.contentLength] = nil
        headers[.contentType] = nil
        headers[.contentEncoding] = nil
        return Response(status: .notModified, headers: headers)
    }

    private static func isCompressible(_ headers: HTTPFields) -> Bool {
        guard headers[.contentEncoding] == nil, let type = headers[.contentType] else { return false }
        return ["json", "text/", "javascript", "yaml", "svg", "manifest"].contains { type.contains($0) }
    }
}

/// Takes back what an answer would write.
struct BodyCollector: ResponseBodyWriter {
    private final class Store: Sendable {
        nonisolated(unsafe) var bytes = ByteBuffer()  // SAFETY: one writer, read after it has ended.
    }

    private let store = Store()

    static func bytes(of body: ResponseBody) async throws -> ByteBuffer {
        let collector = BodyCollector()
        let store = collector.store
        try await body.write(collector)
        return store.bytes
    }

    mutating func write(_ buffer: ByteBuffer) async throws {
        var buffer = buffer
        if store.bytes.readableBytes == 0 {
            store.bytes = buffer
        } else {
            store.bytes.writeBuffer(&buffer)
        }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
