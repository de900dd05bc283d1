import Glibc
import Synchronization

/// Sends standard error into a file while a page is on the screen, so that no log line falls into it.
package final class LogFile: Sendable {
    package let path: String
    private let original: Mutex<Int32>

    /// Appends to a file from here on; one that has grown beyond 8 MB is put aside as `<path>.1`.
    ///
    /// - Throws: ``CommandFailure`` when the file cannot be written.
    package init(path: String) throws {
        var status = stat()
        if stat(path, &status) == 0, status.st_size > 8 << 20 { rename(path, path + ".1") }
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard file >= 0 else {
            throw CommandFailure(.failed, "cannot write \(path): \(String(cString: strerror(errno)))")
        }
        defer { close(file) }
        let kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
        guard kept >= 0, dup2(file, STDERR_FILENO) >= 0 else {
            throw CommandFailure(.failed, "cannot redirect the log: \(String(cString: strerror(errno)))")
        }
        self.path = path
        original = Mutex(kept)
    }

    /// Gives standard error back; a second call does nothing.
    package func end() {
        original.withLock { descriptor in
            guard descriptor >= 0 else { return }
            dup2(descriptor, STDERR_FILENO)
            close(descriptor)
            descriptor = -1
        }
    }
}
