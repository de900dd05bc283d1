/// The integers that a candle can count prices and sizes in.
///
/// Int64 is what venues' instruments need; Int128 is for files, whose numbers may have up to 38 digits.
public protocol CandleUnits: FixedWidthInteger, SignedInteger, Sendable {
    /// The product of a price and a size, which always fits.
    static func product(_ price: Self, _ size: Self) -> Int256
}

extension Int64: CandleUnits {
    /// The product of a price and a size.
    @inlinable
    public static func product(_ price: Int64, _ size: Int64) -> Int256 {
        Int256(Int128(price) * Int128(size))
    }
}

extension Int128: CandleUnits {
    /// The product of a price and a size.
    @inlinable
    public static func product(_ price: Int128, _ size: Int128) -> Int256 { Int256(product: price, size) }
}
