import Recordings
import Testing

/// A small recording of one instrument in a venue's words, and what a client says and hears.
///
/// Each begins with the book 99 × 5 | 101 × 7 and goes on with a bid of 100 × 2; a trade is at 101.
struct SpokenBook: Sendable, CustomTestStringConvertible {
    let venue: String
    /// Where a client connects.
    let address: String
    /// Its subscription to the book and to the trades.
    let subscriptions: [String]
    /// What the venue says to them, without data; `nil` for one that it says nothing to.
    let confirmations: [String?]
    /// A subscription to an instrument that there is not.
    let wrong: String
    /// What the venue says to it.
    let refusal: String
    /// The recorded messages, of which the first is the whole book where it does not come by REST.
    let messages: [String]
    /// A recorded answer with the whole book, behind the first message.
    var image: (url: String, body: String)?
    /// What is asked whether the connection lives, and what answers it.
    var ping: (question: String, answer: String)?

    var testDescription: String { venue }

    /// 100 ms apart.
    var entries: [RecordingEntry] {
        var entries: [RecordingEntry] = []
        for (place, message) in messages.enumerated() {
            entries.append(Tape.message(Int64(place + 1) * 100, message))
            if place == 0, let image { entries.append(Tape.answer(150, image.url, image.body)) }
        }
        return entries
    }
}
