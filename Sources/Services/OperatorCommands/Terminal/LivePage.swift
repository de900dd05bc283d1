import Bus
import Instruments
import Shapes

/// Something that a watching command shows: it follows the bus and is drawn again when it has changed.
protocol LivePage: Sendable {
    /// Takes a batch in; answers with the topics whose retained state is needed again.
    mutating func apply(_ batch: BusBatch, at now: Timestamp) -> [String]

    /// Whether the page differs from the one that was drawn last.
    func needsDrawing(at now: Timestamp) -> Bool

    /// The page; from here on it counts as drawn.
    mutating func draw(at now: Timestamp, columns: Int, rows: Int?) -> [StyledLine]

    /// What is new since the last call, a line of JSON each; from here on it counts as drawn.
    mutating func news() -> [any WireBody]
}
