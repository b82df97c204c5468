import AdapterSupport

/// Drives the stock URLSession of this toolchain (swift-corelibs-foundation) for Crosswind.
@main
enum FoundationAdapter {
    static func main() { CommandLoop.run(FoundationImplementation()) }
}
