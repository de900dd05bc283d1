import AlertStore
import Logging
import Operations
import Store

extension AlertEvaluator {
    /// Between two notices that the disk is nearly full, in seconds: a working day has two.
    private static let repetition: Int64 = 6 * 3_600

    /// Tells operators when there is little room where PostgreSQL keeps its files, while something can still
    /// be stored.
    func watch(_ room: DiskRoom) async {
        while !Task.isCancelled {
            if let shortage = room.shortage() { await tell(shortage) }
            try? await Task.sleep(for: .seconds(10))
        }
    }

    private func tell(_ shortage: DiskRoom.Shortage) async {
        let notice = OutboxNotice(.diskNearlyFull, time: clock(), reason: "\(shortage)")
        do {
            let told = try await database.execute(
                .tellOperators(notice, atMostEvery: Self.repetition))
            guard told > 0 else { return }
            logger.error("Operators are told that the disk is nearly full", metadata: ["why": "\(shortage)"])
            try await database.withSession { try $0.hintOutbox() }
        } catch {
            if !Task.isCancelled {
                logger.warning("Operators could not be told", metadata: ["error": "\(error)"])
            }
        }
    }
}
