import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFailed } from 'vitest';
import { readNetworkSetups } from '../../../src/server/config/chain-config.ts';
import { connectToVerify } from '../../../src/cli/verify/reader.ts';
import { connectTemporalProbe } from '../../../src/cli/verify/temporal-probe.ts';
import { verify } from '../../../src/cli/verify/verify.ts';
import { createRandom } from '../random.ts';
import type { Beneficiary, Part, Stack } from './stack.ts';
import { seedOf, sizeOf } from '../campaign.ts';

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
/** The same for payments to wallets, whose chain has the last word. */
const CHAIN_FATES: Readonly<Record<string, string>> = {
  '.00': 'COMPLETED',
  '.01': 'FAILED',
  '.02': 'COMPLETED',
  '.03': 'COMPLETED',
};
const PAYMENTS = sizeOf(32, 160);
const TO_WALLETS = sizeOf(12, 40);
/** On a machine that is busy; a reverted transfer is given back once its block is final. */
const END_MS_MAX = 150_000;
const KILLS = sizeOf(6, 30);
const VICTIMS: readonly Part[] = ['worker', 'api', 'chain'];

/** API, worker and the process that signs killed at random moments, whatever is under way. */
export function testRandomKills(stack: Stack, to: () => Beneficiary): void {
  it('payments end as the bank says and move money once, whenever api, worker and signer are killed', async () => {
    const seed = seedOf(1);
    onTestFailed(() => {
      console.log(`seed ${String(seed)}`);
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
    const chainParts = Object.keys(CHAIN_FATES);
    const paidToWallets = Promise.all(
      Array.from({ length: TO_WALLETS }, async (_none, n) => {
        const part = chainParts[n % chainParts.length] ?? '.00';
        await pause(random() * 8_000);
        return { id: await stack.payWallet(to().endUserId, `${String(10 + n)}${part}`), part };
      }),
    );
    for (let kill = 0; kill < KILLS; kill += 1) {
      await pause(random() * 1_500);
      await stack.kill(VICTIMS[Math.floor(random() * VICTIMS.length)] ?? 'worker');
    }
    const payments = await paid;

    for (const { id, part } of payments) {
      const { end = '', moves = 0 } = FATES[part] ?? {};
      await stack.untilPayment(id, end, END_MS_MAX);
      const { executed } = await stack.journal(await stack.referenceOf(id));
      expect(executed.count, `${part} ${id}`).toBe(moves);
    }
    for (const { id, part } of await paidToWallets) {
      await stack.untilPayment(id, CHAIN_FATES[part] ?? '', END_MS_MAX);
    }
    // How often each was paid on the chain is told by I19.
    expect(await judge(stack, clientLog)).toEqual(
      Object.fromEntries(
        [
          'I19',
          'I20',
          'I21',
          'I22',
          'I23',
          'I1',
          'I4',
          'I5',
          'I6',
          'I7',
          'I8',
          'I10',
          'I15',
          'I16',
          'I17',
          'I18',
          'FX',
        ].map((id) => [id, 'held']),
      ),
    );
  }, 400_000);
}

/** What can be checked from outside, by its number; what it found is the value. */
async function judge(stack: Stack, clientLog: string): Promise<Record<string, string>> {
  const { databaseUrl, temporalAddress } = stack.state();
  const connection = await connectToVerify(databaseUrl);
  const chains = readNetworkSetups({ TEST_NETWORKS_FILE: join(stack.folder, 'networks.json') });
  const probe = await connectTemporalProbe({ env: {}, address: temporalAddress });
  try {
    const { isWorkflowOpen } = probe;
    const verdicts = await verify({
      ...{ connection, clientLog, isWorkflowOpen },
      ...{ startGraceSeconds: 30, chains },
    });
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
