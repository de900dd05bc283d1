import AlertStore
import Logging
import Store

/// Follows what owners do to their rules: looks when told, and twice a second without.
struct RuleWatch: Sendable {
    let database: Database
    let interval: Duration
    let logger: Logger
    /// The last change that all of the shards that are held take into account; `nil` without any.
    let known: @Sendable () -> Int64?

    /// Rows of a read.
    private static let page = 1_000

    /// Runs until the task is cancelled; `changed` gets rules in the order of their changes, and the number
    /// up to which everything is known then.
    func run(_ changed: @escaping @Sendable ([StoredRule], Int64) -> Void) async {
        // A hint says "look again" and nothing else: one waiting says as much as many.
        let (hints, hint) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        await withDiscardingTaskGroup { group in
            group.addTask { await listen(hint) }
            group.addTask { await remind(hint) }
            group.addTask { await follow(hints, changed) }
        }
    }

    private func listen(_ hint: AsyncStream<Void>.Continuation) async {
        for await event in database.listen(to: [AlertSchema.ruleChannel]) {
            if event != .lost { hint.yield() }
        }
    }

    private func remind(_ hint: AsyncStream<Void>.Continuation) async {
        while !Task.isCancelled {
            hint.yield()
            try? await Task.sleep(for: interval)
        }
        hint.finish()
    }

    private func follow(_ hints: AsyncStream<Void>, _ changed: ([StoredRule], Int64) -> Void) async {
        for await _ in hints {
            do throws(StoreError) {
                guard let from = known() else { continue }
                let latest = try await database.withSession { try $0.lastRuleChange() }
                guard from < latest else { continue }
                try await read(after: from, upTo: latest, changed)
            } catch {
                if !Task.isCancelled {
                    logger.debug("Changed rules cannot be read", metadata: ["error": "\(error)"])
                }
            }
        }
    }

    private func read(
        after known: Int64, upTo latest: Int64, _ changed: ([StoredRule], Int64) -> Void
    ) async throws(StoreError) {
        var rules = try await database.withSession { session in
            try session.rules(changedAfter: known, limit: Self.page)
        }
        var newest = latest
        while true {
            newest = max(newest, rules.last?.change ?? 0)
            let isLast = rules.count < Self.page
            // A page may end in the middle of a change.
            changed(rules, isLast ? newest : known)
            guard !isLast, let last = rules.last else { return }
            rules = try await database.withSession { session in
                try session.rules(changedAfter: last, limit: Self.page)
            }
        }
    }
}
