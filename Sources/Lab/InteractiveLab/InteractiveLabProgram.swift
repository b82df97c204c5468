/// The program of an interactive lab: a command, or an interactive shell with a marked prompt.
package struct InteractiveLabProgram: Hashable, Sendable {
    package var command: [String]
    /// Files in the program's private folder.
    var files: [String: String] = [:]
    var environment: [String: String] = [:]
    /// The title for lists of labs.
    var title: String
    /// True if Ctrl-C at the terminal ends the lab when the program does not end by itself. A shell uses Ctrl-C for its own
    /// programs.
    var endsOnInterrupt = true

    package init(command: [String]) {
        self.command = command
        title = command.joined(separator: " ")
    }

    /// Returns a shell whose prompt shows the lab. `breakpoint` is short, such as `crosswind flaky-wifi`.
    ///
    /// Shells set their prompt in their own start files, so the mark has to be added after these: bash and zsh get a
    /// start file that reads the user's file and then adds the mark, fish gets a command; others use PS1.
    package static func shell(_ path: String, breakpoint: String, isInteractive: Bool) -> InteractiveLabProgram {
        var program = InteractiveLabProgram(command: [path])
        program.endsOnInterrupt = false
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let prefix = "(\(breakpoint)) "
        program.environment["PS1"] = "\(prefix)$ "
        guard isInteractive else { return program }
        switch name {
        case "bash":
            program.files["crosswind.bashrc"] = """
                [ -r ~/.bashrc ] && . ~/.bashrc
                PROMPT_COMMAND=
                PS1='\(prefix)'"${PS1}"

                """
            program.command += ["--rcfile", ClientEnvironment.folder + "/crosswind.bashrc", "-i"]
        case "zsh":
            program.files[".zshrc"] = """
                ZDOTDIR="$HOME"
                [ -r ~/.zshrc ] && . ~/.zshrc
                PROMPT='\(prefix)'"${PROMPT}"

                """
            program.environment["ZDOTDIR"] = ClientEnvironment.folder
        case "fish":
            program.command += [
                "-C",
                "functions -c fish_prompt crosswind_inner_prompt; function fish_prompt; echo -n '\(prefix)'; crosswind_inner_prompt; end",
            ]
        default: break
        }
        return program
    }
}
