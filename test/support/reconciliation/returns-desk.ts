import { expect } from 'vitest';
import { newId } from '../../../src/db/client/new-id.ts';
import type { StatementRef } from '../../../src/domain/workflows/work-refs.ts';
import { createOpsCommands } from '../cli/ops/ops-commands.ts';
import { createDecidingHarness } from './deciding-harness.ts';
import type { EntryDraft, StatementDraft } from './statement-xml.ts';

export type ReturnsDesk = Awaited<ReturnType<typeof createReturnsDesk>>;

/** Accounts of one customer, minor units of EUR. */
interface Books {
  readonly available: bigint;
  readonly nostro: bigint;
  readonly suspense: bigint;
}

export const minorOf = (amount: string) => BigInt(amount.replace('.', ''));

/** The first line of a statement. */
export const lineOf = ({ statementId }: StatementRef) => `${statementId}/1`;

/** The deciding harness, with returns that the bank marks and the commands that end them. `first`: amounts begin there, in cents. */
export async function createReturnsDesk(first: number) {
  const harness = await createDecidingHarness();
  const ops = createOpsCommands(harness.commands, harness.clock);
  let amounts = first;
  let before: Books = { available: 0n, nostro: 0n, suspense: 0n };

  async function books(): Promise<Books> {
    const [row] = await harness.rows<{ nostro: bigint }>(
      `SELECT coalesce(sum(amount), 0)::bigint AS nostro FROM ledger_entries
       WHERE account LIKE 'nostro:%' AND currency = 'EUR'`,
    );
    const { available } = await harness.standing();
    return { available, nostro: row?.nostro ?? 0n, suspense: await harness.suspense() };
  }

  async function remember(): Promise<void> {
    before = await books();
  }

  /** An amount that no other test has. */
  function newAmount(): string {
    amounts += 1;
    return `${String(Math.floor(amounts / 100))}.${String(amounts % 100).padStart(2, '0')}`;
  }

  const shows = (
    entries: EntryDraft | readonly EntryDraft[],
    report: NonNullable<StatementDraft['report']> = 'DAY',
  ): Promise<StatementRef> =>
    harness.reconcile({ report, entries: 'amount' in entries ? [entries] : entries });

  async function propose(...args: readonly string[]) {
    const { printed } = await ops(...args, '--reason', 'asked the bank', '--operator', 'ada');
    return { printed, id: /apr_[0-9a-z]+/.exec(printed)?.[0] ?? '' };
  }

  return {
    ...harness,
    ops,
    newAmount,
    shows,
    propose,
    remember,
    /** What changed since `remember` or `paid`. */
    async moved(): Promise<Books> {
      const now = await books();
      return {
        available: now.available - before.available,
        nostro: now.nostro - before.nostro,
        suspense: now.suspense - before.suspense,
      };
    },
    /** A credit that the bank marks as a return, under a reference that is none of ours. */
    marked: (over: Partial<EntryDraft> = {}): EntryDraft => ({
      ...{ reference: 'THEIR-REFERENCE', amount: newAmount(), direction: 'CRDT' },
      ...{ returnReason: 'AC04', bankReference: newId('back'), ...over },
    }),
    async creditOf({ statementId }: StatementRef): Promise<string> {
      const [row] = await harness.rows<{ id: string | null }>(
        'SELECT credit_id AS id FROM statement_lines WHERE statement_id = $1 AND line = 1',
        [statementId],
      );
      return row?.id ?? '';
    },
    /** Two operators do it; answers the act, if it is one about an exception. */
    async done(...args: readonly string[]): Promise<string> {
      const { id, printed } = await propose(...args);
      expect(id, printed).not.toBe('');
      const approved = await harness.approve(id);
      expect(approved, approved.printed).toMatchObject({ code: 0 });
      return /exa_[0-9a-z]+/.exec(approved.printed)?.[0] ?? '';
    },
    /** What the second operator is told; the first one may propose it. */
    async refusedWhenApproved(...args: readonly string[]): Promise<string> {
      const { id, printed } = await propose(...args);
      expect(id, printed).not.toBe('');
      const { code, printed: why } = await harness.approve(id);
      expect(code, why).toBe(1);
      return why;
    },
    /** What the first operator is told. */
    async refused(...args: readonly string[]): Promise<string> {
      const { id, printed } = await propose(...args);
      expect(id, printed).toBe('');
      return printed;
    },
    /** The command that closes a credit by a line of a statement. */
    async closing(creditId: string, { statementId }: StatementRef, line = 1): Promise<string[]> {
      const [shown] = await harness.rows<{ id: string }>(
        'SELECT bank_statement_id AS id FROM statements WHERE id = $1',
        [statementId],
      );
      const by = ['--statement', shown?.id ?? '', '--line', String(line)];
      return ['credits', 'close', creditId, ...by];
    },
    /** A payment that the bank paid, of this amount. */
    async paid(amount: string) {
      const payment = await harness.pay('COMPLETED', { amount: minorOf(amount) });
      await shows({ reference: payment.reference, amount, bankReference: newId('back') });
      await remember();
      return payment;
    },
    /** A payment that the bank paid, and told that so much of it came back; `moved` counts from before it told that. */
    async toldReturned(amount: string, back = amount) {
      const payment = await harness.pay('COMPLETED', { amount: minorOf(amount) });
      await remember();
      await harness.callback(payment, { status: 'RETURNED', amount: back });
      await shows({ reference: payment.reference, amount, bankReference: newId('back') });
      return payment;
    },
  };
}

/** The command by which the first line of a statement ends as the return of a payment. */
export const creditReturn = (ref: StatementRef, payment: string, ...more: string[]) =>
  applied(ref, 'CREDIT_RETURN', '--payment', payment, ...more);

/** The command by which the first line of a statement is ended. */
export const applied = (ref: StatementRef, act: string, ...more: string[]) => [
  ...['exceptions', 'apply', lineOf(ref), '--act', act],
  ...more,
];
