import Glibc

/// How many files, and so connections, this process may have open.
package enum OpenFiles {
    /// Asks for as many as the system allows: shells begin with a thousand, one gateway has more clients.
    ///
    /// What is refused stays as it is; connections past the limit wait then.
    package static func raiseLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
            limit.rlim_cur < limit.rlim_max
        else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
