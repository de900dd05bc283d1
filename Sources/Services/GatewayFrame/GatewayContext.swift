package import AccountStore
package import Hummingbird
package import Instruments
package import NIOCore
package import Store

/// What belongs to one request besides its bytes.
package struct GatewayContext: RequestContext {
    /// What Hummingbird needs.
    package var coreContext: CoreRequestContextStorage
    /// Who asks; `nil` for nobody in particular.
    package var identity: Identity?
    /// The client's IP address, as text without a port; behind trusted proxies the one that they tell.
    package var client: String
    /// Names the request in the answer and in the log.
    var requestID = ""
    /// What it asks for, as the audit log names it: the method and the route.
    var command = ""
    /// When it came, in nanoseconds of a clock that never steps.
    var start: Int64 = 0
    /// The parameters behind the question mark.
    package var query = RequestQuery()
    /// The whole body, already bounded; empty for GET.
    package var body = ByteBuffer()

    /// Where its connection lives.
    package let eventLoop: any EventLoop

    /// Begins with what the connection knows.
    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        eventLoop = source.channel.eventLoop
        client = source.channel.remoteAddress?.ipAddress ?? "local"
    }

    /// Who asks.
    ///
    /// - Throws: `unauthenticated`; routes that ask for a scope or a session never see it.
    package var who: Identity {
        get throws(Problem) {
            guard let identity else { throw Problem(.unauthenticated, "sign in, or send a token") }
            return identity
        }
    }

    /// A part of the path, such as `id` in `/v1/alerts/{id}`, decoded.
    ///
    /// - Throws: `bad-request` for text that is no UTF-8.
    package func path(_ name: String) throws(Problem) -> String {
        guard let raw = parameters.get(name) else { throw .notFound(name) }
        return try PercentDecoding.decode(raw[...], plusIsSpace: false, "the path")
    }

    /// A part of the path that is a UUID.
    ///
    /// - Throws: `not-found` for anything else: there is no such thing.
    package func id(_ name: String = "id") throws(Problem) -> UniqueID {
        let text = try path(name)
        guard let id = UniqueID(text.lowercased()) else { throw .notFound("\"\(text.prefix(60))\" here") }
        return id
    }

    /// A part of the path that names an instrument: `venue:SYMBOL`.
    ///
    /// - Throws: `not-found` for anything else.
    package func instrument(_ name: String = "instrument") throws(Problem) -> InstrumentID {
        let text = try path(name)
        guard let id = InstrumentID(text) else {
            throw .notFound("instrument \"\(text.prefix(60))\"; it is written VENUE:SYMBOL")
        }
        return id
    }
}
