import Glibc
import Logging
import Support
import Synchronization
import Testing

@testable import Operations

@Suite("Room on a disk")
struct DiskRoomTests {
    @Test("is short below the least, until there is a quarter more")
    func hysteresis() {
        let free = Mutex(UInt64?.some(100))
        let room = DiskRoom(least: 100) { free.withLock { $0 } }
        func short(_ bytes: UInt64?) -> Bool {
            free.withLock { $0 = bytes }
            return room.shortage() != nil
        }
        #expect(!short(100) && short(99) && short(124) && !short(125) && !short(100) && short(0))
        // What nobody knows stops nothing.
        #expect(!short(nil))
    }

    @Test("is said in MiB, with how much is needed")
    func words() {
        let room = DiskRoom(least: 1 << 30) { 100 << 20 }
        #expect(
            room.shortage()?.description
                == "the disk is nearly full: 100 MiB are free where PostgreSQL keeps its files, and 1280 MiB "
                + "are needed")
    }

    @Test("is looked for where a directory is, and nowhere where there is none")
    func directory() {
        #expect(DiskRoom(least: 1, directory: "/").shortage() == nil)
        #expect(DiskRoom(least: .max / 2, directory: "/").shortage() != nil)
        #expect(DiskRoom(least: .max / 2, directory: "/no such directory").shortage() == nil)
    }

    @Test("is unknown where nobody can look, with the reason, and no shortage")
    func unknown() throws {
        let free = Mutex(UInt64?.none)
        let room = DiskRoom(least: 100) { free.withLock { $0 } }
        #expect(room.unknown() == "nobody says" && room.shortage() == nil)
        free.withLock { $0 = 7 }
        #expect(room.unknown() == nil && room.shortage() != nil)
        let missing = DiskRoom(least: 1, directory: "/no such directory")
        #expect(missing.unknown() == "/no such directory: No such file or directory")
        // A file system of the kernel's own has no size, which is not a full disk.
        let none = DiskRoom(least: 1, directory: "/proc")
        #expect(none.shortage() == nil && none.unknown() == "/proc is on no disk that has a size")
    }

    @Test("is told to who asks about the process's health while it is unknown, and in the log once")
    func told() throws {
        let free = Mutex(UInt64?.none)
        let lines = LogLines()
        let room = DiskRoom(least: 100) { free.withLock { $0 } }
        let health = HealthRegistry()
        room.report(to: health, Logger(label: "disk") { _ in lines })
        for _ in 0..<3 { #expect(room.shortage() == nil) }
        #expect(lines.levels == [.warning])
        #expect(health.report.isReady && !health.report.isFresh)
        let reason = health.report.components.first { $0.name == "database-disk" }?.freshReason
        #expect(
            reason == "how much is free where PostgreSQL keeps its files is unknown: nobody says")
        free.withLock { $0 = 1 << 30 }
        for _ in 0..<3 { #expect(room.shortage() == nil) }
        #expect(lines.levels == [.warning, .notice] && health.report.isFresh)
        free.withLock { $0 = nil }
        #expect(room.shortage() == nil && lines.levels == [.warning, .notice, .warning])
        // Where it was known all along nothing is said, and there is no such part.
        let other = HealthRegistry()
        DiskRoom(least: 1) { 7 }.report(to: other, Logger(label: "disk") { _ in lines })
        #expect(other.report.components.isEmpty && lines.levels.count == 3)
    }

    /// As docker-compose mounts PostgreSQL's directory: another user's, who lists it to nobody.
    @Test("is seen of a directory that is another user's and that nobody else may list, not of one within it")
    func another() async throws {
        let folder = try TestDatabase.temporaryDirectory()
        let directory = "\(folder)/data"
        for path in [directory, "\(directory)/base"] { #expect(mkdir(path, 0o700) == 0) }
        #expect(chmod(folder, 0o755) == 0)
        // The superuser lists everything: somebody else has to look, with the same system call.
        let program = """
            import os, sys
            if os.getuid() == 0: os.setgid(65534); os.setuid(65534)
            else: os.chmod(sys.argv[1], 0)
            def look(ask, path):
                try: return "seen" if ask(path) else "seen"
                except OSError as error: return os.strerror(error.errno)
            print(look(os.listdir, sys.argv[1]), look(os.statvfs, sys.argv[1]), look(os.statvfs, sys.argv[2]),
                sep="; ")
            """
        let child = try ChildProcess(
            "/usr/bin/env", arguments: ["python3", "-c", program, directory, "\(directory)/base"],
            folder: folder)
        #expect(await child.exitStatus() == 0, "\(child.errors)")
        #expect(child.output == "Permission denied; seen; Permission denied\n")
        #expect(chmod(directory, 0o000) == 0)
        #expect(DiskRoom(least: 1, directory: directory).unknown() == nil)
        #expect(DiskRoom(least: .max / 2, directory: directory).shortage() != nil)
        #expect(chmod(directory, 0o700) == 0)
    }
}

/// Keeps the levels of what is logged.
private struct LogLines: LogHandler {
    private final class Kept: Sendable { let levels = Mutex<[Logger.Level]>([]) }

    private let kept = Kept()
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.debug

    var levels: [Logger.Level] { kept.levels.withLock { $0 } }

    func log(event: LogEvent) { kept.levels.withLock { $0.append(event.level) } }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }
}
