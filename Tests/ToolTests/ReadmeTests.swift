import PreviewCatalog
import PreviewDownloads
import PreviewPlayback
import PreviewTransport
import Testing

@testable import preview

struct ReadmeTests {
  /// What the README shows of the library, between two lines that the test looks for.
  func example() async throws {
    // begin
    let client = HTTPClient()
    let catalog = ITunesCatalog(
      client: client, baseURL: "https://itunes.apple.com", country: "us")
    let track = try await catalog.track(for: TrackReference("artist - title"))
    let downloader = try await Downloader(
      mediaDirectory: "/tmp/clips", client: client, configuration: .init(bootID: "this boot"))
    let download = downloader.download(
      ClipSource(
        id: track.id, title: track.title, artist: track.artist, url: track.previewURL ?? ""))
    for await state in download.states { print(state.name) }
    if case .finished(let clip) = download.state {
      let sound = try await AudioDecoder().decode(clip.path)
      let player = Player(PlayerSettings())
      _ = try await player.play(sound, title: track.title, artist: track.artist)
    }
    // end
  }

  @Test func `the example in the README is the one compiled here`() throws {
    let readme = text(ofFile: ProcessTests.project + "/README.md")
    let shown = try #require(lines(of: readme, from: "```swift", to: "```"))
    let compiled = try #require(
      lines(of: text(ofFile: #filePath), from: "    // begin", to: "    // end"))
    #expect(shown == compiled.map { String($0.dropFirst(4)) })
  }

  @Test func `every command is in the README, and every option shown there exists`() {
    let readme = text(ofFile: ProcessTests.project + "/README.md")
    for command in Command.all { #expect(readme.contains("`preview \(command.name)")) }
    let known = Set(
      Command.all.flatMap(\.options).map { "--" + $0.name } + [
        "--help", "--strict", "--sanitize", "--filter",
      ])
    let words = readme.split { !$0.isLetter && $0 != "-" }
    for word in words where word.hasPrefix("--") && word.count > 2 && word.last != "-" {
      #expect(known.contains(String(word)), "\(word)")
    }
  }

  private func lines(of text: String, from begin: String, to end: String) -> [String]? {
    let all = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    guard let first = all.firstIndex(of: begin), let last = all[first...].firstIndex(of: end)
    else { return nil }
    return Array(all[(first + 1)..<last])
  }
}
