import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import Operations

/// One connection: HTTP/1.1, and a WebSocket where the upgrade lets it.
struct GatewayChannel: ServerChildChannel, HTTPChannelHandler {
    /// Asks ``AnswerGuard`` to answer with a problem, whatever the client says, and to close.
    struct Refused: Sendable {
        let problem: Problem
    }

    struct Value: ServerChildChannelValue {
        let decision: EventLoopFuture<SpokenProtocol>
        let channel: any Channel
    }

    /// The largest head of a request, in bytes.
    static let headLimit = 16 << 10

    let responder: HTTPChannelHandler.Responder
    let upgrade: ConnectionUpgrade?
    let idleTimeout: Duration
    let places: ConnectionLimit

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            let asked = NIOLoopBoundBox<HTTPRequestHead?>(nil, eventLoop: channel.eventLoop)
            let upgraders = upgrade.map { [$0(channel.eventLoop)] } ?? []
            let plain = NIOTypedHTTPServerUpgradeConfiguration<SpokenProtocol>(upgraders: upgraders) {
                channel in
                channel.eventLoop.makeCompletedFuture { .http(try self.http(channel, asked.value, logger)) }
            }
            var configuration = NIOUpgradableHTTPServerPipelineConfiguration(upgradeConfiguration: plain)
            configuration.enablePipelining = false  // The asynchronous channel takes one after the other.
            configuration.enableErrorHandling = false  // AnswerGuard does, with a problem.
            configuration.decoderConfiguration.maxHeaderFieldSize = Self.headLimit
            configuration.decoderConfiguration.maxHeaderListSize = Self.headLimit
            configuration.decoderConfiguration.maxHeaderFieldCount = 100
            let pipeline = channel.pipeline.syncOperations
            let decision = try pipeline.configureUpgradableHTTPServerPipeline(configuration: configuration)
            let upgrading = try pipeline.handler(type: NIOTypedHTTPServerUpgradeHandler<SpokenProtocol>.self)
            try pipeline.addHandler(AnswerGuard(), position: .before(upgrading))
            try pipeline.addHandler(UpgradeRecorder(asked), position: .before(upgrading))
            // Who connects and says nothing, or not all of it.
            let patience = channel.eventLoop.scheduleTask(in: TimeAmount(idleTimeout)) {
                channel.close(promise: nil)
            }
            decision.whenComplete { _ in patience.cancel() }
            return Value(decision: decision, channel: channel)
        }
    }

    func handle(value: Value, logger: Logger) async {
        let address = value.channel.remoteAddress?.ipAddress
        guard places.take(address) else { return await refuse(value) }
        defer { places.leave(address) }
        do {
            switch try await value.decision.get() {
            case .http(let channel): await handleHTTP(asyncChannel: channel, logger: logger)
            case .stream(let channel): try await channel.closeFuture.get()
            }
        } catch {
            // What a client does to its own connection is its own affair.
            logger.debug("A connection ended", metadata: ["error": "\(error)"])
            value.channel.close(promise: nil)
        }
    }

    /// The guard answers and closes; who has asked already is not heard.
    private func refuse(_ value: Value) async {
        value.channel.triggerUserOutboundEvent(Refused(problem: places.problem), promise: nil)
        switch try? await value.decision.get() {
        case .http(let channel)?: try? await channel.executeThenClose { _, _ in }
        case .stream(let channel)?: channel.close(promise: nil)
        case nil: break
        }
    }

    private func http(
        _ channel: any Channel, _ refused: HTTPRequestHead?, _ logger: Logger
    ) throws -> NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart> {
        let pipeline = channel.pipeline.syncOperations
        if let refused { try pipeline.addHandler(RefusedUpgrade(refused)) }
        try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
        try pipeline.addHandler(ConversionGuard())
        try pipeline.addHandler(HTTPConnectionStateHandler(idleTimeout: idleTimeout, logger: logger))
        return try NIOAsyncChannel(
            wrappingChannelSynchronously: channel,
            configuration: .init(isOutboundHalfClosureEnabled: true))
    }
}
