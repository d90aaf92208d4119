import PreviewThreads
import PreviewCatalog
import PreviewDownloads
import PreviewTransport

/// The catalog that the command line, else the environment, names; opened by the first question.
final class CatalogChoice: Sendable {
  /// As typed, save for a file, which is named by its whole path.
  let name: String
  private let baseURL: String
  private let country: String
  private let client: HTTPClient
  private let opened = Lock<(any Catalog)?>(nil)

  init(_ options: Options, _ context: Context, _ client: HTTPClient) {
    let given = options.catalog ?? context["PREVIEW_CATALOG"] ?? "auto"
    name = ["itunes", "auto", "deezer"].contains(given) ? given : context.absolute(given)
    baseURL = context["PREVIEW_ITUNES_URL"] ?? "https://itunes.apple.com"
    country = options.country ?? "us"
    self.client = client
  }

  func catalog() throws(CatalogError) -> any Catalog {
    if let catalog = opened.withLock({ $0 }) { return catalog }
    let catalog: any Catalog
    switch name {
    case "itunes", "auto":
      catalog = ITunesCatalog(client: client, baseURL: baseURL, country: country)
    case "deezer":
      throw .unsupported("The Deezer catalog is not there yet; use --catalog itunes, or a file.")
    default:
      catalog = try LocalCatalog(path: name)
    }
    opened.withLock { $0 = catalog }
    return catalog
  }

  /// The same clip with the address the catalog has for it now; nil where it has none.
  func lookUpAgain(_ source: ClipSource) async -> ClipSource? {
    guard source.id.hasPrefix("itunes:"), let reference = try? TrackReference(source.id),
      let track = try? await catalog().track(for: reference), let url = track.previewURL
    else { return nil }
    var found = source
    found.url = url
    return found
  }
}

/// The rooms as one command line wants them: who asks, who fetches, and where.
struct Rooms: Sendable {
  let downloader: Downloader
  let catalogs: CatalogChoice

  /// Opens the media directory; the catalog waits until something is asked of it.
  init(_ options: Options, _ context: Context) async throws(DownloadFailure) {
    let client = Self.client(options)
    let catalogs = CatalogChoice(options, context, client)
    self.catalogs = catalogs
    var configuration = Downloader.Configuration(bootID: context.bootID)
    // Each has a connection, a part file and now and then a file that is checked open.
    configuration.jobs = min(options.jobs, max(1, (Context.openFileLimit() - 40) / 3))
    configuration.retries = options.retries
    configuration.maximumSize = options.maximumSize
    configuration.lookUpAgain = { await catalogs.lookUpAgain($0) }
    downloader = try await Downloader(
      mediaDirectory: context.mediaDirectory(options), client: client, configuration: configuration)
    if let warning = downloader.warning { context.console.say("preview: \(warning)") }
  }

  /// Does something with the rooms, or says why they cannot be had.
  static func opened(
    for command: String, _ options: Options, _ context: Context,
    _ work: (Rooms) async throws(DownloadFailure) -> ExitCode
  ) async -> ExitCode {
    do throws(DownloadFailure) {
      return try await work(try await Rooms(options, context))
    } catch {
      context.console.fail(command, error.message)
      return .diskFailure
    }
  }

  static func client(_ options: Options) -> HTTPClient {
    var configuration = HTTPClient.Configuration()
    configuration.userAgent = "preview/\(version)"
    configuration.stallTimeout = options.timeout
    configuration.connectionsPerHost = options.jobs
    return HTTPClient(configuration: configuration)
  }
}
