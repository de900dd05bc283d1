import HTTPTypes
import Hummingbird
import NIOCore

/// `/openapi.json` and `/openapi.yaml`: what the API says of itself.
struct DocumentRoutes: Sendable {
    private let json: ByteBuffer
    private let yaml: ByteBuffer

    init(_ document: OpenAPIDocument) {
        json = ByteBuffer(bytes: document.json)
        yaml = ByteBuffer(string: document.yaml)
    }

    func add(to routes: RouteTable) {
        for (path, type, bytes) in [
            ("/openapi.json", "application/json", json), ("/openapi.yaml", "application/yaml", yaml),
        ] {
            routes.file(path) { _, _ in
                Response(
                    status: .ok,
                    headers: [
                        .contentType: type, .cacheControl: Freshness.revalidate.cacheControl,
                    ],
                    body: ResponseBody(byteBuffer: bytes))
            }
        }
    }
}
