package import AccountStore
package import Instruments
import MarketStore
package import Store

/// Something that happened to a rule.
package struct RuleEvent: Hashable, Sendable {
    /// What can happen to a rule, by its name in the database.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Its owner made it.
        case created
        /// Its owner changed what it says.
        case edited
        /// Its owner switched it on.
        case enabled
        /// Its owner switched it off.
        case disabled
        /// Its owner deleted it.
        case deleted
        /// Its owner's account was disabled.
        case rested
        /// Its owner's account was enabled again.
        case resumed
        case fired
        /// The data that it needs could not be believed any more.
        case blind
        /// That data could be believed again.
        case seesAgain = "sees_again"
        /// Its owner wanted to see a notification.
        case tested
        /// It fired too often within an hour.
        case quieted
        /// All is told again; the reason says how many firings were left out.
        case quietEnded = "quiet_ended"
    }

    package var time: Timestamp
    package var kind: Kind
    /// The rule's version then.
    package var version: Int64
    /// Which firing, `nil` for an owner's change.
    package var epoch: Int64?
    /// Why it fired, or the rule from then on in the form of import and export.
    package var text: String
    /// Channels by which a firing was not told at once, each with the reason; `nil` for none.
    package var held: String?
    /// What fired it; `nil` for an owner's change.
    package var firing: LastFiring?
    /// Nanoseconds for which nothing could be believed, or firings are left out; `nil` for all other kinds.
    package var span: Int64?

    /// Where an event is in the list.
    package struct Cursor: Hashable, Sendable {
        package var time: Timestamp
        /// The rule's version then.
        package var version: Int64
        /// Which firing; -1 for an owner's change.
        package var epoch: Int64

        /// Describes it.
        package init(time: Timestamp, version: Int64, epoch: Int64) {
            (self.time, self.version, self.epoch) = (time, version, epoch)
        }
    }
}

extension Session {
    /// What happened to a rule, newest first.
    ///
    /// - Parameters:
    ///   - rule: Which rule.
    ///   - user: Whose it is.
    ///   - limit: At most so many events.
    ///   - before: The place of the last one that is known, to go on after it.
    /// - Returns: The events.
    /// - Throws: ``StoreError``.
    package func history(
        of rule: UniqueID, by user: UserID, limit: Int = 100, before: RuleEvent.Cursor? = nil
    ) throws(StoreError) -> [RuleEvent] {
        try rows(
            """
            SELECT at, kind, version, epoch, text, (
                SELECT string_agg(channel.name || ': ' || outbox.last_error, '; ' ORDER BY channel.name)
                FROM alerts.outbox AS outbox JOIN alerts.channel AS channel USING (channel_id)
                WHERE outbox.rule_id = \(rule) AND outbox.epoch = happened.epoch AND outbox.held
                    AND \(owner: "channel.user_id", is: user)
            ), venue_time, price, previous, level, trade_id, late_by FROM (
                SELECT at, kind, version, NULL::bigint AS epoch, rule::text AS text,
                    NULL::bigint AS venue_time, NULL::numeric AS price, NULL::numeric AS previous,
                    NULL::numeric AS level, NULL::text AS trade_id, NULL::bigint AS late_by
                FROM alerts.rule_event
                WHERE rule_id = \(rule) AND /*owner*/(EXISTS (
                    SELECT FROM alerts.rule WHERE rule_id = \(rule) AND user_id = \(user)))/*own*/
                UNION ALL
                SELECT fired_at, kind, rule_version, epoch, reason, venue_time, price, previous, level,
                    trade_id, late_by
                FROM alerts.firing
                WHERE rule_id = \(rule) AND \(owner: "user_id", is: user)
            ) AS happened
            WHERE \(before?.time)::timestamptz IS NULL OR (at, version, coalesce(epoch, -1))
                < (\(before?.time), \(before?.version ?? 0)::bigint, \(before?.epoch ?? 0)::bigint)
            ORDER BY at DESC, version DESC, coalesce(epoch, -1) DESC
            LIMIT \(Int32(clamping: limit))
            """, RuleEvent.init)
    }
}

extension RuleEvent {
    fileprivate init(_ row: inout RowReader) throws(StoreError) {
        time = try row.time()
        let kind = try row.word(Kind.self)
        self.kind = kind
        (version, epoch) = (try row.int64(), try row.int64OrNil())
        (text, held) = (try row.text(), try row.textOrNil())
        let (venueTime, price, previous) = (
            try row.int64OrNil(), try row.numericOrNil(), try row.numericOrNil()
        )
        let (level, trade, lateBy) = (try row.numericOrNil(), try row.textOrNil(), try row.int64OrNil())
        guard let epoch, let venueTime, let lateBy else { return }
        if kind.hasSpan { span = lateBy }
        firing = LastFiring(
            epoch: epoch, venueTime: Timestamp(nanoseconds: venueTime), price: price?.description,
            previous: previous?.description, level: level?.description, tradeID: trade,
            lateBy: kind.hasSpan ? 0 : lateBy, reason: text)
    }
}

extension RuleEvent.Kind {
    /// Whether what is stored is how long something lasts, and not by how much it was found too late.
    fileprivate var hasSpan: Bool { [.seesAgain, .quieted, .quietEnded].contains(self) }
}
