import Synchronization
import Wire

/// One life of a producer: what its messages begin with, and whether it still has a say.
final class PublisherLife: Sendable {
    let producer: String
    let epoch: UInt64
    /// The place among the lives of the publisher; another's once this one is over.
    let slot: Int
    let prefix: [UInt8]
    private let mayGoOn: @Sendable () -> Bool
    private let over = Atomic<Bool>(false)

    init(_ producer: String, epoch: UInt64, slot: Int = 0, while mayGoOn: @escaping @Sendable () -> Bool) {
        self.producer = producer
        self.epoch = epoch
        self.slot = slot
        self.mayGoOn = mayGoOn
        prefix = EnvelopeHeader.prefix(producer: producer, epoch: epoch)
    }

    /// Whether it was ended, or was once found to be over.
    var isOver: Bool { over.load(ordering: .acquiring) }

    func end() { over.store(true, ordering: .releasing) }

    /// Asks whether it has a say now; once it has not, it never has again: what was left out in between
    /// would be missing.
    func isAsked() -> Bool {
        if isOver { return false }
        if mayGoOn() { return true }
        end()
        return false
    }
}
