import Glibc

/// What a command asks the file system before it writes.
enum FileCheck {
    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}

extension StandardOutput {
    /// Prints one line at once.
    ///
    /// - Throws: ``OutputClosed`` or ``CommandFailure`` when it cannot be written.
    static func say(_ text: String) throws {
        let output = StandardOutput()
        try output.writeLine(text)
        try output.flush()
    }

    /// Prints bytes at once.
    ///
    /// - Throws: ``OutputClosed`` or ``CommandFailure`` when they cannot be written.
    static func say(_ bytes: [UInt8]) throws {
        let output = StandardOutput()
        try output.write(bytes)
        try output.flush()
    }
}
