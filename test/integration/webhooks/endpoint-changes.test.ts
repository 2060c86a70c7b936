import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { lockEndpoint } from '../../../src/db/webhooks/webhook-endpoint-store.ts';
import { Compile } from 'typebox/compile';
import { ThinEvent } from '../../../src/api/schemas/events/event-schemas.ts';
import { eventProblems } from '../../support/events-fit.ts';
import { startEndpointHarness } from '../../support/webhooks/endpoint-harness.ts';

let harness: Awaited<ReturnType<typeof startEndpointHarness>>;
beforeAll(async () => {
  harness = await startEndpointHarness();
  return () => harness.close();
});
beforeEach(() => harness.beginTest());

/** The samples of every type: test/unit/webhooks/event-samples.test.ts. */
const TYPES = ['ping', 'payment.completed', 'kyc.approved', 'webhook_endpoint.disabled'];

const verifies = (secret: string): boolean =>
  harness.receiver.received.every((one) => {
    try {
      new Webhook(secret).verify(one.body, {
        'webhook-id': one.id,
        'webhook-timestamp': one.timestamp,
        'webhook-signature': one.signature,
      });
      return true;
    } catch {
      return false;
    }
  });

describe('PATCH /webhook-endpoints/{id}', () => {
  it('each change is one version and one event; what changes nothing is none', async () => {
    const { id } = await harness.addEndpoint();
    const path = `/webhook-endpoints/${id}`;
    const first = await harness.call('PATCH', path, { description: 'Payments', thin: true });
    expect(first).toMatchObject({
      status: 200,
      json: { version: 2, description: 'Payments', thin: true, types: ['*'] },
    });
    const again = await harness.call('PATCH', path, { description: 'Payments' });
    expect(again.json).toMatchObject({ version: 2 });
    const cleared = await harness.call('PATCH', path, { description: null, types: ['kyc.*'] });
    expect(cleared.json).toMatchObject({ version: 3, description: null, types: ['kyc.*'] });
    expect(await harness.eventTypes()).toEqual([
      'webhook_endpoint.updated',
      'webhook_endpoint.updated',
    ]);
  });

  it.each([
    [{ url: 'http://169.254.169.254/' }, '/url'],
    [{ types: ['nope'] }, '/types/0'],
    [{ status: 'DELETED' }, '/status'],
    [{ secret: 'whsec_AAAA' }, '/secret'],
  ])('%j is a 400 at %s and changes nothing', async (patch, path) => {
    const { id } = await harness.addEndpoint();
    const answer = await harness.call('PATCH', `/webhook-endpoints/${id}`, patch);
    expect(answer).toMatchObject({ status: 400, json: { details: [{ path }] } });
    expect(await harness.eventTypes()).toEqual([]);
  });

  it('holds all endpoints of the scope, in the order in which an event wakes them', async () => {
    const ids = [(await harness.addEndpoint()).id, (await harness.addEndpoint()).id].toSorted();
    const { db, scope } = harness;
    await db.write(scope, async (tx) => {
      await lockEndpoint(tx, scope, ids[1] ?? '');
      // Held apart, a second change or a payment that wakes both would wait in a circle.
      const other = db.write(scope, (second) =>
        second.query('SELECT FROM webhook_endpoints WHERE id = $1 FOR NO KEY UPDATE NOWAIT', [
          ids[0],
        ]),
      );
      await expect(other).rejects.toMatchObject({ code: '55P03' });
    });
  });

  it.each([{ description: 'Moved' }, { types: ['payment.*'] }, { status: 'DISABLED' }])(
    '%j: twelve at once of twelve endpoints are all done',
    async (patch) => {
      const ids: string[] = [];
      for (let n = 0; n < 12; n += 1) ids.push((await harness.addEndpoint()).id);
      const change = (id: string) => harness.call('PATCH', `/webhook-endpoints/${id}`, patch);
      const answers = await Promise.all(ids.map(change));
      expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200));
      expect(answers.map(({ json }) => json)).toEqual(
        ids.map(() => expect.objectContaining(patch)),
      );
    },
  );

  it('of neither types nor status waits for no event that is being written', async () => {
    const { id } = await harness.addEndpoint({ types: ['kyc.*'] });
    const late = await harness.recordLate('pay_late');
    const patch = { description: 'Moved', thin: true, asymmetric: true };
    const answer = await harness.call('PATCH', `/webhook-endpoints/${id}`, patch);
    await late.commit();
    expect(answer).toMatchObject({ status: 200, json: { description: 'Moved', version: 2 } });
  });

  it('of types comes again by itself where an event that is being written took longer than it waits', async () => {
    const { id } = await harness.addEndpoint({ types: ['kyc.*'] });
    const late = await harness.recordLate('pay_late');
    const changing = harness.call('PATCH', `/webhook-endpoints/${id}`, { types: ['payment.*'] });
    const tries = new Set<string>();
    try {
      await expect
        .poll(async () => {
          const waiting = await harness.db.system((tx) =>
            tx.query<{ transaction: string }>(
              `SELECT virtualtransaction AS transaction FROM pg_locks
             WHERE locktype = 'advisory' AND NOT granted AND database =
               (SELECT oid FROM pg_database WHERE datname = current_database())`,
            ),
          );
          for (const { transaction } of waiting) tries.add(transaction);
          return tries.size;
        })
        .toBeGreaterThan(1);
    } finally {
      await late.commit();
    }
    expect(await changing).toMatchObject({ status: 200, json: { types: ['payment.*'] } });
  });

  it('a stale If-Match is a 412', async () => {
    const { id } = await harness.addEndpoint();
    const path = `/webhook-endpoints/${id}`;
    await harness.call('PATCH', path, { thin: true });
    const stale = await harness.call('PATCH', path, { thin: false }, { 'if-match': '"1"' });
    expect(stale).toMatchObject({ status: 412, json: { error: 'precondition_failed' } });
  });
});

describe('an endpoint that is disabled', () => {
  it('gets nothing, and what it missed and what waited once it is enabled, in order', async () => {
    const { id } = await harness.addEndpoint({ types: ['payment.*'] });
    await harness.record('pay_a', 1);
    const path = `/webhook-endpoints/${id}`;
    const off = await harness.call('PATCH', path, { status: 'DISABLED' });
    expect(off.json).toMatchObject({ status: 'DISABLED', disabledReason: 'REQUESTED' });
    await harness.record('pay_a', 2);
    await harness.record('eu_a', 1, 'end_user.updated');
    await harness.record('pay_b', 1);
    expect(await harness.drain(id)).toEqual({ kind: 'GONE' });
    expect(harness.takeReceived()).toEqual([]);
    const on = await harness.call('PATCH', path, { status: 'ENABLED' });
    expect(on.json).toMatchObject({ status: 'ENABLED', disabledAt: null, disabledReason: null });
    await harness.record('pay_a', 3);
    expect(await harness.drain(id)).toMatchObject({ kind: 'IDLE' });
    const got = harness.takeReceived();
    expect(got.filter((one) => one.startsWith('pay_a/'))).toEqual([
      'pay_a/1',
      'pay_a/2',
      'pay_a/3',
    ]);
    expect(got.filter((one) => !one.startsWith('pay_a/'))).toEqual(['pay_b/1']);
    // Nothing twice: a further drain has nothing to do.
    await harness.drain(id);
    expect(harness.takeReceived()).toEqual([]);
    expect(await harness.call('GET', `${path}/replays`)).toMatchObject({
      json: { data: [{ reason: 'MISSED', status: 'COMPLETED', queued: 3 }] },
    });
  });

  it('is enabled again with a clean health', async () => {
    const { id } = await harness.addEndpoint();
    harness.receiver.answer = (_request, response) => response.writeHead(410).end();
    await harness.record('pay_a', 1);
    await harness.drain(id);
    const path = `/webhook-endpoints/${id}`;
    expect((await harness.call('GET', path)).json).toMatchObject({
      status: 'DISABLED',
      disabledReason: 'RECEIVER_GONE',
    });
    await harness.call('PATCH', path, { status: 'ENABLED' });
    expect((await harness.call('GET', path)).json).toMatchObject({ failingSince: null });
  });
});

describe('POST /webhook-endpoints/{id}/rotate-secret', () => {
  it('both secrets verify while they overlap, then only the new one', async () => {
    const { id, secret } = await harness.addEndpoint();
    const path = `/webhook-endpoints/${id}/rotate-secret`;
    const rotated = await harness.call('POST', path, {});
    expect(rotated).toMatchObject({ status: 200, json: { version: 2 } });
    const fresh = String(rotated.json['secret']);
    expect(fresh).not.toBe(secret);
    await harness.record('pay_a', 1);
    await harness.drain(id);
    expect(harness.receiver.received).not.toEqual([]);
    expect([verifies(secret), verifies(fresh)]).toEqual([true, true]);
    harness.takeReceived();
    harness.clock.advance(24 * 3_600_000);
    await harness.record('pay_a', 2);
    const sent = await harness.drain(id);
    expect(sent).toMatchObject({ kind: 'IDLE' });
    const signatures = harness.receiver.received.map(
      ({ signature }) => signature.split(' ').length,
    );
    expect(signatures).toEqual([1]);
  });

  it('a leaked secret ends at once without an overlap', async () => {
    const { id, secret } = await harness.addEndpoint();
    await harness.call('POST', `/webhook-endpoints/${id}/rotate-secret`, { overlapHours: 0 });
    await harness.record('pay_a', 1);
    await harness.drain(id);
    expect(harness.receiver.received).not.toEqual([]);
    expect(verifies(secret)).toBe(false);
  });

  it('of three secrets the two newest sign', async () => {
    const { id, secret } = await harness.addEndpoint();
    const path = `/webhook-endpoints/${id}/rotate-secret`;
    const second = String((await harness.call('POST', path, {})).json['secret']);
    const third = String((await harness.call('POST', path, {})).json['secret']);
    await harness.record('pay_a', 1);
    await harness.drain(id);
    expect(harness.receiver.received).not.toEqual([]);
    expect([secret, second, third].map(verifies)).toEqual([false, true, true]);
  });
});

describe('a thin endpoint', () => {
  it('gets ids only, signed', async () => {
    const { id, secret } = await harness.addEndpoint({ thin: true });
    await harness.record('pay_a', 7);
    await harness.drain(id);
    const [one] = harness.receiver.received;
    const body = JSON.parse(one?.body ?? '') as Record<string, unknown>;
    expect(body).toMatchObject({ resource: { id: 'pay_a', version: 7 }, data: { id: 'pay_a' } });
    expect(body).not.toHaveProperty('previous');
    expect(body['data']).toEqual({ id: 'pay_a' });
    expect(verifies(secret)).toBe(true);
  });
});

describe('POST /webhook-endpoints/{id}/test', () => {
  it('answers what came of it, and leaves no trace', async () => {
    const { id, secret } = await harness.addEndpoint();
    harness.receiver.answer = (_request, response) =>
      response.writeHead(418).end('short and stout');
    const tested = await harness.call('POST', `/webhook-endpoints/${id}/test`, {});
    expect(tested.json).toMatchObject({
      ...{ type: 'ping', delivered: false, statusCode: 418, error: 'STATUS' },
      answer: 'short and stout',
    });
    expect(harness.receiver.received).toHaveLength(1);
    expect(harness.receiver.received[0]?.id).toBe(tested.json['eventId']);
    expect(verifies(secret)).toBe(true);
    expect(await harness.eventTypes()).toEqual([]);
    expect((await harness.call('GET', `/webhook-endpoints/${id}`)).json).toMatchObject({
      failingSince: null,
      health: { backlog: 0, lastSuccessAt: null },
    });
  });

  it('of any type sends a made-up event that fits its schema', async () => {
    const { id, secret } = await harness.addEndpoint({ types: ['kyc.updated'] });
    for (const type of TYPES) {
      const tested = await harness.call('POST', `/webhook-endpoints/${id}/test`, { type });
      expect(tested).toMatchObject({ status: 200, json: { type, delivered: true } });
      const sent = harness.receiver.received.at(-1);
      const body = JSON.parse(sent?.body ?? '') as Record<string, unknown>;
      expect(eventProblems(body)).toEqual([]);
      expect(body).toMatchObject({
        ...{ id: tested.json['eventId'], type, environment: 'test' },
        timestamp: harness.clock.now().toISOString(),
      });
      expect(sent?.id).toBe(body['id']);
    }
    expect(harness.receiver.received).toHaveLength(TYPES.length);
    expect(verifies(secret)).toBe(true);
    expect(await harness.eventTypes()).toEqual([]);
  });

  it('each time under another id; thin to a thin endpoint; of no type that there is not', async () => {
    const { id } = await harness.addEndpoint({ thin: true });
    const path = `/webhook-endpoints/${id}/test`;
    const order = { type: 'payment.failed' };
    const ids = [await harness.call('POST', path, order), await harness.call('POST', path, order)];
    expect(new Set(ids.map(({ json }) => json['eventId'])).size).toBe(2);
    const [sent] = harness.receiver.received;
    const body = JSON.parse(sent?.body ?? '') as { data: object };
    expect(body.data).toEqual({ id: expect.stringMatching(/^pay_0{25}1$/) as string });
    expect(Compile(ThinEvent).Errors(body)).toEqual([]);
    for (const type of ['payment.*', '*', 'nope', '', null]) {
      const refused = await harness.call('POST', path, { type });
      expect(refused).toMatchObject({ status: 400, json: { details: [{ path: '/type' }] } });
    }
    expect(harness.receiver.received).toHaveLength(2);
  });
});
