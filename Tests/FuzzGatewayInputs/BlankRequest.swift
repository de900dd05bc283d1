import Hummingbird
import Logging
import NIOEmbedded

@testable import GatewayFrame

/// A request of nobody, from nowhere: the readers that take a context get one of these.
enum BlankRequest {
    private static let logger = Logger(label: "fuzz")

    static func context(query: RequestQuery = RequestQuery()) -> GatewayContext {
        let source = ApplicationRequestContextSource(channel: EmbeddedChannel(), logger: logger)
        var context = GatewayContext(source: source)
        context.query = query
        return context
    }
}
