extension CommandFailure {
    /// The same with a word of the command line in place of one of the API.
    func saying(_ option: String, for field: String) -> CommandFailure {
        CommandFailure(status, description.replacing(field, with: option), remarks: remarks)
    }

    /// The same with a file's name before a place in it: the gateway knows the text and not whose it is.
    func inFile(_ path: String) -> CommandFailure {
        guard description.hasPrefix("line ") else { return self }
        return CommandFailure(status, "\(path): \(description)", remarks: remarks)
    }
}
