import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createBatchHarness,
  type BatchHarness,
} from '../../../support/payments/batches/batch-harness.ts';

let harness: BatchHarness;
let app: pg.Client;
let id: string;
beforeAll(async () => {
  harness = await createBatchHarness();
  app = new pg.Client({ connectionString: harness.database.url, options: '-c role=causeway_app' });
  await app.connect();
  await app.query(
    `SELECT set_config('causeway.customer', $1, false), set_config('causeway.environment', $2, false)`,
    [harness.scope.customerId, harness.scope.environment],
  );
  const items = [harness.item('g-0'), harness.item('g-1', { amount: 'x' }), harness.item('g-2')];
  ({ id } = await harness.take(items));
});
afterAll(async () => {
  await app.end();
  await harness.close();
});

const code = (sql: string) =>
  app.query(sql, [id]).then(
    ({ rowCount }) => rowCount,
    (error: unknown) => (error as { code?: string }).code,
  );
const ITEM = 'UPDATE payment_batch_items SET';
const BATCH = 'UPDATE payment_batches SET';
const DONE = `${BATCH} status = 'COMPLETED', version = 2, completed_at = now() WHERE id = $1`;

describe('the database itself refuses', () => {
  it.each([
    ['to complete a batch with pending items', DONE, '23001'],
    ['to count a run back', `${BATCH} run = -1, begun_at = now() WHERE id = $1`, '23001'],
    ['another total', `${BATCH} total = 2 WHERE id = $1`, '42501'],
    ['another sender', `${BATCH} actor = '{}' WHERE id = $1`, '42501'],
    ['to delete a batch', 'DELETE FROM payment_batches WHERE id = $1', '42501'],
    ['to delete an item', 'DELETE FROM payment_batch_items WHERE batch_id = $1', '42501'],
    ['another amount', `${ITEM} amount = 1 WHERE batch_id = $1`, '42501'],
    [
      'to judge a refused item anew',
      `${ITEM} state = 'PENDING', error = NULL, judged_at = NULL WHERE batch_id = $1 AND item_index = 1`,
      '23001',
    ],
    [
      'an accepted item without its payment',
      `${ITEM} state = 'ACCEPTED', sealed = NULL, judged_at = now() WHERE batch_id = $1 AND item_index = 0`,
      '23514',
    ],
    [
      'a payment that is none of the scope',
      `${ITEM} state = 'ACCEPTED', sealed = NULL, judged_at = now(), payment_id = 'pay_x'
       WHERE batch_id = $1 AND item_index = 0`,
      '23503',
    ],
    [
      'another error of a refused item',
      `${ITEM} error = 'not_found' WHERE batch_id = $1 AND item_index = 1`,
      '23001',
    ],
  ])('%s', async (_what, sql, wanted) => {
    expect(await code(sql)).toBe(wanted);
  });

  it('any change of a batch that is COMPLETED, but the blanking of a refused item', async () => {
    await harness.finish(id);
    expect(await code(DONE)).toBe('23001');
    expect(await code(`${BATCH} run = run + 1 WHERE id = $1`)).toBe('23001');
    expect(await code(`${ITEM} sealed = '' WHERE batch_id = $1 AND item_index = 0`)).toBe('23514');
    expect(await code(`${ITEM} sealed = '' WHERE batch_id = $1 AND item_index = 1`)).toBe(1);
    const [, blanked] = await harness.items(id);
    expect(blanked?.error).toEqual({
      error: 'validation_failed',
      message: 'The request does not match the schema. `details` lists the fields to correct.',
      details: [],
    });
  });
});
