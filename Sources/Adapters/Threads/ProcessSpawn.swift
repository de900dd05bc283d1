import CLinux
import Glibc

/// Starts programs without a shell, each in a session of its own and with a small environment.
///
/// A child has the treatment of signals that is usual, whatever we block or ignore, and none of our
/// descriptors: one that outlives us must not keep our sockets and locks. That Ctrl-C in our terminal does
/// not reach it, and that it can be killed with what it started, is why the session is its own.
package enum ProcessSpawn {
    /// What the system said.
    package struct Refusal: Error, Hashable, Sendable {
        package let code: Int32

        /// Why, in the system's words.
        package var reason: String { String(cString: strerror(code)) }
    }

    /// What a program reads.
    package enum Input: Sendable {
        case nothing
        case descriptor(Int32)
    }

    /// Where a program's standard output and error go.
    package enum Output: Sendable {
        case descriptor(Int32)
        /// Behind what the file has already.
        case file(String)
    }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - command: Its absolute path, and its arguments.
    ///   - environment: `NAME=value` each, and nothing else.
    ///   - input: What it reads.
    ///   - output: Where it writes.
    /// - Returns: The number of the process; whoever starts it waits for its end, which ``exitStatus(_:)``
    ///   reads.
    /// - Throws: ``Refusal``.
    package static func spawn(
        _ command: [String], environment: [String], input: Input = .nothing, output: Output
    ) throws(Refusal) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        switch input {
        case .nothing: posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, 0)
        }
        switch output {
        case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, 1)
        case .file(let path):
            posix_spawn_file_actions_addopen(&actions, 1, path, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        }
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        posix_spawn_file_actions_addchdir_np(&actions, "/")

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var (all, none) = (sigset_t(), sigset_t())
        sigfillset(&all)
        sigemptyset(&none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setsigmask(&attributes, &none)
        let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | Int32(BITPAL_SPAWN_SETSID)
        posix_spawnattr_setflags(&attributes, Int16(flags))

        let arguments = command.map { strdup($0) } + [nil]
        let variables = environment.map { strdup($0) } + [nil]
        // SAFETY: the child has its own copy once posix_spawn returns.
        defer { for text in arguments + variables { free(text) } }
        var child = pid_t()
        let code = posix_spawn(&child, command[0], &actions, &attributes, arguments, variables)
        guard code == 0 else { throw Refusal(code: code) }
        return child
    }

    /// What `waitpid` says of a child that ended: its exit status, or 128 and the number of the signal that
    /// ended it.
    package static func exitStatus(_ status: Int32) -> Int32 {
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
}
