import NIOPosix

@testable import Web

/// Collects what a connection delivers, message by message.
struct Inbox: Sendable {
    let messages = Mailbox<String>()
    /// Answered to each batch.
    var demand: WebSocketDemand = .more

    func receive(_ batch: WebSocketBatch) -> WebSocketDemand {
        for index in 0..<batch.count { messages.put(batch.text(index)) }
        return demand
    }

    /// Opens a connection that delivers here.
    func connect(
        to port: Int, scheme: String = "ws", host: String = "127.0.0.1",
        configuration: WebSocketConfiguration = .test
    ) async throws -> WebSocketConnection {
        try await WebSocketConnection.connect(
            to: "\(scheme)://\(host):\(port)/realtime", on: MultiThreadedEventLoopGroup.singleton.any(),
            configuration: configuration
        ) { receive($0) }
    }
}

extension WebSocketConfiguration {
    /// Small limits, a fixed clock, no pings.
    static let test = WebSocketConfiguration(
        closeDeadline: .seconds(5), maximumFrameBytes: 1 << 16, maximumMessageBytes: 1 << 17,
        maximumOutboundBytes: 1 << 16, idle: nil, wallClock: { 42 })

    func with(_ change: (inout WebSocketConfiguration) -> Void) -> WebSocketConfiguration {
        var copy = self
        change(&copy)
        return copy
    }
}
