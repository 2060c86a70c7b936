import { afterAll, beforeAll, expect, it } from 'vitest';
import { addRecipient } from '../../../support/add-recipient.ts';
import { closeEndUser } from '../../../support/close-end-user.ts';
import {
  createBatchHarness,
  type BatchHarness,
} from '../../../support/payments/batches/batch-harness.ts';

const YEARS_5_MS = 1827 * 24 * 3_600_000;

let harness: BatchHarness;
beforeAll(async () => {
  harness = await createBatchHarness();
});
afterAll(() => harness.close());

const erase = (endUserId: string) =>
  harness.ask({ method: 'POST', url: `/end-users/${endUserId}/erase` });

it('an end-user with items that wait is not erased; afterwards nothing of a refused item tells of them', async () => {
  const { endUserId, bankAccountId } = await addRecipient(harness);
  const theirs = { endUserId, bankAccountId, reference: 'Planted reference' };
  const items = [
    harness.item('erase-0', { ...theirs, metadata: { note: 'planted note' } }),
    harness.item('erase-1', { ...theirs, 'Planted Name': 1 }),
    harness.item('erase-2', { 'Another Name': 1 }),
  ];
  const { id } = await harness.take(items);
  await closeEndUser(harness.database.db, harness.scope, endUserId, harness.clock.now());
  harness.clock.advance(YEARS_5_MS);
  expect((await erase(endUserId)).json()).toMatchObject({
    error: 'end_user_not_erasable',
    details: [{ code: 'payments_not_final', meta: { count: 1 } }],
  });
  await harness.finish(id);
  const before = await harness.items(id);
  expect(before.map(({ error }) => error?.details[0]?.path)).toEqual([
    '/endUserId',
    '/Planted Name',
    '/Another Name',
  ]);
  expect((await erase(endUserId)).statusCode).toBe(200);
  const after = await harness.items(id);
  expect(after.map(({ state, error }) => [state, error?.error, error?.details.length])).toEqual([
    ['REFUSED', 'end_user_not_active', 0],
    ['REFUSED', 'validation_failed', 0],
    // Of another end-user.
    ['REFUSED', 'validation_failed', 1],
  ]);
});

it('no text of an item stands readable in the database, while it waits or after', async () => {
  const planted = { reference: 'Planted 5521', metadata: { secret: 'planted-5521' } };
  const { id } = await harness.take([
    harness.item('plain-0', planted),
    harness.item('plain-1', { ...planted, 'planted-member': 1 }),
  ]);
  const expectSealed = async () => {
    const rows = await harness.rows<{ row: string }>(
      `SELECT t::text || coalesce(encode(sealed, 'escape'), '') AS row
       FROM payment_batch_items t WHERE batch_id = $1
       UNION ALL SELECT body FROM events WHERE resource_id = $1`,
      [id],
    );
    expect(rows.length).toBeGreaterThanOrEqual(3);
    for (const { row } of rows) expect(row.toLowerCase()).not.toContain('planted');
  };
  await expectSealed();
  await harness.finish(id);
  await expectSealed();
});
