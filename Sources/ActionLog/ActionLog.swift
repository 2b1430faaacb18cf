// ActionLog
