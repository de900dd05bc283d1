import Store

/// That what is said of deliveries of before names no address of the operator's network: their owners read
/// it.
enum M0012_PublicErrors: Migration {
    static let version = 12
    static let name = "public errors"
    /// Programs of earlier versions work on their own version only.
    static let readableFrom: Int? = 12
    static let sql = """
        -- What the sender said until now, as a delivery's error and in a notice that a channel has ended.
        UPDATE alerts.outbox
        SET last_error = regexp_replace(
            last_error, 'not sent: ([^ ]+) leads to .*$', 'not sent: \\1 does not lead to a public address')
        WHERE last_error ~ 'not sent: [^ ]+ leads to ';
        UPDATE alerts.outbox
        SET notice = jsonb_set(notice::jsonb, '{reason}', to_jsonb(regexp_replace(
            notice ->> 'reason', 'not sent: ([^ ]+) leads to .*$',
            'not sent: \\1 does not lead to a public address')))::json
        WHERE notice ->> 'reason' ~ 'not sent: [^ ]+ leads to ';
        -- What the operator's relay said, in its own words.
        UPDATE alerts.outbox AS outbox
        SET last_error = regexp_replace(
            outbox.last_error, 'it answers ([45][0-9][0-9]): .*$', 'it answers \\1')
        FROM alerts.channel AS channel
        WHERE channel.channel_id = outbox.channel_id AND channel.kind = 'email'
            AND outbox.last_error ~ 'it answers [45][0-9][0-9]: ';
        """
}
