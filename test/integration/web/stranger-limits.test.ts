import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newDevice } from '../../../src/modules/customers/access/devices.ts';
import { tagOfDevice } from '../../../src/web/kit/device-cookie.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { addTestOperator, addTestUser } from '../../support/test-people.ts';
import { givePasskey } from '../../support/web/passkey-holder.ts';
import { until } from '../../support/until.ts';
import { createSiteBrowser } from '../../support/web/site-browser.ts';
import { startSite, type Site } from '../../support/web/site.ts';

describe.each(['dashboard', 'console'] as const)(
  'requests to the %s without a session',
  (surface) => {
    let site: Site;
    let cookie: string;
    let passkeyOwner: { readonly id: string; readonly customerId: string | null };
    const faults: string[] = [];
    beforeAll(async () => {
      site = await startSite(surface, {
        trustedProxies: ['127.0.0.1/32'],
        limitsStrangers: true,
        onLogLine: (line) => {
          if (line.includes('"fault"')) faults.push(line);
        },
      });
      const customerId = await site.database.db.system((tx) => addCustomer(tx));
      const { id } =
        surface === 'dashboard'
          ? await addTestUser(site.people, customerId, 'OWNER')
          : await addTestOperator(site.people, 'OPERATIONS');
      cookie = await site.logIn(id);
      passkeyOwner = { id, customerId: surface === 'dashboard' ? customerId : null };
    });
    afterAll(() => site.close());

    const ask = async (path: string, network: string, more = {}) =>
      site.ask(path, { 'x-forwarded-for': network, ...more });
    /** How many of them are refused. */
    async function refused(count: number, networkAt: (at: number) => string): Promise<number> {
      const statuses: number[] = [];
      // Many at once: the minute is that of the wall.
      while (statuses.length < count) {
        const asked = Array.from({ length: Math.min(50, count - statuses.length) }, (_none, at) =>
          ask('/login', networkAt(statuses.length + at)),
        );
        statuses.push(...(await Promise.all(asked)).map(({ status }) => status));
      }
      expect(new Set(statuses)).toEqual(new Set([200, 429]));
      return statuses.filter((status) => status === 429).length;
    }

    it('are 300 a minute for a /24, and whoever is logged in there is not counted', async () => {
      expect(await refused(305, (at) => `192.0.2.${String(at % 250)}`)).toBe(5);
      const next = await ask('/login', '192.0.2.1');
      expect(next.status).toBe(429);
      expect(Number(next.headers['retry-after'])).toBeGreaterThan(0);
      const form = new URLSearchParams({ address: 'nobody@unknown.example' });
      const before = site.statements();
      const posted = await site.ask(
        '/login',
        {
          ...{
            origin: site.origin,
            'sec-fetch-site': 'same-origin',
            'x-forwarded-for': '192.0.2.1',
          },
          'content-type': 'application/x-www-form-urlencoded',
        },
        form.toString(),
      );
      expect([posted.status, site.statements()]).toEqual([429, before]);
      expect((await ask('/settings', '192.0.2.1', { cookie })).status).toBe(200);
      expect((await ask('/health', '192.0.2.1')).status).toBe(200);
      expect((await ask('/login', '192.0.3.1')).status).toBe(200);
    });

    it('are 300 a minute for a /64, and 1,200 for the /48 around it', async () => {
      expect(await refused(302, () => '2001:db8:1:1::1')).toBe(2);
      expect(await refused(905, (at) => `2001:db8:1:${(at + 2).toString(16)}::1`)).toBe(5);
      expect((await ask('/login', '2001:db8:2:1::1')).status).toBe(200);
    });

    it('are answered while a hundred others wait for their turn', async () => {
      const browsers = Array.from({ length: 60 }, (_none, at) =>
        createSiteBrowser(site, { 'x-forwarded-for': `10.0.${String(at)}.1` }),
      );
      const forms = await Promise.all(browsers.map((browser) => browser.get('/login')));
      const statuses = await Promise.all(
        browsers.map(async (browser, at) => {
          const address = `nobody-${String(at)}@unknown.example`;
          const form = forms[at];
          if (form === undefined) throw new Error('no form');
          return (await browser.send(form, '/login', { address })).status;
        }),
      );
      expect(new Set(statuses)).toEqual(new Set([303]));
    });

    it('are 80 a second for all strangers together, and a browser that was here before has its own', async () => {
      const browsers = Array.from({ length: 200 }, (_none, at) =>
        createSiteBrowser(site, { 'x-forwarded-for': `10.1.${String(at)}.1` }),
      );
      const forms = await Promise.all(browsers.map((browser) => browser.get('/login')));
      const device = newDevice();
      const known = createSiteBrowser(site, { 'x-forwarded-for': '10.2.0.1' });
      known.cookies.set('__Host-device', `${device}.${tagOfDevice(site.vault, device)}`);
      const forged = createSiteBrowser(site, { 'x-forwarded-for': '10.2.1.1' });
      forged.cookies.set('__Host-device', `${device}.${'A'.repeat(43)}`);
      const [ownForm, forgedForm] = [await known.get('/login'), await forged.get('/login')];
      const sending = browsers.map(async (browser, at) => {
        const form = forms[at];
        if (form === undefined) throw new Error('no form');
        const address = `stranger-${String(at)}@unknown.example`;
        return (await browser.send(form, '/login', { address })).status;
      });
      const address = 'known@unknown.example';
      const [own, other] = [
        known.send(ownForm, '/login', { address }),
        forged.send(forgedForm, '/login', { address }),
      ];
      const refused = (await Promise.all(sending)).filter((status) => status === 503).length;
      // A slow machine takes more than a second to send them, and has more seconds to answer in.
      expect(refused).toBeGreaterThan(0);
      expect((await own).status).toBe(303);
      expect([303, 503]).toContain((await other).status);
      // Each has its line among the requests, and no stack.
      expect(faults).toEqual([]);
    });

    it('leave room for a code while somebody shows a passkey of theirs that does not sign', async () => {
      const holder = await givePasskey(site.people, site.origin, passkeyOwner);
      const person = createSiteBrowser(site, { 'x-forwarded-for': '10.6.0.1' });
      await until('a code to ask for', async () => {
        const { status } = await person.askForCode('codes@unknown.example');
        return status === 303 ? true : null;
      });
      const codePage = await person.get('/login/code');
      const browsers = Array.from({ length: 235 }, (_none, at) =>
        createSiteBrowser(site, { 'x-forwarded-for': `10.5.${String(at)}.1` }),
      );
      const forms = await Promise.all(browsers.map((browser) => browser.get('/login')));
      const before = site.statements();
      const showing = browsers.map(async (browser, at) => {
        const sent = holder.answer(forms[at]?.body ?? '', '/login/passkey');
        const passkey = JSON.parse(sent.get('passkey') ?? '') as { response: object };
        const response = { ...passkey.response, signature: 'AAAA' };
        sent.set('passkey', JSON.stringify({ ...passkey, response }));
        return (await browser.post('/login/passkey', sent)).status;
      });
      const code = person.send(codePage, '/login/code', { code: '0000 0000' });
      const answered = (await Promise.all(showing)).filter((status) => status === 422).length;
      expect((await code).status).toBe(422);
      // Ten a minute are judged, with all that this takes; another minute may begin meanwhile. The others cost one statement.
      expect(site.statements() - before).toBeLessThan(answered + 20 * 12);
    });

    it('take no room by forms that no page of ours has', async () => {
      const person = createSiteBrowser(site, { 'x-forwarded-for': '10.8.0.1' });
      await until('a code to ask for', async () => {
        const { status } = await person.askForCode('forged@unknown.example');
        return status === 303 ? true : null;
      });
      const codePage = await person.get('/login/code');
      const fields = new URLSearchParams({ code: '0000 0000' });
      const forged = Array.from({ length: 200 }, async (_none, at) => {
        const browser = createSiteBrowser(site, { 'x-forwarded-for': `10.7.${String(at)}.1` });
        return (await browser.post('/login/code', fields)).status;
      });
      const code = person.send(codePage, '/login/code', { code: '0000 0000' });
      const statuses = await Promise.all(forged);
      expect((await code).status).toBe(422);
      expect(new Set(statuses)).toEqual(new Set([403]));
    });

    it('leave room for a code and for a passkey, each of which has its own', async () => {
      const browsers = Array.from({ length: 200 }, (_none, at) =>
        createSiteBrowser(site, { 'x-forwarded-for': `10.3.${String(at)}.1` }),
      );
      const forms = await Promise.all(browsers.map((browser) => browser.get('/login')));
      const person = createSiteBrowser(site, { 'x-forwarded-for': '10.4.0.1' });
      // A slow machine begins another second meanwhile.
      await until('a code to ask for', async () => {
        const { status } = await person.askForCode('newcomer@unknown.example');
        return status === 303 ? true : null;
      });
      const codePage = await person.get('/login/code');
      const loginPage = await person.get('/login');
      const asking = browsers.map(async (browser, at) => {
        const form = forms[at];
        if (form === undefined) throw new Error('no form');
        const address = `asker-${String(at)}@unknown.example`;
        return (await browser.send(form, '/login', { address })).status;
      });
      const passkey = person.send(loginPage, '/login/passkey', { passkey: '' });
      const code = person.send(codePage, '/login/code', { code: '0000 0000' });
      // Both are judged, and wrong.
      expect([(await passkey).status, (await code).status]).toEqual([422, 422]);
      expect(await Promise.all(asking)).toContain(503);
    });
  },
);
