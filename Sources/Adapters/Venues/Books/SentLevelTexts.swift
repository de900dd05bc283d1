import Instruments
import MarketData

/// The texts that the levels of a book were sent as, for checksums of the texts themselves.
///
/// 1. The best bid, the best ask, the second bid, the second ask and so on, 25 of each side at the most; a
///   side that has fewer is passed over.
/// 2. Of each level `price:size`, as it was sent; `:` between levels.
/// 3. CRC-32 of all of it, as a signed number of 32 bits.
///
/// Sources: OKX, "WebSocket API, Order book channel, Checksum"; Bitget, "WebSocket, Depth channel, Checksum";
/// recordings of both of 2022, whose sums are right so.
struct SentLevelTexts: Sendable {
    /// A level as it was sent, without quotes.
    struct Level: Sendable {
        var price: String
        var size: String
    }

    /// Levels a side that are hashed.
    static let depth = 25

    /// By price, for each side.
    private var sides: [[Int64: Level]] = [[:], [:]]
    /// At which the prices are.
    private var scale = Scale.zero

    /// Remembers the text of a level that was set, or forgets that of one that was removed.
    ///
    /// - Precondition: The texts are at the price's scale, ``align(to:)``.
    mutating func note(_ change: BookLevelChange, _ text: Level) {
        sides[Int(change.side.rawValue)][change.price.rawValue] = change.size.rawValue == 0 ? nil : text
    }

    /// The text of a level that was set, at the texts' scale.
    func level(_ side: BookSide, _ price: Price) -> Level? { sides[Int(side.rawValue)][price.rawValue] }

    /// Forgets everything.
    mutating func removeAll() {
        sides[0].removeAll(keepingCapacity: true)
        sides[1].removeAll(keepingCapacity: true)
    }

    /// Carries on after the book's scale grew, which a trade or a ticker can make it do as well.
    mutating func align(to newScale: Scale) {
        guard newScale != scale else { return }
        let factor = newScale > scale ? newScale.power / scale.power : 1
        scale = newScale
        for side in sides.indices where !sides[side].isEmpty {
            var moved: [Int64: Level] = [:]
            for (price, text) in sides[side] {
                moved[price.multipliedReportingOverflow(by: factor).partialValue] = text
            }
            sides[side] = moved
        }
    }

    /// The checksum of a book whose levels were all noted, at its scale.
    func checksum(of book: borrowing Book) -> UInt32 {
        let (bids, asks) = book.top(SentLevelTexts.depth)
        var text: [UInt8] = []
        text.reserveCapacity(2_048)
        for rank in 0..<max(bids.count, asks.count) {
            if rank < bids.count { append(bids[rank], .bid, to: &text) }
            if rank < asks.count { append(asks[rank], .ask, to: &text) }
        }
        return text.withUnsafeBytes(CRC32.checksum)
    }

    private func append(_ level: BookLevel, _ side: BookSide, to text: inout [UInt8]) {
        guard let sent = self.level(side, level.price) else { return }
        if !text.isEmpty { text.append(0x3A) }
        text.append(contentsOf: sent.price.utf8)
        text.append(0x3A)
        text.append(contentsOf: sent.size.utf8)
    }
}
