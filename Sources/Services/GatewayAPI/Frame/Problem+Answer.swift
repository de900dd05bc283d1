import HTTPTypes
import Hummingbird
import NIOCore

extension Problem: Encodable {
    private enum CodingKeys: String, CodingKey {
        case type, title, status, code, detail, field, value, accepted
    }

    /// Writes the members of RFC 9457 and ours.
    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode("/problems/\(code.rawValue)", forKey: .type)
        try members.encode(code.title, forKey: .title)
        try members.encode(code.status.code, forKey: .status)
        try members.encode(code.rawValue, forKey: .code)
        try members.encode(detail, forKey: .detail)
        try members.encodeIfPresent(field, forKey: .field)
        try members.encodeIfPresent(value, forKey: .value)
        try members.encodeIfPresent(accepted, forKey: .accepted)
    }

    /// The answer that tells it.
    var answer: Response {
        var fields = headers
        fields[.contentType] = "application/problem+json"
        fields[.cacheControl] = "no-store"
        if let retryAfter { fields[.retryAfter] = "\(retryAfter)" }
        if code == .unauthenticated, fields[.wwwAuthenticate] == nil {
            fields[.wwwAuthenticate] = "Bearer realm=\"bitpal\""
        }
        return Response(
            status: code.status, headers: fields, body: ResponseBody(byteBuffer: JSONOutput.bytes(of: self)))
    }
}
