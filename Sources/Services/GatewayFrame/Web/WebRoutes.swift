import HTTPTypes
import Hummingbird
import NIOCore

/// The page, and the one about the API.
package struct WebRoutes: Sendable {
    /// Paths of the page besides `/`; the page reads the rest of the address itself.
    private static let pages = [
        "/setup", "/sign-up", "/reset", "/verify", "/alert", "/unsubscribe", "/shared/{token}",
    ]

    private let folder: WebFolder

    package init(folder: WebFolder) { self.folder = folder }

    package func add(to routes: RouteTable) {
        let document = [DocumentRoutes.jsonPath, DocumentRoutes.yamlPath]
        for (path, file) in folder.files.sorted(by: { $0.key < $1.key }) where !document.contains(path) {
            routes.file(path) { request, _ in Self.answer(file, request) }
        }
        if let index = folder.files["/index.html"] {
            routes.file("/") { request, _ in Self.answer(index, request) }
            for path in Self.pages {
                routes.file(path) { request, _ in Self.answer(index, request) }
            }
        }
        if let docs = folder.files["/docs.html"] {
            routes.file("/docs") { request, _ in Self.answer(docs, request) }
        }
    }

    /// A file as it was packed at the start; asked about each time, so that a new version is seen at once.
    private static func answer(_ file: WebFolder.File, _ request: Request) -> Response {
        var headers: HTTPFields = [
            .contentType: file.type, .eTag: file.tag, .cacheControl: CachePolicy.revalidate.cacheControl,
        ]
        if file.packed != nil { headers[.vary] = "Accept-Encoding" }
        if let packed = file.packed, AnswerFinish.accepts(request.headers[.acceptEncoding]) {
            headers[.contentEncoding] = "gzip"
            headers[.eTag] = String(file.tag.dropLast()) + "-gz\""
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: packed))
        }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: file.bytes))
    }
}
