/** What a command says that has handed a proposal in. */
export const handedIn = (proposalId: string): string =>
  `Handed in: ${proposalId}. In the console one operator takes it up, and another one approves it: /approvals/${proposalId}`;
