import { readClientLog } from './client-log.ts';
import type { Reader } from './reader.ts';
import { SAMPLES_MAX, type Findings, type Violation } from './verdict.ts';

interface Seen {
  readonly id: string;
  readonly line: number;
}

const BATCH = 1_000;

/**
 * I1: a payment that any client saw as 2xx exists. Must run outside a snapshot that is older than the
 * log's last line. `checked` counts answers, not different payments: memory stays flat.
 */
export async function seenPaymentsExist(reader: Reader, file: string): Promise<Findings> {
  let checked = 0;
  let violations = 0;
  const samples: Violation[] = [];
  let batch: Seen[] = [];
  const report = (found: readonly Violation[]): void => {
    violations += found.length;
    samples.push(...found.slice(0, SAMPLES_MAX - samples.length));
  };
  for await (const promised of readClientLog(file)) {
    checked += promised.paymentIds.length + (promised.isNameless ? 1 : 0);
    if (promised.isNameless) {
      report([{ subject: `line ${promised.line}`, problem: 'accepted a payment without an id' }]);
    }
    batch.push(...promised.paymentIds.map((id) => ({ id, line: promised.line })));
    if (batch.length < BATCH) continue;
    report(await findMissing(reader, batch));
    batch = [];
  }
  report(await findMissing(reader, batch));
  return { checked, violations, samples };
}

async function findMissing(reader: Reader, seen: readonly Seen[]): Promise<Violation[]> {
  if (seen.length === 0) return [];
  return reader.query<Violation>(
    `SELECT seen.id AS subject, format('line %s saw it, it does not exist', seen.line) AS problem
     FROM unnest($1::text[], $2::integer[]) AS seen (id, line)
     WHERE NOT EXISTS (SELECT FROM payments p WHERE p.id = seen.id)`,
    [seen.map(({ id }) => id), seen.map(({ line }) => line)],
  );
}
