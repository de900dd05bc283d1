/// One statement on its way: its name, when it began and how long it may take.
struct Exchange {
    /// How long a cancelled statement may take to end before the connection is given up.
    private static let interruptionLimit: Duration = .seconds(1)

    let name: String
    let limit: Duration
    let isInterruptible: Bool
    private(set) var deadline: Deadline
    private(set) var wasInterrupted = false
    private let start = ContinuousClock.now

    init(name: String, limit: Duration, isInterruptible: Bool) {
        self.name = name
        self.limit = limit
        self.isInterruptible = isInterruptible
        deadline = Deadline(after: limit)
    }

    var elapsed: Duration { ContinuousClock.now - start }

    mutating func interrupt() {
        wasInterrupted = true
        deadline = Deadline(after: Self.interruptionLimit)
    }
}
