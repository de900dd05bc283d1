import HTTPTypes
import Hummingbird
import NIOCore

/// `/openapi.json` and `/openapi.yaml`: what the API says of itself, as it is made once, at the start.
package struct DocumentRoutes: Sendable {
    /// Where it is; a folder of the page has no file of its own there.
    static let (jsonPath, yamlPath) = ("/openapi.json", "/openapi.yaml")

    private let json: ByteBuffer
    private let yaml: ByteBuffer

    package init(_ document: OpenAPIDocument) {
        json = ByteBuffer(bytes: document.json)
        yaml = ByteBuffer(string: document.yaml)
    }

    package func add(to routes: RouteTable) {
        for (path, type, bytes) in [
            (Self.jsonPath, "application/json", json), (Self.yamlPath, "application/yaml", yaml),
        ] {
            routes.file(path) { _, _ in
                Response(
                    status: .ok,
                    headers: [
                        .contentType: type, .cacheControl: CachePolicy.revalidate.cacheControl,
                    ],
                    body: ResponseBody(byteBuffer: bytes))
            }
        }
    }
}
