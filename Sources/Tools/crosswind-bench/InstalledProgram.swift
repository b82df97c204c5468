import LabKernel

/// Programs that a measurement needs and the machine may lack.
enum InstalledProgram {
    /// Returns the path; nil if the program is not in a package's usual directory.
    static func path(_ name: String) -> String? {
        try? ProgramSearch.find(name, path: "/usr/bin:/usr/sbin:/usr/local/bin")
    }
}
