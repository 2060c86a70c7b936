import pg from 'pg';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { proposeLiveAccess } from '../../../src/modules/customers/live/grant-live-access.ts';
import { findLiveRequest } from '../../../src/db/customers/live-request-store.ts';
import { newId } from '../../../src/db/client/new-id.ts';
import { countStatements } from '../../support/count-statements.ts';
import { createGoingLive, SAMPLE_COMPANY } from '../../support/going-live.ts';
import { searchDatabase } from '../../support/search-database.ts';
import { addTestUser } from '../../support/test-people.ts';
import { createTwoOperators } from '../../support/two-operators.ts';
import { look } from '../../support/web/look.ts';
import { watch } from '../../support/web/open-browser.ts';
import { startSite, type Site } from '../../support/web/site.ts';
import { useBrowser } from '../../support/web/use-browser.ts';

const FIELDS = {
  ...{ legalName: 'Sample Trading GmbH', registrationNumber: 'HRB 000000', country: 'DE' },
  ...{ line1: 'Samplestrasse 1', line2: '', postalCode: '10115', city: 'Berlin', region: '' },
  ...{ addressCountry: 'DE', firstName: 'Ada', lastName: 'Plantedname' },
  ...{ dateOfBirth: '1980-01-31', role: 'DIRECTOR' },
};
const EVERYTHING = ['/going-live', '/going-live/company', '/going-live/terms'];

let site: Site;
let going: ReturnType<typeof createGoingLive>;
let customerId: string;
let ownerId: string;
let owner: string;
const started: string[] = [];

beforeAll(async () => {
  site = await startSite('dashboard', {
    workflows: {
      startKycCheck: async ({ kycCheckId }) => void started.push(kycCheckId),
      restartKycCheck: async ({ kycCheckId }) => void started.push(kycCheckId),
      startScreening: async () => undefined,
    },
  });
  going = createGoingLive(site.database.people, site.clock);
  await going.publish('Sample terms.\n\nThey hold.');
});
afterAll(async () => {
  await site.close();
});
const browser = useBrowser();
beforeEach(async () => {
  ({ customerId, ownerId } = await going.newCustomer());
  owner = await site.logIn(ownerId);
});

/** Fills a page's form in and proves the act with the code of its mail. */
async function act(page: string, action: string, fields: Record<string, string> = {}) {
  const second = await site.submit(page, action, fields, owner);
  return second.status === 200 ? site.confirm(second, action, owner) : second;
}
const sayCompany = (fields: Partial<typeof FIELDS> = {}) =>
  act('/going-live/company', '/going-live/company', { ...FIELDS, ...fields });

describe('an owner who goes live', () => {
  it('says which company it is, has it checked, accepts the terms and asks', async () => {
    expect((await sayCompany()).status).toBe(303);
    expect((await act('/going-live', '/going-live/check')).status).toBe(303);
    const { check } = await going.standing(customerId);
    expect(started).toContain(check?.id);
    const waits = await site.get('/going-live', owner);
    expect(waits.body).toContain('Needs your action');
    expect(waits.body).toMatch(/href="http:\/\/localhost:8080\/kyc\/[\w-]{43}"/);
    await going.approve(customerId);
    expect((await act('/going-live/terms', '/going-live/terms')).status).toBe(303);
    expect((await site.get('/going-live', owner)).body).toContain('The checklist is complete.');
    expect((await act('/going-live', '/going-live/request')).status).toBe(303);
    const asked = await site.get('/going-live', owner);
    expect(asked.body).toContain('Under review');
    expect(asked.body).not.toContain('action="/going-live/request"');
    const { request } = await going.standing(customerId);
    expect(request).toMatchObject({ decision: null, requestedBy: ownerId, termsVersion: 1 });
  });

  it('shows no name of a person, and keeps none outside of sealed columns', async () => {
    await sayCompany();
    const body = (await site.get('/going-live', owner)).body;
    expect(body).toContain('Sample Trading GmbH');
    expect(body).toContain('A… P…');
    const form = (await site.get('/going-live/company', owner)).body;
    expect(body + form).not.toContain('Plantedname');
    const admin = new pg.Client({ connectionString: site.database.url });
    await admin.connect();
    try {
      const query = async (sql: string) => (await admin.query<Record<string, unknown>>(sql)).rows;
      const planted = { person: 'Plantedname', company: 'Sample Trading GmbH' };
      const found = await searchDatabase({ query, vault: site.vault }, planted);
      expect(found).toEqual(['company in end_users.personal', 'person in end_users.personal']);
      const [raw] = await query(
        `SELECT count(*)::int AS shown FROM end_users
         WHERE position('Plantedname'::bytea IN personal) > 0`,
      );
      expect(raw).toEqual({ shown: 0 });
    } finally {
      await admin.end();
    }
  });

  it('keeps the person where nothing is said of one, and gets its approval taken by a new name', async () => {
    await sayCompany();
    await going.approve(customerId);
    const noPerson = { firstName: '', lastName: '', dateOfBirth: '' };
    expect((await sayCompany({ ...noPerson, legalName: 'Renamed GmbH' })).status).toBe(303);
    const { body } = await site.get('/going-live', owner);
    expect([body.includes('A… P…'), body.includes('Do it again')]).toEqual([true, true]);
    expect((await sayCompany({ ...noPerson, firstName: 'Bea' })).status).toBe(422);
  });

  it('gets the form back as filled in, and no code is mailed for what cannot be saved', async () => {
    const mails = site.mailIds.length;
    const wrong = { ...FIELDS, country: 'QQ', dateOfBirth: '2980-01-31', legalName: '' };
    const answer = await act('/going-live/company', '/going-live/company', wrong);
    expect(answer.status).toBe(422);
    expect(answer.body).toContain('href="#legalName"');
    expect(answer.body).toContain('href="#country"');
    expect(answer.body).toContain('value="HRB 000000"');
    const future = await act('/going-live/company', '/going-live/company', {
      ...{ ...FIELDS, dateOfBirth: '2980-01-31', country: 'KP' },
    });
    expect(future.status).toBe(422);
    expect(future.body).toContain('href="#dateOfBirth"');
    expect(future.body).toContain('We cannot serve companies in this country.');
    expect(site.mailIds).toHaveLength(mails);
    expect((await going.standing(customerId)).company).toBeNull();
  });

  it('is told where the company was changed meanwhile', async () => {
    const [one, other] = [await site.get('/going-live/company', owner), await sayCompany()];
    expect(other.status).toBe(303);
    const fields = site.hiddenFields(one.body, '/going-live/company');
    for (const [name, text] of Object.entries(FIELDS)) fields.append(name, text);
    const late = await site.post('/going-live/company', fields, owner);
    expect([late.status, late.body.includes('Another owner changed')]).toEqual([409, true]);
  });

  it('has terms refused that are in force no more, and accepts new ones anew', async () => {
    const page = await site.get('/going-live/terms', owner);
    const second = await site.post(
      '/going-live/terms',
      site.hiddenFields(page.body, '/going-live/terms'),
      owner,
    );
    await going.publish('Newer terms.');
    const late = await site.confirm(second, '/going-live/terms', owner);
    expect([late.status, late.body.includes('The terms have changed')]).toEqual([409, true]);
    expect((await going.standing(customerId)).acceptance).toBeNull();
    expect((await act('/going-live/terms', '/going-live/terms')).status).toBe(303);
    await going.publish('Newest terms.');
    expect((await site.get('/going-live', owner)).body).toContain('An owner has to accept it');
  });

  it('cannot ask where something is missing, nor twice by one form', async () => {
    await going.prepare(customerId, ownerId);
    const page = await site.get('/going-live', owner);
    const fields = site.hiddenFields(page.body, '/going-live/request');
    const second = await site.post('/going-live/request', fields, owner);
    const proven = site.hiddenFields(second.body, '/going-live/request');
    proven.append('proof', (await site.lastMail()).code);
    await going.revoke(customerId);
    const refused = await site.post('/going-live/request', proven, owner);
    expect([refused.status, refused.body.includes('still missing')]).toEqual([409, true]);
    expect((await site.post('/going-live/request', proven, owner)).status).not.toBe(303);
    expect((await going.standing(customerId)).request).toBeNull();
  });

  it('sees what became of it', async () => {
    await going.prepare(customerId, ownerId);
    const id = await going.request(customerId, ownerId);
    const operators = createTwoOperators(site.database.people, site.clock);
    const request = await site.database.people.system((tx) => findLiveRequest(tx, id));
    const by = { operator: await operators.operator(`first ${customerId}`), reason: 'fine' };
    const { db, clock } = operators.deps;
    const proposal = await proposeLiveAccess({ db, clock }, request!, by);
    expect(await operators.approve(proposal ?? '', `second ${customerId}`)).toMatchObject({
      code: 0,
    });
    expect((await site.get('/going-live', owner)).body).toContain('Granted');
  });
});

describe('every page', () => {
  it('asks the database at most twelve times', async () => {
    await going.prepare(customerId, ownerId);
    await going.request(customerId, ownerId);
    for (const path of EVERYTHING) {
      const asked = await countStatements(async () => {
        expect((await site.get(path, owner)).status, path).toBe(200);
      });
      expect(asked, path).toBeGreaterThan(3);
      expect(asked, path).toBeLessThanOrEqual(12);
    }
  });
});

describe('another customer', () => {
  it('sees nothing of it, and its missing pages are one page', async () => {
    await sayCompany();
    const stranger = await going.newCustomer();
    const cookie = await site.logIn(stranger.ownerId);
    for (const path of EVERYTHING) {
      expect((await site.get(path, cookie)).body, path).not.toContain('Sample Trading');
    }
    const { company } = await going.standing(customerId);
    const missing = [company?.id ?? '', newId('lar'), 'x'].map((id) =>
      site.get(`/going-live/${id}`, cookie),
    );
    const answers = await Promise.all(missing);
    expect(new Set(answers.map(({ status, body }) => `${String(status)} ${body}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(404);
  });

  it.each(['DEVELOPER', 'FINANCE', 'VIEWER'] as const)(
    'a %s sees it and does nothing',
    async (role) => {
      await going.prepare(customerId, ownerId);
      const cookie = await site.logIn((await addTestUser(site.people, customerId, role)).id);
      const page = await site.get('/going-live', cookie);
      expect(page.status).toBe(200);
      expect(page.body).not.toContain('action="/going-live');
      expect((await site.get('/going-live/company', cookie)).status).toBe(403);
      for (const path of ['company', 'check', 'terms', 'request']) {
        const answer = await site.post(`/going-live/${path}`, new URLSearchParams(), cookie);
        expect(answer.status, path).toBe(403);
      }
    },
  );
});

describe('in a browser', () => {
  async function withPage(options: object, work: (page: Page) => Promise<void>) {
    const context = await browser().newContext(options);
    try {
      const [name = '', value = ''] = owner.split('=');
      const { hostname } = new URL(site.origin);
      const where = { domain: hostname, path: '/' };
      await context.addCookies([{ ...where, name, value, secure: true, httpOnly: true }]);
      await work(await context.newPage());
    } finally {
      await context.close();
    }
  }

  it('every page passes axe and the policy, wide and narrow, before and after it is ready', async () => {
    const lookAtAll = (state: string) =>
      withPage({}, async (page) => {
        const { problems, asked } = await watch(page);
        for (const path of EVERYTHING) {
          expect((await page.goto(site.origin + path))?.status(), path).toBe(200);
          await look(page, `${state}${path}`);
        }
        expect(problems).toEqual([]);
        expect(asked.filter((url) => !url.startsWith(`${site.origin}/`))).toEqual([]);
      });
    await lookAtAll('before');
    await going.prepare(customerId, ownerId);
    await lookAtAll('ready');
  });

  it('an owner says which company it is without JavaScript', async () => {
    await withPage({ javaScriptEnabled: false }, async (page) => {
      await page.goto(`${site.origin}/going-live`);
      await page.getByRole('link', { name: 'Enter the company’s data' }).click();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('link', { name: 'Enter the registered name.' }).click();
      await page.getByLabel('Registered name').fill(SAMPLE_COMPANY.business.legalName);
      await page.getByLabel('Registration number').fill('HRB 000000');
      await page.getByLabel('Country of registration').selectOption('DE');
      await page.getByLabel('Street and number').fill('Samplestrasse 1');
      await page.getByLabel('City').fill('Berlin');
      await page.getByLabel('Country of the address').selectOption('DE');
      await page.getByLabel('First name').fill('Ada');
      await page.getByLabel('Last name').fill('Sample');
      await page.getByLabel('Date of birth').fill('1980-01-31');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByLabel('8-digit code').fill((await site.lastMail()).code);
      await page.getByRole('button', { name: 'Confirm' }).click();
      await page.getByText('Sample Trading GmbH').waitFor();
    });
  });
});
