import Operations
import VenueSimulation

@main
enum VenueSimulatorMain {
    static func main() async {
        await ServiceProcess.run(
            "venue-simulator", keys: VenueSimulatorConfiguration.keys,
            options: VenueSimulatorConfiguration.options
        ) { process in
            let configuration = try VenueSimulatorConfiguration(settings: process.settings)
            return [try VenueSimulator(configuration: configuration, process: process)]
        }
    }
}
