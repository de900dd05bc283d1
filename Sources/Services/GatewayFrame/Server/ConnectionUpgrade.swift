package import NIOCore
package import NIOHTTP1
package import NIOHTTPTypes

/// What a connection speaks, once that is decided.
package enum SpokenProtocol: Sendable {
    case http(NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>)
    case stream(any Channel)
}

/// Makes what may turn a connection of an event loop into something else than HTTP.
package typealias ConnectionUpgrade =
    @Sendable (any EventLoop) -> any NIOTypedHTTPServerProtocolUpgrader<SpokenProtocol>

extension ChannelPipeline.SynchronousOperations {
    /// Takes away what reads HTTP, of a connection that speaks something else from here on.
    package func removeAnswerGuard() throws {
        removeHandler(try handler(type: AnswerGuard.self), promise: nil)
    }
}
