import Glibc

/// Who the server runs as: PostgreSQL refuses to run as root.
struct ClusterUser: Sendable, Hashable {
    let user: uid_t
    let group: gid_t
    /// What is put before a command so that it runs as this user; empty when we are that user already.
    let prefix: [String]

    /// Ourselves, unless we are root: then the owner of an existing cluster, so that a person's cluster stays
    /// that person's, and otherwise the user `postgres`.
    static func forCluster(in dataDirectory: String) throws(ClusterError) -> ClusterUser {
        guard geteuid() == 0 else { return ClusterUser(user: geteuid(), group: getegid(), prefix: []) }
        if let owner = FileAccess.owner(dataDirectory), owner.user != 0 {
            return dropping(to: owner.user, owner.group)
        }
        // SAFETY: the record is static memory of the C library, read at once and not kept.
        guard let entry = getpwnam("postgres") else { throw .serverMissing }
        return dropping(to: entry.pointee.pw_uid, entry.pointee.pw_gid)
    }

    private static func dropping(to user: uid_t, _ group: gid_t) -> ClusterUser {
        ClusterUser(
            user: user, group: group,
            prefix: ["/usr/bin/setpriv", "--reuid=\(user)", "--regid=\(group)", "--clear-groups", "--"])
    }

    /// Makes a directory of this user's own, closed to others.
    func makePrivateDirectory(_ path: String) throws(ClusterError) {
        try FileAccess.makeDirectories(FileAccess.parent(of: path))
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw FileAccess.problem(path) }
        // A directory that somebody else put there, or a link, must not receive our socket or data.
        guard let owner = FileAccess.owner(path), owner.mode & S_IFMT == S_IFDIR else {
            throw .directory(path: path, problem: "is not a directory")
        }
        guard owner.user == user || owner.user == geteuid() else {
            throw .directory(path: path, problem: "belongs to another user")
        }
        if owner.user != user, lchown(path, user, group) != 0 { throw FileAccess.problem(path) }
        if chmod(path, 0o700) != 0 { throw FileAccess.problem(path) }
    }

    /// Whether this user can enter a directory and write there.
    func canUse(_ directory: String) throws(ClusterError) -> Bool {
        if prefix.isEmpty { return access(directory, W_OK | X_OK) == 0 }
        let test = ["/bin/sh", "-c", "cd -- \"$1\" && test -w .", "sh", directory]
        return try Subprocess.run(prefix + test, limit: .seconds(10)).status == 0
    }
}
