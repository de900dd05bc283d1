import Operations
import PortfolioKeeping

/// The process that values portfolios; everything it does is in `PortfolioKeeping`.
@main
enum PortfolioServiceMain {
    static func main() async {
        await ServiceProcess.run("portfolio-service", keys: PortfolioKeepingConfiguration.keys) { process in
            try await PortfolioValuer.services(of: process)
        }
    }
}
