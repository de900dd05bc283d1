import Bus
package import Hosting
package import Instruments
package import ServiceLifecycle

/// A live book in the terminal of a process that does other things as well: `bitpal up --watch`.
package struct LiveBook: Service {
    private let subscriber: Subscriber
    private let view: LiveView<BookLivePage>
    private let log: LogFile

    /// Shows a book from when it runs until it is told to stop.
    ///
    /// - Parameters:
    ///   - instrument: Whose book.
    ///   - links: What to open besides, each line whole, so that it can be copied.
    ///   - footer: A line below the book.
    ///   - log: Where log lines go meanwhile; standard error has them again afterwards.
    ///   - frame: On the bus.
    ///   - newLinks: Is asked now and then what stands in the place of the links from now on; `nil` while
    ///     they hold.
    /// - Throws: `BusError` when the process may open no more files.
    package init(
        _ instrument: InstrumentID, links: [String], footer: String, log: LogFile, in frame: ServiceFrame,
        newLinks: (@Sendable () async -> [String]?)? = nil
    ) throws {
        let page = BookLivePage(BookFollower(instrument), BookRange(depth: 25), links: links, footer: footer)
        subscriber = try frame.subscriber("live-book", to: page.topics)
        var beside: (@Sendable (LiveScreen<BookLivePage>) async -> Void)?
        if let newLinks { beside = { screen in await Self.renew(screen, asking: newLinks) } }
        view = LiveView(page, from: subscriber, isJSON: false, beside: beside)
        self.log = log
    }

    /// Goes on until it is cancelled: what ends beside a view ends the view.
    private static func renew(
        _ screen: LiveScreen<BookLivePage>, asking newLinks: @Sendable () async -> [String]?
    ) async {
        var isOver = false
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(isOver ? 3_600 : 2))
            guard !isOver, let links = await newLinks() else { continue }
            await screen.change { $0.show(links: links) }
            isOver = true
        }
    }

    /// The service with its source, in the order of their dependencies.
    package var services: [any Service] { [subscriber, self] }

    /// Draws until it is told to stop, then gives the terminal back, and standard error unless all was well.
    ///
    /// - Throws: When the terminal cannot be written.
    package func run() async throws {
        // After Ctrl-C the last log lines are for the file too; after a failure somebody must see why.
        defer { if !Task.isShuttingDownGracefully { log.end() } }
        do {
            try await view.run()
        } catch is OutputClosed {
            // The terminal is gone, and with it whoever asked for all of this.
        }
    }
}
