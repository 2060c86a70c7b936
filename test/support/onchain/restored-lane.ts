import { expect } from 'vitest';
import { beginRestoreMode, endRestoreMode } from '../../../src/db/operations/restore-mode-store.ts';
import type { LaneHarness, SentPayment } from './lane-harness.ts';
import { thawLane } from './thaw-lane.ts';

/** An adoption is over within so many blocks. */
const BLOCKS_MAX = 40;

/** Puts the copy in the database's place and begins and ends restore mode, as operators do. */
export async function comeBack(
  { clock, database }: LaneHarness,
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

/** The harness's one lane as the database has it. */
export async function readLane(harness: LaneHarness) {
  const [row] = await harness.rows<{ status: string; why: string | null; next: bigint }>(
    'SELECT status, why, next_nonce AS next FROM chain_lanes',
  );
  return row;
}

/** Thaws the lane and looks until it is open: after every few blocks, or after each one where `before` is to act. */
export async function thawUntilOpen(
  harness: LaneHarness,
  before?: (look: number) => Promise<unknown>,
): Promise<void> {
  await thawLane(harness);
  for (let look = 0; look < BLOCKS_MAX; look += 1) {
    await before?.(look);
    await harness.lookAfter(before === undefined ? 4 : 1);
    if ((await readLane(harness))?.status === 'OPEN') return;
  }
  throw new Error(`the lane is ${JSON.stringify(await readLane(harness))}`);
}

/** Each was paid its whole amount, once, for good. */
export async function expectPaidOnce(
  harness: LaneHarness,
  sent: readonly SentPayment[],
): Promise<void> {
  for (const { id, order } of sent) {
    expect(await harness.balance(order.to), id).toBe(order.amount);
    expect(await harness.payment(id)).toMatchObject({ status: 'COMPLETED', finality: 'FINAL' });
  }
}
