import CLinux

/// The variables of this process.
package enum ProcessEnvironment {
    /// All of them, read when asked: what settings are read from.
    package static var current: [String: String] {
        var variables: [String: String] = [:]
        guard var entry = bitpal_environment() else { return variables }
        while let text = entry.pointee {
            let line = String(cString: text)
            if let mark = line.firstIndex(of: "=") {
                variables[String(line[..<mark])] = String(line[line.index(after: mark)...])
            }
            entry += 1
        }
        return variables
    }
}
