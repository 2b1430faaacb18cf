// RetraceCommands
