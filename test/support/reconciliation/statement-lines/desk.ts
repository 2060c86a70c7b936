import { expect } from 'vitest';
import type { OpsCommands } from '../../cli/ops/ops-commands.ts';
import type { Seeded } from '../../seed-payments.ts';
import type { DecidingHarness } from '../deciding-harness.ts';
import type { Payee } from './ground.ts';
import type { PaperReport, ShownLine } from './lines-bank.ts';
import type { ReportReader } from './report-reader.ts';

export type Desk = ReturnType<typeof createDesk>;

const BY = ['--reason', 'asked the bank', '--operator', 'ada'];

/** Two operators at their commands: what one of them proposes, the other one approves. */
export function createDesk(harness: DecidingHarness, ops: OpsCommands, reader: ReportReader) {
  const acknowledged = new Map<string, Promise<void>>();

  async function decide(...args: readonly string[]): Promise<void> {
    const { printed } = await ops(...args, ...BY);
    const approval = /apr_[0-9a-z]+/.exec(printed)?.[0] ?? '';
    expect(approval, `${args.join(' ')}: ${printed}`).not.toBe('');
    const done = await harness.approve(approval);
    expect(done.code, `${args.join(' ')}: ${done.printed}`).toBe(0);
  }

  async function decideCredit(verb: string, line: ShownLine, ...args: string[]): Promise<void> {
    const [row] = await harness.rows<{ creditId: string | null }>(
      'SELECT credit_id AS "creditId" FROM statement_lines WHERE statement_id = $1 AND line = $2',
      [reader.idOf(line.reportId), line.line],
    );
    await decide('credits', verb, row?.creditId ?? 'none', ...args);
  }

  const apply = (exception: string, act: string, ...args: string[]): Promise<void> =>
    decide('exceptions', 'apply', exception, '--act', act, ...args);

  return {
    apply: (line: ShownLine, act: string, ...args: string[]) =>
      apply(`${reader.idOf(line.reportId)}/${String(line.line)}`, act, ...args),

    /** A problem of a report, `<report>/<problem>`, which any number of oddities have in common. */
    acknowledgeOnce(key: string): Promise<void> {
      const [report = '', problem = ''] = key.split('/');
      const known = acknowledged.get(key);
      if (known !== undefined) return known;
      const done = apply(`${reader.idOf(report)}/${problem}`, 'ACKNOWLEDGE');
      acknowledged.set(key, done);
      return done;
    },

    creditLateReturn: (paymentId: string) =>
      decide('payments', 'settle-late-return', paymentId, '--as', 'credit'),

    /** The bank says in writing that it never paid. */
    giveBack: ({ id }: Seeded) => apply(id, 'CREDIT_RETURN'),

    dismiss: (line: ShownLine) => decideCredit('dismiss', line),

    assign: (line: ShownLine, { customer }: Payee, ...args: string[]) =>
      decideCredit('assign', line, '--customer', customer.scope.customerId, ...args),

    /** The credit of a line has left the bank by another one. */
    closeAgainst: (line: ShownLine, left: ShownLine) =>
      decideCredit('close', line, '--statement', left.reportId, '--line', String(left.line)),

    recordTrade: (reference: string, { sold, bought }: Record<'sold' | 'bought', string>) =>
      decide(
        ...['fx', 'cover', '--environment', 'test', '--reference', reference, '--sold', sold],
        ...['--sold-from', 'ACH', '--bought', bought, '--bought-to', 'SEPA'],
      ),

    /** The credit of a line is what a cover trade bought. */
    tie: (line: ShownLine, reference: string) => decideCredit('tie', line, '--trade', reference),

    /** Of a report, or of one of its entries; the next fetch applies what waited. */
    async acceptSums(reportId: string, entry: number | null): Promise<void> {
      const of = entry === null ? [] : ['--entry', String(entry)];
      await decide('statements', 'accept-sums', reportId, '--environment', 'test', ...of);
      await reader.reconcile(reportId);
    },

    /** The bank is asked for a report, or for a file that can be read, and gives it out. */
    ask: (report: PaperReport) => reader.read(report),
  };
}
