"""The command line: one small file a command, each loaded only when it is called."""
