import AlertStore
import Alerting
import Channels
import Instruments
import Store

/// A delivery as it leaves, and how its answer is read.
struct Composition: Sendable {
    var outgoing: Outgoing
    var settings: ChannelSettings
}

/// Makes messages of deliveries.
struct Composer: Sendable {
    /// Where addresses of users may lead.
    var policy: DestinationPolicy
    /// What the messages of some channels need: from whom letters come, keys, the page.
    var context: SendingContext
    /// The notice in a person's words.
    var words: @Sendable (Notice, Channel) -> NoticeText

    /// The channel's settings, checked.
    func settings(of channel: Channel) throws(ChannelFault) -> ChannelSettings {
        try ChannelSettings(
            kind: channel.kind.rawValue, settings: channel.settings, secrets: channel.secrets.json,
            policy: policy)
    }

    /// The message for one attempt.
    ///
    /// - Throws: `ChannelFault` for a channel that cannot be used as it is set up.
    func compose(
        _ delivery: Delivery, _ gathered: [GatheredFirings.Row], at now: Timestamp
    ) throws(ChannelFault) -> Composition {
        let settings = try settings(of: delivery.channel)
        let notice = Notice(delivery, gathered)
        var context = context
        context.now = now
        let outgoing = try settings.outgoing(notice, words(notice, delivery.channel), context)
        return Composition(outgoing: outgoing, settings: settings)
    }
}

extension ChannelSettings {
    /// Where connections lead, for how many there are at once; what else is limited, is so by channel.
    var host: String {
        switch self {
        case .webhook(let settings): settings.url.origin
        case .ntfy(let settings): settings.server.origin
        case .webPush(let settings): settings.endpoint.origin
        case .apns(let settings): "apns \(settings.environment.rawValue)"
        case .email: "mail"
        case .telegram: "telegram"
        case .slack: "slack"
        case .discord: "discord"
        case .command(let arguments): arguments.first ?? "command"
        }
    }
}

extension Notice {
    /// What a delivery tells.
    init(_ delivery: Delivery, _ gathered: [GatheredFirings.Row]) {
        switch delivery.subject {
        case .firing(let firing): self.init(firing, id: delivery.messageID)
        case .notice(let told): self.init(told, id: delivery.messageID, created: delivery.created)
        }
        channel = delivery.channel.name
        guard !gathered.isEmpty else { return }
        items = gathered.map { row in
            Item(
                rule: RuleID(uuid: row.firing.rule.high, row.firing.rule.low), epoch: row.firing.epoch,
                instrument: row.firing.instrument, price: row.firing.price.decimal,
                venueTime: row.firing.venueTime)
        }
        count = Int(clamping: gathered[0].total)
        venueTime = gathered[0].firing.venueTime
    }

    private init(_ firing: ToldFiring, id: String) {
        let kind: Kind =
            switch firing.kind {
            case "blind": .blind
            case "sees_again": .seesAgain
            case "tested": .test
            default: firing.lateBy > 0 ? .late : .fired
            }
        self.init(id: id, kind: kind, venueTime: firing.venueTime)
        rule = RuleID(uuid: firing.rule.high, firing.rule.low)
        epoch = firing.epoch
        instrument = firing.instrument
        (price, previous, level) = (firing.price.decimal, firing.previous.decimal, firing.level.decimal)
        reason = firing.reason
        lateBy = firing.lateBy
        // A rule that cannot be read is one of a newer version: its firing is told all the same.
        guard let definition = try? AlertRule(json: firing.definition) else { return }
        condition = definition.condition
        note = definition.note
        tags = definition.tags
        priority = definition.priority
    }

    private init(_ told: OutboxNotice, id: String, created: Timestamp) {
        let kind: Kind =
            switch told.kind {
            case .test: .test
            case .quieted: .quieted
            case .digest: .digest
            }
        self.init(id: id, kind: kind, venueTime: told.time ?? created)
        reason = told.reason
        note = told.note
        count = Int(clamping: told.count)
    }
}

extension String? {
    /// The number of a database's text.
    fileprivate var decimal: DecimalNumber? { flatMap { try? DecimalNumber(parsing: $0) } }
}
