import LoopbackServer

/// A stand-in for the iTunes API and for the server its clips lie on.
final class CatalogStub: Sendable {
  /// The server; its log tells who asked for what.
  let server: LoopbackServer

  /// Serves a catalog of these songs, all by one artist; `clip` answers a request for a song's clip.
  init(
    songs: [(id: Int, title: String)], clip: @escaping @Sendable (Request) -> Answer
  ) throws {
    let list = songs
    server = try LoopbackServer { request in
      guard request.path == "/search" || request.path == "/lookup" else { return clip(request) }
      let host = request["host"] ?? ""
      let hits = list.filter { song in
        request.path == "/search"
          ? request.target.lowercased().contains(song.title.lowercased())
          : request.target.contains("id=\(song.id)&") || request.target.hasSuffix("id=\(song.id)")
      }
      let results = hits.map { song in
        """
        {"wrapperType":"track","kind":"song","trackId":\(song.id),"trackName":"\(song.title)",
         "artistName":"The Testers","previewUrl":"http://\(host)/clips/\(song.id).m4a",
         "trackViewUrl":"https://store.example/\(song.id)","trackTimeMillis":200000}
        """
      }
      return Answer(
        ["Content-Type": "text/javascript; charset=utf-8"],
        text:
          "\n\n\n{\"resultCount\":\(results.count),\"results\":[\(results.joined(separator: ","))]}\n\n\n"
      )
    }
  }

  var requests: [Request] { server.requests }
  var clipRequests: [Request] { server.requests.filter { $0.path.hasPrefix("/clips/") } }
}
