/** What a command says that has handed a proposal in. */
export const handedIn = (proposalId: string): string =>
  `Submitted ${proposalId}. In the console, one operator takes it up and another approves it: /approvals/${proposalId}`;
