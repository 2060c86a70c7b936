import { createReconciliationActivities } from '../../../activities/reconciliation/reconciliation.ts';
import type { StatementRef } from '../../../src/domain/workflows/work-refs.ts';
import { createCorridorTable } from '../../../src/domain/payments/corridors/corridor-table.ts';
import { parseCamt053 } from '../../../src/adapters/iso20022/camt053.ts';
import type { StatementSource, StatementSummary } from '../../../src/domain/payments/connector.ts';
import type { ReconciliationAlarm } from '../../../src/modules/reconciliation/reconciliation-alarm.ts';
import { createTestDatabase } from '../database.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import { storeBankCallback } from '../../../src/db/payments/transfer-report-store.ts';
import type { TransferStatus } from '../../../src/domain/payments/transfer-report.ts';
import { seedPayingCustomer, type Fate, type Seeded, type SeedOrder } from '../seed-payments.ts';
import { createTestClock } from '../test-clock.ts';
import { statementXml, type StatementDraft } from './statement-xml.ts';

export type ReconciliationHarness = Awaited<ReturnType<typeof createReconciliationHarness>>;

const PAID_AT = new Date('2026-09-29T11:00:00.000Z');

/** A database with a paying customer, and a bank whose statements are whatever the test says. */
export async function createReconciliationHarness() {
  const database = await createTestDatabase();
  const { db } = database;
  const customer = await seedPayingCustomer(db);
  const clock = createTestClock();
  const alarms: ReconciliationAlarm[] = [];
  const wakes: { workflowId: string; reportId: string }[] = [];
  const heartbeats: number[] = [];
  const bank = createPaperBank();
  const activities = createReconciliationActivities({
    db,
    clock,
    corridors: createCorridorTable(),
    connectors: {
      statementSources: (environment) => (environment === 'test' ? [bank.source] : []),
      depositor: () => null,
    },
    heartbeat: (line) => heartbeats.push(line),
    wakePayment: async (workflowId, _payment, reportId) => {
      wakes.push({ workflowId, reportId });
      throw new Error('Temporal is away');
    },
    alarm: (alarm) => alarms.push(alarm),
    missingAfterMs: { test: 60_000, live: 4 * 24 * 3_600_000 },
  });
  const rows = <Row extends object>(sql: string, values: readonly unknown[] = []) =>
    db.system((tx) => tx.query<Row>(sql, values));

  return {
    ...database,
    customer,
    clock,
    alarms,
    wakes,
    heartbeats,
    bank,
    activities,
    rows,
    pay: (fate: Fate, overrides: Partial<Omit<SeedOrder, 'fate'>> = {}) =>
      customer.pay({ fate, at: PAID_AT, ...overrides }),
    /** Stores a callback of the bank about a payment, unread. */
    async callback(
      { reference }: Seeded,
      said: { readonly status: TransferStatus; readonly amount: string },
    ): Promise<void> {
      const report = { reportId: newId('rpt'), reference, bankReference: null, reason: 'AC04' };
      await storeBankCallback(db, 'test', { ...report, ...said, at: PAID_AT }, PAID_AT);
    },
    /** Puts a statement out, reads and reconciles it, and answers which it is. */
    async reconcile(
      draft: Omit<StatementDraft, 'id'>,
      to?: string,
      from?: string,
    ): Promise<StatementRef> {
      const ref = await this.list(draft, to, from);
      await activities.readStatement(ref);
      await activities.reconcileStatement(ref);
      return ref;
    },
    async list(
      draft: Omit<StatementDraft, 'id'>,
      to?: string,
      from?: string,
    ): Promise<StatementRef> {
      const { id } = bank.publish((id) => statementXml({ id, ...draft }), { to, from });
      const refs = await activities.listStatements('test');
      const [row] = await rows<{ id: bigint }>(
        'SELECT id FROM statements WHERE bank_statement_id = $1',
        [id],
      );
      const ref = refs.find(({ statementId }) => statementId === String(row?.id));
      if (ref === undefined) throw new Error(`statement ${id} was not listed`);
      return ref;
    },
    /** The statement that was put out last, listed. */
    async newestListed(): Promise<StatementRef> {
      const refs = await activities.listStatements('test');
      const last = refs.toSorted((a, b) => Number(a.statementId) - Number(b.statementId)).at(-1);
      if (last === undefined) throw new Error('nothing is listed');
      return last;
    },
    async payment(id: string) {
      const [row] = await rows<{
        status: string;
        reconciliation: string;
        evidence: Record<string, unknown> | null;
        version: number;
      }>(
        `SELECT status, reconciliation_status AS reconciliation, reconciliation_evidence AS evidence,
           version FROM payments WHERE id = $1`,
        [id],
      );
      if (row === undefined) throw new Error(`there is no payment ${id}`);
      return row;
    },
    /** What each line came to, in order. */
    async outcomes(ref: StatementRef): Promise<(string | null)[]> {
      const found = await rows<{ outcome: string | null }>(
        `SELECT coalesce(exception, outcome) AS outcome FROM statement_lines
         WHERE statement_id = $1 AND processed_at IS NOT NULL ORDER BY line`,
        [ref.statementId],
      );
      return found.map((row) => row.outcome);
    },
    async statement(ref: StatementRef) {
      const [row] = await rows<{
        status: string;
        problems: { code: string }[];
        lines: number | null;
      }>('SELECT status, problems, line_count AS lines FROM statements WHERE id = $1', [
        ref.statementId,
      ]);
      if (row === undefined) throw new Error('there is no such statement');
      return row;
    },
    /** Everything that a second effect would change. */
    async fingerprint(): Promise<unknown> {
      return rows(
        `SELECT (SELECT count(*) FROM payment_history) AS versions,
           (SELECT count(*) FROM events) AS events,
           (SELECT count(*) FROM ledger_entries) AS entries,
           (SELECT count(*) FROM transfer_reports) AS reports,
           (SELECT count(*) FROM statement_lines) AS lines`,
      );
    },
  };
}

/** A bank on paper: statements in memory, by sequence. */
export function createPaperBank() {
  const statements: { summary: StatementSummary; open: () => AsyncIterable<Uint8Array> }[] = [];
  const asked: bigint[] = [];
  let nextSequence = 1n;
  const source: StatementSource = {
    name: 'http-bank',
    listStatements: async (after) => {
      asked.push(after);
      return statements
        .map(({ summary }) => summary)
        .filter(({ sequence }) => sequence > after)
        .sort((left, right) => (left.sequence < right.sequence ? -1 : 1));
    },
    readStatement: (id) => {
      const found = statements.find(({ summary }) => summary.id === id);
      if (found === undefined) throw new Error(`no statement ${id}`);
      return parseCamt053(found.open());
    },
  };
  return {
    source,
    asked,
    publish(
      render: (id: string) => string | (() => AsyncIterable<Uint8Array>),
      overrides: { sequence?: bigint; to?: string; from?: string; id?: string } = {},
    ): StatementSummary {
      const sequence = overrides.sequence ?? nextSequence;
      if (sequence >= nextSequence) nextSequence = sequence + 1n;
      const id = overrides.id ?? `STMT-${sequence}`;
      const to = overrides.to ?? '2026-09-29T11:00:30.000Z';
      const content = render(id);
      const open = typeof content === 'string' ? () => bytesOf(content) : content;
      const from = overrides.from ?? '2026-09-29T00:00:00.000Z';
      const summary = { id, sequence, account: 'NOSTRO', from, to };
      statements.push({ summary, open });
      return summary;
    },
  };
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
