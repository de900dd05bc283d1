/// A channel that brings books, of which a connection may have several of one symbol.
struct BookChannel: Hashable, Sendable {
    /// The venue's name of it.
    private let place: Int
    /// Levels a side at the most.
    let depth: Int
    /// Whether each message is the whole book, whatever it says of itself.
    let sendsWholes: Bool

    /// The channel of a name; `nil` where it is none of these.
    init?(_ name: String, of channels: [(name: String, depth: Int, sendsWholes: Bool)]) {
        guard let place = channels.firstIndex(where: { $0.name == name }) else { return nil }
        self.place = place
        depth = channels[place].depth
        sendsWholes = channels[place].sendsWholes
    }
}
