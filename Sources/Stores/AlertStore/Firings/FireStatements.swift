import Instruments
import MarketStore
import Store

/// The compare-and-set of a rule's state and epoch, and what follows from it, in one statement.
///
/// Two writers of one epoch meet at the rule's row: the second waits for the first, looks again and finds
/// another epoch. Without names of channels a rule is told by all of its owner's; by devices
/// only while its owner wants alerts there.
struct Fire: Statement {
    static let sql = """
        WITH moved AS (
            UPDATE alerts.rule SET
                epoch = $3, state = $4, done_at = CASE WHEN $5 THEN clock_timestamp() ELSE done_at END
            WHERE rule_id = $1 AND version = $2 AND epoch = $3 - 1 AND shard = $17
                AND (enabled AND NOT rested AND done_at IS NULL OR $18 = 'tested')
            RETURNING rule_id, epoch, user_id, version, channels
        ), fired AS (
            INSERT INTO alerts.firing (
                rule_id, epoch, user_id, rule_version, venue, symbol, reason, price, previous, level,
                trade_id, venue_time, received_time, sequence, late_by, kind)
            SELECT rule_id, epoch, user_id, version, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $18
            FROM moved
            RETURNING rule_id, epoch
        ), told AS (
            INSERT INTO alerts.outbox (rule_id, epoch, channel_id)
            SELECT fired.rule_id, fired.epoch, channel.channel_id
            FROM fired, moved JOIN alerts.channel AS channel
                ON channel.user_id = moved.user_id
                AND (moved.channels = '{}' OR channel.name = ANY (moved.channels))
                AND channel.verified_at IS NOT NULL AND channel.disabled_at IS NULL
            LEFT JOIN accounts.setting AS setting ON setting.user_id = moved.user_id
            WHERE NOT \(ChannelColumns.isDevice) OR coalesce(setting.alerts, true)
        )
        SELECT count(*) FROM fired
        """

    let row: FiringRow

    func bind(_ parameters: inout Parameters) {
        parameters.append(row.rule)
        parameters.append(row.version)
        parameters.append(row.epoch)
        parameters.append(bytes: row.state)
        parameters.append(row.isDone)
        parameters.append(row.instrument?.venue.rawValue)
        parameters.append(row.instrument?.symbol)
        parameters.append(row.reason)
        for number in [row.price, row.previous, row.level] {
            parameters.append(number.map { Numeric(units: $0.units, scale: $0.scale.places) })
        }
        parameters.append(row.tradeID)
        parameters.append(row.venueTime.nanoseconds)
        parameters.append(row.receivedTime.nanoseconds)
        parameters.append(Int64(clamping: row.sequence))
        parameters.append(row.lateBy)
        parameters.append(Int16(row.shard.rawValue))
        parameters.append(row.kind.rawValue)
    }

    static func decode(_ row: inout RowReader) throws(StoreError) -> Bool { try row.int64() == 1 }
}

/// Whether a firing is stored.
struct HasFired: Statement {
    static let sql = "SELECT EXISTS (SELECT FROM alerts.firing WHERE rule_id = $1 AND epoch = $2)"

    let rule: UniqueID
    let epoch: Int64

    func bind(_ parameters: inout Parameters) {
        parameters.append(rule)
        parameters.append(epoch)
    }

    static func decode(_ row: inout RowReader) throws(StoreError) -> Bool { try row.bool() }
}

/// The state of a rule that did not fire, with the same compare-and-set.
struct SaveState: Statement {
    typealias Row = Void
    static let sql = """
        UPDATE alerts.rule SET
            state = $4, done_at = CASE WHEN $5 THEN clock_timestamp() END
        WHERE rule_id = $1 AND version = $2 AND epoch = $3 AND shard = $6 AND enabled AND NOT rested
            AND done_at IS NULL
        """

    let state: RuleState

    func bind(_ parameters: inout Parameters) {
        parameters.append(state.rule)
        parameters.append(state.version)
        parameters.append(state.epoch)
        parameters.append(bytes: state.state)
        parameters.append(state.isDone)
        parameters.append(Int16(state.shard.rawValue))
    }
}
