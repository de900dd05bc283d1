import Bus
import Foundation
import Instruments
import Logging
import Operations
import Support
import Synchronization
import Testing

@testable import OperatorCommands
@testable import Store

/// A schedule with a clock that a test sets, which writes files with a few bytes.
private final class Schedule: Sendable {
    struct State {
        var now = Timestamp(nanoseconds: 1_767_225_600_000_000_000)
        var free: UInt64? = 1 << 40
        var failsToWrite = false
        var drilled: [String] = []
        var fault: String?
    }

    let state = Mutex(State())
    let folder: BackupFolder
    let health = HealthRegistry()

    init() throws { folder = BackupFolder(path: try TestDatabase.temporaryDirectory()) }

    func keeper(_ change: (inout BackupScheduleConfiguration) -> Void = { _ in }) -> BackupKeeper {
        var configuration = BackupScheduleConfiguration(directory: folder.path)
        change(&configuration)
        return BackupKeeper(
            configuration, environment, health: health.component("backup"),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    /// Lets time pass and has done what is due then.
    func pass(_ hours: Int64, _ keeper: BackupKeeper) async {
        state.withLock { $0.now = $0.now.adding(nanoseconds: hours * 3_600_000_000_000) }
        while await keeper.turn() == 0 {}
    }

    var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    private var environment: BackupEnvironment {
        BackupEnvironment(
            now: { self.state.withLock { $0.now } }, pause: { _ in },
            free: { _ in self.state.withLock { $0.free } },
            write: { path in
                guard !self.state.withLock({ $0.failsToWrite }) else { throw PropertyFailure("no server") }
                try Data("rows".utf8).write(to: URL(filePath: path))
                return BackupReport(tables: 1, rows: 2)
            },
            drill: { path in
                let fault = self.state.withLock { state in
                    state.drilled.append(String(path.split(separator: "/").last ?? ""))
                    return state.fault
                }
                if let fault { throw PropertyFailure(fault) }
                return BackupProof()
            })
    }
}

@Suite("Scheduled backups", .timeLimit(.minutes(10)))
struct BackupKeeperTests {
    @Test("are made daily, tried weekly, and those that need not stay go")
    func life() async throws {
        let schedule = try Schedule()
        // What somebody else put there stays.
        let foreign = ["before-migration-2026-01-01T000000Z.bitpal", "bitpal-mine.bitpal", "notes.part"]
        for name in foreign { try Data().write(to: URL(filePath: "\(schedule.folder.path)/\(name)")) }
        let left = BackupFolder.name(of: Timestamp(nanoseconds: 0)) + ".part"
        try Data().write(to: URL(filePath: "\(schedule.folder.path)/\(left)"))
        let keeper = schedule.keeper { $0.retention = BackupRetention(days: 3, weeks: 2, months: 0) }
        for _ in 0..<20 { await schedule.pass(24, keeper) }
        // From Friday the 2nd to Wednesday the 21st.
        let days = ["2026-01-18", "2026-01-19", "2026-01-20", "2026-01-21"]
        #expect(
            try schedule.files.filter { !foreign.contains($0) }
                == days.map { "bitpal-\($0)T000000Z.bitpal" } + ["drill.txt"])
        #expect(try Set(foreign).isSubset(of: schedule.files))
        #expect(
            schedule.state.withLock { $0.drilled }
                == ["02", "09", "16"].map {
                    "bitpal-2026-01-\($0)T000000Z.bitpal"
                })
        let condition = await keeper.condition()
        #expect(condition.isReady && condition.figures == ["kept": 4, "failures": 0])
        #expect(condition.detail == "last backup 2026-01-21T00:00:00Z, tried 2026-01-16T00:00:00Z")
        #expect(schedule.health.report.isReady)
    }

    @Test("that fail are said until one succeeds, and nothing is removed meanwhile")
    func failing() async throws {
        let schedule = try Schedule()
        let keeper = schedule.keeper { $0.retention = BackupRetention(days: 1, weeks: 0, months: 0) }
        await schedule.pass(0, keeper)
        let before = try schedule.files
        schedule.state.withLock { $0.failsToWrite = true }
        await schedule.pass(24, keeper)
        await schedule.pass(1, keeper)
        #expect(try schedule.files == before)
        let failed = await keeper.condition()
        #expect(!failed.isReady && failed.figures["failures"] == 2)
        #expect(failed.detail.hasPrefix("the last backup failed: no server; last backup "))
        #expect(!schedule.health.report.isReady)
        schedule.state.withLock { $0.failsToWrite = false }
        await schedule.pass(1, keeper)
        #expect(await keeper.condition().isReady)
        #expect(schedule.health.report.isReady)
        #expect(try schedule.files != before)
    }

    @Test("are not begun without room for them")
    func room() async throws {
        let schedule = try Schedule()
        let keeper = schedule.keeper { $0.leastFree = 2 << 20 }
        schedule.state.withLock { $0.free = 1 << 20 }
        await schedule.pass(0, keeper)
        #expect(try schedule.files.isEmpty)
        #expect(
            await keeper.condition().detail.hasPrefix(
                "the last backup failed: 1 MiB are free in \(schedule.folder.path), and 2 MiB are needed"))
        schedule.state.withLock { $0.free = nil }
        await schedule.pass(1, keeper)
        #expect(await keeper.condition().isReady)
    }

    @Test("that do not come back are said, also after a restart, until one does")
    func drills() async throws {
        let schedule = try Schedule()
        schedule.state.withLock { $0.fault = "cut\nshort" }
        await schedule.pass(0, schedule.keeper())
        let next = schedule.keeper()
        let time = "2026-01-01T00:00:00Z"
        let words = "the last drill failed: cut short; last backup \(time), tried \(time)"
        #expect(await next.condition().detail == words)
        schedule.state.withLock { $0.fault = nil }
        // Not at once: it was tried a moment ago.
        await schedule.pass(0, next)
        #expect(await !next.condition().isReady)
        await schedule.pass(1, next)
        #expect(await next.condition().isReady)
        #expect(schedule.state.withLock { $0.drilled.count } == 2)
        let third = schedule.keeper()
        await schedule.pass(0, third)
        #expect(await third.condition().detail.hasSuffix("tried 2026-01-01T01:00:00Z"))
        #expect(schedule.state.withLock { $0.drilled.count } == 2)
    }

    @Test("are known by their names, and by no others")
    func names() {
        let time = Timestamp(nanoseconds: 1_767_225_600_000_000_000)
        #expect(BackupFolder.name(of: time) == "bitpal-2026-01-01T000000Z.bitpal")
        #expect(BackupFolder.time(of: "bitpal-2026-01-01T000000Z.bitpal") == time)
        for name in [
            "bitpal-2026-01-01T00:00:00Z.bitpal", "bitpal-2026-02-30T000000Z.bitpal", "bitpal-.bitpal",
            "bitpal-2026-01-01T000000Z.bitpal.part", "2026-01-01T000000Z.bitpal",
            "bitpal-2026-01-01T0000.1Z.bitpal",
        ] {
            #expect(BackupFolder.time(of: name) == nil, "\(name)")
        }
    }
}
