import ArgumentParser
import Glibc
import OperatorCommands
import Version

/// The command that has all others.
@main
struct Bitpal: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bitpal",
        abstract: "Live, proven order books and trades from many venues, on your own machine.",
        discussion: "Exit status: 0 done, 1 failed, 2 wrong usage, 3 not found, 4 a service does not answer.",
        version: "bitpal \(ProductVersion.text)",
        subcommands: [UpCommand.self] + CommandLineTool.commands)

    static func main() async {
        Glibc.exit(await CommandLineTool.run(Bitpal.self, Array(CommandLine.arguments.dropFirst())))
    }
}
