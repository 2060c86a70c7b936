import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { until } from '../../support/until.ts';
import { openStack, type Beneficiary, type Part } from '../../support/e2e/stack.ts';

const CONCURRENCY = 20;
const GROWTH_MAX = 1.5;
const READS = 5;

const stack = openStack();
let to: Beneficiary;
beforeAll(async () => {
  await stack.untilReady();
  to = await stack.addBeneficiary();
});

/** Pays so often, a bounded number at a time, and waits until all of it is settled. */
async function payMany(count: number): Promise<void> {
  let left = count;
  const signerAccount = async () => {
    while (left > 0) {
      left -= 1;
      await stack.pay(to, '1.00');
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, signerAccount));
  for (let open = await openByStatus(); open.size > 0;) {
    const before = JSON.stringify([...open]);
    // However slow the machine is, some payment settles in this time, unless they are stuck.
    open = await until(
      () => `a change of ${before}`,
      async () => {
        const now = await openByStatus();
        return JSON.stringify([...now]) === before ? null : now;
      },
    );
  }
}

/** How many payments are not settled yet, by their status. */
async function openByStatus(): Promise<Map<unknown, unknown>> {
  const rows = await stack.sql(
    `SELECT status || '/' || status_detail AS status, count(*)::int AS payments FROM payments
     WHERE bank_account_id = $1 AND status NOT IN ('COMPLETED', 'FAILED', 'RETURNED')
     GROUP BY 1 ORDER BY 1`,
    [to.bankAccountId],
  );
  return new Map(rows.map((row) => [row['status'], row['payments']]));
}

/** Resident memory of a process in MB: the median of a few looks, since collections come and go. */
async function residentMb(part: Part): Promise<number> {
  const reads: number[] = [];
  for (let n = 0; n < READS; n += 1) {
    const status = readFileSync(`/proc/${String(stack.pidOf(part))}/status`, 'utf8');
    reads.push(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024);
    await pause(200);
  }
  return reads.sort((a, b) => a - b)[Math.floor(READS / 2)] ?? 0;
}

// Only Linux tells the memory of another process in a file.
it.runIf(process.platform === 'linux')(
  '1,000 payments leave api and worker within 1.5 times the memory that 100 took',
  async () => {
    await payMany(100);
    const after100 = { api: await residentMb('api'), worker: await residentMb('worker') };
    await payMany(900);
    const after1000 = { api: await residentMb('api'), worker: await residentMb('worker') };
    const said = JSON.stringify({ after100, after1000 });
    expect(after1000.api / after100.api, said).toBeLessThanOrEqual(GROWTH_MAX);
    expect(after1000.worker / after100.worker, said).toBeLessThanOrEqual(GROWTH_MAX);
    console.log(said);
  },
  400_000,
);
