import Instruments
import MarketData

/// One row of a shown side: everything as text.
struct LadderRow: Sendable, Hashable {
    var price: String
    var size: String
    /// This size and all better ones.
    var total: String
    /// Part of the whole side's volume, also of levels that are not shown, as `12.5%`.
    var share: String
}

/// The numbers of a shown book, exact, at as few decimal places as they need.
struct LadderTable: Sendable {
    /// Best first.
    let bids: [LadderRow]
    /// Best first.
    let asks: [LadderRow]

    init(_ book: Book, _ range: BookRange) {
        let levels = range.levels(of: book)
        let all = levels.bids + levels.asks
        let prices = LadderTable.places(all.map { $0.price.decimal(book.priceScale) })
        let sizes = LadderTable.places(all.map { $0.size.decimal(book.sizeScale) })
        bids = LadderTable.rows(levels.bids, of: book.bids, book, prices, sizes)
        asks = LadderTable.rows(levels.asks, of: book.asks, book, prices, sizes)
    }

    /// The fewest places that show all of them exactly.
    private static func places(_ numbers: [DecimalNumber]) -> Scale {
        numbers.map(\.normalized.scale).max() ?? .zero
    }

    private static func rows(
        _ levels: [BookLevel], of side: BookLadder, _ book: Book, _ prices: Scale, _ sizes: Scale
    ) -> [LadderRow] {
        var volume = Int128(0)
        side.forEachLevel { volume += Int128($0.size.rawValue) }
        var total = Int128(0)
        return levels.map { level in
            total += Int128(level.size.rawValue)
            return LadderRow(
                price: WideText.text(Int128(level.price.rawValue), book.priceScale, shown: prices),
                size: WideText.text(Int128(level.size.rawValue), book.sizeScale, shown: sizes),
                total: WideText.text(total, book.sizeScale, shown: sizes),
                share: WideText.percent(Int128(level.size.rawValue), of: volume))
        }
    }
}

/// Sums and ratios of scaled integers as text, in 128 bits so that no sum of sizes can overflow.
enum WideText {
    /// The number at fewer places than it has; what is cut off is known to be zeros.
    static func text(_ units: Int128, _ scale: Scale, shown: Scale) -> String {
        precondition(shown <= scale, "only zeros may be left out")
        let digits = String((units / Int128(scale.power / shown.power)).magnitude)
        let sign = units < 0 ? "-" : ""
        guard shown.places > 0 else { return sign + digits }
        let padded = String(repeating: "0", count: max(0, shown.places + 1 - digits.count)) + digits
        return sign + padded.dropLast(shown.places) + "." + padded.suffix(shown.places)
    }

    /// A part in percent with one decimal, rounded half up.
    static func percent(_ part: Int128, of whole: Int128) -> String {
        guard whole > 0 else { return "-" }
        return text((part * 2_000 + whole) / (whole * 2), .tenths, shown: .tenths) + "%"
    }
}

extension Scale {
    /// One place.
    static let tenths = Scale(1) ?? .zero
    /// Two places.
    static let hundredths = Scale(2) ?? .zero
}
