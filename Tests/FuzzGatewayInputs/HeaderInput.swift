import Accounts
import Credentials
import HTTPTypes
import NIOHTTP1

@testable import GatewayAPI
@testable import GatewayFrame
@testable import GatewayStream

/// Headers of a request, a line each: `Name: value`; what follows an empty line is an answer that was kept.
enum HeaderInput {
    static func read(_ bytes: [UInt8]) {
        var (fields, plain) = (HTTPFields(), HTTPHeaders())
        var rest = bytes[...]
        while !rest.isEmpty {
            let line = rest.prefix { $0 != 0x0A }
            rest = rest.dropFirst(line.count + 1)
            if line.isEmpty { break }
            let parts = line.split(separator: 0x3A, maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let name = HTTPField.Name(String(decoding: parts[0], as: UTF8.self))
            else {
                continue
            }
            let value = String(decoding: parts[1].drop { $0 == 0x20 }, as: UTF8.self)
            let field = HTTPField(name: name, value: value)
            fields.append(field)
            plain.add(name: name.rawName, value: field.value)
        }
        readWho(fields)
        readKey(fields, Array(rest))
        readConditions(fields)
        readPlaces(fields)
        readHandshake(plain)
    }

    /// A cookie is short, and the one of its name; a token is written as it was read.
    private static func readWho(_ fields: HTTPFields) {
        if let cookie = SessionCookie.value(in: fields) {
            precondition(cookie.utf8.count <= 128, "a long cookie")
            _ = Secrets.digest(text: cookie)
        }
        if let field = fields[.authorization], field.prefix(7).lowercased() == "bearer ",
            let token = try? TokenText(parsing: field.dropFirst(7))
        {
            precondition(token.text == field.dropFirst(7), "a token in two forms")
        }
    }

    /// A key that is taken is short and printable, and opens what it sealed.
    private static func readKey(_ fields: HTTPFields, _ kept: [UInt8]) {
        guard let text = fields[.idempotencyKey], let key = try? AnswerKey(text, of: "u") else { return }
        precondition((1...200).contains(text.utf8.count), "a key of \(text.utf8.count) bytes")
        precondition(key.opened(kept) == nil, "an answer that nobody sealed")
        guard let answer = KeptAnswer(kept), let sealed = try? key.sealed(answer) else { return }
        precondition(key.opened(sealed) == answer, "an answer changed while it was kept")
    }

    private static func readConditions(_ fields: HTTPFields) {
        let tag = "\"0123456789abcdef01234567\""
        if let header = fields[.ifNoneMatch] {
            let isOurs = AnswerFinish.matches(header, tag)
            precondition(!isOurs || header.contains("0123456789abcdef01234567") || header.contains("*"))
        }
        if AnswerFinish.accepts(fields[.acceptEncoding]) {
            let header = (fields[.acceptEncoding] ?? "").lowercased().filter { $0 != " " }
            precondition(header.contains("gzip") || header.contains("*"), "gzip that nobody asked for")
        }
        let places = StreamEvents.places(fields[.init("Last-Event-ID") ?? .via], count: 3)
        precondition(places.count == 3, "\(places.count) places of three")
    }

    /// Whoever asks is counted at an address, or at the proxy that does not say one.
    private static func readPlaces(_ fields: HTTPFields) {
        let proxy = "10.0.0.1"
        let client = ClientAddress.of(
            peer: proxy, forwarded: fields[values: .xForwardedFor], trusted: [proxy, "10.0.0.2"])
        precondition(client == proxy || ServerConfiguration.isIPAddress(client), "an address that is none")
        let block = AddressBlock.of(client)
        precondition(AddressBlock.of(block) == block, "a block of a block")
        _ = AddressBlock.of(fields[.xForwardedFor] ?? "")
        let host = fields[.init("Host") ?? .via]
        try? HostRule(ServerConfiguration()).check(host)
        try? CrossSite.check(fields, authority: host, page: nil)
        try? CrossSite.check(fields, authority: host, page: "https://bitpal.example")
    }

    private static func readHandshake(_ headers: HTTPHeaders) {
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/v1/stream", headers: headers)
        guard StreamHandshake(origins: ["https://bitpal.example"]).refusal(of: head) == nil else { return }
        let key = headers["sec-websocket-key"].first
        precondition(key?.utf8.count == 24, "a handshake without its key")
        precondition(StreamHandshake.accept(key ?? "").utf8.count == 28, "a key's answer is 20 bytes")
    }
}
