/// What the components of a process say about themselves at one moment.
package struct HealthReport: Sendable, Hashable {
    /// What one component says.
    package struct Component: Sendable, Hashable {
        package let name: String
        /// Whether it can do its work.
        package let isReady: Bool
        /// Why not; may be empty.
        package let readyReason: String
        /// Whether its data is fresh; `nil` when that is no question for it.
        package let isFresh: Bool?
        /// Why not; may be empty.
        package let freshReason: String
    }

    /// Sorted by name.
    package let components: [Component]

    /// Whether every component can do its work.
    package var isReady: Bool { components.allSatisfy(\.isReady) }

    /// Whether every component is ready and none has old data.
    package var isFresh: Bool { isReady && components.allSatisfy { $0.isFresh != false } }
}
