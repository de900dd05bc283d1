public import Instruments
public import Store

extension Session {
    /// Sends a code to a channel that its owner says afterwards, see ``VerifyChannel``; an earlier one
    /// counts no more.
    ///
    /// - Throws: ``StoreError``.
    public func sendCode(
        to channel: Channel, at now: Timestamp, using random: inout some RandomNumberGenerator
    ) throws(StoreError) {
        let digits = (0..<8).map { _ in String(UInt8.random(in: 0...9, using: &random)) }.joined()
        let id = UniqueID(version7At: now.nanoseconds, using: &random)
        let notice = OutboxNotice(
            .test, time: now, note: "\(digits)\nbitpal channel verify '\(channel.name)' \(digits)")
        try execute(SetChannelCode(channel.name, of: channel.user, code: digits))
        try execute(AddNotice(id, to: channel.id, notice: notice))
    }
}
