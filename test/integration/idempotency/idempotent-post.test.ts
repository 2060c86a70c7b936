import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Refusal } from '../../../src/domain/errors/refusal.ts';
import { buildApp } from '../../../src/api/app.ts';
import type { App } from '../../../src/web/kit/http/app-type.ts';
import { answerPost } from '../../../src/api/idempotent-post.ts';
import { createTestApp, type TestApp } from '../../support/test-app.ts';

let harness: TestApp;
let app: App;
let runs = 0;
let gate: Promise<void> = Promise.resolve();

beforeAll(async () => {
  harness = await createTestApp();
  app = buildApp(harness.deps);
  const things = (path: string) =>
    app.post(
      path,
      {
        schema: {
          body: Type.Object({ name: Type.String(), size: Type.Optional(Type.Number()) }),
          response: { 201: Type.Object({ run: Type.Integer(), name: Type.String() }) },
        },
        preValidation: async (request) => {
          // As authentication would; these routes stand beside /api/v1.
          Object.defineProperty(request, 'scope', { value: harness.scope });
        },
      },
      (request, reply) =>
        answerPost(request, reply, harness.deps, async () => {
          await gate;
          if (request.body.name === 'refused') throw new Refusal('external_id_taken', 'Taken.');
          runs += 1;
          return { status: 201, body: { run: runs, name: request.body.name }, subject: null };
        }),
    );
  things('/things');
  things('/others');
  await app.ready();
});
afterAll(async () => {
  await app.close();
  await harness.close();
});

const post = (body: string, key?: string, url = '/things') => {
  const headers = { 'content-type': 'application/json' };
  const withKey = key === undefined ? headers : { ...headers, 'idempotency-key': key };
  return app.inject({ method: 'POST', url, headers: withKey, payload: body });
};

describe('a POST with an Idempotency-Key', () => {
  it('a keyed POST runs once and answers word for word the same again', async () => {
    const first = await post('{"name":"a","size":10}', 'key-1');
    const again = await post('{ "size": 10.00, "name": "\\u0061" }', 'key-1');
    expect(first.statusCode).toBe(201);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(again.statusCode).toBe(201);
    expect(again.body).toBe(first.body);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.headers['content-type']).toBe(first.headers['content-type']);
  });

  it('an Idempotency-Key is refused with another body or path', async () => {
    await post('{"name":"b","size":1}', 'key-2');
    for (const [body, url] of [
      ['{"name":"c","size":1}', '/things'],
      ['{"name":"b","size":1.0000000000000000001}', '/things'],
      ['{"name":"b"}', '/things'],
      ['{"name":"b","size":1}', '/others'],
    ] as const) {
      const answer = await post(body, 'key-2', url);
      expect(answer.statusCode).toBe(422);
      expect(answer.json().error).toBe('idempotency_key_mismatch');
    }
  });

  it('a POST without a key runs every time', async () => {
    const [one, two] = [await post('{"name":"d"}'), await post('{"name":"d"}')];
    expect(one.json().run).not.toBe(two.json().run);
  });

  it('a refused POST does not use up its Idempotency-Key', async () => {
    expect((await post('{"name":"refused"}', 'key-3')).statusCode).toBe(409);
    expect((await post('{"name":"fine"}', 'key-3')).statusCode).toBe(201);
  });

  it('a repeated POST is told to wait while the first is running', async () => {
    let open = (): void => undefined;
    gate = new Promise((resolve) => {
      open = resolve;
    });
    const first = post('{"name":"e"}', 'key-4');
    const holder = `SELECT count(*)::int AS held FROM pg_locks WHERE locktype = 'advisory'
      AND mode = 'ExclusiveLock' AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    await expect
      .poll(async () => (await harness.database.db.query<{ held: number }>(holder))[0]?.held)
      .toBe(1);
    const second = await post('{"name":"e"}', 'key-4');
    expect(second.statusCode).toBe(409);
    expect(second.json().error).toBe('idempotency_key_in_progress');
    expect(second.headers['retry-after']).toBe('1');
    open();
    expect((await first).statusCode).toBe(201);
  });

  it('a keyed POST runs once however many come at once', async () => {
    gate = Promise.resolve();
    const before = runs;
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => post('{"name":"f"}', 'key-5')),
    );
    expect(runs).toBe(before + 1);
    const bodies = answers.filter((answer) => answer.statusCode === 201).map(({ body }) => body);
    expect(new Set(bodies).size).toBe(1);
    expect(answers.every((answer) => [201, 409].includes(answer.statusCode))).toBe(true);
  });

  it('an Idempotency-Key is free again after 30 days', async () => {
    const first = await post('{"name":"g"}', 'key-6');
    harness.clock.advance(30 * 24 * 3_600_000);
    const later = await post('{"name":"h"}', 'key-6');
    expect(later.statusCode).toBe(201);
    expect(later.json().run).not.toBe(first.json().run);
    expect((await post('{"name":"h"}', 'key-6')).body).toBe(later.body);
  });

  it('an Idempotency-Key is printable ASCII of 1 to 255 characters', async () => {
    for (const key of ['', 'k'.repeat(256), 'schl\u00fcssel', 'tab\there']) {
      expect((await post('{"name":"i"}', key)).json().error).toBe('invalid_idempotency_key');
    }
    expect((await post('{"name":"i"}', '~'.repeat(255))).statusCode).toBe(201);
  });

  it('the stored answer of a keyed POST is sealed', async () => {
    await post('{"name":"planted-name"}', 'key-7');
    const rows = await harness.database.db.system((tx) => {
      return tx.query<{ response: Buffer }>('SELECT response FROM idempotency_keys');
    });
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row.response.toString('latin1')).not.toContain('planted');
  });
});
