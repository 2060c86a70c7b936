import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../../src/db/client/new-id.ts';
import { insertAddressChange } from '../../../src/db/customers/own-settings-store.ts';
import { recordDevice } from '../../../src/db/customers/device-store.ts';
import { hashesOfDevice, newDevice } from '../../../src/modules/customers/access/devices.ts';
import { contentsRow } from '../../../src/modules/customers/mail/mail-rows.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { addTestOperator, addTestUser } from '../../support/test-people.ts';
import { startSite, type Site } from '../../support/web/site.ts';

const HOUR = 3_600_000;

describe.each(['dashboard', 'console'] as const)(
  'an address of the %s that waits to be confirmed',
  (surface) => {
    const isUser = surface === 'dashboard';
    const table = isUser ? 'users' : 'operators';
    let site: Site;
    let customerId: string;
    let person: { readonly id: string; readonly address: string };
    let cookie: string;
    beforeAll(async () => {
      site = await startSite(surface);
      customerId = await site.database.db.system((tx) => addCustomer(tx));
    });
    afterAll(() => site.close());
    beforeEach(async () => {
      site.clock.advance(HOUR);
      person = isUser
        ? await addTestUser(site.people, customerId, 'VIEWER')
        : await addTestOperator(site.people, 'SUPPORT');
      cookie = await site.logIn(person.id);
      browsers.length = 0;
    });
    const rows = <Row extends object>(sql: string, values: unknown[] = []) =>
      site.database.people.system((tx) => tx.query<Row>(sql, values));

    /** Asks for another address; the links of the two mails, and the address that the first went to. */
    async function ask() {
      const address = `new-${person.id.slice(-8)}@example.com`;
      const second = await site.submit('/settings', '/settings/address', { address }, cookie);
      expect((await site.confirm(second, '/settings/address', cookie)).status).toBe(303);
      const [, link = ''] =
        /(\/confirm-address\/[\w-]{43})/.exec((await site.lastMail()).text) ?? [];
      const told = site.mailIds.at(-2) ?? '';
      const [mail] = await rows<{ kind: string; contents: Buffer; hash: Buffer }>(
        'SELECT kind, contents, address_hash AS hash FROM mails WHERE id = $1',
        [told],
      );
      const text = site.vault.open(mail?.contents ?? Buffer.alloc(0), contentsRow(told)).toString();
      const keep = /\/keep-address\/[\w-]{43}/.exec(text)?.[0] ?? '';
      expect(mail?.kind).toBe('ADDRESS_CHANGE_ASKED');
      expect(text).not.toContain(address);
      expect(mail?.hash).toEqual(site.vault.keyedHash('mail-address', person.address));
      return { link, keep };
    }
    /** The browsers that used a link, as the database knows them. */
    const browsers: Buffer[] = [];
    async function use(path: string): Promise<number> {
      const page = await site.get(path);
      if (page.status !== 200) return page.status;
      const visitor = page.headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '';
      const answer = await site.post(path, site.hiddenFields(page.body, path), visitor);
      const made = /__Host-device=([\w-]{43})\./.exec(answer.headers['set-cookie']?.join() ?? '');
      if (made?.[1] !== undefined) browsers.push(...hashesOfDevice(site.vault, made[1]));
      return answer.status;
    }
    const hasOldAddress = async () => {
      const [row] = await rows<{ hash: Buffer }>(
        `SELECT address_hash AS hash FROM ${table} WHERE id = $1`,
        [person.id],
      );
      return row?.hash.equals(site.vault.keyedHash('mail-address', person.address));
    };
    const set = (change: string) =>
      rows(`UPDATE ${table} SET ${change}, version = version + 1 WHERE id = $1`, [person.id]);
    const knowDevice = async () => {
      const at = site.clock.now();
      const device = newDevice();
      const deviceHashes = hashesOfDevice(site.vault, device);
      const expiresAt = new Date(at.getTime() + HOUR);
      await site.database.people.system((tx) =>
        recordDevice(tx, { deviceHashes, personId: person.id, at, expiresAt }),
      );
      return { device, deviceHash: deviceHashes[0] };
    };
    const devices = async () =>
      (
        await rows<{ hash: Buffer }>(
          'SELECT device_hash AS hash FROM devices WHERE person_id = $1',
          [person.id],
        )
      ).map(({ hash }) => hash);

    it('becomes theirs where nothing comes in between, and all browsers but that of the link are forgotten', async () => {
      await knowDevice();
      const { link, keep } = await ask();
      expect(await use(link)).toBe(303);
      expect(await hasOldAddress()).toBe(false);
      expect(browsers).toHaveLength(1);
      expect(await devices()).toEqual(browsers);
      expect(await use(keep)).toBe(404);
    });

    it('is shown under Settings, masked, until it is withdrawn: then neither link is good', async () => {
      const { link, keep } = await ask();
      const path = '/settings/address/withdraw';
      const page = await site.get('/settings', cookie);
      expect(page.body).toContain('You have asked for');
      expect(page.body).toContain('n…@example.com');
      expect(page.body).not.toContain(`new-${person.id.slice(-8)}@`);
      expect((await site.submit('/settings', path, {}, cookie)).status).toBe(303);
      expect((await site.get('/settings', cookie)).body).not.toContain('You have asked for');
      expect([await use(link), await use(keep)]).toEqual([404, 404]);
      expect(await hasOldAddress()).toBe(true);
      const acts = await rows<{ action: string }>(
        'SELECT action FROM audit_log WHERE actor LIKE $1 ORDER BY id',
        [`%${person.id}`],
      );
      expect(acts.map(({ action }) => action)).toContain('person.withdraw_address');
      const again = await site.post(path, site.hiddenFields(page.body, path), cookie);
      expect(again.status).toBe(409);
    });

    it('that has run out is not shown', async () => {
      await ask();
      site.clock.advance(7 * 24 * HOUR);
      const later = await site.logIn(person.id);
      expect((await site.get('/settings', later)).body).not.toContain('You have asked for');
    });

    const ends: Readonly<Record<string, () => Promise<unknown>>> = {
      'the role is another one, and then the old one again': async () => {
        await set(isUser ? `role = 'DEVELOPER'` : `role = 'OPERATIONS'`);
        await set(isUser ? `role = 'VIEWER'` : `role = 'SUPPORT'`);
      },
      'all other sessions are ended': async () => {
        const action = '/settings/sessions/end-others';
        await site.logIn(person.id);
        expect((await site.submit('/settings', action, {}, cookie)).status).toBe(303);
      },
    };
    it.each(Object.keys(ends))('is over where %s', async (what) => {
      const { link, keep } = await ask();
      await ends[what]?.();
      expect([await use(link), await use(keep)]).toEqual([404, 404]);
      expect(await hasOldAddress()).toBe(true);
      expect(await rows('SELECT FROM address_changes WHERE person_id = $1', [person.id])).toEqual(
        [],
      );
    });

    it('is over with the account, and with it the browsers that were known', async () => {
      await knowDevice();
      const { link, keep } = await ask();
      await set(`status = 'DISABLED'`);
      expect([await use(link), await use(keep)]).toEqual([404, 404]);
      expect(await hasOldAddress()).toBe(true);
      expect(await devices()).toEqual([]);
    });

    it('is ended by the address that they have, once, by a form and not by looking', async () => {
      await knowDevice();
      const other = await site.logIn(person.id);
      const { link, keep } = await ask();
      for (let looks = 0; looks < 2; looks += 1) {
        expect((await site.get(keep)).status).toBe(200);
        expect((await site.get(link)).status).toBe(200);
      }
      const page = await site.get(keep);
      const visitor = page.headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '';
      const forged = await site.post(keep, new URLSearchParams(), visitor);
      expect(forged.status).toBe(403);
      const pages = await Promise.all([1, 2].map(() => use(keep)));
      expect(pages.sort()).toEqual([303, 404]);
      expect(await use(link)).toBe(404);
      expect(await hasOldAddress()).toBe(true);
      expect((await site.get('/settings', cookie)).status).toBe(303);
      expect((await site.get('/settings', other)).status).toBe(303);
      expect(browsers).toHaveLength(1);
      expect(await devices()).toEqual(browsers);
      const sql = 'SELECT action FROM audit_log WHERE actor LIKE $1 ORDER BY id';
      expect(await rows(sql, [`%:${person.id}`])).toEqual([
        { action: 'person.ask_for_address' },
        { action: 'person.keep_address' },
      ]);
    });

    it('is ended by no link of the other kind, of another surface, or made up', async () => {
      const { link, keep } = await ask();
      const [confirm, cancel] = [link, keep].map((path) => path.split('/').at(-1) ?? '');
      expect((await site.get(`/keep-address/${confirm ?? ''}`)).status).toBe(404);
      expect((await site.get(`/confirm-address/${cancel ?? ''}`)).status).toBe(404);
      expect((await site.get(`/keep-address/${'A'.repeat(43)}`)).status).toBe(404);
      expect((await site.get('/keep-address/x')).status).toBe(404);
      expect(await use(link)).toBe(303);
    });

    it('and ended sessions leave the browser known that ended them, and no other', async () => {
      const own = await knowDevice();
      await knowDevice();
      await site.logIn(person.id);
      const action = '/settings/sessions/end-others';
      const page = await site.get('/settings', cookie);
      const fields = site.hiddenFields(page.body, action);
      await site.post(action, fields, `${cookie}; __Host-device=${own.device}`);
      expect(await devices()).toEqual([own.deviceHash]);
    });

    it('is over with a passkey of theirs, and so are the browsers that were known', async () => {
      const id = newId('psk');
      await rows(
        `INSERT INTO passkeys (id, credential_id, public_key, counter, transports, user_id,
           customer_id, operator_id, browser, created_at)
         VALUES ($1, convert_to($1, 'UTF8'), '\\x00', 0, '{}', $2, $3, $4, 'Firefox', now())`,
        [id, ...(isUser ? [person.id, customerId, null] : [null, null, person.id])],
      );
      const { link } = await (async () => {
        const at = site.clock.now();
        await site.database.people.system((tx) =>
          insertAddressChange(tx, {
            ...{ personId: person.id, at, expiresAt: new Date(at.getTime() + HOUR) },
            ...{ tokenHash: Buffer.alloc(32, id), cancelHash: Buffer.alloc(32, `${id}c`) },
            ...{ addressHash: Buffer.alloc(32, 'a'), address: Buffer.from('sealed') },
          }),
        );
        await knowDevice();
        const sql = 'SELECT person_id AS link FROM address_changes WHERE person_id = $1';
        return (await rows<{ link: string }>(sql, [person.id]))[0] ?? { link: '' };
      })();
      expect([link, (await devices()).length]).toEqual([person.id, 1]);
      await rows(
        `UPDATE passkeys SET removed_at = $2, removed_in = (SELECT id FROM sessions
           WHERE $3 IN (user_id, operator_id) AND ended_at IS NULL LIMIT 1) WHERE id = $1`,
        [id, site.clock.now(), person.id],
      );
      expect(await devices()).toEqual([]);
      expect(await rows('SELECT FROM address_changes WHERE person_id = $1', [person.id])).toEqual(
        [],
      );
    });

    it('is asked for by no person whose session ends at that moment', async () => {
      const address = `late-${person.id.slice(-8)}@example.com`;
      const second = await site.submit('/settings', '/settings/address', { address }, cookie);
      const asked = await Promise.all([
        site.confirm(second, '/settings/address', cookie),
        set(`status = 'DISABLED'`),
      ]);
      expect([303, 409]).toContain(asked[0].status);
      expect(await rows('SELECT FROM address_changes WHERE person_id = $1', [person.id])).toEqual(
        [],
      );
    });
  },
);
