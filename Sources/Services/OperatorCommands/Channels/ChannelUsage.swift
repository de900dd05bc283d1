import Channels

/// What `--set` and `--secret` take, by the kind of channel.
enum ChannelUsage {
    /// Every kind with its options, those that may be left out between brackets.
    static func options(of catalogue: ChannelCatalogue) -> String {
        catalogue.kinds.map { kind in
            ([kind.rawValue] + kind.fields.map(option)).joined(separator: " ")
        }.joined(separator: "; ")
    }

    /// The names of fields that are lists, also with one value.
    static func lists(of catalogue: ChannelCatalogue) -> Set<String> {
        let fields = catalogue.kinds.flatMap(\.fields).filter {
            if case .texts = $0.form { true } else { false }
        }
        return Set(fields.map(\.name))
    }

    private static func option(_ field: ChannelField) -> String {
        let name = field.part == .secrets ? "--secret" : "--set"
        let repetition = if case .texts = field.form { " …" } else { "" }
        let option = "\(name) \(field.name)=…\(repetition)"
        return field.isRequired ? option : "[\(option)]"
    }
}
