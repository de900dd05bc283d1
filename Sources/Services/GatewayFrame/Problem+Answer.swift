import HTTPTypes
package import Hummingbird
import NIOCore
import Shapes

extension Problem {
    /// The answer that tells it.
    package var answer: Response {
        var fields = headers
        fields[.contentType] = "application/problem+json"
        fields[.cacheControl] = "no-store"
        if let retryAfter { fields[.retryAfter] = "\(retryAfter)" }
        if code == .unauthenticated, fields[.wwwAuthenticate] == nil {
            fields[.wwwAuthenticate] = "Bearer realm=\"bitpal\""
        }
        return Response(
            status: code.status, headers: fields, body: ResponseBody(byteBuffer: buffer))
    }
}
