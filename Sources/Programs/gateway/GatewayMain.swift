import GatewayAPI
import Operations

/// The process that people and apps talk to; everything it does is in `GatewayAPI`.
@main
enum GatewayMain {
    static func main() async {
        await ServiceProcess.run("gateway", keys: GatewayConfiguration.keys) { process in
            try await Gateway.services(of: process)
        }
    }
}
