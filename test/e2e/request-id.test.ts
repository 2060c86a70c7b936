import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kycCheckId } from '../../src/adapters/temporal/temporal-workflow-client.ts';
import { until } from '../support/until.ts';
import { openStack, type Beneficiary } from '../support/e2e/stack.ts';

const stack = openStack();
let to: Beneficiary;
let connection: Connection;
let client: Client;
beforeAll(async () => {
  await stack.untilReady();
  to = await stack.addBeneficiary();
  connection = await Connection.connect({ address: stack.state().temporalAddress });
  client = new Client({ connection });
});
afterAll(() => connection.close());

/** The log lines of API and worker that name the request. */
function linesOf(requestId: string): Record<string, unknown>[] {
  return ['api', 'worker', 'engine']
    .flatMap((part) => {
      try {
        return readFileSync(join(stack.folder, 'logs', `${part}.log`), 'utf8').split('\n');
      } catch {
        return [];
      }
    })
    .filter((line) => line.includes(requestId))
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

const memoOf = (workflowId: string) =>
  until('its workflow', async () => {
    const description = await client.workflow
      .getHandle(workflowId)
      .describe()
      .catch(() => null);
    return description?.memo;
  });

describe('one request id', () => {
  it("of a payment is in the answer, in the API's log, in the worker's log and in Temporal", async () => {
    const answer = await stack.post(to, '12.00');
    expect(answer.status).toBe(201);
    const requestId = String(answer.headers.get('x-request-id'));
    expect(requestId).toMatch(/^req_[0-9a-z]{26}$/);
    await stack.untilPayment(answer.body.id, 'COMPLETED');
    const [row] = await stack.sql('SELECT workflow_id, request_id FROM payments WHERE id = $1', [
      answer.body.id,
    ]);
    const workflowId = String(row?.['workflow_id']);
    expect(row?.['request_id']).toBe(requestId);
    expect(await memoOf(workflowId)).toEqual({ requestId });
    const lines = await until('lines of API and worker', () => {
      const seen = linesOf(requestId);
      const said = new Set(seen.map(({ msg }) => msg));
      return said.has('request') && said.has('activity done') ? seen : null;
    });
    const byWorker = lines.filter(({ msg }) => msg === 'activity done');
    expect(byWorker[0]).toMatchObject({ requestId, workflowId });
    expect(lines.find(({ msg }) => msg === 'request')).toMatchObject({
      requestId,
      route: '/api/v1/payments',
      status: 201,
    });
  });

  it('of payments that are accepted together is each its own, and a repeat changes none', async () => {
    const keys = Array.from(
      { length: 8 },
      (_, nth) => `together-${String(nth)}-${String(Date.now())}`,
    );
    const answers = await Promise.all(keys.map((key) => stack.post(to, '1.00', key)));
    const repeats = await Promise.all(keys.map((key) => stack.post(to, '1.00', key)));
    const ids = answers.map(({ headers }) => String(headers.get('x-request-id')));
    expect(
      new Set([...ids, ...repeats.map(({ headers }) => headers.get('x-request-id'))]).size,
    ).toBe(16);
    for (const [nth, { body }] of answers.entries()) {
      expect(repeats[nth]?.body.id).toBe(body.id);
      const [row] = await stack.sql('SELECT workflow_id FROM payments WHERE id = $1', [body.id]);
      expect(await memoOf(String(row?.['workflow_id']))).toEqual({ requestId: ids[nth] });
    }
  });

  it('of a KYC check is with its workflow and in the log of its activities', async () => {
    const { body: endUser } = await stack.insist<{ id: string }>('POST', '/end-users', {
      type: 'INDIVIDUAL',
      individual: { firstName: 'Ada', lastName: 'Sample' },
    });
    const answer = await stack.call('POST', `/end-users/${endUser.id}/kyc`, {});
    const requestId = String(answer.headers.get('x-request-id'));
    const [check] = await stack.sql('SELECT id, round FROM kyc_checks WHERE end_user_id = $1', [
      endUser.id,
    ]);
    const workflowId = kycCheckId({
      ...{
        customerId: 'whichever',
        environment: 'test' as const,
        kycCheckId: String(check?.['id']),
      },
      ...{ endUserId: endUser.id, round: Number(check?.['round']) },
    });
    expect(await memoOf(workflowId)).toEqual({ requestId });
    await until('the worker to say so', () =>
      linesOf(requestId).find(({ msg }) => msg === 'activity done'),
    );
  });

  it('that a caller sends is not taken over', async () => {
    const claimed = 'req_01k6b7q0e8f1htx9n3r5p7v2ab';
    const answer = await stack.call('GET', '/errors?limit=1', undefined, {
      'x-request-id': claimed,
    });
    expect(answer.headers.get('x-request-id')).not.toBe(claimed);
  });
});
