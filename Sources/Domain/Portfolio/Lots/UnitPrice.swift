import Instruments

/// What one unit was bought for, to be compared without rounding: 1 for 3 is dearer than 1 for 4, whether it
/// is three units or 3 × 10^30.
struct UnitPrice: Sendable {
    /// A quotient that no decimal of ``LotAccounting/places`` places is.
    private final class Quotient: Sendable {
        let value: Amount
        let amount: Amount

        init(_ value: Amount, _ amount: Amount) {
            self.value = value
            self.amount = amount
        }
    }

    static let zero = UnitPrice(rounded: .zero, quotient: nil)

    /// Rounding changes no order, so it decides nearly always.
    private let rounded: Amount
    private let quotient: Quotient?

    private init(rounded: Amount, quotient: Quotient?) {
        self.rounded = rounded
        self.quotient = quotient
    }

    /// Divides; nothing for no units.
    init(_ value: Amount, for amount: Amount) {
        rounded = value.divided(by: amount, places: LotAccounting.places) ?? .zero
        quotient = amount.isZero || rounded * amount == value ? nil : Quotient(value, amount)
    }
}

extension UnitPrice: Comparable {
    static func == (left: UnitPrice, right: UnitPrice) -> Bool {
        guard left.rounded == right.rounded else { return false }
        return left.quotient == nil && right.quotient == nil || cross(left, right) == cross(right, left)
    }

    static func < (left: UnitPrice, right: UnitPrice) -> Bool {
        guard left.rounded == right.rounded else { return left.rounded < right.rounded }
        return (left.quotient != nil || right.quotient != nil) && cross(left, right) < cross(right, left)
    }

    /// The value of one times the units of the other.
    private static func cross(_ one: UnitPrice, _ other: UnitPrice) -> Amount {
        (one.quotient?.value ?? one.rounded) * (other.quotient?.amount ?? .one)
    }
}
