import AlertEvaluation
import Operations

/// The process that decides which rules fire; everything it does is in `AlertEvaluation`.
@main
enum AlertEvaluatorMain {
    static func main() async {
        await ServiceProcess.run("alert-evaluator", keys: AlertEvaluationConfiguration.keys) { process in
            try await AlertEvaluator.services(of: process)
        }
    }
}
