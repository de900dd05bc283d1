package import Instruments

/// One partition: the rows of a kind in [from, to), by venue time.
package struct Partition: Hashable, Sendable {
    /// Its table, without the schema.
    package var name: String
    /// What is in it.
    package var kind: PartitionKind
    /// The first instant that belongs to it.
    package var from: Timestamp
    /// The first instant that does not; the end of 64-bit time belongs to the last one.
    package var to: Timestamp

    package init(name: String, kind: PartitionKind, from: Timestamp, to: Timestamp) {
        self.name = name
        self.kind = kind
        self.from = from
        self.to = to
    }
}

/// Which partitions of one kind should be made and which dropped.
///
/// Each venue has a window: from so long before its newest data to some partitions after it. What no window
/// touches holds nothing that is still kept, since no venue has data after its newest; so it goes, unless it
/// is later than all windows. A replay of an old session is a venue like any other, and has its window there.
struct RetentionPlan: Hashable {
    /// Missing, in order.
    private(set) var create: [PartitionNumber] = []
    /// Over, oldest first.
    private(set) var drop: [Partition] = []

    /// - Parameters:
    ///   - kind: Of all partitions.
    ///   - partitions: All that there are.
    ///   - newest: The time of each venue's newest row.
    ///   - keep: Nanoseconds; `nil` drops nothing.
    init(_ kind: PartitionKind, partitions: [Partition], newest: [Timestamp], keep: Int64?) {
        let existing = Set(partitions.map { PartitionNumber(kind, at: $0.from) })
        var wanted: Set<PartitionNumber> = []
        for time in newest {
            let first = PartitionNumber(kind, at: time)
            for number in first.number...first.number + Int64(kind.ahead) {
                let place = PartitionNumber(kind, number: number)
                // Beyond the end of 64-bit time there is nothing to be ready for.
                if place != first, place.from == Timestamp(nanoseconds: .max) { continue }
                wanted.insert(place)
            }
        }
        create = wanted.subtracting(existing).sorted()
        guard let keep, let last = newest.max() else { return }
        drop = partitions.filter { partition in
            guard partition.to <= last.adding(nanoseconds: -keep) else { return false }
            return newest.allSatisfy { time in
                let ahead = PartitionNumber(kind, at: time).number + Int64(kind.ahead)
                let isBefore = partition.to <= time.adding(nanoseconds: -keep)
                return isBefore || partition.from > PartitionNumber(kind, number: ahead).from
            }
        }.sorted { $0.from < $1.from }
    }
}
