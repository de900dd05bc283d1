package import Instruments

/// Where and how somebody is told, as it was set up and read.
package struct ChannelSettings: Sendable {
    /// How the channel tells.
    package let kind: ChannelKind
    let receiver: any ChannelReceiver

    /// Reads the two JSON objects of a stored channel.
    ///
    /// - Parameters:
    ///   - kind: The kind's name, such as `web_push`.
    ///   - settings: What may be shown.
    ///   - secrets: What may not; no fault repeats any of it.
    ///   - policy: Where users' own addresses may lead.
    ///   - catalogue: The kinds that there are.
    /// - Throws: One ``FieldFault`` for the first field that is wrong.
    package init(
        kind: String, settings: String, secrets: String, policy: DestinationPolicy = .strict,
        of catalogue: ChannelCatalogue = .standard
    ) throws(FieldFault) {
        let given = try ChannelReader(settings: settings, secrets: secrets, policy: policy)
        guard let known = catalogue[kind] else {
            throw FieldFault("kind", kind, accepted: catalogue.choice)
        }
        self.kind = known
        receiver = try known.receiver.init(given)
        try given.finish(known.fields)
    }

    /// Where connections lead, for how many there are at once; what else is limited, is so by channel.
    package var host: String { receiver.host }

    /// What is to be sent so that a notice reaches this channel.
    ///
    /// - Parameters:
    ///   - notice: What happened.
    ///   - text: The same in the person's words, made only for channels that have words.
    ///   - context: The time, keys and addresses.
    /// - Returns: A request, a letter or a command, ready to be sent.
    /// - Throws: ``FieldFault`` when the context lacks what this kind of channel needs.
    package func outgoing(
        _ notice: Notice, _ text: @autoclosure () -> NoticeText, _ context: SendingContext
    ) throws(FieldFault) -> Outgoing {
        try receiver.outgoing(notice, { text() }, context)
    }

    /// What an answer means; status 0 is that there was none, and for a command that it succeeded.
    ///
    /// Reasons hold at most 200 characters of the receiver's words, without control characters.
    package func verdict(_ answer: Answer, at now: Timestamp) -> Verdict {
        receiver.verdict(answer, at: now)
    }
}
