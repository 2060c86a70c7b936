import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFailed } from 'vitest';
import { connectToVerify } from '../../src/verify/reader.ts';
import { connectTemporalProbe } from '../../src/verify/temporal-probe.ts';
import { verify } from '../../src/verify/verify.ts';
import type { Beneficiary, Part, Stack } from './stack.ts';

/** What an amount's minor part must come to, and how often money must have moved at the bank. */
const FATES: Readonly<Record<string, { readonly end: string; readonly moves: number }>> = {
  '.00': { end: 'COMPLETED', moves: 1 },
  '.01': { end: 'FAILED', moves: 0 },
  '.02': { end: 'RETURNED', moves: 1 },
  '.03': { end: 'COMPLETED', moves: 1 },
  '.04': { end: 'FAILED', moves: 0 },
  '.05': { end: 'ON_HOLD', moves: 0 },
  '.06': { end: 'ON_HOLD', moves: 0 },
  '.07': { end: 'COMPLETED', moves: 1 },
};
const PAYMENTS = 32;
const KILLS = 6;
const VICTIMS: readonly Part[] = ['worker', 'api', 'worker'];

/** API and worker killed at random moments, whatever is under way. */
export function testRandomKills(stack: Stack, to: () => Beneficiary): void {
  it('payments end as the bank says and move money once, whenever api and worker are killed', async () => {
    const seed = Number(process.env['KILL_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
    onTestFailed(() => {
      console.log(`KILL_SEED=${String(seed)} repeats this order`);
    });
    const random = createRandom(seed);
    const clientLog = join(stack.folder, 'client.jsonl');
    const parts = Object.keys(FATES);

    const paid = Promise.all(
      Array.from({ length: PAYMENTS }, async (_none, n) => {
        const part = parts[n % parts.length] ?? '.00';
        await pause(random() * 8_000);
        const id = await stack.pay(to(), `${String(10 + n)}${part}`);
        const line = { method: 'POST', path: '/api/v1/payments', status: 201, body: { id } };
        appendFileSync(clientLog, `${JSON.stringify(line)}\n`);
        return { id, part };
      }),
    );
    for (let kill = 0; kill < KILLS; kill += 1) {
      await pause(random() * 1_500);
      await stack.kill(VICTIMS[Math.floor(random() * VICTIMS.length)] ?? 'worker');
    }
    const payments = await paid;

    for (const { id, part } of payments) {
      const { end = '', moves = 0 } = FATES[part] ?? {};
      await stack.untilPayment(id, end, 60_000);
      const { executed } = await stack.journal(await stack.referenceOf(id));
      expect(executed.count, `${part} ${id}`).toBe(moves);
    }
    expect(await judge(stack, clientLog)).toEqual(
      Object.fromEntries(
        ['I1', 'I4', 'I5', 'I6', 'I7', 'I8', 'I10', 'I15', 'I16', 'I17', 'I18', 'FX'].map((id) => [
          id,
          'held',
        ]),
      ),
    );
  }, 150_000);
}

/** What can be checked from outside, by its number; what it found is the value. */
async function judge(stack: Stack, clientLog: string): Promise<Record<string, string>> {
  const { databaseUrl, temporalAddress } = stack.state();
  const connection = await connectToVerify(databaseUrl);
  const probe = await connectTemporalProbe({ address: temporalAddress });
  try {
    const { isWorkflowOpen } = probe;
    const verdicts = await verify({ connection, clientLog, isWorkflowOpen, startGraceSeconds: 30 });
    return Object.fromEntries(
      verdicts.flatMap((verdict) => {
        if (verdict.status === 'skipped') return [];
        const found = verdict.status === 'held' ? 'held' : JSON.stringify(verdict.samples);
        return [[verdict.id, found]];
      }),
    );
  } finally {
    await probe.close();
    await connection.close();
  }
}

/** mulberry32: the same numbers for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
