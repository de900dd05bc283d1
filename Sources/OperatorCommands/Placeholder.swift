// OperatorCommands
