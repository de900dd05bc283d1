package import Instruments

/// How amounts of a currency are written for people: with its digits, or with every digit that there is.
package struct MoneyText: Sendable {
    /// Figures of a price that is worth so little that the currency's digits would leave none.
    private static let figures = 4
    /// No price has its first figure farther behind the point.
    private static let mostPlaces = 30

    private let places: Int?

    private init(places: Int?) { self.places = places }

    /// Every digit.
    package static let exact = MoneyText(places: nil)

    /// With the digits of a currency, half to even.
    package static func rounded(in currency: Asset) -> MoneyText { MoneyText(places: currency.moneyPlaces) }

    /// What stands between sums that are written so: rounded ones need not be equal to the last digit.
    package var equals: String { places == nil ? "=" : "≈" }

    /// An amount of money with the digits that are written.
    package func shown(_ amount: Amount) -> Amount { places.map { amount.rounded(places: $0) } ?? amount }

    /// An amount of money.
    package func money(_ amount: Amount) -> String {
        places.map { amount.text(places: $0) } ?? amount.description
    }

    /// The price of one: below a hundred of the smallest coin with ``figures`` figures.
    package func price(_ price: Amount) -> String {
        guard let places else { return price.description }
        guard !price.isZero, price.magnitude < Amount(units: 100, places: places) else {
            return price.text(places: places)
        }
        var first = max(places - 1, 0)
        while first < Self.mostPlaces, price.magnitude < Amount(units: 1, places: first) { first += 1 }
        return price.text(places: max(places, first + Self.figures - 1))
    }
}
