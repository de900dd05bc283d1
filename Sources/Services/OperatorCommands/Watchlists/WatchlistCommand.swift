import ArgumentParser

/// The command group `bitpal watchlist`.
struct WatchlistCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watchlist", abstract: "Instruments that you want to see at a glance.",
        subcommands: [
            WatchlistListCommand.self, WatchlistShowCommand.self, WatchlistCreateCommand.self,
            WatchlistRenameCommand.self, WatchlistDeleteCommand.self, WatchlistAddCommand.self,
            WatchlistRemoveCommand.self, WatchlistOrderCommand.self,
        ])
}
