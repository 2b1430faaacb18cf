// ActionCoding
