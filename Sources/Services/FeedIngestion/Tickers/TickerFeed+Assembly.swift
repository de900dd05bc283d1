import Bus
import Hosting
import Instruments
import Logging
import NIOCore
import Venues
import Web

extension TickerFeed {
    /// The feed beside a venue's place; `nil` where the venue has no such tickers, or nobody wants them.
    init?(
        _ desk: VenueDesk, _ publisher: PublisherVoice, in frame: ServiceFrame, _ http: HTTPClient
    ) {
        var logger = frame.logger
        logger[metadataKey: "venue"] = "\(desk.venue)"
        var parts = Parts(
            http: http, publisher: publisher, loop: frame.eventLoopGroup.next(), clock: frame.clock,
            logger: logger, gate: desk.gate)
        parts.pins = KeyPins(desk.base.pins) ?? .any
        parts.proxies = http.proxies
        self.init(desk.base, parts)
    }
}
