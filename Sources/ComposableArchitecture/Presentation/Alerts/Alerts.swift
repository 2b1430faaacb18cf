public import SwiftNavigation

// Gone with the first action that they send.
extension AlertState: _EphemeralState {}
extension ConfirmationDialogState: _EphemeralState {}
