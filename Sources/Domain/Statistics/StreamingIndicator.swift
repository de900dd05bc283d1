/// A function of a series that is told one value after the other.
///
/// Feeding a whole series and feeding it piece by piece are the same computation, so both give identical
/// results. Inputs must be finite; results then are finite too, and `nil` until enough has been seen.
public protocol StreamingIndicator<Input, Output>: Sendable, Hashable {
    /// What it is fed with.
    associatedtype Input
    /// What it says.
    associatedtype Output

    /// Takes the next value; `nil` while there are too few.
    mutating func update(_ input: Input) -> Output?
}

extension StreamingIndicator {
    /// The results of a whole series, one for each value, `nil` before there are enough.
    ///
    /// The indicator itself is left as it is.
    public func series(of inputs: some Sequence<Input>) -> [Output?] {
        var fresh = self
        return inputs.map { fresh.update($0) }
    }
}

/// Differences smaller than this count as zero, as TA-Lib has it.
///
/// Source: TA-Lib 0.6, `ta_utility.h`, TA_EPSILON.
let negligible = 1e-14

extension Double {
    /// Whether it is as good as zero.
    var isNegligible: Bool { self > -negligible && self < negligible }
}
