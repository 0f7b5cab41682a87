import Glibc

exit(BrowseTool.run(CommandLine.arguments.dropFirst()))
