import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  OPERATOR_RIGHTS,
  OPERATOR_ROLES,
} from '../../../src/domain/customers/access/operator-rights.ts';
import { rolesWith, type Role } from '../../../src/domain/customers/access/rights.ts';
import { USER_RIGHTS, USER_ROLES } from '../../../src/domain/customers/access/user-rights.ts';
import { createHttpLogger } from '../../../src/api/logger.ts';
import { buildWebApp } from '../../../src/web/kit/web-app.ts';
import type { WebApp } from '../../../src/web/kit/web-deps.ts';
import { SESSION_COOKIES } from '../../../src/web/kit/session-cookie.ts';
import { createTestClock } from '../../support/test-clock.ts';
import { createTestVault } from '../../support/test-vault.ts';
import { NO_PROOFS, samplePerson } from '../../support/web/sample-person.ts';
import { startTestWeb, type TestWeb } from '../../support/web/web-harness.tsx';

const build = (register: (app: WebApp) => void) =>
  buildWebApp(
    {
      ...{ surface: 'dashboard', origin: 'http://dashboard.localhost:8081' },
      ...{ vault: createTestVault(), clock: createTestClock() },
      ...{ findPerson: () => Promise.resolve(null), proofs: NO_PROOFS },
    },
    register,
  );

describe('the start', () => {
  it('fails where a page names no right, or one of the other surface', async () => {
    await expect(build((app) => app.get('/open', async () => ''))).rejects.toThrow(
      'page /open names no right',
    );
    await expect(
      build((app) => app.get('/x', { config: { right: 'decide-payments' } }, async () => '')),
    ).rejects.toThrow('no right of the dashboard');
  });

  it('fails where a page that takes a form does not name its fields', async () => {
    await expect(
      build((app) => app.post('/x', { config: { right: 'public' } }, async () => '')),
    ).rejects.toThrow('page /x names no fields');
  });

  it('succeeds with pages that name theirs', async () => {
    const app = await build((web) =>
      web.get('/x', { config: { right: 'see-keys' } }, async () => ''),
    );
    await app.ready();
    await app.close();
  });
});

describe.each([
  ['dashboard', USER_ROLES, USER_RIGHTS],
  ['console', OPERATOR_ROLES, OPERATOR_RIGHTS],
] as const)('every right of the %s', (surface, roles, table) => {
  let app: WebApp;
  const lines: string[] = [];
  const host = `${surface}.localhost:8081`;
  const rights = Object.keys(table) as (keyof typeof USER_RIGHTS)[];
  beforeAll(async () => {
    app = await buildWebApp(
      {
        ...{
          surface,
          origin: `http://${host}`,
          vault: createTestVault(),
          clock: createTestClock(),
          logger: createHttpLogger('info', { write: (line) => void lines.push(line) }),
        },
        findPerson: (role) => Promise.resolve(samplePerson(role as Role)),
        proofs: NO_PROOFS,
      },
      (web) => {
        for (const right of rights) web.get(`/${right}`, { config: { right } }, async () => 'in');
      },
    );
  });
  afterAll(() => app.close());

  it('lets in exactly the roles that its table names, and tells the others which do', async () => {
    let [allowed, refused] = [0, 0];
    for (const right of rights) {
      const having = rolesWith(surface, right) ?? [];
      for (const role of roles) {
        const headers = { host, cookie: `${SESSION_COOKIES[surface]}=${role}` };
        const answer = await app.inject({ url: `/${right}`, headers });
        const isAllowed = (having as readonly string[]).includes(role);
        expect(answer.statusCode, `${role} ${right}`).toBe(isAllowed ? 200 : 403);
        if (isAllowed) allowed += 1;
        else {
          refused += 1;
          expect(answer.body).toContain(
            `Roles that can do this: ${having.join(', ').toLowerCase()}.`,
          );
        }
      }
      const visitor = await app.inject({ url: `/${right}`, headers: { host } });
      expect([visitor.statusCode, visitor.headers.location]).toEqual([
        303,
        `/login?next=%2F${right}`,
      ]);
    }
    expect(allowed).toBeGreaterThan(10);
    expect(refused).toBeGreaterThan(10);
  });

  it('is asked for by a person whom the log names by id, let in or refused', async () => {
    lines.length = 0;
    for (const role of [roles[0], roles.at(-1) ?? '']) {
      const headers = { host, cookie: `${SESSION_COOKIES[surface]}=${role}` };
      await app.inject({ url: '/see-audit-log', headers });
    }
    const logged = lines.map((line) => JSON.parse(line) as { status: number; person: string });
    expect(logged.map(({ status }) => status).sort()).toEqual([200, 403]);
    const id = surface === 'dashboard' ? 'usr_sample' : 'opr_sample';
    expect(logged.map(({ person }) => person)).toEqual([id, id]);
    expect(lines.join('')).not.toContain('Ada');
  });

  it('is no way in for a role that the table does not know', async () => {
    for (const role of [
      'ROOT',
      '',
      'owner',
      '__proto__',
      surface === 'console' ? 'OWNER' : 'ADMIN',
    ]) {
      const headers = { host, cookie: `${SESSION_COOKIES[surface]}=${role}` };
      const [first = ''] = rights;
      const answer = await app.inject({ url: `/${first}`, headers });
      expect([303, 403], role).toContain(answer.statusCode);
    }
  });
});

describe('who is not logged in', () => {
  let web: TestWeb;
  beforeAll(async () => {
    web = await startTestWeb();
  });
  afterAll(() => web.close());

  it('is sent to the login, which leads back to a page of this site and to no other', async () => {
    const locationOf = async (path: string) => (await web.ask({ path })).headers.location;
    expect(await locationOf('/guarded')).toBe('/login?next=%2Fguarded');
    expect(await locationOf('/guarded?a=1&b=//x')).toBe(
      '/login?next=%2Fguarded%3Fa%3D1%26b%3D%2F%2Fx',
    );
    const longQuery = await locationOf(`/guarded?${'x'.repeat(3_000)}`);
    expect(longQuery).toBe('/login');
  });

  it('has a form of another session refused', async () => {
    const cookie = '__Host-dashboard=OWNER';
    const { token } = await web.openForm('/form-of-own', cookie);
    const other = await web.post('/own', `form=${token}`, { cookie: '__Host-dashboard=VIEWER' });
    expect(other.status).toBe(403);
    const visitor = await web.post('/own', `form=${token}`);
    expect([visitor.status, visitor.headers.location]).toEqual([303, '/login']);
    expect((await web.post('/own', `form=${token}`, { cookie })).status).toBe(303);
  });
});
