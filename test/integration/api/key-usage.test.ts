import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCheckedApp } from '../../support/checked-app.ts';
import { createTestApp, type TestApp } from '../../support/test-app.ts';
import { createKeyUsage } from '../../../src/api/key-usage.ts';

let harness: TestApp;
beforeAll(async () => {
  harness = await createTestApp();
});
afterAll(() => harness.close());

const lastUsed = () =>
  harness.database.db.system((tx) => {
    return tx.query<{ id: string; at: Date | null; address: string | null }>(
      'SELECT id, last_used_at AS at, host(last_used_ip) AS address FROM api_keys',
    );
  });

describe('the last use of a key', () => {
  it('the last use of a key is written in batches, at the latest when the server stops', async () => {
    const app = buildCheckedApp(harness.deps);
    await app.inject({
      ...{ url: '/api/v1/balances', headers: harness.headers, remoteAddress: '203.0.113.7' },
    });
    await app.close();
    expect(await lastUsed()).toMatchObject([{ at: harness.clock.now(), address: '203.0.113.7' }]);
  });

  it('the last use of a key is written again after an outage and never goes back in time', async () => {
    const [key] = await lastUsed();
    const id = key?.id ?? '';
    let isDown = true;
    const db = {
      query: <Row extends object>(text: string, values?: readonly unknown[]) => {
        if (isDown) return Promise.reject(new Error('down'));
        return harness.database.db.query<Row>(text, values);
      },
    };
    const usage = createKeyUsage(db, { warn: () => undefined });
    const later = new Date(harness.clock.now().getTime() + 60_000);
    usage.note(id, { at: later, address: '2001:db8::1' });
    await usage.flush();
    isDown = false;
    await usage.flush();
    usage.note(id, { at: harness.clock.now(), address: '203.0.113.7' });
    await usage.stop();
    expect(await lastUsed()).toMatchObject([{ at: later, address: '2001:db8::1' }]);
  });
});
