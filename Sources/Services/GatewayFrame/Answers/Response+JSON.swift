package import HTTPTypes
package import Hummingbird
package import NIOCore

extension Response {
    /// Bytes that are JSON already.
    package static func json(
        _ bytes: ByteBuffer, status: HTTPResponse.Status = .ok, freshness: CachePolicy = .never
    ) -> Response {
        Response(
            status: status,
            headers: [.contentType: "application/json", .cacheControl: freshness.cacheControl],
            body: ResponseBody(byteBuffer: bytes))
    }

    /// Nothing to say but that it is done.
    package static var noContent: Response {
        Response(status: .noContent, headers: [.cacheControl: CachePolicy.never.cacheControl])
    }
}

/// How long an answer may be used again.
package enum CachePolicy: Hashable, Sendable {
    /// Somebody's own thing: not kept by anybody.
    case never
    /// The market: as long as the thing can be, in seconds; asking again costs little by the ETag.
    case seconds(Int)
    /// Files: kept, and asked about each time.
    case revalidate
    /// What is made of its address alone: kept by everybody, for a week, since another release may draw it
    /// otherwise.
    case unchanging

    /// The header's value.
    package var cacheControl: String {
        switch self {
        case .never: "no-store"
        case .seconds(let count): "private, max-age=\(count)"
        case .revalidate: "no-cache"
        case .unchanging: "public, max-age=604800, immutable"
        }
    }
}
