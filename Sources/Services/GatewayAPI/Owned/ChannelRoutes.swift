import AccountStore
import Accounts
import AlertStore
import Channels
import GatewayFrame
import Hummingbird
import Instruments
import JSON
import Shapes
import Store

extension Gateway {
    /// In which language a form is told.
    static let wordsLocale = Parameter.text(
        "locale", "The language of titles and labels; English where there is none of it.", atMost: 64,
        example: "de")

    func addChannelRoutes(to routes: RouteTable) {
        routes.get(
            "/v1/channels", .scope(.alertsRead),
            Operation("listChannels", .alerts, "Where alerts are told, by name."), query: .page
        ) { context in
            let question = try context.page(of: "channels")
            let rows = try await own(context) { try $0.channels(of: $1) }
            return try Page(rows, of: "channels", question, key: { $0.id.description }, item: { $0 })
        }
        routes.create(
            "/v1/channels", .scope(.alertsWrite),
            Operation(
                "makeChannel", .alerts,
                """
                Adds a channel. A webhook's key is made and shown once unless it is given; a letter's \
                address is sent a code.
                """)
        ) { (body: NewChannel, context) in try await makeChannel(body, context) }
        routes.get(
            "/v1/channels/kinds", .scope(.alertsRead),
            Operation(
                "listChannelKinds", .alerts,
                "The kinds of channel in the order in which a form offers them, with what each asks for."),
            query: [Self.wordsLocale]
        ) { context in
            let language = Language.best(for: [try context.query[Self.wordsLocale] ?? ""])
            let kinds = ChannelCatalogue.standard.offered
            return WholeList(items: kinds.map { ChannelKindBody(kind: $0, language: language) })
        }
        routes.get(
            "/v1/channels/{id}", .scope(.alertsRead),
            Operation("channel", .alerts, "One channel, without its secrets.")
        ) { context in
            let id = try context.id()
            return OK(try await own(context) { try $0.channel(id, of: $1) })
        }
        addChannelChangeRoutes(to: routes)
        addChannelProbeRoutes(to: routes)
    }

    private func addChannelChangeRoutes(to routes: RouteTable) {
        routes.patch(
            "/v1/channels/{id}", .scope(.alertsWrite),
            Operation("changeChannel", .alerts, "Changes a channel; what is missing stays.")
        ) { (change: ChannelChange, context) in
            let (id, who, now) = (try context.id(), try context.who, services.clock())
            let channel = try await own(context) { session, user in
                // Whoever seals it with another key meanwhile waits, or is waited for.
                try session.lockChannels(of: user)
                let old = try session.channel(id, of: user)
                let new = try change.applied(to: old, by: who, accounts?.vault, at: now)
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
            return OK(channel)
        }
        routes.delete(
            "/v1/channels/{id}", .scope(.alertsWrite),
            Operation(
                "deleteChannel", .alerts, "Forgets a channel, with what waits for it and what it was told.",
                "A rule that names it goes on with its other channels, and one that names no other with all.")
        ) { context in
            let (id, now) = (try context.id(), services.clock())
            try await own(context) { session, user in
                try session.removeChannel(try session.channel(id, of: user).name, of: user, at: now)
            }
            return NoContent()
        }
    }

    private func addChannelProbeRoutes(to routes: RouteTable) {
        routes.create(
            "/v1/channels/{id}/test", .scope(.alertsWrite),
            Operation("testChannel", .alerts, "Puts a test message into the outbox.")
        ) { context in
            let (id, now) = (try context.id(), services.clock())
            return try creation(context) { session, user in
                let channel = try session.channel(id, of: user)
                guard channel.isUsable else {
                    let step = channel.disabled == nil ? "verify" : "enable"
                    throw Problem(
                        .conflict,
                        "the channel \"\(channel.name)\" is \(channel.stateName): \(step) it first")
                }
                var random = SystemRandomNumberGenerator()
                let key = UniqueID(version7At: now.nanoseconds, using: &random)
                try session.execute(.addNotice(OutboxNotice(.test, time: now), key, to: id))
                return Accepted(ChannelTest(delivery: key))
            }
        }
        routes.post(
            "/v1/channels/{id}/confirm", .scope(.alertsWrite),
            Operation(
                "confirmChannel", .alerts,
                "Says the code that was sent to a channel; without one another is sent.",
                "A wrong code takes the right one away. A user has at most 20 codes sent within an hour."),
            weight: 20
        ) { (body: ChannelCode, context) in
            let (id, code, now) = (try context.id(), body.code, services.clock())
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
            return Confirmation(channel: channel)
        }
    }

    /// Sends a code to where a channel tells; not often, for it may be somebody who did not ask for it.
    ///
    /// - Throws: `rate-limited`.
    private func sendCode(
        to channel: AlertStore.Channel, at now: Timestamp, in session: borrowing Session
    ) throws {
        try services.rates.take(1, for: .codes(channel.user.description), at: services.monotonic())
        var random = SystemRandomNumberGenerator()
        try session.sendCode(to: channel, at: now, using: &random)
    }

    private func makeChannel(
        _ body: NewChannel, _ context: GatewayContext
    ) async throws -> Creation<Created<CreatedChannel>> {
        let (now, user) = (services.clock(), try context.who.user)
        var random = SystemRandomNumberGenerator()
        var secrets = body.secrets
        let secret = secrets == nil ? body.kind.newSecret(using: &random) : nil
        if let secret { secrets = secret.json }
        let made = secret?.text
        let wish = try body.wish(secrets, by: try context.who)
        let standard = try await services.database.withSession { try $0.standardPreferences(of: user) }
        let channel: AlertStore.Channel
        do {
            channel = try wish.channel(of: user, at: now, over: standard, using: &random)
        } catch {
            throw Problem(error)
        }
        return try creation(context) { session, user in
            try session.lockUser(user)
            let channels = try session.channels(of: user)
            guard !channels.contains(where: { $0.name == channel.name }) else {
                throw Problem(.duplicate, "you have a channel \"\(channel.name)\" already")
            }
            try Self.checkRoom(for: channels, atMost: services.configuration.channelsPerUser)
            try session.put(channel, by: accounts?.vault)
            if channel.verified == nil { try sendCode(to: channel, at: now, in: session) }
            return Created(
                CreatedChannel(channel: channel, key: made), at: "/v1/channels/\(channel.id)")
        }
    }

    /// Refuses one channel more than a user may have.
    static func checkRoom(for channels: [AlertStore.Channel], atMost limit: Int) throws(Problem) {
        guard channels.count >= limit else { return }
        throw Problem(
            .conflict,
            "you have \(channels.count) channels, devices among them, and at most \(limit) are accepted; "
                + "remove one first")
    }
}

/// A message that was asked for.
private struct ChannelTest: WireBody {
    static let shape = BodyShape<ChannelTest>("ChannelTest") {
        Field("delivery", \.delivery, "Which delivery it is.")
    }

    var delivery: UniqueID
}

/// 200 with a channel that is confirmed, or 202 with one that was sent a code.
private struct Confirmation: RouteAnswer {
    static let documents: [AnswerDocument] =
        OK<AlertStore.Channel>.documents + [.json(202, "A code is on its way.", AlertStore.Channel.self)]

    var channel: AlertStore.Channel

    var response: Response { channel.verified == nil ? Accepted(channel).response : OK(channel).response }
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
