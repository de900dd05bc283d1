import Synchronization

/// The components of the process and what they say about themselves.
package final class HealthRegistry: Sendable {
    private let components = Mutex<[String: HealthComponent]>([:])
    private let clock: @Sendable () -> Int64

    /// Creates a registry without components, which is ready and fresh.
    ///
    /// - Parameter clock: Nanoseconds of a clock that never steps, for freshness that expires.
    package init(clock: (@Sendable () -> Int64)? = nil) {
        self.clock = clock ?? { DayClock.monotonic() }
    }

    /// The component of that name; the first call makes it, not ready because `starting`.
    package func component(_ name: String) -> HealthComponent {
        components.withLock { components in
            if let known = components[name] { return known }
            let component = HealthComponent(name: name, clock: clock)
            components[name] = component
            return component
        }
    }

    /// Forgets a component, as when a venue is no longer asked for.
    package func remove(_ name: String) { components.withLock { _ = $0.removeValue(forKey: name) } }

    /// What all components say now, sorted by name.
    package var report: HealthReport {
        let all = components.withLock { Array($0.values) }
        return HealthReport(components: all.map(\.report).sorted { $0.name < $1.name })
    }
}
