extension CommandFailure {
    /// The same with a word of the command line in place of one of the API.
    func saying(_ option: String, for field: String) -> CommandFailure {
        CommandFailure(status, description.replacing(field, with: option))
    }

    /// The same with a file's name before a place in it: the gateway knows the text and not whose it is.
    func inFile(_ path: String) -> CommandFailure {
        description.hasPrefix("line ") ? CommandFailure(status, "\(path): \(description)") : self
    }
}
