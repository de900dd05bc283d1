package import ServiceLifecycle

/// Runs services while `body` runs, then cancels them and waits for their end.
///
/// - Throws: What `body` throws, or a service: what stopped the body may be what a service says.
package func running(_ services: [any Service], _ body: () async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for service in services { group.addTask { try await service.run() } }
        do {
            try await body()
        } catch {
            group.cancelAll()
            while let result = await group.nextResult() { try result.get() }
            throw error
        }
        group.cancelAll()
        try await group.waitForAll()
    }
}

/// Runs services in a group while `body` runs, then stops them gracefully and waits for their end.
///
/// - Throws: As ``running(_:_:)``.
package func serving(_ services: [any Service], _ body: () async throws -> Void) async throws {
    let group = ServiceGroup(services: services, logger: TestDatabase.logger)
    try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask { try await group.run() }
        do {
            try await body()
        } catch {
            tasks.cancelAll()
            while let result = await tasks.nextResult() { try result.get() }
            throw error
        }
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
    }
}
