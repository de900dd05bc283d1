import Glibc

/// What the system knows of this process, read when somebody looks.
struct ProcessMetrics: Sendable {
    /// When the process began, nanoseconds since 1970-01-01 UTC.
    let startTime: Int64

    /// Appends the process's metrics; what cannot be read is left out.
    func append(to page: inout ExpositionPage) {
        func gauge(_ name: String, _ value: Double?) {
            guard let value else { return }
            page.begin(name, type: "gauge")
            page.append(name, ExpositionPage.number(value))
        }
        page.begin("process_cpu_seconds_total", type: "counter")
        page.append("process_cpu_seconds_total", ExpositionPage.number(Double(DayClock.processor()) / 1e9))
        gauge("process_open_fds", Self.openDescriptors.map(Double.init))
        gauge("process_resident_memory_bytes", Self.residentBytes.map(Double.init))
        gauge("process_start_time_seconds", Double(startTime) / 1e9)
    }

    /// Resident memory, bytes.
    static var residentBytes: Int? {
        guard case .success(let bytes) = SmallFile.read("/proc/self/statm", limit: 4096) else { return nil }
        // Pages: total, resident, shared, …
        let fields = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        guard fields.count > 1, let pages = Int(fields[1]) else { return nil }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    static var openDescriptors: Int? {
        guard let directory = opendir("/proc/self/fd") else { return nil }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        // Without `.`, `..` and the descriptor of this very look.
        return max(0, count - 3)
    }
}
