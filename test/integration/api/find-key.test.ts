import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildApp } from '../../../src/api/app.ts';
import {
  buildApiKeyToken,
  parseApiKeyToken,
  PUBLIC_ID_BYTES,
  SECRET_BYTES,
} from '../../../src/modules/customers/api-key-token.ts';
import type { Database } from '../../../src/db/client/database.ts';
import { createKeyFinder } from '../../../src/api/find-key.ts';
import { createTestApp, type TestApp } from '../../support/test-app.ts';
import { addApiKey, addCustomer } from '../../support/test-customer.ts';

let harness: TestApp;
let lookUps: LookUps;
let app: TestApp['app'];
beforeAll(async () => {
  harness = await createTestApp();
  lookUps = watchLookUps(harness.database.db);
  app = buildApp({ ...harness.deps, db: lookUps.db });
  await app.ready();
});
beforeEach(() => {
  lookUps.readAsked();
});
afterAll(async () => {
  await app.close();
  await harness.close();
});

interface LookUps {
  readonly db: Database;
  /** The public ids of each look-up that has begun since the last reading. */
  readAsked(): string[][];
  /** The next look-up reads what is there, and answers when it is told to. */
  holdNext(): Promise<() => void>;
  /** So many look-ups from now on fail in this way. */
  failNext(count: number, error: Error): void;
}

function watchLookUps(db: Database): LookUps {
  let asked: string[][] = [];
  let failing = { count: 0, error: new Error() };
  let onRead: ((answer: () => void) => void) | null = null;
  const query = async <Row extends object>(...[text, values]: Parameters<Database['query']>) => {
    if (!text.includes('find_api_key')) return db.query<Row>(text, values);
    const [publicIds] = values as [string[]];
    asked.push(publicIds);
    if (failing.count > 0) {
      failing.count -= 1;
      throw failing.error;
    }
    const tell = onRead;
    onRead = null;
    const rows = await db.query<Row>(text, values);
    if (tell !== null) await new Promise<void>(tell);
    return rows;
  };
  return {
    db: { ...db, query },
    readAsked() {
      const read = asked;
      asked = [];
      return read;
    },
    holdNext: () =>
      new Promise((resolve) => {
        onRead = resolve;
      }),
    failNext(count, error) {
      failing = { count, error };
    },
  };
}

// Async: what `inject` itself answers sends nothing before it is awaited.
const ask = async (token: string) =>
  app.inject({ url: '/api/v1/balances', headers: { authorization: `Bearer ${token}` } });

/** Resolves once what was asked before waits for its key: a later request has gone past that point. */
const haveArrived = async () => app.inject('/health');

/** Asks with the first token and, while its look-up is under way, with all others. */
async function askTogether(first: string, others: readonly string[]) {
  const held = lookUps.holdNext();
  const answers = [ask(first)];
  const answer = await held;
  answers.push(...others.map(ask));
  await haveArrived();
  answer();
  return Promise.all(answers);
}

const addKey = (customerId = harness.scope.customerId) =>
  harness.database.db.system((tx) => addApiKey(tx, harness.vault, { customerId }));
const publicIdOf = (key: { readonly token: string }) => parseApiKeyToken(key.token)?.publicId ?? '';

const gone = () => Object.assign(new Error('secret host name'), { code: 'ECONNRESET' });

describe('the look-up of API keys', () => {
  it('is not joined once it runs: a key revoked meanwhile is refused to who comes after', async () => {
    const key = await addKey();
    const held = lookUps.holdNext();
    const before = ask(key.token);
    const answer = await held;
    await harness.database.people.system((tx) =>
      tx.query('UPDATE api_keys SET revoked_at = $1 WHERE id = $2', [harness.clock.now(), key.id]),
    );
    const after = ask(key.token);
    await haveArrived();
    answer();
    expect((await before).statusCode).toBe(200);
    expect((await after).json().error).toBe('api_key_revoked');
    expect(lookUps.readAsked()).toHaveLength(2);
  });

  it('is one for up to 25 that came while another ran, and asks for each key once', async () => {
    const keys = await Promise.all([addKey(), addKey()]);
    const tokens = Array.from({ length: 40 }, (_, index) => keys[index % 2]?.token ?? '');
    const answers = await askTogether(tokens[0] ?? '', tokens);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
    const publicIds = keys.map(publicIdOf);
    expect(lookUps.readAsked()).toEqual([publicIds.slice(0, 1), publicIds, publicIds.toReversed()]);
  });

  it('gives keys of different customers each their own', async () => {
    const customers = await Promise.all(
      [1, 2, 3].map(() => harness.database.db.system((tx) => addCustomer(tx))),
    );
    const keys = await Promise.all(customers.map((customerId) => addKey(customerId)));
    const findKey = createKeyFinder(lookUps.db);
    const found = await Promise.all([...keys, ...keys].map((key) => findKey(publicIdOf(key))));
    expect(found.map((key) => key?.customerId)).toEqual([...customers, ...customers]);
    expect(found.map((key) => key?.id)).toEqual([...keys, ...keys].map(({ id }) => id));
    expect(lookUps.readAsked()).toHaveLength(2);
  });

  it('lets an unknown key disturb no other', async () => {
    const [known, other] = await Promise.all([addKey(), addKey()]);
    const random = { publicId: randomBytes(PUBLIC_ID_BYTES), secret: randomBytes(SECRET_BYTES) };
    const unknown = buildApiKeyToken('test', random);
    const answers = await askTogether(known.token, [other.token, unknown.token, known.token]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 401, 200]);
    expect(answers[2]?.json().error).toBe('invalid_api_key');
    expect(lookUps.readAsked()).toHaveLength(2);
  });
});

describe('a look-up of API keys that fails', () => {
  it('is made again for each that asked in it, so that one lost connection refuses no caller', async () => {
    const key = await addKey();
    const held = lookUps.holdNext();
    const first = ask(key.token);
    const answer = await held;
    const others = [ask(key.token), ask(key.token)];
    await haveArrived();
    lookUps.failNext(1, gone());
    answer();
    const answers = await Promise.all([first, ...others]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect(lookUps.readAsked()).toHaveLength(4);
  });

  it('is a 503 in an outage to those who asked in it, and to no other caller', async () => {
    const key = await addKey();
    const held = lookUps.holdNext();
    const first = ask(key.token);
    const answer = await held;
    const others = [ask(key.token), ask(key.token)];
    await haveArrived();
    lookUps.failNext(3, gone());
    answer();
    const answers = await Promise.all([first, ...others]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 503, 503]);
    expect(answers[1]?.json().error).toBe('service_unavailable');
    expect((await ask(key.token)).statusCode).toBe(200);
  });

  it('holds up those who come later no longer than it may, and still answers its own', async () => {
    const publicId = publicIdOf(await addKey());
    const findKey = createKeyFinder(lookUps.db, { holdUpMaxMs: 1 });
    const held = lookUps.holdNext();
    const slow = findKey(publicId);
    const answer = await held;
    expect(await findKey(publicId)).toMatchObject({ publicId });
    answer();
    expect(await slow).toMatchObject({ publicId });
  });
});
