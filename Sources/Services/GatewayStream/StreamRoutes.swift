package import GatewayFrame
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1
import Shapes

/// The stream's routes: `/v1/events`, and what `/v1/stream` says to who is no WebSocket.
package struct StreamRoutes: Sendable {
    private let stream: StreamHub
    private let handshake: StreamHandshake
    private let logger: Logger

    package init(_ hub: StreamHub, _ services: RequestServices) {
        stream = hub
        handshake = StreamHandshake(of: services.configuration)
        logger = services.logger
    }

    package func add(to routes: RouteTable) {
        let (stream, handshake, logger) = (stream, handshake, logger)
        routes.add(
            .get, StreamHandshake.path, RouteRules(access: .open, weight: 5), StreamDocuments.socket
        ) { request, context in
            // A handshake that was refused for that comes here, too.
            _ = try stream.limits.connections.take(context.identity, from: context.client)
            throw try handshake.refusal(of: HTTPRequestHead(request.head))
                ?? Problem(.badRequest, "this is a WebSocket: connect with Upgrade: websocket")
        }
        routes.add(
            .get, "/v1/events", RouteRules(access: .open, weight: 5), StreamDocuments.events
        ) { request, context in
            if let problem = handshake.originRefusal(try HTTPRequestHead(request.head)) { throw problem }
            let identity = context.identity
            let permit = try stream.limits.connections.take(identity, from: context.client)
            var topics: [StreamTopic] = []
            for (channel, key) in try StreamEvents.names(context.query) {
                topics.append(
                    try await StreamAccess.topic(
                        channel, key, for: identity, marketIsPublic: stream.marketIsPublic, stream.sources))
            }
            let places = try topics.flatMap { topic throws(Problem) in
                try stream.limits.take(topic.channel, for: permit.caller)
            }
            let last = HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] }
            let events = StreamEvents(
                hub: stream, identity: identity, topics: topics,
                places: StreamEvents.places(last, count: topics.count))
            let loop = context.eventLoop
            return Response(
                status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
                body: ResponseBody { writer in
                    defer { withExtendedLifetime((permit, places)) {} }
                    do {
                        try await events.run(&writer, on: loop)
                    } catch {
                        logger.debug("Events ended", metadata: ["error": "\(error)"])
                    }
                    try await writer.finish(nil)
                })
        }
    }
}

/// What the document says of the stream: neither route takes or gives one JSON value.
private enum StreamDocuments {
    /// A connection that becomes a WebSocket.
    static let socket = RouteDocument(
        operation: Operation(
            "stream", .stream, "One WebSocket for everything that changes",
            """
            Upgrade to a WebSocket (RFC 6455, version 13, no subprotocol, no extension). Then JSON texts of \
            at most 16 kB: `{"op":"subscribe","id":"a1","channel":"ticker","key":"kraken:BTC/USD"}` is \
            answered with `subscribed`, a `snapshot`, and then each `change` with its number. Without an \
            upgrade the answer is a problem. A `candles` message is the newest candle, with the one before \
            as `previous`, which may still change.
            """),
        parameters: [
            header("Upgrade", "", .words(["websocket"])),
            header("Sec-WebSocket-Version", "", .words(["13"])),
            header("Sec-WebSocket-Key", "16 bytes in base64.", .text(length: 24...24)),
            header(
                "Origin", "Of a page; only the gateway's own address and `page.url` may connect.", .text()),
        ],
        answers: [
            AnswerDocument(status: 101, text: "The connection is a WebSocket from here on.")
        ])

    /// Server-sent events.
    static let events = RouteDocument(
        operation: Operation(
            "events", .stream, "The same channels as server-sent events", problems: [.notFound]),
        parameters: [
            ParameterDocument(
                name: "channel",
                text:
                    "A channel and its key, such as `ticker:kraken:BTC/USD`; or a channel alone, with `key`.",
                schema: .array(.text(length: 0...220), 1...StreamEvents.topicLimit),
                example: ["ticker:kraken:BTC/USD", "index:BTC-USD"], isRequired: true),
            ParameterDocument(
                name: "key", text: "The key of the one channel that is given without.",
                schema: .text(length: 0...200)),
            header("Last-Event-ID", "Of the last event that was read, to go on after it.", .text()),
        ],
        answers: [
            AnswerDocument(
                status: 200,
                text: """
                    Events `snapshot`, `change` and `skipped` until the connection ends, with comments as \
                    heartbeats every 15 s.
                    """,
                content: ("text/event-stream", .text(), .text(shownEvent)), isInPieces: true)
        ])

    private static let shownEvent = """
        id: l5q0.1
        event: snapshot
        data: {"channel":"index","key":"BTC-USD","epoch":981216,"sequence":1,\
        "data":{"pair":"BTC-USD","price":"61000.5"}}

        """

    private static func header(_ name: String, _ text: String, _ schema: Schema) -> ParameterDocument {
        ParameterDocument(name: name, place: .header, text: text, schema: schema)
    }
}
