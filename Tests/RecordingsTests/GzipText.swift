import Glibc
import Recordings

/// Compresses text with the system's gzip, so that the reader is not only tested against our own writer.
func gzip(_ text: String) throws -> [UInt8] {
    let file = try TemporaryFile()
    let plain = file.folder + "/plain"
    defer { unlink(plain) }
    guard let handle = fopen(plain, "w") else { throw TemporaryFile.Failure(code: errno) }
    // Not as a C string, which would end at a NUL.
    let bytes = Array(text.utf8)
    fwrite(bytes, 1, bytes.count, handle)
    fclose(handle)
    let status = system("gzip -c '\(plain)' > '\(file.path)'")
    guard status == 0 else { throw TemporaryFile.Failure(code: status) }
    return try file.bytes()
}
