import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contentsRow } from '../../../src/modules/customers/mail/mail-rows.ts';
import { addTestUser } from '../../support/test-people.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { startReceiver, type Receiver } from '../../support/webhooks/receiver.ts';
import {
  createWebhookHarness,
  type WebhookHarness,
} from '../../support/webhooks/webhook-harness.ts';

let harness: WebhookHarness;
let receiver: Receiver;
let owners: string[];

beforeEach(async () => {
  [harness, receiver] = await Promise.all([createWebhookHarness(), startReceiver()]);
  const { customerId } = harness.scope;
  owners = [];
  for (const role of ['OWNER', 'OWNER', 'DEVELOPER', 'FINANCE', 'VIEWER'] as const) {
    const user = await addTestUser(harness, customerId, role);
    if (role === 'OWNER') owners.push(user.address);
  }
  const stranger = await harness.db.system((tx) => addCustomer(tx));
  await addTestUser(harness, stranger, 'OWNER');
});
afterEach(async () => {
  await Promise.all([receiver.close(), harness.close()]);
});

const respond = (status: number) => {
  receiver.answer = (_request, response) => response.writeHead(status).end();
};

async function mails() {
  const rows = await harness.db.system((tx) =>
    tx.query<{ id: string; kind: string; address: Buffer; contents: Buffer }>(
      'SELECT id, kind, address, contents FROM mails ORDER BY id',
    ),
  );
  return rows.map(({ id, kind, address, contents }) => ({
    kind,
    to: harness.vault.open(address, `mails/${id}/address`).toString(),
    text: harness.vault.open(contents, contentsRow(id)).toString(),
  }));
}

describe('the owners of a customer', () => {
  it('are mailed once each when an endpoint is disabled by 410, and no other user is', async () => {
    const endpoint = await harness.addEndpoint(`${receiver.url}?token=hush`);
    await harness.record('pay_a');
    respond(410);
    await harness.drain(endpoint.id);
    // A second worker that was at it as well, and the next one.
    await harness.drain(endpoint.id);
    const sent = await mails();
    expect(sent.map(({ to }) => to).sort()).toEqual([...owners].sort());
    for (const { kind, text } of sent) {
      expect(kind).toBe('ENDPOINT_DISABLED');
      expect(text).toContain(`/test/webhooks/${endpoint.id}`);
      expect(text).toContain('410');
      expect(text).not.toMatch(/\bhush\b/);
    }
  });

  it('are mailed when four days of failures have disabled one, and not before', async () => {
    const endpoint = await harness.addEndpoint(receiver.url);
    respond(500);
    for (let day = 0; day <= 4; day++) {
      await harness.record(`pay_${String(day)}`);
      await harness.drain(endpoint.id);
      expect((await mails()).length, `day ${String(day)}`).toBe(day < 4 ? 0 : owners.length);
      harness.clock.advance(24 * 3_600_000);
    }
  });

  it('are not mailed where the disabling was not written', async () => {
    const endpoint = await harness.addEndpoint(receiver.url);
    await harness.record('pay_a');
    respond(410);
    const { exclusive } = harness.db;
    const db = {
      ...harness.db,
      exclusive: ((scope, work) =>
        exclusive(scope, async (tx) => {
          await work(tx);
          throw new Error('killed before the commit');
        })) as typeof exclusive,
    };
    await expect(harness.drain(endpoint.id, {}, { db })).rejects.toThrow('killed');
    expect(await mails()).toEqual([]);
    await harness.drain(endpoint.id);
    expect(await mails()).toHaveLength(owners.length);
  });

  it('are not mailed of what their customer has disabled', async () => {
    const endpoint = await harness.addEndpoint(receiver.url);
    await harness.disable(endpoint.id);
    expect(await mails()).toEqual([]);
  });
});
