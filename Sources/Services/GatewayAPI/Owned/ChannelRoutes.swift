import AccountStore
import Accounts
import AlertStore
import Channels
import Hummingbird
import Instruments
import JSON
import Store

extension Gateway {
    /// Channels of one user, at most; devices among them.
    private static let channelLimit = 100

    func addChannelRoutes(to routes: RouteTable) {
        routes.get("/v1/channels", .scope(.alertsRead), query: .page) { _, context in
            let question = try context.page(of: "channels")
            let rows = try await own(context) { try $0.channels(of: $1) }
            return try OwnedAnswer.page(
                rows, of: "channels", question, key: { $0.id.description }, item: ChannelJSON.line)
        }
        routes.post("/v1/channels", .scope(.alertsWrite), creates: true) { _, context in
            try await makeChannel(context)
        }
        routes.get("/v1/channels/{id}", .scope(.alertsRead)) { _, context in
            let id = try context.id()
            let channel = try await own(context) { try $0.channel(id, of: $1) }
            return OwnedAnswer.json(ChannelJSON.line(channel))
        }
        routes.patch("/v1/channels/{id}", .scope(.alertsWrite)) { _, context in
            let (id, change, now) = (try context.id(), try context.json(ChannelChange.self), services.clock())
            let channel = try await own(context) { session, user in
                // Whoever seals it with another key meanwhile waits, or is waited for.
                try session.lockChannels(of: user)
                let old = try session.channel(id, of: user)
                let new = try change.applied(to: old, by: accounts?.vault, at: now)
                if new.secrets == old.secrets {
                    try session.put(new)
                } else {
                    try session.put(new, by: accounts?.vault)
                }
                if new.verified == nil, old.verified != nil || new.settings != old.settings {
                    try sendCode(to: new, at: now, in: session)
                }
                return new
            }
            return OwnedAnswer.json(ChannelJSON.line(channel))
        }
        routes.delete("/v1/channels/{id}", .scope(.alertsWrite)) { _, context in
            let (id, now) = (try context.id(), services.clock())
            try await own(context) { session, user in
                try session.removeChannel(try session.channel(id, of: user).name, of: user, at: now)
            }
            return .noContent
        }
        addChannelProbeRoutes(to: routes)
    }

    private func addChannelProbeRoutes(to routes: RouteTable) {
        routes.post("/v1/channels/{id}/test", .scope(.alertsWrite), creates: true) { _, context in
            let (id, now) = (try context.id(), services.clock())
            let notice = try await own(context) { session, user in
                let channel = try session.channel(id, of: user)
                guard channel.isUsable else {
                    throw Problem(
                        .conflict,
                        "the channel \"\(channel.name)\" is \(channel.stateName); confirm or enable it first")
                }
                var random = SystemRandomNumberGenerator()
                let key = UniqueID(version7At: now.nanoseconds, using: &random)
                try session.execute(.addNotice(OutboxNotice(.test, time: now), key, to: id))
                return key
            }
            return OwnedAnswer.object(status: .accepted) { $0.text("delivery", notice.description) }
        }
        routes.post("/v1/channels/{id}/confirm", .scope(.alertsWrite), weight: 20) { _, context in
            struct Body: Decodable { var code: String? }
            let (id, now) = (try context.id(), services.clock())
            let code = context.body.readableBytes == 0 ? nil : try context.json(Body.self).code
            let channel = try await own(context) { session, user in
                let channel = try session.channel(id, of: user)
                guard channel.verified == nil else { return channel }
                if let code {
                    // A wrong code takes the right one away, and that is to be kept.
                    try session.verifyChannel(channel.name, of: user, code: code)
                } else {
                    try sendCode(to: channel, at: now, in: session)
                }
                return try session.channel(id, of: user)
            }
            guard channel.verified != nil || code == nil else {
                throw Problem.invalid(
                    "code", code,
                    accepted: "the last code that was sent, once; without a code another is sent")
            }
            return OwnedAnswer.json(
                ChannelJSON.line(channel), status: channel.verified == nil ? .accepted : .ok)
        }
    }

    /// Sends a code to where a channel tells; not often, for it may be somebody who did not ask for it.
    ///
    /// - Throws: `rate-limited`.
    private func sendCode(
        to channel: AlertStore.Channel, at now: Timestamp, in session: borrowing Session
    ) throws {
        try services.rates.take(1, for: .codes(channel.user.description), at: now)
        var random = SystemRandomNumberGenerator()
        try session.sendCode(to: channel, at: now, using: &random)
    }

    private func makeChannel(_ context: GatewayContext) async throws -> Response {
        let (body, now, user) = (try context.json(NewChannel.self), services.clock(), try context.who.user)
        var random = SystemRandomNumberGenerator()
        var secrets = body.secrets
        var made: String?
        if body.kind == ChannelKind.webhook.rawValue, secrets == nil {
            let key = WebhookSettings.newKey(using: &random)
            secrets = .object(["keys": .array([.string(key)])])
            made = key
        }
        let wish = try body.wish(secrets)
        let standard = try await services.database.withSession { try $0.standardManners(of: user) }
        let channel: AlertStore.Channel
        do {
            channel = try wish.channel(of: user, at: now, over: standard, using: &random)
        } catch {
            throw Problem(error)
        }
        try await own(context) { session, user in
            try session.lockUser(user)
            let channels = try session.channels(of: user)
            guard !channels.contains(where: { $0.name == channel.name }) else {
                throw Problem(.duplicate, "you have a channel \"\(channel.name)\" already")
            }
            guard channels.count < Self.channelLimit else {
                throw Problem(.conflict, "at most \(Self.channelLimit) channels; remove one first")
            }
            try session.put(channel, by: accounts?.vault)
            if channel.verified == nil { try sendCode(to: channel, at: now, in: session) }
        }
        var bytes = ChannelJSON.line(channel)
        if let made {
            // Shown this once.
            bytes = Array(bytes.dropLast(2)) + Array(",\"key\":\"\(made)\"}".utf8)
        }
        return OwnedAnswer.created("/v1/channels/\(channel.id)", bytes)
    }
}

extension Session {
    /// A channel of a user.
    ///
    /// - Throws: `Problem` not-found.
    fileprivate func channel(_ id: UniqueID, of user: UserID) throws -> AlertStore.Channel {
        guard let channel = try channel(id: id, of: user) else {
            throw Problem.notFound("channel \(id)")
        }
        return channel
    }
}
