import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listOperatorKeys } from '../../../src/db/approvals/operator-key-store.ts';
import type { OperatorKeys } from '../../../src/domain/approvals/operator-keys.ts';
import { keysOfFile } from '../../../src/server/runtime/open-operator-keys.ts';
import { findCustomer } from '../../../src/db/customers/customer-status-store.ts';
import { addCustomer } from '../../support/test-customer.ts';
import { addTestOperator } from '../../support/test-people.ts';
import { addAuthenticator } from '../../support/web/authenticator.ts';
import { logInPage, withPage } from '../../support/web/site-pages.ts';
import { startSite, type Site } from '../../support/web/site.ts';
import { useBrowser } from '../../support/web/use-browser.ts';

const browser = useBrowser();
/** What OPERATOR_KEYS_FILE names. */
let file: OperatorKeys;
const keys: OperatorKeys = {
  version: 1,
  fileKeysOf: () => [],
  get origin() {
    return file.origin;
  },
  find: (operatorId, credentialId) => file.find(operatorId, credentialId),
  isFromBefore: () => false,
  sign: null,
};
let site: Site;

beforeAll(async () => {
  site = await startSite('console', { operatorsNeedPasskeys: true, operatorKeys: keys });
  file = keysOfFile({ origin: site.origin, keys: [] });
});
afterAll(() => site.close());

/** Names the passkeys of these operators in the file, as `ops operators init` does. */
async function vouchFor(...operatorIds: readonly string[]): Promise<void> {
  const rows = await site.people.people.system((tx) => listOperatorKeys(tx));
  const vouched = rows
    .filter(({ operatorId }) => operatorIds.includes(operatorId))
    .map(({ operatorId, role, credentialId, publicKey }) => ({
      ...{ operator: operatorId, role, credentialId: credentialId.toString('base64url') },
      publicKey: publicKey.toString('base64url'),
    }));
  file = keysOfFile({ origin: site.origin, keys: vouched });
}

/** An operator at a browser of their own, with a passkey. */
async function withOperator(work: (page: Page, id: string) => Promise<void>): Promise<void> {
  const { id, address } = await addTestOperator(site.people, 'COMPLIANCE');
  await withPage(browser(), {}, async (page) => {
    await addAuthenticator(page);
    await logInPage(page, site, address);
    await page.getByText('Your account needs a passkey').waitFor();
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByLabel('8-digit code').waitFor();
    await page.getByLabel('8-digit code').fill((await site.lastMail()).code);
    await page.getByRole('button', { name: 'Confirm', exact: true }).click();
    await page.getByRole('button', { name: /^Remove the passkey/ }).waitFor();
    await work(page, id);
  });
}

/** Fills the form of an act in and signs it. */
async function signAct(page: Page, path: string, submit: string): Promise<void> {
  await page.goto(`${site.origin}${path}`);
  await page.getByLabel('Reason').fill('as agreed');
  await page.getByRole('button', { name: submit, exact: true }).click();
  await page.getByRole('button', { name: 'Confirm with a passkey' }).click();
}

describe('a decision of two operators with passkeys', () => {
  it('takes effect once each has signed it with a key of the file, and not with another one', async () => {
    const customerId = await site.database.db.system((tx) => addCustomer(tx));
    await site.people.people.system((tx) =>
      tx.query(`UPDATE customers SET status = 'SUSPENDED' WHERE id = $1`, [customerId]),
    );
    const status = async () => {
      const found = await site.people.people.system((tx) => findCustomer(tx, customerId));
      return found?.status;
    };
    await withOperator(async (adasPage, ada) => {
      await withOperator(async (bensPage, ben) => {
        await signAct(adasPage, `/customers/${customerId}/resume`, 'Propose');
        await adasPage.getByText('not in the operator keys file').waitFor();
        await vouchFor(ada);
        await signAct(adasPage, `/customers/${customerId}/resume`, 'Propose');
        await adasPage.waitForURL(/\/approvals\/apr_/);
        const path = new URL(adasPage.url()).pathname;
        await signAct(bensPage, `${path}/approve`, 'Approve');
        await bensPage.getByText('not in the operator keys file').waitFor();
        expect(await status()).toBe('SUSPENDED');
        await vouchFor(ada, ben);
        await signAct(bensPage, `${path}/approve`, 'Approve');
        await bensPage.getByText('It is in effect.').waitFor();
        expect(await status()).toBe('ACTIVE');
        const rows = await site.people.people.system((tx) =>
          tx.query<{ step: string; operator: string; reason: string }>(
            'SELECT step, operator_id AS operator, reason FROM approval_signatures ORDER BY step DESC',
          ),
        );
        expect(rows).toEqual([
          { step: 'PROPOSE', operator: ada, reason: 'as agreed' },
          { step: 'APPROVE', operator: ben, reason: 'as agreed' },
        ]);
      });
    });
  });
});
