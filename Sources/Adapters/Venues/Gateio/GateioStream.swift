/// The channel that a message about a book comes on.
struct GateioStream: Equatable, Sendable {
    /// Levels a side.
    let depth: Int
    /// Whether it is `obu`, which has images of its own.
    let hasImages: Bool

    /// `order_book_update`, the one that is subscribed to.
    static let updates = GateioStream(depth: GateioSession.depth, hasImages: false)

    init(depth: Int, hasImages: Bool) { (self.depth, self.hasImages) = (depth, hasImages) }

    /// By the name that a message has: `ob.BTC_USDT.400` of `obu`, else the symbol.
    init(_ name: String) {
        guard name.hasPrefix("ob."), let depth = name.split(separator: ".").last.flatMap({ Int($0) }) else {
            self = .updates
            return
        }
        self.init(depth: depth, hasImages: true)
    }
}
