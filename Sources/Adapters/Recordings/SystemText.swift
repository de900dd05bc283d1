import Glibc

/// The system's words for its error numbers.
enum SystemText {
    /// The text of an error number, such as "Permission denied".
    ///
    /// glibc keeps strerror's buffer per thread since 2.32, so that two threads do not disturb each other.
    static func of(_ code: Int32) -> String {
        guard let text = strerror(code) else { return "error \(code)" }
        return String(cString: text)
    }
}
