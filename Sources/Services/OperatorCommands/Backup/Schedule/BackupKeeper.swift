import Bus
import Instruments
import Logging
import Operations
import ServiceLifecycle
import Store

/// Backs up when it is time, removes what need not stay, and tries the newest backup now and then.
///
/// What goes wrong is tried again, and said until it has succeeded: not ready in `bitpal status` and to
/// whoever asks for health, `backup_problem` in the metrics, an error in the log.
actor BackupKeeper: Service {
    private let configuration: BackupScheduleConfiguration
    private let environment: BackupEnvironment
    private let folder: BackupFolder
    private let health: HealthComponent
    private let logger: Logger
    private let figures = BackupFigures()
    private var agenda: BackupAgenda
    private var kept: [Timestamp]
    /// What went wrong last and has not gone well since; empty for nothing.
    private var trouble = (backup: "", drill: "")

    init(
        _ configuration: BackupScheduleConfiguration, _ environment: BackupEnvironment,
        health: HealthComponent, logger: Logger
    ) {
        self.configuration = configuration
        self.environment = environment
        self.health = health
        self.logger = logger
        folder = BackupFolder(path: configuration.directory)
        kept = folder.backups()
        agenda = BackupAgenda(every: configuration.every, drillEvery: configuration.drillEvery)
        agenda.backups.succeeded = kept.first
        if let newest = kept.first { figures.stand(newest: folder.size(of: newest), at: newest) }
        // Who tries none waits for none to go well.
        guard configuration.drillEvery > 0, let drill = folder.drill() else { return }
        if drill.problem.isEmpty { figures.stand(drilledAt: drill.time) }
        trouble.drill = drill.problem
        drill.problem.isEmpty ? agenda.drills.succeed(at: drill.time) : agenda.drills.fail(at: drill.time)
    }

    /// Runs until graceful shutdown or cancellation.
    func run() async {
        say()
        try? await cancelWhenGracefulShutdown {
            while true { try await self.environment.pause(.nanoseconds(await self.turn())) }
        }
        health.setReady(false, "stopped")
    }

    /// Does what is due.
    ///
    /// - Returns: Nanoseconds until something may be due again.
    func turn() async -> Int64 {
        switch agenda.next(at: environment.now()) {
        case .wait(let nanoseconds): return min(nanoseconds, Self.longestWait)
        case .backup: await backUp()
        case .drill: await drill()
        }
        say()
        return 0
    }

    /// The clock may be set meanwhile.
    ///
    /// Nanoseconds.
    private static let longestWait: Int64 = 60_000_000_000

    private func backUp() async {
        let time = environment.now()
        do {
            if let shortage = shortage() { throw CommandFailure(.failed, shortage) }
            try DataDirectory.make(folder.path)
            let report = try await environment.write(folder.file(of: time))
            agenda.backups.succeed(at: time)
            trouble.backup = ""
            figures.write(folder.size(of: time), at: time)
            logger.notice("Backed up", metadata: ["rows": "\(report.rows)", "tables": "\(report.tables)"])
            prune()
        } catch {
            // Who is stopped has not failed.
            guard !Task.isCancelled else { return }
            agenda.backups.fail(at: environment.now())
            trouble.backup = "\(error)"
            figures.fail()
            logger.error("A backup failed", metadata: ["error": "\(error)"])
        }
    }

    /// Only after a backup has succeeded: where none does, what there is stays.
    private func prune() {
        let dropped = configuration.retention.dropped(of: folder.backups())
        folder.remove(dropped)
        figures.remove(dropped.count)
        kept = folder.backups()
    }

    /// The next backup may be twice as long as the last one.
    private func shortage() -> String? {
        guard let free = environment.free(folder) else { return nil }
        let needed = configuration.leastFree + 2 * (kept.first.map { folder.size(of: $0) } ?? 0)
        guard free < needed else { return nil }
        return "\(free >> 20) MiB are free in \(folder.path), and \(needed >> 20) MiB are needed"
    }

    private func drill() async {
        // Somebody may have taken the files away; what is missing does not come back.
        let newest = kept.first ?? environment.now()
        let name = BackupFolder.name(of: newest)
        do {
            let proof = try await environment.drill(folder.file(of: newest))
            agenda.drills.succeed(at: environment.now())
            trouble.drill = ""
            figures.drill("whole", at: environment.now())
            logger.notice(
                "A backup was tried, and is whole",
                metadata: ["file": "\(name)", "rows": "\(proof.report.rows)"])
        } catch {
            guard !Task.isCancelled else { return }
            agenda.drills.fail(at: environment.now())
            trouble.drill = "\(error)"
            figures.drill("failed", at: nil)
            logger.error("A backup does not come back", metadata: ["file": "\(name)", "error": "\(error)"])
        }
        folder.noteDrill(at: environment.now(), problem: trouble.drill)
    }

    // MARK: - What it says about itself

    /// How it stands, for `bitpal status`.
    func condition() -> ServiceStatus {
        var condition = ServiceStatus(isReady: problem == nil)
        condition.detail = ([problem].compactMap(\.self) + [story]).joined(separator: "; ")
        condition.figures = [
            "kept": Int64(kept.count), "failures": Int64(agenda.backups.failures + agenda.drills.failures),
        ]
        return condition
    }

    private func say() {
        health.setReady(problem == nil, problem ?? "")
        figures.stand(kept: kept.count, isBroken: problem != nil)
    }

    private var problem: String? {
        if !trouble.backup.isEmpty { return "the last backup failed: " + trouble.backup }
        return trouble.drill.isEmpty ? nil : "the last drill failed: " + trouble.drill
    }

    private var story: String {
        // Tried is also what failed, which is said before this.
        let tried = agenda.drills.failed ?? agenda.drills.succeeded
        let times = [("last backup", agenda.backups.succeeded), ("tried", tried)]
        return times.map { "\($0.0) \($0.1?.iso8601(fractionDigits: 0) ?? "never")" }.joined(separator: ", ")
    }
}
