/// What a caller does after a ``StoreError``.
package enum Disposition: Sendable, Equatable {
    /// The same call may succeed later; wait at least this long first.
    case retry(after: Duration)
    /// The same call will fail again until a person or the program changes something.
    case fatal
}
