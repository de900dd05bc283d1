import Instruments
import MarketData
import Support
import Testing

extension StreamPosition {
    static func feed(_ sequence: UInt64) -> StreamPosition {
        StreamPosition(producer: "feed", epoch: 1, sequence: sequence)
    }
}

extension BookReplica {
    static func live(_ text: String) throws -> BookReplica {
        var replica = BookReplica()
        try #require(try replica.take(text) == .applied)
        try #require(replica.state == .live)
        return replica
    }

    var text: String { BookText(book, sequence: position?.sequence).description }

    mutating func take(_ text: String) throws -> ReplicaOutcome {
        apply(try BookText(text).snapshot())
    }

    mutating func follow(
        _ text: String, producer: String = "feed", epoch: UInt64 = 1
    ) throws -> ReplicaOutcome {
        let change = try BookText(text)
        let sequence = try #require(change.sequence)
        return apply(change.delta(), at: StreamPosition(producer: producer, epoch: epoch, sequence: sequence))
    }

    mutating func declare(
        _ state: BookState, _ reason: BookStateReason, at sequence: UInt64, epoch: UInt64 = 1
    ) throws -> ReplicaOutcome {
        apply(
            BookStateChange(state: state, reason: reason, receivedTime: .zero),
            at: StreamPosition(producer: "feed", epoch: epoch, sequence: sequence))
    }
}
