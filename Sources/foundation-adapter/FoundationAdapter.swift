import AdapterProgram

/// Drives the stock URLSession of this toolchain (swift-corelibs-foundation) for Crosswind.
@main
enum FoundationAdapter {
    static func main() {
        let output = EventOutput()
        Conversation.hold(with: CommandPlayer(output: output), output: output)
    }
}
