import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteEndpoint } from '../../../src/db/webhooks/webhook-endpoint-store.ts';
import { openWebhookClient } from '../../../src/modules/webhooks/safe-fetch.ts';
import { BROKEN, ENDLESS, ODD, SLOW } from '../../support/webhooks/hostile-answers.ts';
import {
  NO_CONTENT,
  startRawReceiver,
  type RawReceiver,
} from '../../support/webhooks/raw-receiver.ts';
import {
  createWebhookHarness,
  type WebhookHarness,
} from '../../support/webhooks/webhook-harness.ts';

const TIMEOUT_MS = 600;
/** Other deliveries of the batch, as many again as there are connections. */
const OTHERS = 15;

let harness: WebhookHarness;
let receiver: RawReceiver;
let version = 0;
beforeAll(async () => {
  harness = await createWebhookHarness();
});
afterAll(() => harness.close());
beforeEach(async () => {
  receiver = await startRawReceiver();
  return () => receiver.close();
});

/** Delivers one event about pay_bad and others to an endpoint of their own, once, and tells its attempts. */
async function deliver(timeoutMs = TIMEOUT_MS) {
  const { id } = await harness.addEndpoint(receiver.url);
  version += 1;
  await harness.recordAll(
    Array.from({ length: OTHERS }, (_none, n) =>
      harness.draftOf(n === 3 ? 'pay_bad' : `pay_${String(n)}`, version),
    ),
  );
  const openClient: typeof openWebhookClient = (options) =>
    openWebhookClient({ ...options, timeoutMs });
  await harness.drain(id, {}, { openClient });
  await expect.poll(() => receiver.open.size).toBe(0);
  // There may be sixteen at a time.
  await harness.db.write(harness.scope, (tx) =>
    deleteEndpoint(tx, harness.scope, id, harness.clock.now()),
  );
  return harness.db.read(harness.scope, (tx) =>
    tx.query<{
      resource: string;
      status: string;
      attempts: number;
      statusCode: number | null;
      error: string | null;
      durationMs: number;
      waitMs: number;
    }>(
      `SELECT d.resource_id AS resource, d.status, d.attempts, a.status_code AS "statusCode", a.error,
         a.duration_ms AS "durationMs",
         extract(epoch FROM d.next_attempt_at - a.at)::float8 * 1000 AS "waitMs"
       FROM webhook_attempts a JOIN webhook_deliveries d USING (endpoint_id, event_id)
       WHERE endpoint_id = $1 ORDER BY a.id`,
      [id],
    ),
  );
}

type Attempts = Awaited<ReturnType<typeof deliver>>;
const ofBad = (attempts: Attempts) => attempts.filter(({ resource }) => resource === 'pay_bad');

function expectOthersDelivered(attempts: Attempts): void {
  const others = attempts.filter(({ resource }) => resource !== 'pay_bad');
  expect(others).toHaveLength(OTHERS - 1);
  for (const one of others) {
    expect(one).toMatchObject({ status: 'DELIVERED', attempts: 1, statusCode: 204, error: null });
  }
}

const answerBadBy = (say: (socket: RawSocket) => unknown) => {
  receiver.onRequest = (socket, resourceId) => {
    if (resourceId === 'pay_bad') say(socket);
    else socket.write(NO_CONTENT);
  };
};
type RawSocket = Parameters<RawReceiver['onRequest']>[0];

describe('one answer of a batch costs one recorded failure and no other delivery', () => {
  it.each(ENDLESS)('without end: %s', async (_name, say, statusCode, error) => {
    answerBadBy(say);
    // A limit of bytes ends it, not one of time.
    const attempts = await deliver(60_000);
    expect(ofBad(attempts)).toMatchObject([{ status: 'PENDING', attempts: 1, statusCode, error }]);
    expect(ofBad(attempts)[0]?.durationMs).toBeLessThan(60_000);
    expectOthersDelivered(attempts);
    expect(receiver.requests.filter((id) => id === 'pay_bad')).toHaveLength(1);
  });

  it.each(SLOW)('slowly: %s', async (_name, say, statusCode, error) => {
    answerBadBy(say);
    const attempts = await deliver();
    expect(ofBad(attempts)).toMatchObject([{ status: 'PENDING', attempts: 1, statusCode, error }]);
    expect(ofBad(attempts)[0]?.durationMs).toBeLessThan(TIMEOUT_MS + 60_000);
    expectOthersDelivered(attempts);
    expect(receiver.requests.filter((id) => id === 'pay_bad')).toHaveLength(1);
  });

  it.each(BROKEN)('broken: %s', async (_name, say, statusCode, error) => {
    answerBadBy(say);
    const attempts = await deliver(60_000);
    expect(ofBad(attempts)).toMatchObject([{ status: 'PENDING', attempts: 1, statusCode, error }]);
    expectOthersDelivered(attempts);
    expect(receiver.requests.filter((id) => id === 'pay_bad')).toHaveLength(1);
  });
});

describe('an odd answer that is whole counts, and spoils no later one', () => {
  it.each(ODD)('%s', async (_name, say, statusCode) => {
    answerBadBy(say);
    const attempts = await deliver(60_000);
    expect(ofBad(attempts)).toMatchObject([{ status: 'DELIVERED', statusCode, error: null }]);
    expectOthersDelivered(attempts);
  });

  it('an answer to the next request, given early, delivers nothing that was not sent', async () => {
    const early = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';
    receiver.onRequest = (socket) => socket.write(early.repeat(3));
    const attempts = await deliver(60_000);
    const delivered = attempts.filter(({ status }) => status === 'DELIVERED');
    const arrived = new Set(receiver.requests);
    for (const { resource } of delivered) expect(arrived).toContain(resource);
    expect(delivered).toHaveLength(OTHERS);
  });
});

describe('a connection that serves no request', () => {
  it.each([
    ['is reset at once', (socket: RawSocket) => socket.resetAndDestroy(), 'RESET'],
    ['is closed at once', (socket: RawSocket) => socket.end(), 'RESET'],
    ['is never answered on', () => {}, 'TIMEOUT'],
    ['says garbage first', (socket: RawSocket) => socket.write('hello\r\n\r\n'), 'BAD_ANSWER'],
  ])('%s: every delivery fails once and stays', async (_name, greet, error) => {
    receiver.onConnection = greet;
    receiver.onRequest = () => {};
    const attempts = await deliver();
    expect(attempts).toHaveLength(OTHERS);
    for (const one of attempts) {
      expect(one).toMatchObject({ status: 'PENDING', attempts: 1, statusCode: null, error });
    }
  });
});

describe('a Retry-After that makes no sense', () => {
  it.each([
    '99999999999999999999',
    '999999999',
    '-1',
    '1e9',
    'NaN',
    '5, 99999',
    '5\r\nRetry-After: 99999',
    'Fri, 31 Dec 9999 23:59:59 GMT',
    'Thu, 01 Jan 1970 00:00:00 GMT',
    'Fri, 99 Foo 9999 99:99:99 GMT',
  ])('%j: the next attempt comes within twice the planned wait', async (value) => {
    answerBadBy((socket) =>
      socket.write(`HTTP/1.1 503 X\r\nRetry-After: ${value}\r\nContent-Length: 0\r\n\r\n`),
    );
    const [bad] = ofBad(await deliver());
    expect(bad).toMatchObject({ statusCode: 503, error: 'STATUS' });
    expect(bad?.waitMs).toBeGreaterThanOrEqual(4_000);
    expect(bad?.waitMs).toBeLessThanOrEqual(10_000);
  });
});
