import { once } from 'node:events';
import {
  request as send,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http';
import type { VNode } from 'preact';
import { ScopeBusy } from '../../../src/db/client/outage.ts';
import type { Role, Surface } from '../../../src/domain/customers/access/rights.ts';
import { newDevice } from '../../../src/modules/customers/access/devices.ts';
import { tagOfDevice } from '../../../src/web/kit/device-cookie.ts';
import { readForm } from '../../../src/web/kit/forms/read-form.ts';
import { sendPage } from '../../../src/web/kit/send-page.ts';
import { tooMuch } from '../../../src/web/kit/page-refusal.ts';
import { buildWebApp } from '../../../src/web/kit/web-app.ts';
import type { WebApp } from '../../../src/web/kit/web-deps.ts';
import { createTestDatabase } from '../database.ts';
import { createTestClock } from '../test-clock.ts';
import { createTestVault } from '../test-vault.ts';
import { freePort } from '../../../src/cli/embedded/ports.ts';
import { NO_PROOFS, samplePerson } from './sample-person.ts';
import { Confirm, Home, Note, Payment, Payments, Webhooks } from './sample-pages.tsx';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Ask {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
}

const NOTE = {
  note: { what: 'a note', lengthMax: 20 },
  kind: { what: 'a kind', lengthMax: 1, isOptional: true },
  tag: { what: 'tags', lengthMax: 5, isOptional: true, isList: true },
} as const;

/**
 * A surface that listens, with pages of the test's own: every part, and one form that
 * writes. Whose session's token is a role is logged in as that.
 */
export async function startTestWeb(surface: Surface = 'dashboard', roles = surface) {
  const database = await createTestDatabase();
  const clock = createTestClock();
  const vault = createTestVault();
  const port = await freePort();
  const host = `${surface}.localhost:${String(port)}`;
  const origin = `http://${host}`;
  const notes: string[] = [];
  const versions = { payment: 3 };
  const app = await buildWebApp(
    {
      ...{ surface, origin, vault, clock },
      findPerson: (role) => Promise.resolve(samplePerson(role as Role)),
      proofs: NO_PROOFS,
    },
    (web) => {
      registerPages(web);
    },
  );

  function registerPages(web: WebApp): void {
    const page = (path: string, title: string, body: (token: string) => VNode) =>
      web.get(path, { config: { right: 'public' } }, async (_request, reply) =>
        sendPage(reply, { title, body: body(reply.newForm('/notes')) }),
      );
    page('/home', 'Home', (token) => <Home token={token} />);
    page('/payments', 'Payments', (token) => <Payments token={token} />);
    page('/payment', 'Payment', (token) => <Payment token={token} version={versions.payment} />);
    page('/webhooks', 'Webhooks', (token) => <Webhooks token={token} />);
    page('/note', 'Note', (token) => <Note token={token} />);
    page('/confirm', 'Confirm', (token) => <Confirm token={token} />);
    web.get('/dark', { config: { right: 'public' } }, async (_request, reply) =>
      sendPage(reply, { title: 'Dark', theme: 'dark', body: <Home token="" /> }),
    );
    web.post('/notes', { config: { right: 'public', form: NOTE } }, async (request, reply) => {
      const { sentForm } = request;
      if (sentForm === null) throw new Error('a POST has its form');
      const { values, problems } = readForm(NOTE, sentForm.texts);
      if (problems.length > 0) {
        const token = reply.newForm('/notes');
        return sendPage(reply.code(422), {
          title: 'Note',
          body: <Note token={token} note={values.note} problems={problems} />,
        });
      }
      await database.people.system((tx) => sentForm.use(tx));
      notes.push(values.note);
      return reply.redirect('/home', 303);
    });
    web.post('/forgets', { config: { right: 'public', form: {} } }, async (_request, reply) =>
      reply.redirect('/home', 303),
    );
    web.get('/forgets', { config: { right: 'public' } }, async (_request, reply) =>
      reply.type('text/plain').send(reply.newForm('/forgets')),
    );
    web.get('/form-of-own', { config: { right: 'any-person' } }, async (request, reply) =>
      reply.type('text/plain').send(`${request.person?.role ?? ''} ${reply.newForm('/own')}`),
    );
    web.post('/own', { config: { right: 'any-person', form: {} } }, async (request, reply) => {
      await database.people.system(async (tx) => request.sentForm?.use(tx));
      return reply.redirect('/form-of-own', 303);
    });
    const right = roles === 'dashboard' ? 'write-keys' : 'decide-payments';
    web.get('/guarded', { config: { right } }, async (_request, reply) =>
      reply.type('text/plain').send('in'),
    );
    web.get('/slow-down', { config: { right: 'public' } }, async () => {
      throw tooMuch(240);
    });
    web.get('/broken', { config: { right: 'public' } }, async () => {
      throw new Error('Ada Sample, DE89370400440532013000');
    });
    web.get('/outage', { config: { right: 'public' } }, async () => {
      throw Object.assign(new Error('no'), { code: 'ECONNREFUSED' });
    });
    web.get('/busy', { config: { right: 'public' } }, async () => {
      throw new ScopeBusy({ cause: new Error('no') });
    });
    web.get('/locked', { config: { right: 'public' } }, async () => {
      throw Object.assign(new Error('no'), { code: '55P03' });
    });
    web.get('/items/:id', { config: { right: 'public' } }, async () => null);
  }

  await app.listen({ host: '127.0.0.1', port });

  /** One request over a connection of its own, with Host as a browser sends it. */
  async function ask({
    method = 'GET',
    path = '/home',
    headers = {},
    body,
  }: Ask = {}): Promise<Answer> {
    const sent = send({
      host: '127.0.0.1',
      port,
      method,
      path,
      headers: { host, ...headers },
      agent: false,
    });
    sent.end(body);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: text };
  }

  return {
    ...{ app, origin, host, port, database, clock, notes, versions, ask },
    /**
     * Opens a page with a form as a new browser, and answers what it would send. The browser was here before: it does not
     * share what strangers may ask in a second.
     */
    async openForm(path = '/note', cookie?: string) {
      const answer = await ask({ path, headers: cookie === undefined ? {} : { cookie } });
      const [made = ''] = answer.headers['set-cookie'] ?? [];
      const token =
        /[A-Za-z0-9_-]{22}\.[0-9a-z]{6,8}\.[A-Za-z0-9_-]{43}/.exec(answer.body)?.[0] ?? '';
      const device = newDevice();
      const known = `__Host-device=${device}.${tagOfDevice(vault, device)}`;
      const own = cookie ?? `${made.split(';', 1)[0] ?? ''}; ${known}`;
      return { cookie: own, setCookie: made, token };
    },
    /** Posts a form as a browser does, from a page of the surface unless the headers say otherwise. */
    post: (path: string, fields: string, headers: OutgoingHttpHeaders = {}) =>
      ask({
        ...{ method: 'POST', path, body: fields },
        headers: {
          ...{ 'content-type': 'application/x-www-form-urlencoded' },
          ...{ 'sec-fetch-site': 'same-origin', origin },
          ...headers,
        },
      }),
    async close() {
      await app.close();
      await database.close();
    },
  };
}

export type TestWeb = Awaited<ReturnType<typeof startTestWeb>>;
