import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createProofs } from '../../../src/modules/customers/access/proofs.ts';
import { findPerson } from '../../../src/modules/customers/access/sessions.ts';
import { contentsRow } from '../../../src/modules/customers/mail/mail-rows.ts';
import { readForm } from '../../../src/web/kit/forms/read-form.ts';
import { SESSION_COOKIES } from '../../../src/web/kit/session-cookie.ts';
import { proveAct } from '../../../src/web/kit/step-up.tsx';
import { buildWebApp } from '../../../src/web/kit/web-app.ts';
import type { WebApp } from '../../../src/web/kit/web-deps.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { addTestUser, logIn } from '../../support/test-people.ts';
import { createTestVault } from '../../support/test-vault.ts';

const NAME = { name: { what: 'a name', lengthMax: 20 } } as const;
const host = 'dashboard.localhost:8081';

describe('an act that takes step-up', () => {
  let database: TestDatabase;
  let app: WebApp;
  let cookie: string;
  let personId: string;
  let mailIds: string[];
  let done: string[];
  const clock = createTestClock();
  const vault = createTestVault();
  const finding = { vault, clock, operatorsNeedPasskeys: false };

  beforeAll(async () => {
    database = await createTestDatabase();
    const db = database.people;
    const deps = { db, vault, clock, dispatchMail: (id: string) => void mailIds.push(id) };
    const origin = `http://${host}`;
    app = await buildWebApp(
      {
        ...{ surface: 'dashboard', origin, vault, clock },
        findPerson: (token, isUse) => findPerson(finding, db, 'dashboard', token, isUse),
        proofs: createProofs({ ...deps, origin }),
      },
      (web) => {
        for (const path of ['/keys', '/users']) {
          web.get(path, { config: { right: 'see-keys' } }, async (_request, reply) =>
            reply.type('text/plain').send(reply.newForm(path)),
          );
          web.post(
            path,
            { config: { right: 'write-keys', form: NAME } },
            async (request, reply) => {
              const { sentForm } = request;
              if (sentForm === null) throw new Error('a POST has its form');
              const { values } = readForm(NAME, sentForm.texts);
              if (!(await proveAct(request, reply, `Create the key ${values.name}`))) return;
              await db.system((tx) => sentForm.use(tx));
              done.push(values.name);
              return reply.redirect('/keys', 303);
            },
          );
        }
        web.post(
          '/skips',
          { config: { right: 'write-keys', form: {} } },
          async (request, reply) => {
            await db.system(async (tx) => request.sentForm?.use(tx));
            return reply.redirect('/keys', 303);
          },
        );
        web.get('/skips', { config: { right: 'see-keys' } }, async (_request, reply) =>
          reply.type('text/plain').send(reply.newForm('/skips')),
        );
      },
    );
  });
  afterAll(async () => {
    await app.close();
    await database.close();
  });
  beforeEach(async () => {
    [mailIds, done] = [[], []];
    const customerId = await database.db.system((tx) => addCustomer(tx));
    const deps = { people: database.people, vault, clock };
    personId = (await addTestUser(deps, customerId, 'OWNER')).id;
    cookie = await logIn(deps, 'dashboard', personId);
  });

  const newForm = async (path = '/keys') =>
    (await app.inject({ url: path, headers: { host, cookie } })).body;
  const post = async (fields: Record<string, string>, path = '/keys') => {
    const answer = await app.inject({
      ...{ method: 'POST', url: path },
      headers: {
        ...{ host, cookie, 'sec-fetch-site': 'same-origin' },
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: new URLSearchParams({ form: await newForm(path), ...fields }).toString(),
    });
    // A proof renews the session's token.
    const renewed = answer.cookies.find(({ name }) => name === SESSION_COOKIES.dashboard);
    if (renewed !== undefined) cookie = `${renewed.name}=${renewed.value}`;
    return answer;
  };
  /** What the last mail says, and the code in it. */
  async function lastMail() {
    const id = mailIds.at(-1) ?? '';
    const [row] = await database.people.system((tx) =>
      tx.query<{ contents: Buffer }>('SELECT contents FROM mails WHERE id = $1', [id]),
    );
    const text = vault.open(row?.contents ?? Buffer.of(), contentsRow(id)).toString();
    return { text, code: /\b\d{4} ?\d{4}\b/.exec(text)?.[0] ?? '' };
  }

  it('is done once it is proven by the code that was mailed for it, and not before', async () => {
    const asked = await post({ name: 'deploy' });
    expect([asked.statusCode, done]).toEqual([200, []]);
    expect(asked.body).toContain('Create the key deploy');
    expect(asked.body).toContain('name="name" value="deploy"');
    const { text, code } = await lastMail();
    expect(text).toContain('Create the key deploy');
    expect((await post({ name: 'deploy', proof: code })).statusCode).toBe(303);
    expect(done).toEqual(['deploy']);
  });

  it('gives the session a new token with each proof: the one from before is refused at once', async () => {
    const before = cookie;
    await post({ name: 'deploy' });
    expect(cookie).toBe(before);
    await post({ name: 'deploy', proof: (await lastMail()).code });
    expect(cookie).not.toBe(before);
    const ask = (held: string) => app.inject({ url: '/keys', headers: { host, cookie: held } });
    expect((await ask(before)).headers.location).toBe('/login?next=%2Fkeys');
    expect((await ask(cookie)).statusCode).toBe(200);
  });

  it('takes a proof once: ten posts of it at once do one act', async () => {
    await post({ name: 'deploy' });
    const { code } = await lastMail();
    const ends = await Promise.all(
      Array.from({ length: 10 }, () => post({ name: 'deploy', proof: code })),
    );
    // Later ones find their session's token renewed, and are sent to the login.
    expect(ends.filter(({ headers }) => headers.location === '/keys')).toHaveLength(1);
    expect(done).toEqual(['deploy']);
  });

  it('is not proven by the code of another act, route, or session', async () => {
    await post({ name: 'deploy' });
    const { code } = await lastMail();
    expect((await post({ name: 'other', proof: code })).statusCode).toBe(422);
    expect((await post({ name: 'deploy', proof: code }, '/users')).statusCode).toBe(422);
    const [first] = [cookie];
    const customerId = await database.db.system((tx) => addCustomer(tx));
    const deps = { people: database.people, vault, clock };
    cookie = await logIn(deps, 'dashboard', (await addTestUser(deps, customerId, 'OWNER')).id);
    expect((await post({ name: 'deploy', proof: code })).statusCode).toBe(422);
    cookie = first;
    expect(done).toEqual([]);
    expect((await post({ name: 'deploy', proof: code })).statusCode).toBe(303);
  });

  it('judges five codes and no sixth, and says how many tries are left', async () => {
    await post({ name: 'deploy' });
    const { code } = await lastMail();
    const wrong = code.startsWith('1') ? '20000000' : '10000000';
    expect((await post({ name: 'deploy', proof: wrong })).body).toContain('4 tries left');
    for (let tries = 2; tries <= 5; tries += 1) await post({ name: 'deploy', proof: wrong });
    expect((await post({ name: 'deploy', proof: code })).statusCode).toBe(422);
    expect(done).toEqual([]);
  });

  it('leaves a row in the audit log for each wrong code, and none for a right one', async () => {
    const failures = () =>
      database.people.system((tx) =>
        tx.query<{ actor: string; subject: string; details: object }>(
          `SELECT actor, subject, details FROM audit_log
           WHERE action = 'proof.failed' AND subject = $1`,
          [personId],
        ),
      );
    await post({ name: 'deploy' });
    const { code } = await lastMail();
    const wrong = code.startsWith('1') ? '20000000' : '10000000';
    for (const proof of [wrong, 'no code', wrong]) await post({ name: 'deploy', proof });
    expect(await failures()).toEqual(
      [1, 2].map(() => ({
        ...{ actor: `user:${personId}`, subject: personId },
        details: { by: 'CODE' },
      })),
    );
    expect((await post({ name: 'deploy', proof: code })).statusCode).toBe(303);
    expect(await failures()).toHaveLength(2);
  });

  it('mails one session 20 codes an hour, and no more', async () => {
    const statuses: number[] = [];
    for (let asked = 0; asked < 21; asked += 1) {
      statuses.push((await post({ name: `key ${String(asked)}` })).statusCode);
    }
    expect(statuses.at(-2)).toBe(200);
    expect(statuses.at(-1)).toBe(429);
    expect(mailIds).toHaveLength(20);
  });

  it('cannot be written without asking for the proof: the page fails instead', async () => {
    expect((await post({}, '/skips')).statusCode).toBe(500);
  });

  it('is refused to the users of a suspended customer, who see what they saw', async () => {
    const token = cookie.replace(`${SESSION_COOKIES.dashboard}=`, '');
    const person = await findPerson(finding, database.people, 'dashboard', token, true);
    const customerId = person?.kind === 'USER' ? person.customer.id : '';
    await database.people.system((tx) =>
      tx.query(`UPDATE customers SET status = 'SUSPENDED' WHERE id = $1`, [customerId]),
    );
    const answer = await post({ name: 'deploy' });
    expect([answer.statusCode, mailIds]).toEqual([403, []]);
    expect((await app.inject({ url: '/keys', headers: { host, cookie } })).statusCode).toBe(200);
  });
});
