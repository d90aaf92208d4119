import PreviewCatalog

extension Command {
  static let search = Command(
    "search", operands: "WORDS...", abstract: "Show the tracks a catalog has for some words.",
    example: "preview search \"artist title\" --limit 5",
    options: Option.asking + [
      .number("limit", "n", value: "N", in: 1...200, help: "How many at most. Default: 10.") {
        $0.limit = $1
      }
    ]
  ) { options, context in
    do throws(CatalogError) {
      let catalog = try CatalogChoice(options, context, Rooms.client(options)).catalog()
      let words = options.operands.joined(separator: " ")
      let tracks = try await catalog.search(words, limit: options.limit)
      guard !tracks.isEmpty else {
        throw .noMatch(asked: words, hint: "try fewer words, or another --country")
      }
      if options.json {
        for track in tracks { context.console.out(track.jsonLine.text) }
      } else {
        Table(
          columns: ["ID", "TITLE", "ARTIST", "ALBUM", "YEAR", "LENGTH", "PREVIEW"],
          rows: tracks.map(\.row), flexible: 1, dispensable: [3, 4, 5, 6]
        ).write(to: context.console)
      }
      return .done
    } catch {
      context.console.fail("search", error.message)
      return error.exitCode
    }
  }
}

extension Track {
  fileprivate var row: [String] {
    let length = duration.map { Timestamp.clock(Int($0.rounded())) }
    return [
      id, title, artist, album ?? "", year.map { String($0) } ?? "", length ?? "",
      previewURL == nil ? "no" : "yes",
    ]
  }

  fileprivate var jsonLine: JSONLine {
    JSONLine([
      "id": .text(id), "title": .text(title), "artist": .text(artist), "album": .text(album),
      "year": .number(year), "duration": .decimal(duration), "explicit": .boolean(isExplicit),
      "preview": .boolean(previewURL != nil),
    ])
  }
}
