import AccountStore
package import GatewayFrame
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

extension StreamUpgrade {
    /// Lets connections become those of a hub's clients, as requests are let in.
    package init(to hub: StreamHub, _ admission: RequestAdmission) {
        let (identify, services) = (admission.identify, admission.services)
        let (configuration, hosts) = (services.configuration, HostRule(services.configuration))
        self.init(handshake: StreamHandshake(of: configuration)) { caller, authenticate in
            StreamConnection(hub, caller, authenticate: authenticate)
        } admit: { head, channel in
            try hosts.check(head.authority)
            let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
            let source = ApplicationRequestContextSource(channel: channel, logger: services.logger)
            var context = GatewayContext(source: source)
            context.client = ClientAddress.of(
                peer: context.client, forwarded: request.headers[values: .xForwardedFor],
                trusted: configuration.proxies)
            // As a request of the same weight, before anything is looked up for it.
            try services.rates.take(5, for: .at(context.client), at: services.monotonic())
            let identity = try await identify(request, context)
            if let identity { try services.rates.take(5, for: identity, at: services.monotonic()) }
            return StreamCaller(
                identity: identity, permit: try hub.limits.connections.take(identity, from: context.client))
        }
    }
}
