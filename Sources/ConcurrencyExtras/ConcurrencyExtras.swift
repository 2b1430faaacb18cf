// ConcurrencyExtras
