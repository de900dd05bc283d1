import Glibc

/// What a test tells the runner of the tests, which names the file by `TEST_TRACE`.
package enum TestTrace {
    /// Notes a line: `database` for a test that uses PostgreSQL, `repeat …` for what is tried again.
    package static func note(_ line: String) {
        guard let path = ProcessNumber.environment("TEST_TRACE"),
            case let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644), file >= 0
        else { return }
        defer { close(file) }
        let bytes = Array("\(line)\n".utf8)
        _ = write(file, bytes, bytes.count)
    }
}
