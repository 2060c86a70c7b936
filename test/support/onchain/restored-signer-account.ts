import { expect } from 'vitest';
import { beginRestoreMode, endRestoreMode } from '../../../src/db/operations/restore-mode-store.ts';
import type { SignerHarness, SentPayment } from './signer-harness.ts';
import { thawSignerAccount } from './thaw-signer-account.ts';

/** An adoption is over within so many blocks. */
const BLOCKS_MAX = 60;

/** Puts the copy in the database's place and begins and ends restore mode, as operators do. */
export async function comeBack(
  { clock, database }: SignerHarness,
  restore: () => Promise<void>,
): Promise<void> {
  await restore();
  clock.advance(1_000);
  const act = (reason: string) => ({
    ...{ actor: { kind: 'OPERATOR', name: 'ada' } as const, at: clock.now() },
    reason,
  });
  await database.db.system((tx) => beginRestoreMode(tx, act('restored')));
  clock.advance(1_000);
  await database.db.system((tx) => endRestoreMode(tx, act('adopted')));
  clock.advance(1_000);
}

/** The harness's one signer account as the database has it. */
export async function readSignerAccount(harness: SignerHarness) {
  const [row] = await harness.rows<{ status: string; why: string | null; next: bigint }>(
    'SELECT status, why, next_nonce AS next FROM chain_signer_accounts',
  );
  return row;
}

/**
 * Thaws the signer account and looks until it is open: after every few blocks, or after each one where `before` is to
 * act.
 */
export async function thawUntilOpen(
  harness: SignerHarness,
  before?: (look: number) => Promise<unknown>,
): Promise<void> {
  await thawSignerAccount(harness);
  for (let look = 0; look < BLOCKS_MAX; look += 1) {
    await before?.(look);
    await harness.pollAfter(before === undefined ? 4 : 1);
    if ((await readSignerAccount(harness))?.status === 'OPEN') return;
  }
  throw new Error(`the signer account is ${JSON.stringify(await readSignerAccount(harness))}`);
}

/** Each was paid its whole amount, once, for good. */
export async function expectPaidOnce(
  harness: SignerHarness,
  sent: readonly SentPayment[],
): Promise<void> {
  for (const { id, order } of sent) {
    expect(await harness.balance(order.to), id).toBe(order.amount);
    expect(await harness.payment(id)).toMatchObject({ status: 'COMPLETED', finality: 'FINAL' });
  }
}
