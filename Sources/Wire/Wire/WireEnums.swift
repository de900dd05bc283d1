import Instruments
public import MarketData

extension Bitpal_V1_BookState {
    /// The state as it travels.
    public init(_ state: BookState) {
        self = Bitpal_V1_BookState(rawValue: Int(state.rawValue)) ?? .unspecified
    }

    var domain: BookState? { UInt8(exactly: rawValue).flatMap(BookState.init(rawValue:)) }
}

extension Bitpal_V1_BookStateReason {
    /// The reason as it travels.
    public init(_ reason: BookStateReason) {
        self = Bitpal_V1_BookStateReason(rawValue: Int(reason.rawValue)) ?? .unspecified
    }

    var domain: BookStateReason? { UInt8(exactly: rawValue).flatMap(BookStateReason.init(rawValue:)) }
}

extension Bitpal_V1_StreamPosition {
    /// The position as it travels.
    public init(_ position: StreamPosition) {
        self.init()
        producer = position.producer
        epoch = position.epoch
        sequence = position.sequence
    }

    var domain: StreamPosition { StreamPosition(producer: producer, epoch: epoch, sequence: sequence) }
}
