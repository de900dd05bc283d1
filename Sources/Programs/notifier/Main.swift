import Notifying
import Operations

/// Tells people what their rules found.
@main
enum NotifierMain {
    static func main() async {
        await ServiceProcess.run("notifier", keys: NotifierConfiguration.keys) { process in
            try await Notifier.services(of: process)
        }
    }
}
