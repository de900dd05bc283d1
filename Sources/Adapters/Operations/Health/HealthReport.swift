/// What the components of a process say about themselves at one moment.
public struct HealthReport: Sendable, Hashable {
    /// What one component says.
    public struct Component: Sendable, Hashable {
        /// Its name.
        public let name: String
        /// Whether it can do its work.
        public let isReady: Bool
        /// Why not; may be empty.
        public let readyReason: String
        /// Whether its data is fresh; `nil` when that is no question for it.
        public let isFresh: Bool?
        /// Why not; may be empty.
        public let freshReason: String
    }

    /// Sorted by name.
    public let components: [Component]

    /// Whether every component can do its work.
    public var isReady: Bool { components.allSatisfy(\.isReady) }

    /// Whether every component is ready and none has old data.
    public var isFresh: Bool { isReady && components.allSatisfy { $0.isFresh != false } }
}
