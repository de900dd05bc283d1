/// Counts the time in which somebody listened: whoever was not heard meanwhile was silent.
///
/// A process that stood still, or a machine that slept, heard nobody, and that is nobody's fault: of such a
/// pause at most ten seconds count.
package struct ListenedTime: Sendable {
    /// Nanoseconds of one step at most.
    private static let longestStep: Int64 = 10_000_000_000

    /// Nanoseconds so far.
    package private(set) var nanoseconds: Int64 = 0
    private var last: Int64?

    package init() {}

    /// Lets time pass up to now.
    ///
    /// - Parameters:
    ///   - now: Nanoseconds of a clock that never jumps.
    ///   - isHearing: Whether anything at all is heard; silence of everybody says nothing of one.
    package mutating func advance(to now: Int64, isHearing: Bool = true) {
        if let last, isHearing { nanoseconds += max(0, min(now - last, Self.longestStep)) }
        last = now
    }
}
