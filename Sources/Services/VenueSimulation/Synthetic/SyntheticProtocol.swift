import Instruments
import MarketData

/// Puts what happens in a synthetic market into a venue's messages.
protocol SyntheticProtocol: Sendable {
    /// The whole book as the venue answers by REST, where it gives it there alone, with the address.
    mutating func image(of flow: SyntheticFlow, at time: Timestamp) -> (url: String, body: [UInt8])?
    /// The messages that a session of an instrument begins with.
    mutating func beginning(of flow: SyntheticFlow, at time: Timestamp) -> [[UInt8]]
    /// The messages of one step.
    ///
    /// `topChanged` says whether the best bid or ask did.
    mutating func messages(
        of step: SyntheticFlow.Step, _ flow: SyntheticFlow, topChanged: Bool, at time: Timestamp
    ) -> [[UInt8]]
}

extension SyntheticProtocol {
    mutating func image(of flow: SyntheticFlow, at time: Timestamp) -> (url: String, body: [UInt8])? { nil }
}
