import AlertStore
import Channels
import Credentials
import Instruments
import Logging
import Metrics
import Sending
import ServiceLifecycle
import Store

// MARK: Telling

extension Notifier {
    /// Sends a letter, and then others that have their turn by its end.
    func deliver(_ first: QueuedDelivery<UniqueID, PreparedDelivery>) async {
        var next: QueuedDelivery<UniqueID, PreparedDelivery>? = first
        while let letter = next {
            let outcome = await attempt(letter.content)
            finish(letter.content.delivery, outcome)
            enqueue(
                dispatch.ended(
                    letter, at: clock().nanoseconds, failed: outcome.isReceiverFailing,
                    asked: outcome.asked))
            next = isStopping ? nil : nextReady()
        }
    }

    private func attempt(_ errand: PreparedDelivery) async -> AttemptOutcome {
        let delivery = errand.delivery
        let outgoing: Outgoing
        let context: SendingContext
        do {
            context = try await self.context(of: delivery.channel)
            outgoing = try composer.compose(errand, try await gathered(in: delivery), context)
        } catch let error as FieldFault {
            return AttemptOutcome(end: .dead(error: error.description), label: "refused")
        } catch let error as SealingFault {
            return sealed(error)
        } catch {
            let again = clock().adding(nanoseconds: 1_000_000_000)
            return AttemptOutcome(end: .postponed(until: again, error: nil), label: "postponed")
        }
        let started = clock()
        let answered: Result<Answer, SendFailure>
        do throws(SendFailure) {
            let answer = try await sender.send(outgoing)
            renewToken(after: answer, context)
            answered = .success(answer)
        } catch {
            answered = .failure(error)
            if let detail = error.detail {
                logger.debug(
                    "An address is not public", metadata: ["delivery": "\(delivery.id)", "why": "\(detail)"])
            }
        }
        let now = clock()
        metrics.attemptTime.recordNanoseconds(now.nanoseconds(since: started))
        return AttemptOutcome(
            answered, errand.settings, failures: Int(delivery.failures), at: now, using: &generator)
    }

    /// Nothing is lost: it is told when the key is there again.
    func sealed(_ fault: SealingFault) -> AttemptOutcome {
        let again = clock().adding(nanoseconds: 60_000_000_000)
        return AttemptOutcome(end: .postponed(until: again, error: fault.description), label: "sealed")
    }

    private func gathered(in delivery: Delivery) async throws(StoreError) -> [GatheredFiring] {
        guard case .notice(let notice) = delivery.subject, notice.kind == .digest else { return [] }
        return try await database.withSession { session in
            try session.gatheredFirings(in: delivery.id, limit: Notice.itemLimit)
        }
    }

    func finish(_ delivery: Delivery, _ outcome: AttemptOutcome) {
        metrics.count(outcome.label, delivery)
        finished.append(Finished(delivery: delivery, outcome: outcome, channelEnd: end(delivery, outcome)))
        signal.yield()
    }
}

extension Notifier {
    /// A receiver that is gone ends its channel; one that took nothing in ten attempts does, unless others of
    /// the channel's deliveries arrived meanwhile.
    private func end(_ delivery: Delivery, _ outcome: AttemptOutcome) -> Query? {
        guard case .dead(let error) = outcome.end else { return nil }
        guard outcome.gone != nil || outcome.isGivenUp else { return nil }
        let now = clock()
        return .endChannel(
            delivery.channel, because: outcome.gone ?? error,
            notice: UniqueID(version7At: now.nanoseconds, using: &generator), at: now,
            ifSilentSince: outcome.gone == nil ? delivery.created : nil)
    }
}

// MARK: Writing and stopping

extension Notifier {
    /// Writes outcomes as they come, all that there are at once, until the end.
    func writeOutcomes() async {
        for await _ in work {
            await flush()
            if isStopping, dispatch.running == 0, finished.isEmpty { return }
        }
    }

    private func flush() async {
        while !finished.isEmpty {
            let batch = finished
            finished = []
            do throws(StoreError) {
                let statements = statements(for: batch)
                // An outcome that the server forgets is an attempt that is made again.
                try await database.transaction(.undurable) { session in _ = try session.send(statements) }
                report(batch)
            } catch {
                logger.warning("Outcomes cannot be written", metadata: ["error": "\(error)"])
                // While we wait nothing is lost: a claim that ends unheard of is told again.
                guard !isStopping, !Task.isCancelled else { return }
                finished = batch + finished
                try? await Task.sleep(for: .milliseconds(500))
            }
        }
    }

    private func statements(for batch: [Finished]) -> StatementBatch {
        var statements = StatementBatch()
        let arrived = batch.filter { $0.outcome.end == .delivered }.map(\.delivery)
        if !arrived.isEmpty { statements.append(.endDelivered(arrived, by: claimant)) }
        for entry in batch where entry.outcome.end != .delivered {
            statements.append(.endAttempt(entry.delivery, entry.outcome.end))
            if let end = entry.channelEnd { statements.append(end) }
        }
        return statements
    }

    private func report(_ batch: [Finished]) {
        for entry in batch {
            guard case .dead(let reason) = entry.outcome.end else { continue }
            logger.error(
                "A delivery is dead",
                metadata: [
                    "delivery": "\(entry.delivery.id)", "channel": "\(entry.delivery.channel.id)",
                    "kind": "\(entry.delivery.channel.kind.rawValue)", "reason": "\(reason)",
                    "channel.ends": "\(entry.channelEnd != nil)",
                ])
        }
    }

    /// Begins nothing new when asked to stop, and ends what takes too long.
    func watchStop() async {
        try? await gracefulShutdown()
        isStopping = true
        let deadline = ContinuousClock.now + configuration.stopGrace
        while dispatch.running > 0, ContinuousClock.now < deadline, !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(10))
        }
        sender.close()
        signal.yield()
    }

    /// Gives back what was claimed and not begun, so that another one need not wait for the claims to end.
    func giveBack() async {
        let now = clock()
        for letter in dispatch.close() + ready {
            finish(
                letter.content.delivery,
                AttemptOutcome(end: .postponed(until: now, error: nil), label: "postponed"))
        }
        for letter in ready { _ = dispatch.ended(letter, at: now.nanoseconds, failed: false) }
        ready = []
        await flush()
        signal.yield()
    }
}
