import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../support/test-app.ts';
import { buildApp } from '../../src/http/app.ts';
import { createKeyUsage } from '../../src/http/key-usage.ts';

let harness: TestApp;
beforeAll(async () => {
  harness = await createTestApp();
});
afterAll(() => harness.close());

const lastUsed = () =>
  harness.database.db.system((tx) => {
    return tx.query<{ id: string; at: Date | null }>('SELECT id, last_used_at AS at FROM api_keys');
  });

describe('the last use of a key', () => {
  it('the last use of a key is written in batches, at the latest when the server stops', async () => {
    const app = buildApp(harness.deps);
    await app.inject({ url: '/api/v1/balances', headers: harness.headers });
    await app.close();
    expect((await lastUsed())[0]?.at).toEqual(harness.clock.now());
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
    usage.note(id, later);
    await usage.flush();
    isDown = false;
    await usage.flush();
    usage.note(id, harness.clock.now());
    await usage.stop();
    expect((await lastUsed())[0]?.at).toEqual(later);
  });
});
