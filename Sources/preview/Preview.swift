@main
struct Preview {
  static func main() {
    print("preview")
  }
}
