import type { ActEntry } from './operator-act.ts';

/** An act whose command is written out beside the table, because it reads a file or prints more than a sentence. */
export interface WrittenOutAct extends Pick<ActEntry, 'name' | 'summary' | 'decidedBy'> {
  /** As `keys add`. */
  readonly line: string;
  /** Why it has no entry with a form in the table. */
  readonly why: string;
}

const FILE = 'It reads a file.';

export const WRITTEN_OUT_ACTS = [
  {
    name: 'payments.retry-all',
    line: 'payments retry --all',
    summary: 'Retries every held payment that matches a filter.',
    ...{ decidedBy: 'ONE', why: 'It works on thousands of payments and reports each one.' },
  },
  {
    name: 'customers.add',
    line: 'customers add',
    summary: 'Creates a customer and funds its test environment.',
    ...{ decidedBy: 'ONE', why: 'In the console you approve an access request instead.' },
  },
  {
    name: 'customers.set-own-entity',
    line: 'customers set-own-entity',
    summary: 'Creates or updates the end-user that represents the customer itself.',
    ...{ decidedBy: 'ONE', why: FILE },
  },
  {
    name: 'customers.add-own-account',
    line: 'customers add-own-account',
    summary: "Proposes a customer's own bank account, to which it can then withdraw.",
    ...{ decidedBy: 'TWO', why: FILE },
  },
  {
    name: 'customers.show-own-account',
    line: 'customers show-own-account',
    summary:
      "Shows a customer's own account with its holder and full number. The audit log records who viewed it.",
    ...{ decidedBy: 'ONE', why: 'It shows personal data, and only on a terminal.' },
  },
  {
    name: 'keys.add',
    line: 'keys add',
    summary: 'Creates an API key and shows its token once.',
    ...{
      decidedBy: 'ONE',
      why: 'Owners create keys in the dashboard. The command creates the first key.',
    },
  },
  {
    name: 'terms.publish',
    line: 'terms publish',
    summary: 'Publishes new terms. Customers accept them when they request live access.',
    ...{ decidedBy: 'ONE', why: FILE },
  },
  {
    name: 'erasures.reapply',
    line: 'erasures reapply',
    summary: 'Erases every end-user on a list again, regardless of the retention period.',
    ...{ decidedBy: 'ONE', why: FILE },
  },
  {
    name: 'approvals.import',
    line: 'approvals import',
    summary:
      "Proposes or approves with a document that an operator signed with a file key. It needs the console's settings.",
    ...{ decidedBy: 'ONE', why: FILE },
  },
  {
    name: 'idempotency-keys.reclose',
    line: 'idempotency-keys reclose',
    summary:
      'Closes every idempotency key again that a log says was closed. A key that has a payment is named and stays.',
    ...{ decidedBy: 'ONE', why: FILE },
  },
  {
    name: 'secrets.reseal',
    line: 'secrets reseal',
    summary:
      'Seals every stored value under the last key of `ENCRYPTION_KEYS`, and moves every keyed hash to the last pepper of `PEPPER`. You can stop it and run it again.',
    ...{
      decidedBy: 'ONE',
      why: 'It works with a database role that a login gets for the run.',
    },
  },
  {
    name: 'chain.add-key',
    line: 'chain keys add',
    summary: 'Creates a key and seals it into the key file. Only its address is shown.',
    ...{
      decidedBy: 'ONE',
      why: 'It works on a file on this machine and does not open the database.',
    },
  },
  {
    name: 'chain.deploy',
    line: 'chain deploy',
    summary:
      'Creates the transaction that deploys the factory of deposit addresses for the treasury.',
    ...{ decidedBy: 'ONE', why: 'It works on a network and does not open the database.' },
  },
] as const satisfies readonly WrittenOutAct[];

/** What the help of such a command says. */
export const summaryOf = (line: (typeof WRITTEN_OUT_ACTS)[number]['line']): string =>
  WRITTEN_OUT_ACTS.find((act) => act.line === line)?.summary ?? '';
