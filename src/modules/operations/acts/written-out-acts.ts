import type { ActEntry } from './operator-act.ts';

/** An act whose command is written out, beside the table: it reads a file, or shows what is no sentence. */
export interface WrittenOutAct extends Pick<ActEntry, 'name' | 'summary' | 'decidedBy'> {
  /** As `keys add`. */
  readonly line: string;
  /** Why it is no entry of the table with a form. */
  readonly why: string;
}

const FILE = 'It reads a file.';

export const WRITTEN_OUT_ACTS = [
  {
    name: 'payments.retry-all',
    line: 'payments retry --all',
    summary: 'Take every held payment up again that a filter names.',
    ...{ decidedBy: 'ONE', why: 'It is about thousands of payments, and tells of each.' },
  },
  {
    name: 'customers.add',
    line: 'customers add',
    summary: 'Take on a customer; its test environment is funded.',
    ...{ decidedBy: 'ONE', why: 'In the console a request for access is approved instead.' },
  },
  {
    name: 'customers.set-own-entity',
    line: 'customers set-own-entity',
    summary: 'Make or change the end-user that is the customer itself.',
    ...{ decidedBy: 'ONE', why: FILE },
  },
  {
    name: 'customers.add-own-account',
    line: 'customers add-own-account',
    summary: "Propose a customer's own bank account, which it may withdraw to then.",
    ...{ decidedBy: 'TWO', why: FILE },
  },
  {
    name: 'customers.show-own-account',
    line: 'customers show-own-account',
    summary:
      "Show a customer's own account with its holder and all its digits; who looks is audited.",
    ...{ decidedBy: 'ONE', why: 'It shows personal data, on a terminal alone.' },
  },
  {
    name: 'keys.add',
    line: 'keys add',
    summary: 'Create an API key; its token is shown once.',
    ...{ decidedBy: 'ONE', why: 'Owners make keys in the dashboard; a command makes the first.' },
  },
  {
    name: 'terms.publish',
    line: 'terms publish',
    summary: 'Put new terms in force; who asks for live access accepts them.',
    ...{ decidedBy: 'ONE', why: FILE },
  },
  {
    name: 'erasures.reapply',
    line: 'erasures reapply',
    summary: 'Erase anew every end-user that a list names, whatever the retention.',
    ...{ decidedBy: 'ONE', why: FILE },
  },
  {
    name: 'chain.add-key',
    line: 'chain keys add',
    summary: 'Make a key and seal it into the file; only its address is shown.',
    ...{ decidedBy: 'ONE', why: 'It works on a file of this machine, and opens no database.' },
  },
  {
    name: 'chain.deploy',
    line: 'chain deploy',
    summary: 'Make the transaction that deploys the factory of deposit addresses for the treasury.',
    ...{ decidedBy: 'ONE', why: 'It works on a chain, and opens no database.' },
  },
] as const satisfies readonly WrittenOutAct[];

/** What the help of such a command says. */
export const summaryOf = (line: (typeof WRITTEN_OUT_ACTS)[number]['line']): string =>
  WRITTEN_OUT_ACTS.find((act) => act.line === line)?.summary ?? '';
