// Retrace
