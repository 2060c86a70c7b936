import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { queueReplay } from '../../../src/modules/webhooks/queue-replay.ts';
import { startEndpointHarness } from '../../support/webhooks/endpoint-harness.ts';

let harness: Awaited<ReturnType<typeof startEndpointHarness>>;
beforeAll(async () => {
  harness = await startEndpointHarness();
  return () => harness.close();
});
beforeEach(() => harness.beginTest());

const queued = async (id: string) => {
  const rows = await harness.rows<{ key: string }>(
    `SELECT resource_id || '/' || resource_version AS key FROM webhook_deliveries
     WHERE endpoint_id = $1 ORDER BY seq`,
    [id],
  );
  return rows.map(({ key }) => key);
};
const DAY_MS = 24 * 3_600_000;

describe('an endpoint that is enabled again', () => {
  it('is sent an event whose transaction was open at that moment', async () => {
    const { id } = await harness.addEndpoint({ types: ['payment.*'] });
    await harness.turn(id, 'DISABLED');
    const late = await harness.recordLate('pay_late');
    const enabling = harness.turnInTheEnd(id, 'ENABLED');
    await harness.waitForBlockedLock();
    await late.commit();
    expect((await enabling).status).toBe(200);
    await harness.drain(id);
    expect(harness.takeReceived()).toEqual(['pay_late/1']);
  });

  it('is not passed by an event that is committed late with a lower place in the log', async () => {
    const { id } = await harness.addEndpoint({ types: ['payment.*'] });
    await harness.turn(id, 'DISABLED');
    await harness.record('pay_missed');
    await harness.turn(id, 'ENABLED');
    const goOn = () => queueReplay(harness, harness.scope, id);
    await goOn();
    await goOn();
    expect(await queued(id)).toEqual(['pay_missed/1']);

    const low = await harness.recordLate('pay_low');
    await harness.record('pay_high');
    const goOnInTheEnd = (): Promise<void> => goOn().catch(goOnInTheEnd);
    const last = goOnInTheEnd();
    await harness.waitForBlockedLock();
    expect(await queued(id)).toEqual(['pay_missed/1']);
    await low.commit();
    await last;
    expect(await queued(id)).toEqual(['pay_missed/1', 'pay_low/1', 'pay_high/1']);
    await harness.record('pay_later');
    await goOn();
    await harness.drain(id);
    expect(harness.takeReceived()).toHaveLength(4);
  });

  it('gets the versions of a resource in their order, missed ones and later ones', async () => {
    const { id } = await harness.addEndpoint({ types: ['payment.*'] });
    await harness.record('pay_a', 1);
    await harness.turn(id, 'DISABLED');
    await harness.record('pay_a', 2);
    await harness.record('pay_a', 3);
    await harness.turn(id, 'ENABLED');
    await harness.record('pay_a', 4);
    await harness.drain(id);
    await harness.record('pay_a', 5);
    await harness.drain(id);
    expect(harness.takeReceived()).toEqual([1, 2, 3, 4, 5].map((n) => `pay_a/${String(n)}`));
  });

  it('is told that it was disabled, and then that it was enabled', async () => {
    const { id } = await harness.addEndpoint({ types: ['webhook_endpoint.*'] });
    await harness.turn(id, 'DISABLED');
    await harness.turn(id, 'ENABLED');
    await harness.drain(id);
    expect(harness.takeReceived()).toEqual([`${id}/2`, `${id}/3`]);
  });

  it('goes on where it was when it was disabled in the middle of catching up', async () => {
    const { id } = await harness.addEndpoint({ types: ['payment.*'] });
    await harness.turn(id, 'DISABLED');
    await harness.record('pay_a', 1);
    await harness.turn(id, 'ENABLED');
    await harness.turn(id, 'DISABLED');
    await harness.record('pay_a', 2);
    expect(await harness.drain(id)).toEqual({ kind: 'GONE' });
    await queueReplay(harness, harness.scope, id);
    expect(await queued(id)).toEqual([]);
    await harness.turn(id, 'ENABLED');
    await harness.record('pay_a', 3);
    await harness.drain(id);
    expect(harness.takeReceived()).toEqual(['pay_a/1', 'pay_a/2', 'pay_a/3']);
    const replays = await harness.call('GET', `/webhook-endpoints/${id}/replays`);
    expect(replays.json['data']).toMatchObject([{ reason: 'MISSED', status: 'COMPLETED' }]);
  });

  it('is sent at once what waited for another attempt; where that fails too, it keeps its schedule', async () => {
    const { id } = await harness.addEndpoint({ types: ['payment.*'] });
    harness.receiver.answer = (_request, response) => response.writeHead(500).end();
    await harness.record('pay_a');
    for (const waitMs of [0, 5_000, 300_000, 1_800_000]) {
      harness.clock.advance(waitMs);
      await harness.drain(id);
    }
    expect(harness.takeReceived()).toHaveLength(4);
    await harness.turn(id, 'DISABLED');
    harness.clock.advance(1_000);
    await harness.turn(id, 'ENABLED');
    const left = await harness.drain(id);
    expect(harness.takeReceived()).toEqual(['pay_a/1']);
    // An attempt before its time: the next of the schedule is due as it was, two hours after the fourth.
    expect(left).toMatchObject({ kind: 'DUE', isSlow: true });
    const { rows } = harness;
    const [kept] = await rows<{ attempts: number; dueAt: Date }>(
      'SELECT attempts, next_attempt_at AS "dueAt" FROM webhook_deliveries WHERE endpoint_id = $1',
      [id],
    );
    const dueInMs = (kept?.dueAt.getTime() ?? NaN) - harness.clock.now().getTime();
    expect({ attempts: kept?.attempts, dueInMs }).toEqual({ attempts: 4, dueInMs: 7_199_000 });
    await harness.drain(id);
    expect(harness.takeReceived()).toEqual([]);
  });

  it('is sent what it missed where no place in the log was noted as it was disabled', async () => {
    const { id } = await harness.addEndpoint({ types: ['payment.*'] });
    await harness.record('pay_before');
    await harness.drain(id);
    harness.clock.advance(DAY_MS);
    await harness.db.write(harness.scope, (tx) =>
      tx.query(`UPDATE webhook_endpoints SET status = 'DISABLED', updated_at = $1 WHERE id = $2`, [
        ...[harness.clock.now(), id],
      ]),
    );
    await harness.record('pay_missed');
    harness.takeReceived();
    await harness.turn(id, 'ENABLED');
    await harness.drain(id);
    expect(harness.takeReceived()).toEqual(['pay_missed/1']);
  });

  it('is sent what happened while it was subscribed to it, though its types change before that is queued', async () => {
    const { id } = await harness.addEndpoint({ types: ['payment.*'] });
    const path = `/webhook-endpoints/${id}`;
    const setTypes = (...types: string[]) => harness.call('PATCH', path, { types });
    await harness.turn(id, 'DISABLED');
    await harness.record('pay_missed');
    await harness.turn(id, 'ENABLED');
    await harness.record('pay_while_enabled');
    await setTypes('kyc.*');
    await harness.record('kyc_a', 1, 'kyc.updated');
    await setTypes('bank_account.*');
    await harness.record('ba_a', 1, 'bank_account.created');
    await harness.record('eu_a', 1, 'end_user.updated');
    const replays = await harness.call('GET', `${path}/replays`);
    expect(replays.json['data']).toMatchObject([
      { reason: 'MISSED', status: 'RUNNING', types: ['bank_account.*', 'kyc.*', 'payment.*'] },
    ]);
    await harness.drain(id);
    const received = ['pay_missed/1', 'pay_while_enabled/1', 'kyc_a/1', 'ba_a/1'];
    expect(harness.takeReceived()).toEqual(received);
    // From then on it is sent what it is subscribed to, and no more.
    await harness.record('pay_later');
    await harness.record('ba_b', 1, 'bank_account.created');
    await harness.drain(id);
    expect(harness.takeReceived()).toEqual(['ba_b/1']);
  });

  it('is sent everything that happened while it was subscribed to all, whatever its types are then', async () => {
    const { id } = await harness.addEndpoint({ types: ['payment.*'] });
    const path = `/webhook-endpoints/${id}`;
    await harness.turn(id, 'DISABLED');
    await harness.turn(id, 'ENABLED');
    await harness.call('PATCH', path, { types: ['*'] });
    await harness.record('eu_a', 1, 'end_user.updated');
    // Disabled in the middle of it, and enabled with other types in one request.
    await harness.turn(id, 'DISABLED');
    await harness.call('PATCH', path, { types: ['kyc.*'], status: 'ENABLED' });
    const replays = await harness.call('GET', `${path}/replays`);
    expect(replays.json['data']).toMatchObject([{ reason: 'MISSED', types: ['*'] }]);
    await harness.drain(id);
    expect(harness.takeReceived()).toContain('eu_a/1');
  });

  it('is sent what it missed of the types that it is enabled with, where they changed while it was disabled', async () => {
    const { id } = await harness.addEndpoint({ types: ['payment.*'] });
    await harness.turn(id, 'DISABLED');
    await harness.record('pay_missed');
    await harness.record('kyc_missed', 1, 'kyc.updated');
    await harness.call('PATCH', `/webhook-endpoints/${id}`, { types: ['kyc.*'] });
    await harness.turn(id, 'ENABLED');
    await harness.drain(id);
    expect(harness.takeReceived()).toEqual(['kyc_missed/1']);
  });

  it.each(['changed', 'rotated'] as const)(
    'is sent what it missed since it was disabled without a noted place, though it was %s meanwhile',
    async (how) => {
      const { id } = await harness.addEndpoint({ types: ['payment.*'] });
      const path = `/webhook-endpoints/${id}`;
      const disabledAt = harness.clock.now();
      await harness.db.write(harness.scope, (tx) =>
        tx.query(
          `UPDATE webhook_endpoints SET status = 'DISABLED', version = version + 1, updated_at = $1
           WHERE id = $2`,
          [disabledAt, id],
        ),
      );
      await harness.record('pay_missed');
      for (let n = 0; n < 2; n += 1) {
        harness.clock.advance(DAY_MS);
        const answer =
          how === 'changed'
            ? await harness.call('PATCH', path, { description: `Moved ${String(n)}` })
            : await harness.call('POST', `${path}/rotate-secret`, {});
        expect(answer.status).toBe(200);
      }
      const { json } = await harness.call('GET', path);
      expect(json).toMatchObject({ disabledAt: disabledAt.toISOString(), disabledReason: null });
      await harness.turn(id, 'ENABLED');
      await harness.drain(id);
      expect(harness.takeReceived()).toEqual(['pay_missed/1']);
    },
  );

  it('loses and doubles nothing where it is turned off and on while many write', async () => {
    const { id } = await harness.addEndpoint({ types: ['payment.*'] });
    const [writers, versions] = [6, 40];
    let left = writers;
    const writing = Array.from({ length: writers }, async (_, n) => {
      for (let v = 1; v <= versions; v += 1) await harness.record(`pay_${String(n)}`, v);
      left -= 1;
    });
    const isBusy = () => left > 0;
    // A drain that cannot be alone is tried again, as Temporal does.
    const drainOnce = () => harness.drain(id).catch((error: unknown) => error);
    const draining = (async () => {
      while (isBusy()) await drainOnce();
    })();
    const statuses: number[] = [];
    while (isBusy()) {
      statuses.push((await harness.turn(id, 'DISABLED')).status);
      statuses.push((await harness.turn(id, 'ENABLED')).status);
    }
    await Promise.all([...writing, draining]);
    await expect.poll(async () => (await harness.turn(id, 'ENABLED')).status).toBe(200);
    await expect.poll(drainOnce).toMatchObject({ kind: 'IDLE' });
    const { version } = (await harness.call('GET', `/webhook-endpoints/${id}`)).json;
    expect(Number(version), statuses.join()).toBeGreaterThan(4);
    const received = harness.takeReceived();
    for (let n = 0; n < writers; n += 1) {
      const resource = `pay_${String(n)}`;
      const mine = received.filter((one) => one.startsWith(`${resource}/`));
      expect(mine).toEqual(
        Array.from({ length: versions }, (_, v) => `${resource}/${String(v + 1)}`),
      );
    }
    expect(received).toHaveLength(writers * versions);
  });
});
