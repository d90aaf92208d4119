// swift-tools-version: 6.2

import PackageDescription

/// One array for every Swift target, so that no room is laxer than another.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

func room(_ name: String, uses dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// A C library whose functions are looked up on first use: nothing is linked, so a command that does
/// not need the library does not wait for it to load.
func libraryOnDemand(_ name: String) -> Target {
  .target(name: name, dependencies: ["COnDemand"])
}

func tests(_ name: String, of dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

let package = Package(
  name: "preview",
  products: [
    .executable(name: "preview", targets: ["preview"]),
    .library(
      name: "Preview",
      targets: ["PreviewTransport", "PreviewCatalog", "PreviewDownloads", "PreviewPlayback"]),
  ],
  targets: [
    .target(name: "COnDemand"),
    .target(name: "CLinux"),
    libraryOnDemand("CCurl"),
    libraryOnDemand("CCrypto"),
    libraryOnDemand("CLibAV"),
    libraryOnDemand("CPulse"),
    .systemLibrary(name: "CMpg123", providers: [.apt(["libmpg123-dev"])]),
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),

    room("PreviewThreads"),
    room("PreviewMedia"),
    room("PreviewTransport", uses: ["PreviewThreads", "CCurl"]),
    room("PreviewCatalog", uses: ["PreviewTransport"]),
    room(
      "PreviewDownloads",
      uses: ["PreviewTransport", "PreviewMedia", "PreviewThreads", "CCrypto", "CLinux", "CSQLite"]),
    room(
      "PreviewPlayback",
      uses: ["PreviewMedia", "PreviewThreads", "CLibAV", "CMpg123", "CPulse"]),
    .executableTarget(
      name: "preview",
      dependencies: [
        "PreviewTransport", "PreviewCatalog", "PreviewDownloads", "PreviewPlayback",
        "PreviewThreads",
      ],
      swiftSettings: settings),

    .target(
      name: "LoopbackServer", dependencies: ["PreviewThreads"], path: "Tests/LoopbackServer",
      swiftSettings: settings),
    tests("HouseTests", of: []),
    tests("MediaTests", of: ["PreviewMedia"]),
    tests("TransportTests", of: ["PreviewTransport", "PreviewThreads", "LoopbackServer"]),
    tests("CatalogTests", of: ["PreviewCatalog", "PreviewTransport", "LoopbackServer"]),
    tests(
      "DownloadsTests",
      of: [
        "PreviewDownloads", "PreviewMedia", "PreviewThreads", "PreviewTransport", "LoopbackServer",
      ]),
    tests("PlaybackTests", of: ["PreviewPlayback", "PreviewMedia"]),
    tests(
      "ToolTests",
      of: [
        "preview", "PreviewTransport", "PreviewCatalog", "PreviewDownloads", "PreviewPlayback",
        "PreviewThreads", "LoopbackServer",
      ]),
  ]
)
