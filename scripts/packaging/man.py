#!/usr/bin/env python3
"""Writes the manual pages of crosswind and its commands from the program's own description of its arguments.

    crosswind --experimental-dump-help | scripts/packaging/man.py --version VERSION --date DATE FOLDER
"""
import argparse
import json
import os
import re
import sys


def escape(text):
    """The text as roff prints it: a hyphen that can be copied, and no line that is a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga").replace("^", "\\(ha").replace("~", "\\(ti")
    return re.sub(r"^\.", r"\\&.", text, flags=re.MULTILINE)


def prose(text):
    """Paragraphs of a description. Indented lines and lines after `Example:` keep their line breaks."""
    out = []
    for line in text.strip("\n").split("\n"):
        if not line.strip():
            out.append(".PP")
        elif line.startswith(("  ", "Example:")) or line.startswith("crosswind "):
            out += [".nf", escape(line), ".fi"]
        else:
            out.append(escape(line))
    # Adjacent lines of a listing are one listing; groff warns of repeated paragraph marks.
    text = "\n".join(out).replace("\n.fi\n.nf\n", "\n")
    return re.sub(r"(\.PP\n)+", ".PP\n", text)


def spelling(name):
    return ("-" if name["kind"] == "short" else "--") + name["name"]


def value(argument):
    return f"\\fI{escape(argument['valueName'])}\\fR"


def shown(command, kinds):
    return [one for one in command.get("arguments", []) if one["shouldDisplay"] and one["kind"] in kinds]


def synopsis(command, words):
    parts = ["\\fB" + escape(" ".join(words)) + "\\fR"]
    if shown(command, ("flag", "option")):
        parts.append("[\\fIoptions\\fR]")
    for argument in shown(command, ("positional",)):
        text = value(argument) + ("..." if argument["isRepeating"] else "")
        if argument["parsingStrategy"] == "postTerminator":
            text = "\\fB\\-\\-\\fR " + text
        parts.append(f"[{text}]" if argument["isOptional"] else text)
    if displayed(command):
        parts.append("\\fIcommand\\fR")
    return " ".join(parts)


def entry(argument):
    """One argument with its description."""
    if argument["kind"] == "positional":
        head = value(argument)
    else:
        tail = " " + value(argument) if argument["kind"] == "option" else ""
        head = ", ".join(f"\\fB{escape(spelling(name))}\\fR{tail}" for name in argument["names"])
    lines = [".TP", head, escape(argument.get("abstract", "").strip()) or "\\&"]
    notes = []
    if argument.get("allValues"):
        notes.append("Values: " + ", ".join(argument["allValues"]) + ".")
    if argument.get("defaultValue"):
        notes.append(f"Default: {argument['defaultValue']}.")
    if notes:
        lines.append(escape(" ".join(notes)))
    if argument.get("discussion"):
        lines += [".RS", ".PP", prose(argument["discussion"]), ".RE"]
    return lines


def displayed(command):
    return [one for one in command.get("subcommands", []) if one["shouldDisplay"] and one["commandName"] != "help"]


def page(command, words, others, version, date):
    name = "-".join(words)
    lines = [
        f'.TH "{escape(name.upper())}" 1 "{escape(date)}" "crosswind {escape(version)}" "Crosswind"', ".SH NAME",
        f"{escape(name)} \\- {escape(command['abstract'].rstrip('.'))}", ".SH SYNOPSIS", synopsis(command, words),
    ]
    if command.get("discussion"):
        lines += [".SH DESCRIPTION", prose(command["discussion"])]
    positional, options = shown(command, ("positional",)), shown(command, ("flag", "option"))
    for title, arguments in (("ARGUMENTS", positional), ("OPTIONS", options)):
        if arguments:
            lines.append(f".SH {title}")
            for argument in arguments:
                lines += entry(argument)
    if displayed(command):
        lines.append(".SH COMMANDS")
        for one in displayed(command):
            lines += [".TP", f"\\fB{escape(one['commandName'])}\\fR", escape(one["abstract"])]
    if others:
        lines += [".SH SEE ALSO", "\n".join(f".BR {escape(other)} (1)" + ("," if other != others[-1] else "") for other in others)]
    return "\n".join(lines) + "\n"


def write(folder, command, words, version, date):
    """Writes the page of a command and of those below it; returns their number."""
    below = displayed(command)
    name = "-".join(words)
    others = [f"{name}-{one['commandName']}" for one in below] or ["-".join(words[:-1])]
    with open(os.path.join(folder, f"{name}.1"), "w", encoding="utf-8") as file:
        file.write(page(command, words, others, version, date))
    return 1 + sum(write(folder, one, words + [one["commandName"]], version, date) for one in below)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", required=True)
    parser.add_argument("--date", required=True)
    parser.add_argument("folder")
    options = parser.parse_args()
    description = json.load(sys.stdin)
    # The field numbers the format of ArgumentParser's description.
    if description["serializationVersion"] != 0:
        sys.exit(f"man.py: the description has the version {description['serializationVersion']}; only 0 is known")
    os.makedirs(options.folder, exist_ok=True)
    count = write(options.folder, description["command"], ["crosswind"], options.version, options.date)
    print(f"{count} manual pages")


if __name__ == "__main__":
    main()
