import Glibc
import Instruments

/// What a synthetic market trades, and at which numbers.
struct SyntheticInstrument: Hashable, Sendable {
    var symbol: String
    /// Decimal places of prices.
    var priceScale: Scale
    /// Decimal places of sizes.
    var sizeScale: Scale
    /// The smallest step of the price, in units of the price scale.
    var tick: Int64
    /// What the price usually is, in units of the price scale; a multiple of the tick.
    var startPrice: Int64
    /// The smallest size, in units of the size scale.
    var lot: Int64
    /// The greatest size, in lots.
    var greatestLots: Int64
    /// How much happens, compared with others of the venue.
    var liveliness = 1
    /// Levels of a side of the book, more or less.
    var depth = 120

    static let tenths = Scale(1) ?? .zero
    static let hundredths = Scale(2) ?? .zero
    static let satoshi = Scale(8) ?? .zero
}

extension SyntheticInstrument {
    /// An instrument at numbers that suit its price: five or six digits of it, sizes of about a dollar.
    ///
    /// - Parameters:
    ///   - symbol: In the venue's spelling.
    ///   - liveliness: How much happens, compared with others of the venue.
    ///   - depth: Levels of a side of the book, more or less.
    init(listed symbol: String, liveliness: Int = 1, depth: Int = 120) {
        let (base, quote) = SyntheticPair(symbol).assets(dollars: 1)
        let price = base.dollars / quote.dollars
        let digits = Int(log10(price).rounded(.down))
        let places = min(max(5 - digits, 0), 8)
        let sizePlaces = min(max(Int(log10(base.dollars).rounded(.down)) + 1, 0), 8)
        let smallest = base.dollars / pow(10, Double(sizePlaces))
        self.init(
            symbol: symbol, priceScale: Scale(places) ?? .zero, sizeScale: Scale(sizePlaces) ?? .zero,
            tick: 1, startPrice: max(Int64((price * pow(10, Double(places))).rounded()), 1), lot: 1,
            greatestLots: max(Int64(Self.greatestDollars * Double(liveliness).squareRoot() / smallest), 40),
            liveliness: liveliness, depth: depth)
    }

    /// What the greatest order is worth.
    private static let greatestDollars = 6_000.0

    /// Lots of a trade, more or less.
    var usualLots: Int64 { max(greatestLots / 4, 1) }

    /// Its price through time, in ticks.
    ///
    /// - Parameters:
    ///   - venue: Each has a price of its own, a little off.
    ///   - model: Of all prices.
    /// - Returns: A path that the model knows.
    func path(at venue: Venue, in model: inout PriceModel) -> PricePath {
        let unit = Double(tick) / Double(priceScale.power)
        let (base, quote) = SyntheticPair(symbol).assets(dollars: Double(startPrice / tick) * unit)
        return model.path(of: base, in: quote, at: "\(venue):\(symbol)", unit: unit)
    }
}
