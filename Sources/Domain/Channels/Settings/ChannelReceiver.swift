import Instruments

/// A kind of channel: what it is called and asks for, and of what was given who is told, and how.
///
/// Whoever conforms is the whole kind, with a line in ``ChannelCatalogue``: everything else asks for these
/// properties. Those with a default may stay out.
protocol ChannelReceiver: Sendable {
    /// As it stands on the wire and in the database, such as `web_push`.
    static var name: String { get }
    /// What people call it.
    static var title: ChannelWords { get }
    /// In the order in which they are asked for.
    static var fields: [ChannelField] { get }
    /// Who makes such channels; ``ChannelMaker/person`` unless it is said.
    static var maker: ChannelMaker { get }
    /// Whether a form suggests it before the others.
    static var isSuggested: Bool { get }
    /// Whether nothing is told before its owner has said the code that was sent there.
    static var wantsCode: Bool { get }
    /// What its messages need besides a notice and the time.
    static var needs: Set<SendingNeed> { get }

    /// The secret of a channel that was given none; `nil` where nobody but its receiver can make one.
    static func newSecret(using random: inout some RandomNumberGenerator) -> ChannelSecret?

    /// Reads what was given.
    ///
    /// - Throws: `FieldFault` for the first field that is wrong.
    init(_ given: ChannelReader) throws(FieldFault)

    /// Where connections lead, for how many there are at once.
    var host: String { get }

    /// What is to be sent; the text is made only for kinds that have words.
    ///
    /// - Throws: `FieldFault` when the context lacks what it needs.
    func outgoing(
        _ notice: Notice, _ text: () -> NoticeText, _ context: SendingContext
    ) throws(FieldFault) -> Outgoing

    /// What an answer means; that of HTTP unless it is said.
    func verdict(_ answer: Answer, at now: Timestamp) -> Verdict

    /// What a status of HTTP means that is neither 0 nor 200...299, with how long the receiver asks to wait.
    func verdict(_ status: Int, _ wait: Duration?, _ said: AnswerText) -> Verdict
}

/// Who makes channels of a kind.
package enum ChannelMaker: String, Hashable, Sendable, CaseIterable {
    /// Whoever wants to be told: the page shows its form.
    case person
    /// A browser or an app, of itself; it speaks the language and zone of its owner.
    case device
    /// Only whoever works on the machine itself.
    case machine
}

extension ChannelReceiver {
    static var maker: ChannelMaker { .person }
    static var isSuggested: Bool { false }
    static var wantsCode: Bool { false }
    static var needs: Set<SendingNeed> { [] }

    static func newSecret(using random: inout some RandomNumberGenerator) -> ChannelSecret? { nil }

    func verdict(_ answer: Answer, at now: Timestamp) -> Verdict { httpVerdict(answer, at: now) }

    func verdict(_ status: Int, _ wait: Duration?, _ said: AnswerText) -> Verdict {
        .ofStatus(status, wait, said)
    }

    /// What an answer of HTTP means; status 0 is that there was none.
    func httpVerdict(_ answer: Answer, at now: Timestamp) -> Verdict {
        switch answer.status {
        case 200...299: .delivered
        case 0: .again(after: nil)
        default: verdict(answer.status, RetryAfter.duration(answer, now: now), AnswerText(answer))
        }
    }
}
