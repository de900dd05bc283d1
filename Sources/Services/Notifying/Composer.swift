import AlertStore
import Alerting
import Channels
import Credentials
import Instruments
import Store

/// A delivery to be told, with its channel's settings, which are read once.
struct PreparedDelivery: Sendable {
    var delivery: Delivery
    var settings: ChannelSettings
}

/// Makes messages of deliveries.
struct Composer: Sendable {
    /// Where addresses of users may lead.
    var policy: DestinationPolicy
    /// What the secrets of channels are sealed by; `nil` where there is no key file.
    var vault: SecretVault?
    /// The notice in a person's words.
    var words: @Sendable (Notice, Channel) -> NoticeText

    /// The channel's settings, checked.
    ///
    /// - Parameter channel: With its secrets opened.
    /// - Returns: Its settings.
    /// - Throws: `FieldFault` for one that cannot be used as it is set up.
    func settings(of channel: Channel) throws(FieldFault) -> ChannelSettings {
        try ChannelSettings(
            kind: channel.kind.rawValue, settings: channel.settings, secrets: channel.secrets.json,
            policy: policy)
    }

    /// The message for one attempt.
    ///
    /// - Throws: `FieldFault` for a channel that cannot be used as it is set up.
    func compose(
        _ delivery: PreparedDelivery, _ gathered: [GatheredFiring], _ context: SendingContext
    ) throws(FieldFault) -> Outgoing {
        let notice = Notice(delivery.delivery, gathered)
        return try delivery.settings.outgoing(notice, words(notice, delivery.delivery.channel), context)
    }
}

extension Notice {
    /// What a delivery tells.
    init(_ delivery: Delivery, _ gathered: [GatheredFiring]) {
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
                currency: row.firing.currency, venueTime: row.firing.venueTime,
                count: Int(clamping: row.ofRule), notice: Notice(row.firing, id: delivery.messageID))
        }
        count = Int(clamping: gathered[0].total)
        venueTime = gathered[0].firing.venueTime
    }

    private init(_ firing: DeliveredFiring, id: String) {
        let kind: Kind =
            switch firing.kind {
            case "blind": .blind
            case "sees_again": .seesAgain
            case "tested": .test
            case "quieted": .ruleQuieted
            default: firing.lateBy > 0 ? .late : .fired
            }
        self.init(id: id, kind: kind, venueTime: firing.venueTime)
        rule = RuleID(uuid: firing.rule.high, firing.rule.low)
        epoch = firing.epoch
        instrument = firing.instrument
        (price, previous, level) = (firing.price.decimal, firing.previous.decimal, firing.level.decimal)
        reason = firing.reason
        currency = firing.currency
        switch kind {
        case .blind: since = firing.venueTime
        case .seesAgain: since = firing.venueTime.adding(nanoseconds: -firing.lateBy)
        case .ruleQuieted: until = firing.venueTime.adding(nanoseconds: firing.lateBy)
        default: lateBy = firing.lateBy
        }
        // A rule that cannot be read is one of a newer version: its firing is told all the same.
        guard let definition = try? AlertRule(json: firing.definition) else { return }
        condition = definition.condition
        isLast = definition.repetition == .once && (kind == .fired || kind == .late)
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
            case .channelEnded: .channelEnded
            case .diskNearlyFull: .diskNearlyFull
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
