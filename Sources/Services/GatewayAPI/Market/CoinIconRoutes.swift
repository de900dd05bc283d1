import GatewayFrame
import HTTPTypes
import Hummingbird
import NIOCore
import Shapes

/// Pictures of coins.
struct CoinIconRoutes: Sendable {
    func add(to routes: RouteTable) {
        let answer = AnswerDocument(
            status: 200, text: "The picture.",
            content: ("image/svg+xml", .text(), "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>"))
        let operation = Operation(
            "getIcon", .market, "A picture of an asset, 40 by 40, drawn of its code.",
            "The same code has the same picture in every installation; nothing is loaded from elsewhere.")
        routes.add(
            .get, "/v1/icons/{code}", RouteRules(access: .anonymous),
            RouteDocument(operation: operation, answers: [answer])
        ) { _, context in try Self.icon(try context.path("code")) }
    }

    private static func icon(_ code: String) throws(Problem) -> Response {
        guard let icon = CoinIcon(code) else {
            throw .notFound(
                """
                picture of "\(code.prefix(60))"; a code has letters or digits, and at most \
                \(CoinIcon.longest) bytes
                """)
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: "image/svg+xml", .cacheControl: CachePolicy.unchanging.cacheControl,
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(string: icon.svg)))
    }
}
