/// What a venue may say of the state of its derivatives.
package enum DerivativeFigure: String, Hashable, Sendable, CaseIterable {
    case indexPrice = "index price"
    case funding
    case openInterest = "open interest"
    /// Positions that it closes.
    case liquidations
}

extension Set<DerivativeFigure> {
    /// All of them.
    package static var all: Self { Set(DerivativeFigure.allCases) }
}
