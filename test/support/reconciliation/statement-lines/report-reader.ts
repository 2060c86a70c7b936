import { expect } from 'vitest';
import type { DecidingHarness } from '../deciding-harness.ts';
import { momentOf, renderReport, type PaperReport } from './lines-bank.ts';

export type ReportReader = ReturnType<typeof createReportReader>;

/** Fetches reports as the schedule does: each is listed, read and reconciled by the activities that workers run. */
export function createReportReader(harness: DecidingHarness) {
  const { activities, bank } = harness;
  const ids = new Map<string, string>();
  const mended = new Set<string>();
  let sequence = 0n;

  function idOf(reportId: string): string {
    const found = ids.get(reportId);
    if (found === undefined) throw new Error(`report ${reportId} was not listed`);
    return found;
  }

  const refOf = (reportId: string) =>
    ({ environment: 'test', connector: 'http-bank', statementId: idOf(reportId) }) as const;

  function publish(report: PaperReport): void {
    sequence += 1n + BigInt(report.gap);
    async function* open(): AsyncGenerator<Uint8Array> {
      if (report.isBroken && !mended.has(report.id)) yield Buffer.from('<Document');
      else yield* renderReport(report);
    }
    bank.publish(() => open, {
      ...{ id: report.id, sequence, from: momentOf(report.day, 0) },
      to: momentOf(report.day, report.report === 'INTRADAY' ? 16 : 23.99),
    });
  }

  async function list(report: PaperReport): Promise<void> {
    publish(report);
    await activities.listStatements('test');
    const [row] = await harness.rows<{ id: bigint }>(
      'SELECT id FROM statements WHERE bank_statement_id = $1',
      [report.id],
    );
    ids.set(report.id, String(row?.id));
  }

  return {
    idOf,

    reconcile: (reportId: string) => activities.reconcileStatement(refOf(reportId)),

    /** Reads a report; a broken one for the first time in vain. */
    async read(report: PaperReport): Promise<void> {
      if (ids.has(report.id)) mended.add(report.id);
      else await list(report);
      const reading = activities.readStatement(refOf(report.id));
      if (report.isBroken && !mended.has(report.id)) {
        await expect(reading).rejects.toThrow('cannot be read');
        return;
      }
      await reading;
      await activities.reconcileStatement(refOf(report.id));
    },
  };
}
