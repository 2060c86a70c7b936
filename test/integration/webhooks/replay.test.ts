import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { queueReplay } from '../../../src/modules/webhooks/queue-replay.ts';
import { startEndpointHarness } from '../../support/webhooks/endpoint-harness.ts';

let harness: Awaited<ReturnType<typeof startEndpointHarness>>;
beforeAll(async () => {
  harness = await startEndpointHarness();
  return () => harness.close();
});
beforeEach(() => harness.beginTest());

const DAY_MS = 24 * 3_600_000;
const span = () => {
  const now = harness.clock.now().getTime();
  return {
    from: new Date(now - DAY_MS).toISOString(),
    to: new Date(now + 1).toISOString(),
  };
};
const respond = (status: number, body = '') => {
  harness.receiver.answer = (_request, response) => response.writeHead(status).end(body);
};
const idsReceived = () => harness.receiver.received.splice(0).map(({ id }) => id);

describe('deliveries', () => {
  it('every attempt is listed with its status, how long it took and the answer', async () => {
    const { id } = await harness.addEndpoint();
    await harness.record('pay_a', 1);
    respond(500, 'x'.repeat(5_000));
    await harness.drain(id);
    respond(200, 'thanks');
    harness.clock.advance(5_000);
    await harness.drain(id);
    const path = `/webhook-endpoints/${id}/deliveries`;
    const list = await harness.call('GET', path);
    expect(list.json).toMatchObject({
      data: [{ status: 'DELIVERED', attempts: 2, lastStatusCode: 200, resource: { id: 'pay_a' } }],
    });
    const [one] = list.json['data'] as { eventId: string }[];
    const full = await harness.call('GET', `${path}/${one?.eventId ?? ''}`);
    expect(full.json).toMatchObject({
      attemptHistory: [
        { number: 2, statusCode: 200, error: null, answer: 'thanks' },
        { number: 1, statusCode: 500, error: 'STATUS', answer: 'x'.repeat(4_096) },
      ],
    });
    expect((await harness.call('GET', `${path}?status=PENDING`)).json).toMatchObject({ data: [] });
    const health = (await harness.call('GET', `/webhook-endpoints/${id}`)).json['health'];
    expect(health).toMatchObject({ backlog: 0, medianDelayMs: 0 });
  });

  it('what a receiver answered is stored sealed', async () => {
    const { id } = await harness.addEndpoint();
    await harness.record('pay_a', 1);
    respond(500, 'planted-answer');
    await harness.drain(id);
    const rows = await harness.db.system((tx) =>
      tx.query<{ answer: Buffer }>('SELECT answer FROM webhook_attempts WHERE endpoint_id = $1', [
        id,
      ]),
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.answer.includes('planted-answer')).toBe(false);
  });
});

describe('POST /events/{id}/redeliver', () => {
  it('goes out once more under the same id', async () => {
    const { id } = await harness.addEndpoint();
    await harness.record('pay_a', 1);
    await harness.drain(id);
    const [eventId] = idsReceived();
    const answer = await harness.call('POST', `/events/${eventId ?? ''}/redeliver`, {});
    expect(answer).toMatchObject({ status: 200, json: { webhookEndpointIds: [id] } });
    await harness.drain(id);
    expect(idsReceived()).toEqual([eventId]);
  });

  it('names an endpoint that is not there, and one that is disabled', async () => {
    const { id } = await harness.addEndpoint();
    await harness.record('pay_a', 1);
    await harness.drain(id);
    const [eventId] = idsReceived();
    const path = `/events/${eventId ?? ''}/redeliver`;
    const missing = await harness.call('POST', path, { webhookEndpointId: 'whe_x' });
    expect(missing).toMatchObject({ status: 422, json: { error: 'resource_not_found' } });
    await harness.call('PATCH', `/webhook-endpoints/${id}`, { status: 'DISABLED' });
    const disabled = await harness.call('POST', path, { webhookEndpointId: id });
    expect(disabled).toMatchObject({ status: 409, json: { error: 'webhook_endpoint_disabled' } });
    expect((await harness.call('POST', '/events/evt_x/redeliver', {})).status).toBe(404);
  });
});

describe('POST /webhook-endpoints/{id}/replay', () => {
  it('more than a page goes out again, each once, oldest first, with its own id', async () => {
    const { id } = await harness.addEndpoint();
    for (let n = 0; n < 3; n += 1) await harness.record('pay_a', n + 1);
    await harness.db.write(harness.scope, (tx) =>
      tx.query(
        `INSERT INTO events (id, customer_id, environment, type, resource_type, resource_id,
           resource_version, body, created_at)
         SELECT 'evt_many' || n, $1, $2, 'payment.updated', 'payment', 'pay_' || n, 1,
           '{"resource":{"id":"pay_' || n || '","version":1},"data":{}}', $3
         FROM generate_series(1, 600) n`,
        [harness.scope.customerId, harness.scope.environment, harness.clock.now()],
      ),
    );
    await harness.drain(id);
    const first = idsReceived();
    expect(first).toHaveLength(3);
    const replay = await harness.call('POST', `/webhook-endpoints/${id}/replay`, span());
    expect(replay).toMatchObject({ status: 201, json: { status: 'RUNNING', queued: 0 } });
    expect(await harness.drain(id)).toMatchObject({ kind: 'IDLE' });
    const again = idsReceived();
    expect(new Set(again).size).toBe(603);
    expect(again).toHaveLength(603);
    expect(again).toEqual(expect.arrayContaining(first));
    const done = await harness.call(
      'GET',
      `/webhook-endpoints/${id}/replays/${String(replay.json['id'])}`,
    );
    expect(done.json).toMatchObject({ status: 'COMPLETED', queued: 603 });
  });

  it('onlyFailed leaves out what was delivered; types leave out the others', async () => {
    const { id } = await harness.addEndpoint();
    await harness.record('pay_a', 1);
    await harness.drain(id);
    idsReceived();
    respond(500);
    await harness.record('pay_b', 1);
    await harness.record('eu_a', 1, 'end_user.updated');
    await harness.drain(id);
    idsReceived();
    respond(204);
    const path = `/webhook-endpoints/${id}/replay`;
    const order = { ...span(), onlyFailed: true, types: ['payment.*'] };
    const replay = await harness.call('POST', path, order);
    await harness.drain(id);
    // What had failed beside it was put off, and goes out once the receiver is back.
    expect(harness.takeReceived()).toEqual(['pay_b/1', 'eu_a/1']);
    const done = await harness.call(
      'GET',
      `/webhook-endpoints/${id}/replays/${String(replay.json['id'])}`,
    );
    expect(done.json).toMatchObject({ status: 'COMPLETED', queued: 1 });
  });

  it('may end in the future; what happens after it was asked for comes once', async () => {
    const { id } = await harness.addEndpoint();
    await harness.record('pay_a', 1);
    await harness.drain(id);
    harness.takeReceived();
    const to = new Date(harness.clock.now().getTime() + DAY_MS).toISOString();
    await harness.call('POST', `/webhook-endpoints/${id}/replay`, { ...span(), to });
    await harness.record('pay_b', 1);
    await harness.drain(id);
    expect(harness.takeReceived().toSorted()).toEqual(['pay_a/1', 'pay_b/1']);
  });

  it('holds an event that commits late with a lower place in the log', async () => {
    // Written before there is an endpoint: it has no delivery of its own.
    const low = await harness.recordLate('pay_low');
    const { id } = await harness.addEndpoint({ types: ['payment.*'] });
    await harness.record('pay_high', 1);
    const path = `/webhook-endpoints/${id}/replay`;
    expect((await harness.call('POST', path, span())).status).toBe(201);
    const drainInTheEnd = (): Promise<unknown> => harness.drain(id).catch(drainInTheEnd);
    const draining = drainInTheEnd();
    await harness.waitForBlockedLock();
    await low.commit();
    await draining;
    // By itself and by the replay; the late one by the replay alone.
    expect(harness.takeReceived().toSorted()).toEqual(['pay_high/1', 'pay_high/1', 'pay_low/1']);
  });

  it('repeated under its key is the first answer, also once the span begins before the log', async () => {
    const { id } = await harness.addEndpoint();
    const path = `/webhook-endpoints/${id}/replay`;
    const now = harness.clock.now().getTime();
    const from = new Date(now - 90 * DAY_MS + 60_000).toISOString();
    const { to } = span();
    const ask = (key: string) =>
      harness.call('POST', path, { from, to }, { 'idempotency-key': key });
    const first = await ask('once');
    expect(first.status).toBe(201);
    harness.clock.advance(120_000);
    const again = await ask('once');
    expect([again.status, again.json]).toEqual([201, first.json]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    const other = await ask('other');
    expect(other).toMatchObject({ status: 400, json: { details: [{ path: '/from' }] } });
  });

  it('is one of ten at a time, also where more are asked for at once', async () => {
    const { id } = await harness.addEndpoint();
    const path = `/webhook-endpoints/${id}/replay`;
    const ask = () => harness.call('POST', path, span());
    const answers = await Promise.all(Array.from({ length: 14 }, ask));
    const codes = answers.map(({ status }) => status);
    expect(codes.filter((code) => code === 201)).toHaveLength(10);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused.map(({ json }) => json['error'])).toEqual(
      Array.from({ length: 4 }, () => 'limit_reached'),
    );
    await harness.drain(id);
    expect((await ask()).status).toBe(201);
  });

  it('stops with its endpoint, and is as missing as that once it is deleted', async () => {
    const { id } = await harness.addEndpoint();
    await harness.record('pay_a', 1);
    const path = `/webhook-endpoints/${id}`;
    const { json } = await harness.call('POST', `${path}/replay`, span());
    await harness.call('PATCH', path, { status: 'DISABLED' });
    const refused = await harness.call('POST', `${path}/replay`, span());
    expect(refused).toMatchObject({ status: 409, json: { error: 'webhook_endpoint_disabled' } });
    await queueReplay(harness, harness.scope, id);
    await harness.call('DELETE', path);
    await queueReplay(harness, harness.scope, id);
    expect(await harness.drain(id)).toEqual({ kind: 'GONE' });
    for (const gone of [path, `${path}/replays`, `${path}/replays/${String(json['id'])}`]) {
      expect((await harness.call('GET', gone)).status).toBe(404);
    }
    expect(harness.takeReceived()).toEqual([]);
  });

  it('reads the log from shortly before its beginning to shortly after its end, and no more of it', async () => {
    const { id } = await harness.addEndpoint();
    const { clock } = harness;
    await harness.record('pay_old');
    clock.advance(DAY_MS);
    // Another process's clock may be this far behind: it is read, and left out by its time.
    await harness.record('pay_just_before');
    clock.advance(300_000);
    const from = clock.now().toISOString();
    await harness.record('pay_meant');
    clock.advance(300_000);
    const to = clock.now().toISOString();
    await harness.record('pay_just_after');
    clock.advance(DAY_MS);
    await harness.record('pay_late');
    await harness.record('pay_later');
    await harness.drain(id);
    harness.takeReceived();
    const path = `/webhook-endpoints/${id}/replay`;
    const { status, json } = await harness.call('POST', path, { from, to });
    expect(status).toBe(201);
    const [read] = await harness.rows<{ after: string; last: string }>(
      `SELECT
         (SELECT resource_id FROM events e WHERE e.seq = r.cursor_seq) AS after,
         (SELECT resource_id FROM events e WHERE e.seq = r.until_seq) AS last
       FROM webhook_replays r WHERE r.id = $1`,
      [json['id']],
    );
    expect(read).toEqual({ after: 'pay_old', last: 'pay_late' });
    await harness.drain(id);
    expect(harness.takeReceived()).toEqual(['pay_meant/1']);
  });

  it('is over with its endpoint, so that it can be pruned; a refused deletion ends none', async () => {
    const { id } = await harness.addEndpoint({ types: ['payment.*'] });
    const other = await harness.addEndpoint();
    const path = `/webhook-endpoints/${id}`;
    await harness.call('PATCH', path, { status: 'DISABLED' });
    await harness.call('PATCH', path, { status: 'ENABLED' });
    await harness.call('POST', `${path}/replay`, span());
    await harness.call('POST', `/webhook-endpoints/${other.id}/replay`, span());
    const statuses = () =>
      harness.rows<{ status: string; completedAt: Date | null }>(
        `SELECT endpoint_id = $1 AS own, reason, status, completed_at AS "completedAt"
         FROM webhook_replays ORDER BY seq`,
        [id],
      );
    const running = { status: 'RUNNING', completedAt: null };
    const replays = [
      { own: true, reason: 'MISSED', ...running },
      { own: true, reason: 'REQUESTED', ...running },
      { own: false, reason: 'REQUESTED', ...running },
    ];
    const refused = await harness.call('DELETE', path, undefined, { 'if-match': '"1"' });
    expect(refused.status).toBe(412);
    expect(await statuses()).toEqual(replays);
    expect((await harness.call('DELETE', path)).status).toBe(204);
    const over = { status: 'COMPLETED', completedAt: harness.clock.now() };
    expect(await statuses()).toEqual(replays.map((one) => (one.own ? { ...one, ...over } : one)));
  });

  it('of types that the endpoint is not subscribed to is a 400 at /types', async () => {
    const { id } = await harness.addEndpoint({ types: ['kyc.*'] });
    const answer = await harness.call('POST', `/webhook-endpoints/${id}/replay`, {
      ...{ ...span(), types: ['payment.*'] },
    });
    expect(answer).toMatchObject({ status: 400, json: { details: [{ path: '/types' }] } });
  });

  it.each([
    [{ from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }, '/from'],
    [{ from: '2099-01-02T00:00:00Z', to: '2099-01-01T00:00:00Z' }, '/to'],
    [{ from: 'yesterday', to: '2099-01-01T00:00:00Z' }, '/from'],
    // By its offset in the year 10000, and in the year before 0.
    [{ from: '9999-12-31T23:59:59-23:59', to: '2099-01-01T00:00:00Z' }, '/from'],
    [{ from: '2098-01-01T00:00:00Z', to: '9999-12-31T23:59:59-23:59' }, '/to'],
    [{ from: '0000-01-01T00:00:00+23:59', to: '2099-01-01T00:00:00Z' }, '/from'],
    [{ to: '2099-01-01T00:00:00Z' }, '/from'],
  ])('%j is a 400 at %s', async (body, path) => {
    const { id } = await harness.addEndpoint();
    const answer = await harness.call('POST', `/webhook-endpoints/${id}/replay`, body);
    expect(answer).toMatchObject({ status: 400, json: { details: [{ path }] } });
  });

  it('a run that ends in the middle goes on where it was', async () => {
    const { id } = await harness.addEndpoint();
    for (let n = 0; n < 5; n += 1) await harness.record(`pay_${String(n)}`, 1);
    await harness.drain(id);
    idsReceived();
    await harness.call('POST', `/webhook-endpoints/${id}/replay`, span());
    // The worker that queued a page died: another one finds the deliveries, and the replay completed.
    await queueReplay(harness, harness.scope, id);
    await queueReplay(harness, harness.scope, id);
    await harness.drain(id);
    expect(idsReceived()).toHaveLength(5);
  });
});
