import Glibc

/// Keeps a directory for one process; the system takes it back when the process ends, however it ends.
struct DirectoryLock: ~Copyable {
    private let descriptor: Int32

    /// - Throws: ``ClusterError/inUse(directory:processID:)`` with the number that the owner left in the
    ///   file.
    init(directory: String) throws(ClusterError) {
        let path = directory + "/bitpal.lock"
        // Closed on exec: the server that we start must not keep the lock when we are gone.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw FileAccess.problem(path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let owner = FileAccess.text(path).flatMap { Int32($0.split(separator: "\n").first ?? "") } ?? 0
            close(descriptor)
            throw .inUse(directory: directory, processID: owner)
        }
        ftruncate(descriptor, 0)
        let text = Array("\(getpid())\n".utf8)
        // The number is for people; the lock holds without it.
        _ = write(descriptor, text, text.count)
        self.descriptor = descriptor
    }

    deinit {
        // Given back by name: a program that is just being started has a copy of the descriptor until its
        // exec.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
