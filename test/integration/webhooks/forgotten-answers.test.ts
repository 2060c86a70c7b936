import { beforeAll, beforeEach, expect, it } from 'vitest';
import { blankEndUser } from '../../../src/db/parties/erasure-blank-store.ts';
import { startEndpointHarness } from '../../support/webhooks/endpoint-harness.ts';

let harness: Awaited<ReturnType<typeof startEndpointHarness>>;
beforeAll(async () => {
  harness = await startEndpointHarness();
  return () => harness.close();
});
beforeEach(() => harness.beginTest());

/** What is kept of each attempt: whose event it was about, and whether its answer is there. */
const kept = async () => {
  const rows = await harness.rows<{ resourceId: string; hasAnswer: boolean; statusCode: number }>(
    `SELECT e.resource_id AS "resourceId", t.answer IS NOT NULL AS "hasAnswer",
       t.status_code AS "statusCode"
     FROM webhook_attempts t JOIN events e ON e.id = t.event_id ORDER BY t.id`,
  );
  return rows.map((row) => `${row.resourceId} ${String(row.hasAnswer)} ${String(row.statusCode)}`);
};

it('what receivers answered about an end-user is forgotten with them, and nothing of another', async () => {
  const { id } = await harness.addEndpoint();
  harness.receiver.answer = (request, response) => response.writeHead(200).end(request.body);
  await harness.record('eu_erased', 1, 'end_user.updated');
  await harness.record('eu_other', 1, 'end_user.updated');
  await harness.drain(id);
  expect((await kept()).toSorted()).toEqual(['eu_erased true 200', 'eu_other true 200']);
  const { db, scope, clock } = harness;
  await db.write(scope, (tx) => blankEndUser(tx, scope, 'eu_erased', clock.now()));
  expect((await kept()).toSorted()).toEqual(['eu_erased false 200', 'eu_other true 200']);
});

it('an attempt cannot be rewritten: its answer can only go', async () => {
  const { id } = await harness.addEndpoint();
  harness.receiver.answer = (_request, response) => response.writeHead(500).end('sorry');
  await harness.record('pay_a', 1);
  await harness.drain(id);
  const change = (sql: string) => harness.db.write(harness.scope, (tx) => tx.query(sql));
  await expect(change(`UPDATE webhook_attempts SET answer = 'x'`)).rejects.toThrow('append-only');
  await expect(change('UPDATE webhook_attempts SET status_code = 200')).rejects.toThrow();
  await expect(change('DELETE FROM webhook_attempts')).rejects.toThrow('permission denied');
  expect(await kept()).toEqual(['pay_a true 500']);
});
