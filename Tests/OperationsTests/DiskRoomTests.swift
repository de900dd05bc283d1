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
}
