import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../../src/db/client/new-id.ts';
import { findEndpoint } from '../../../../src/db/webhooks/webhook-endpoint-store.ts';
import { createWebhookEndpoint } from '../../../../src/modules/webhooks/create-webhook-endpoint.ts';
import { updateWebhookEndpoint } from '../../../../src/modules/webhooks/update-webhook-endpoint.ts';
import { addCustomer } from '../../../support/test-customer.ts';
import {
  startWebhookSite,
  type WebhookSite,
} from '../../../support/web/dashboard/webhooks-harness.ts';

const LONG = { timeout: 120_000 };

let harness: WebhookSite;
beforeAll(async () => {
  harness = await startWebhookSite();
});
afterAll(() => harness.close());

const NEW = '/test/webhooks/new';
const endpoint = (id: string) => {
  const scope = harness.scopeOf('test');
  return harness.db.read(scope, (tx) => findEndpoint(tx, scope, id));
};
const secretIn = (html: string) => /whsec_[A-Za-z0-9+/=]+/.exec(html)?.[0] ?? '';
const idIn = (html: string) => /whe_[0-9a-z]{26}/.exec(html)?.[0] ?? '';

describe('an endpoint on the dashboard', () => {
  it(
    'is added after a second step, its secret in that answer and on no other page',
    LONG,
    async () => {
      const { site, receiver, owner, prove } = harness;
      const made = await prove(NEW, NEW, {
        url: receiver.url,
        types: ['payment.*', 'kyc.approved'],
      });
      expect([made.status, made.headers['cache-control']]).toEqual([201, 'no-store']);
      const [id, secret] = [idIn(made.body), secretIn(made.body)];
      expect(secret).toMatch(/^whsec_.{44}$/);
      expect(await endpoint(id)).toMatchObject({
        ...{ url: receiver.url, types: ['payment.*', 'kyc.approved'], status: 'ENABLED' },
      });
      expect(await harness.audited(id)).toEqual(['webhook_endpoint.create']);
      await harness.record('pay_signed');
      await harness.drain(id);
      receiver.verifyAll(secret);
      expect(receiver.received.length).toBeGreaterThan(0);
      for (const path of ['/test/webhooks', `/test/webhooks/${id}`, `/test/webhooks/${id}/edit`]) {
        const page = await site.get(path, owner);
        expect(page.status, path).toBe(200);
        expect(page.body).toContain(id);
        expect(page.body).not.toContain('whsec_');
      }
    },
  );

  it('is not added by fields that are wrong: all said at once, and kept', async () => {
    const { site, owner } = harness;
    for (const url of ['http://10.0.0.1/', 'ftp://example.com', 'https://u:p@example.com/', 'x']) {
      const answer = await site.submit(NEW, NEW, { url, description: 'x'.repeat(201) }, owner);
      expect(answer.status, url).toBe(422);
      expect(answer.body).toContain('href="#url"');
      expect(answer.body).toContain('href="#description"');
      expect(answer.body).toContain('href="#types"');
      expect(answer.body).toContain(`value="${url}"`);
    }
    const odd = await site.submit(NEW, NEW, { url: 'x', types: ['payment.*', 'nonsense'] }, owner);
    expect(odd.body).toContain('Choose events from the list.');
  });

  it('is one of sixteen: the seventeenth is refused at its form', LONG, async () => {
    const { site, db, receiver, logInAs } = harness;
    const other = await db.system((tx) => addCustomer(tx));
    const cookie = await logInAs('DEVELOPER', other);
    const scope = { customerId: other, environment: 'test' } as const;
    for (let n = 0; n < 16; n += 1) {
      await db.write(scope, (tx) => createWebhookEndpoint(site, tx, scope, { url: receiver.url }));
    }
    const answer = await harness.prove(NEW, NEW, { url: receiver.url, types: ['*'] }, cookie);
    expect(answer.status).toBe(422);
    expect(answer.body).toContain('You already have 16 webhook endpoints');
  });

  it('is edited; a stale form says what changed, and holds what was filled in', LONG, async () => {
    const { site, owner, prove, scopeOf } = harness;
    const { id, url } = await harness.addEndpoint();
    const edit = `/test/webhooks/${id}/edit`;
    const fields = { url, description: 'Mine', types: ['payment.*'] };
    expect((await prove(edit, edit, fields)).status).toBe(303);
    expect(await endpoint(id)).toMatchObject({
      description: 'Mine',
      types: ['payment.*'],
      version: 2,
    });
    const open = await site.get(edit, owner);
    const sent = site.hiddenFields(open.body, edit);
    const theirs = { types: ['kyc.*'], description: 'Theirs' };
    await harness.db.exclusive(scopeOf('test'), (tx) =>
      updateWebhookEndpoint(site, tx, scopeOf('test'), {
        ...{ id, patch: theirs, requireVersion: () => undefined },
      }),
    );
    for (const [name, value] of Object.entries({
      url,
      description: 'Mine again',
      types: 'payment.*',
    }))
      sent.append(name, value);
    const stale = await site.confirm(await site.post(edit, sent, owner), edit, owner);
    expect(stale.status).toBe(409);
    expect(stale.body).toContain('A user or an API key changed its events');
    expect(stale.body).toContain('It is now: Theirs.');
    expect(stale.body).toContain('It is now: kyc.*.');
    expect(stale.body).toContain('value="Mine again"');
    expect(await endpoint(id)).toMatchObject({ description: 'Theirs', version: 3 });
    const again = site.hiddenFields(stale.body, edit);
    for (const [name, value] of Object.entries({
      url,
      description: 'Mine again',
      types: 'payment.*',
    }))
      again.append(name, value);
    const done = await site.confirm(await site.post(edit, again, owner), edit, owner);
    expect(done.status).toBe(303);
    expect(await endpoint(id)).toMatchObject({ description: 'Mine again', version: 4 });
  });

  it(
    'is disabled, enabled and deleted, each with its proof and its entry in the audit log',
    LONG,
    async () => {
      const { site, owner, prove } = harness;
      const { id } = await harness.addEndpoint();
      const page = `/test/webhooks/${id}`;
      expect((await prove(page, `${page}/disable`)).status).toBe(303);
      expect(await endpoint(id)).toMatchObject({ status: 'DISABLED', disabledReason: 'REQUESTED' });
      expect((await prove(page, `${page}/enable`)).status).toBe(303);
      expect(await endpoint(id)).toMatchObject({ status: 'ENABLED' });
      const stale = site.hiddenFields((await site.get(page, owner)).body, `${page}/delete`);
      await prove(page, `${page}/disable`);
      const refused = await site.confirm(
        await site.post(`${page}/delete`, stale, owner),
        `${page}/delete`,
        owner,
      );
      expect(refused.status).toBe(409);
      expect(refused.body).toContain('It was disabled on');
      expect(await endpoint(id)).not.toBeNull();
      expect((await prove(page, `${page}/delete`)).status).toBe(303);
      expect(await endpoint(id)).toBeNull();
      expect((await site.get(page, owner)).status).toBe(404);
      expect(await harness.audited(id)).toEqual(
        ['disable', 'enable', 'disable', 'delete'].map((act) => `webhook_endpoint.${act}`),
      );
    },
  );

  it('gets a new secret, shown once, while the old one signs as well', LONG, async () => {
    const { receiver, prove } = harness;
    const { id, secret } = await harness.addEndpoint();
    const page = `/test/webhooks/${id}`;
    const made = await prove(page, `${page}/rotate-secret`, { overlap: '1' });
    expect(made.status).toBe(201);
    const fresh = secretIn(made.body);
    expect(fresh).not.toBe(secret);
    receiver.received.length = 0;
    await harness.record('pay_rotated');
    await harness.drain(id);
    for (const one of [secret, fresh]) receiver.verifyAll(one);
    expect(receiver.received.length).toBeGreaterThan(0);
    const odd = await harness.site.submit(
      page,
      `${page}/rotate-secret`,
      { overlap: '9999' },
      harness.owner,
    );
    expect(odd.status).toBe(422);
  });
});

describe('deliveries on the dashboard', () => {
  it('are listed with their attempts and answers, and sent again once a click', LONG, async () => {
    const { site, receiver, owner, logInAs } = harness;
    const { id } = await harness.addEndpoint('test', ['payment.*']);
    receiver.answer = (_request, response) => response.writeHead(500).end('<b>no</b> room');
    await harness.record('pay_failing');
    await harness.drain(id);
    const page = `/test/webhooks/${id}`;
    const list = await site.get(`${page}?status=PENDING`, owner);
    expect(list.body).toContain('500 STATUS');
    expect(list.body).toContain('Failing');
    const eventId = /deliveries\/(evt_[0-9a-z]{26})/.exec(list.body)?.[1] ?? '';
    const delivery = `${page}/deliveries/${eventId}`;
    const shown = await site.get(delivery, owner);
    expect(shown.body).toContain('&lt;b>no&lt;/b> room');
    expect(shown.body).toContain('pay_failing');
    receiver.answer = (_request, response) => response.writeHead(204).end();
    const developer = await logInAs('DEVELOPER');
    const opened = await site.get(delivery, developer);
    const again = `${delivery}/redeliver`;
    const fields = site.hiddenFields(opened.body, again);
    const clicks = await Promise.all([1, 2, 3].map(() => site.post(again, fields, developer)));
    expect(clicks.map(({ status }) => status).sort()).toEqual([303, 409, 409]);
    await harness.drain(id);
    expect((await site.get(delivery, owner)).body).toContain('Delivered');
    expect(await harness.audited(eventId)).toEqual(['event.redeliver']);
  });

  it('are tested with the answer at once, and a second click sends nothing', LONG, async () => {
    const { site, receiver, owner } = harness;
    const { id } = await harness.addEndpoint();
    const page = `/test/webhooks/${id}`;
    receiver.received.length = 0;
    receiver.answer = (_request, response) => response.writeHead(200).end('thanks');
    const opened = await site.get(page, owner);
    const fields = site.hiddenFields(opened.body, `${page}/test`);
    fields.append('type', 'payment.completed');
    const answers = [await site.post(`${page}/test`, fields, owner)];
    answers.push(await site.post(`${page}/test`, fields, owner));
    expect(answers.map(({ status }) => status)).toEqual([201, 409]);
    expect(answers[0]?.body).toContain('thanks');
    expect(receiver.received).toHaveLength(1);
    expect(await harness.audited(id)).toEqual(['webhook_endpoint.test']);
  });

  it('are replayed for a span of time; a disabled endpoint says why not', LONG, async () => {
    const { site, receiver, owner, prove } = harness;
    receiver.answer = (_request, response) => response.writeHead(204).end();
    const { id } = await harness.addEndpoint('test', ['payment.*']);
    await harness.record('pay_replayed');
    await harness.drain(id);
    // A span ends before the moment that it is asked for.
    site.clock.advance(1_000);
    const page = `/test/webhooks/${id}`;
    receiver.received.length = 0;
    const fields = site.hiddenFields((await site.get(page, owner)).body, `${page}/replay`);
    fields.append('span', '24');
    expect((await site.post(`${page}/replay`, fields, owner)).status).toBe(303);
    expect((await site.get(page, owner)).body).toContain('Being queued');
    await harness.drain(id);
    expect(receiver.received.map(({ body }) => body).join()).toContain('pay_replayed');
    const open = site.hiddenFields((await site.get(page, owner)).body, `${page}/replay`);
    open.append('span', '24');
    await prove(page, `${page}/disable`);
    const refused = await site.post(`${page}/replay`, open, owner);
    expect(refused.status).toBe(422);
    expect(refused.body).toContain('The webhook endpoint is disabled');
  });
});

describe('who may do what with endpoints', () => {
  const writes = ['edit', 'enable', 'disable', 'delete', 'rotate-secret', 'test', 'replay'];

  it(
    'every role sees them; finance and viewers change, test and replay nothing',
    LONG,
    async () => {
      const { site, logInAs, owner } = harness;
      const { id } = await harness.addEndpoint();
      const page = `/test/webhooks/${id}`;
      for (const role of ['FINANCE', 'VIEWER'] as const) {
        const cookie = await logInAs(role);
        const shown = await site.get(page, cookie);
        expect(shown.status).toBe(200);
        expect(shown.body.match(/method="post"/g)).toHaveLength(1);
        expect((await site.get(NEW, cookie)).status).toBe(403);
        for (const act of writes) {
          const answer = await site.post(`${page}/${act}`, new URLSearchParams(), cookie);
          expect([answer.status, role, act]).toEqual([403, role, act]);
        }
      }
      expect((await site.get(page, owner)).body.match(/method="post"/g)?.length).toBe(6);
    },
  );

  it(
    'another customer’s, the other environment’s and missing ids answer alike, byte for byte',
    LONG,
    async () => {
      const { site, db, logInAs } = harness;
      const { id } = await harness.addEndpoint();
      const stranger = await logInAs('OWNER', await db.system((tx) => addCustomer(tx)));
      const missing = newId('whe');
      const asked: [string, string][] = [
        [`/test/webhooks/${id}`, stranger],
        [`/test/webhooks/${missing}`, stranger],
        [`/live/webhooks/${id}`, harness.owner],
        [`/test/webhooks/${missing}`, harness.owner],
        [`/test/webhooks/${id}/edit`, stranger],
        [`/test/webhooks/${id}/deliveries/${newId('evt')}`, stranger],
        [`/test/webhooks/${id}/deliveries/${newId('evt')}`, harness.owner],
        [`/moon/webhooks/${id}`, harness.owner],
      ];
      const pages = await Promise.all(asked.map(([path, cookie]) => site.get(path, cookie)));
      expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([404]));
      expect(new Set(pages.map(({ body }) => body)).size).toBe(1);
    },
  );

  it(
    'a form for one endpoint is none for another, and one of a stranger changes nothing',
    LONG,
    async () => {
      const { site, owner, db, logInAs } = harness;
      const [one, other] = [await harness.addEndpoint(), await harness.addEndpoint()];
      const pageOf = ({ id }: { id: string }) => `/test/webhooks/${id}`;
      const opened = await site.get(pageOf(one), owner);
      const fields = site.hiddenFields(opened.body, `${pageOf(one)}/disable`);
      expect((await site.post(`${pageOf(other)}/disable`, fields, owner)).status).toBe(403);
      const stranger = await logInAs('OWNER', await db.system((tx) => addCustomer(tx)));
      expect((await site.post(`${pageOf(one)}/disable`, fields, stranger)).status).toBe(403);
      expect(await endpoint(one.id)).toMatchObject({ status: 'ENABLED', version: 1 });
    },
  );
});
