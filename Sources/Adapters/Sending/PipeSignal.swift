import CLinux
import Glibc

/// Writing to what somebody has closed: an error of the write, and not the end of the process.
enum PipeSignal {
    /// Blocks the signal for the calling thread, which is one of our own and ends with it.
    ///
    /// libcurl leaves it alone when it is told to use no signals, and a pipe has no flag against it.
    static func block() {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }
}
