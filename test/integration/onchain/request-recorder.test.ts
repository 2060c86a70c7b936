import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StatementValues } from '../../../src/db/client/prepared-statement.ts';
import { writeApiRequests, type ApiRequest } from '../../../src/db/customers/api-request-store.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import { createRequestRecorder } from '../../../src/api/request-recorder.ts';
import { buildCheckedApp } from '../../support/checked-app.ts';
import { createTestApp, type TestApp } from '../../support/test-app.ts';
import { addApiKey } from '../../support/test-customer.ts';
import { until } from '../../support/until.ts';

let harness: TestApp;
beforeAll(async () => {
  harness = await createTestApp();
});
afterAll(() => harness.close());

const newKey = async () => {
  const { customerId } = harness.scope;
  const { database, vault } = harness;
  return (await database.db.system((tx) => addApiKey(tx, vault, { customerId }))).id;
};

const request = (apiKeyId: string, more: Partial<ApiRequest> = {}): ApiRequest => ({
  ...{ apiKeyId, requestId: newId('req'), at: harness.clock.now(), method: 'GET' },
  ...{ route: '/api/v1/balances', status: 200, errorCode: null, durationMs: 3 },
  ...{ address: '203.0.113.7', paymentId: null, ...more },
});

const kept = async (apiKeyId: string) =>
  (
    await harness.database.db.system((tx) =>
      tx.query<{ id: string; nr: bigint }>(
        'SELECT request_id AS id, nr FROM api_requests WHERE api_key_id = $1 ORDER BY nr',
        [apiKeyId],
      ),
    )
  ).map(({ id }) => id);

const silent = { warn: () => undefined };
const outage = () => Promise.reject(Object.assign(new Error('down'), { code: '57P01' }));

describe('the ring of a key', () => {
  it('forgets after 90 days what a key that is not used any more did', async () => {
    const [gone, used] = [await newKey(), await newKey()];
    const { db } = harness.database;
    const now = harness.clock.now();
    const before = (days: number) => new Date(now.getTime() - days * 86_400_000);
    const young = request(gone, { at: before(89) });
    await writeApiRequests(db, [request(gone, { at: before(91) }), young], before(89));
    await writeApiRequests(db, [request(used)], now);
    expect(await kept(gone)).toEqual([young.requestId]);
  });

  it('keeps them where a batch of 2,000 is sent again with one more', async () => {
    const key = await newKey();
    const { db } = harness.database;
    const batch = Array.from({ length: 2_000 }, () => request(key));
    await writeApiRequests(db, batch, harness.clock.now());
    const next = request(key);
    await writeApiRequests(db, [...batch, next], harness.clock.now());
    expect(await kept(key)).toEqual([...batch.slice(1), next].map(({ requestId }) => requestId));
  });

  it('keeps the last 2,000 requests of each key and no more, whatever the others do', async () => {
    const [busy, quiet] = [await newKey(), await newKey()];
    const { db } = harness.database;
    const first = Array.from({ length: 1_990 }, () => request(busy));
    const second = Array.from({ length: 25 }, () => request(busy));
    const beside = request(quiet);
    await writeApiRequests(db, [...first, beside], harness.clock.now());
    await writeApiRequests(db, second, harness.clock.now());
    const ids = await kept(busy);
    expect(ids).toEqual([...first.slice(15), ...second].map(({ requestId }) => requestId));
    expect(await kept(quiet)).toEqual([beside.requestId]);
  });

  it('has a request once, however often its batch is sent, and batches of two processes both', async () => {
    const key = await newKey();
    const { db } = harness.database;
    const one = [request(key), request(key)];
    const other = [request(key), request(key)];
    await Promise.all(
      [one, other, one, other, one].map((all) => writeApiRequests(db, all, harness.clock.now())),
    );
    expect([...(await kept(key))].sort()).toEqual(
      [...one, ...other].map(({ requestId }) => requestId).sort(),
    );
  });

  it('takes nothing for a key that there is not, nor a URL in the place of a route', async () => {
    const key = await newKey();
    const { db } = harness.database;
    const mine = request(key);
    await writeApiRequests(db, [request('key_unknown'), mine], harness.clock.now());
    expect(await kept(key)).toEqual([mine.requestId]);
    const url = request(key, { route: '/api/v1/payments?externalId=Hildegard' });
    await expect(writeApiRequests(db, [url], harness.clock.now())).rejects.toThrow(/check/);
  });

  it('cannot be written or emptied but by its function', async () => {
    for (const statement of [
      'DELETE FROM api_requests',
      'UPDATE api_requests SET status = 200',
      `INSERT INTO api_requests (customer_id) VALUES ('cus_1')`,
    ]) {
      for (const db of [harness.database.db, harness.database.people]) {
        await expect(db.write(harness.scope, (tx) => tx.query(statement))).rejects.toThrow(
          'permission denied',
        );
      }
    }
  });
});

describe('the recorder', () => {
  it('keeps what an outage kept from being written, the newest 10,000, and says how many it dropped', async () => {
    const key = await newKey();
    const written: string[] = [];
    let isDown = true;
    const db = {
      query: async (_text: string, values?: unknown) => {
        if (isDown) return outage();
        const [text] = values as [string];
        written.push(
          ...(JSON.parse(text) as { request_id: string }[]).map((one) => one.request_id),
        );
        return [];
      },
    };
    const warnings: unknown[] = [];
    const log = { warn: (about: unknown) => void warnings.push(about) };
    const recorder = createRequestRecorder({ db, clock: harness.clock }, log);
    const all = Array.from({ length: 25_000 }, () => request(key));
    for (const one of all) recorder.note(one);
    await recorder.flush();
    isDown = false;
    await recorder.stop();
    expect(written).toEqual(all.slice(15_000).map(({ requestId }) => requestId));
    expect(warnings).toContainEqual({ dropped: 15_000 });
  });

  it('drops a batch that PostgreSQL refuses, and writes later requests', async () => {
    const key = await newKey();
    const { db } = harness.database;
    const recorder = createRequestRecorder({ db, clock: harness.clock }, silent);
    recorder.note(request(key, { status: 99 }));
    await recorder.flush();
    const right = request(key);
    recorder.note(right);
    await recorder.stop();
    expect(await kept(key)).toEqual([right.requestId]);
  });

  it('fails and delays no request while it cannot write', async () => {
    const { db } = harness.database;
    const isLog = (text: string) => text.includes('write_api_requests');
    let asked = 0;
    const faulty = {
      ...db,
      query: <Row extends object>(text: string, values?: StatementValues) => {
        if (!isLog(text)) return db.query<Row>(text, values);
        asked += 1;
        // The first never ends while the test sends; the others fail.
        return asked === 1 ? new Promise<never>(() => undefined) : outage();
      },
    };
    const app = buildCheckedApp({ ...harness.deps, db: faulty });
    const ask = () => app.inject({ url: '/api/v1/balances', headers: harness.headers });
    await ask();
    await until('the log is being written', () => asked > 0 || null);
    const answers = await Promise.all(Array.from({ length: 20 }, ask));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    // No second statement beside one that hangs.
    expect(asked).toBe(1);
  });

  it('writes what is answered within seconds, in one statement for many requests', async () => {
    const { db } = harness.database;
    let statements = 0;
    const counting = {
      ...db,
      query: <Row extends object>(text: string, values?: StatementValues) => {
        if (text.includes('write_api_requests')) statements += 1;
        return db.query<Row>(text, values);
      },
    };
    const key = await newKey();
    const recorder = createRequestRecorder({ db: counting, clock: harness.clock }, silent);
    for (let i = 0; i < 50; i += 1) recorder.note(request(key));
    await until('the log is written', async () => (await kept(key)).length === 50 || null);
    expect(statements).toBe(1);
    await recorder.stop();
  });
});
