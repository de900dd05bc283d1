import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

/// One connection over TLS, with the certificate of the moment at which it begins.
struct SecuredChannel: ServerChildChannel, HTTPChannelHandler {
    typealias Value = GatewayChannel.Value

    let plain: GatewayChannel
    let certificate: ServerCertificate

    var responder: HTTPChannelHandler.Responder { plain.responder }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(
                NIOSSLServerHandler(context: certificate.context))
        }.flatMap { plain.setup(channel: channel, logger: logger) }
    }

    func handle(value: Value, logger: Logger) async { await plain.handle(value: value, logger: logger) }
}
