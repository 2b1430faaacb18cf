@_exported public import Observation
