import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHostileRelay } from '../../support/customers/hostile-relay.ts';
import { until } from '../../support/until.ts';
import { smtpTo } from '../../support/workflow/engine-mails.ts';
import { startEngine, type Engine } from '../../support/workflow/engine-harness.ts';
import { createRequests, type Requests } from '../../support/workflow/engine-requests.ts';

let relay: Awaited<ReturnType<typeof startHostileRelay>>;
let engine: Engine;
let requests: Requests;
beforeAll(async () => {
  relay = await startHostileRelay();
  engine = await startEngine(smtpTo(relay.port));
  await engine.startWorkers();
  requests = await createRequests(engine);
});
afterAll(async () => {
  await engine.close();
  await relay.close();
});

const ask = (address = 'planted@leak.example', daysAgo = 0) => requests.ask(address, daysAgo);
const { wake, decide, rowOf } = {
  wake: (id: string) => requests.wake(id),
  decide: (...given: Parameters<Requests['decide']>) => requests.decide(...given),
  rowOf: (id: string) => requests.rowOf(id),
};
const column = (id: string, name: string) =>
  until(`${name} of ${id}`, async () => (await rowOf(id))[name]);
const isOpen = async (id: string) =>
  (await engine.handle(`onboarding/${id}`).describe()).status.name === 'RUNNING';

describe('the workflow of a request for access', () => {
  it('tells of it, waits, and gives test funds as soon as it is approved', async () => {
    const id = await ask();
    await wake(id);
    await column(id, 'told_at');
    expect(await isOpen(id)).toBe(true);
    await decide('approve', id);
    await wake(id);
    await column(id, 'funded_at');
    const { customer_id: customerId } = await rowOf(id);
    const funds = await engine.sql('SELECT FROM balances WHERE customer_id = $1', [customerId]);
    expect(funds.length).toBeGreaterThan(3);
    // What was told is still to be erased.
    expect(await isOpen(id)).toBe(true);
    await until('the receipt', () =>
      relay.bodies.some((body) => body.includes(id)) ? true : null,
    );
  });

  it('is started and woken by the reconciler where both were lost', async () => {
    const id = await ask('lost@leak.example');
    await engine.run('sweep');
    await column(id, 'told_at');
    await decide('approve', id);
    await engine.run('sweep');
    await column(id, 'funded_at');
  });

  it('goes on where a worker left it, each step once', async () => {
    const id = await ask('killed@leak.example');
    await wake(id);
    await engine.stopWorkers();
    await engine.startWorkers();
    await column(id, 'told_at');
    await Promise.all([1, 2, 3].map(() => wake(id)));
    await decide('approve', id);
    await engine.stopWorkers();
    await wake(id);
    await engine.startWorkers();
    await column(id, 'funded_at');
    const [receipts] = await engine.sql(
      `SELECT count(*)::int AS count FROM mails WHERE kind = 'REQUEST_RECEIVED'
       AND address_hash = (SELECT address_hash FROM access_requests WHERE id = $1)`,
      [id],
    );
    expect(receipts?.['count']).toBe(1);
    const [funded] = await engine.sql(
      `SELECT available FROM balances WHERE currency = 'EUR'
       AND customer_id = (SELECT customer_id FROM access_requests WHERE id = $1)`,
      [id],
    );
    expect(funded?.['available']).toBe('100000000');
  });

  it('ends with the request expired, or erased after a decision', async () => {
    const old = await ask('old@leak.example', 91);
    const declined = await ask('declined@leak.example', 40);
    await decide('decline', declined, 31);
    for (const id of [old, declined]) {
      await wake(id);
      await engine.historyOf(`onboarding/${id}`);
      expect(await rowOf(id)).toMatchObject({ details: null, address_hash: null });
    }
    expect(await rowOf(old)).toMatchObject({ status: 'EXPIRED' });
    expect(await rowOf(declined)).toMatchObject({ status: 'DECLINED' });
    // Nothing of what is over is due: the reconciler starts none of them again.
    await engine.run('sweep');
    expect(await isOpen(old)).toBe(false);
  });

  it('leaves in Temporal an id, and nothing that was told', async () => {
    const id = await ask('seen@leak.example');
    await wake(id);
    await column(id, 'told_at');
    const texts: string[] = [];
    for await (const { workflowId, runId } of engine.temporal.client.workflow.list()) {
      const history = await engine.temporal.client.workflow
        .getHandle(workflowId, runId)
        .fetchHistory();
      texts.push(workflowId, historyToJSON(history));
    }
    const told = texts.join('\n');
    const decoded = told.replace(/"([A-Za-z0-9+/]{8,}={0,2})"/g, (_all, base64: string) =>
      Buffer.from(base64, 'base64').toString('latin1'),
    );
    expect(decoded).toContain(id);
    for (const plain of ['Planted', 'planted', 'leak.example']) {
      expect(told + decoded).not.toContain(plain);
    }
  });
});
