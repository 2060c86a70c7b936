import type { Client } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { voidTransfer } from '../../../src/modules/onchain/void-transfer.ts';
import { createSignerHarness, type SignerHarness } from '../../support/onchain/signer-harness.ts';
import { addTestOperator } from '../../support/test-people.ts';
import { startSite, type Site } from '../../support/web/site.ts';

let harness: SignerHarness;
let site: Site;
let cookies: Readonly<Record<'operations' | 'compliance', string>>;

beforeAll(async () => {
  harness = await createSignerHarness();
  // What the network's workflow does with the Update; the workflow itself is tested in test/workflows.
  const handle = {
    executeUpdate: (_name: string, { args }: { readonly args: readonly [string] }) =>
      voidTransfer(harness.deps, args[0]),
  };
  const temporal = {
    workflow: { getHandle: () => handle },
    connection: {
      withDeadline: (_deadline: number, ask: () => Promise<unknown>) => ask(),
      workflowService: { getSystemInfo: () => Promise.resolve({}) },
    },
  } as unknown as Client;
  site = await startSite('console', {
    ...{ temporal, workflows: { wakeChain: () => Promise.resolve() } },
    on: { database: harness.database, clock: harness.clock },
  });
  const logIn = async (role: 'OPERATIONS' | 'COMPLIANCE') =>
    site.logIn((await addTestOperator(site.people, role)).id);
  cookies = { operations: await logIn('OPERATIONS'), compliance: await logIn('COMPLIANCE') };
});
afterAll(async () => {
  await site.close();
  await harness.close();
});

async function giveUp(id: string, reason = 'sent in error') {
  const path = `/payments/${id}/void`;
  const second = await site.submit(path, path, { reason }, cookies.operations);
  return second.status === 200 ? site.confirm(second, path, cookies.operations) : second;
}

const offers = async (id: string, cookie = cookies.operations): Promise<boolean> =>
  (await site.get(`/payments/${id}`, cookie)).body.includes(`/payments/${id}/void`);

const transferOf = async (reference: string) =>
  (
    await harness.rows<{ state: string; reason: string | null }>(
      'SELECT state, reason FROM chain_transfers WHERE reference = $1',
      [reference],
    )
  )[0];

describe('giving a transfer up in the console', () => {
  it('gives up what waits, after a second step, and says in the audit log who did and why', async () => {
    const { id, reference } = await harness.send();
    expect(await offers(id)).toBe(true);
    const path = `/payments/${id}/void`;
    const second = await site.submit(path, path, { reason: 'sent in error' }, cookies.operations);
    expect((await site.lastMail()).text).toContain(reference);
    expect(await transferOf(reference)).toMatchObject({ state: 'WAITING' });
    const done = await site.confirm(second, path, cookies.operations);
    expect([done.status, done.headers.location]).toEqual([303, `/payments/${id}`]);
    expect(await transferOf(reference)).toEqual({ state: 'REJECTED', reason: 'VOIDED' });
    const audited = await harness.rows(
      `SELECT customer_id AS customer, environment, details FROM audit_log
       WHERE action = 'transfer.void' AND subject = $1 AND actor LIKE 'operator:opr_%'`,
      [id],
    );
    const { customerId } = harness.customer.scope;
    const details = { reference, reason: 'sent in error' };
    expect(audited).toEqual([{ customer: customerId, environment: 'test', details }]);
    expect(await offers(id)).toBe(false);
    expect((await site.get(path, cookies.operations)).status).toBe(409);
  });

  it('says why where it was overtaken, and lets what is mined decide', async () => {
    const { id, reference } = await harness.send();
    await harness.poll();
    expect(await offers(id)).toBe(true);
    await voidTransfer(harness.deps, reference);
    const answer = await giveUp(id);
    expect([answer.status, answer.body.includes('already voided')]).toEqual([409, true]);
    await harness.mineAndPoll(8);
    expect(await harness.payment(id)).toMatchObject({ status: 'COMPLETED', finality: 'FINAL' });
    expect(await offers(id)).toBe(false);
  });

  it('is for those alone who decide about payments', async () => {
    const { id } = await harness.send();
    expect(await offers(id, cookies.compliance)).toBe(false);
    expect((await site.get(`/payments/${id}/void`, cookies.compliance)).status).toBe(403);
    expect((await site.get('/payments/pay_none/void', cookies.operations)).status).toBe(404);
  });
});
