// The modules whose names users of this one expect with it.
@_exported public import CasePaths
@_exported public import Perception
