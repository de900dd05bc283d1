import Bus
import BusBroker
import Operations

@main
enum BusBrokerMain {
    static func main() async {
        await ServiceProcess.run("bus-broker", keys: BusBrokerConfiguration.keys) { process in
            let context = try BusContext()
            let broker = try BusBroker(
                context: context, configuration: BusBrokerConfiguration(settings: process.settings),
                instance: process.instance, health: process.health.component("bus"),
                logger: process.logger)
            return [context, broker]
        }
    }
}
