import Bus
import Instruments
import ServiceLifecycle

/// Shows a page until it is told to stop: on a terminal ten times a second at the most, elsewhere once.
///
/// It ends its own source, and gives the terminal back whichever way it ends.
struct LiveView<Page: LivePage>: Service {
    private let subscriber: Subscriber
    private let screen: LiveScreen<Page>
    private let beside: (@Sendable (LiveScreen<Page>) async -> Void)?

    /// Follows a subscriber, while `beside` brings what is not on the bus to the screen.
    init(
        _ page: Page, from subscriber: Subscriber, isJSON: Bool,
        beside: (@Sendable (LiveScreen<Page>) async -> Void)? = nil
    ) {
        self.subscriber = subscriber
        self.beside = beside
        screen = LiveScreen(page, isJSON: isJSON)
    }

    func run() async throws {
        let (subscriber, screen, beside) = (subscriber, screen, beside)
        try await withGracefulShutdownHandler {
            try await show(subscriber, screen, beside)
        } onGracefulShutdown: {
            subscriber.finish()
        }
    }

    private func show(
        _ subscriber: Subscriber, _ screen: LiveScreen<Page>,
        _ beside: (@Sendable (LiveScreen<Page>) async -> Void)?
    ) async throws {
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                if let beside { group.addTask { await beside(screen) } }
                group.addTask {
                    for await batch in subscriber.batches {
                        let wanted = await screen.apply(batch)
                        if !wanted.isEmpty { subscriber.requestState(wanted) }
                    }
                }
                group.addTask {
                    let pause = await screen.pause
                    while true {
                        try await screen.draw()
                        try await Task.sleep(for: pause)
                    }
                }
                // The end of the batches, or of the reader of our output.
                defer { group.cancelAll() }
                try await group.next()
            }
        } catch {
            await screen.restore()
            throw error
        }
        await screen.restore()
    }
}

/// Owns the page and the terminal.
actor LiveScreen<Page: LivePage> {
    private var page: Page
    private let isJSON: Bool
    private let terminal = Terminal()
    private let output = StandardOutput()
    private let executor = ScreenExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ page: Page, isJSON: Bool) {
        self.page = page
        self.isJSON = isJSON
    }

    /// Time between two drawings: a file or pipe does not need ten pages a second.
    var pause: Duration { terminal.isInteractive || isJSON ? .milliseconds(100) : .seconds(1) }

    func apply(_ batch: BusBatch) -> [String] { page.apply(batch, at: .now) }

    /// Changes the page by something that came beside the bus.
    func change<Value: Sendable>(_ body: @Sendable (inout Page) -> Value) -> Value { body(&page) }

    func draw() throws {
        let now = Timestamp.now
        guard page.needsDrawing(at: now) else { return }
        if isJSON {
            for line in page.news() { try output.writeLine(json: line) }
            try output.flush()
        } else {
            let size = terminal.size
            try terminal.draw(page.draw(at: now, columns: size.columns, rows: size.rows))
        }
    }

    func restore() { terminal.restore() }
}
