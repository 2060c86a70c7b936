import { afterAll, beforeAll, expect, it } from 'vitest';
import type { WalletRow } from '../../../../src/db/parties/wallet-store.ts';
import { shortAddress } from '../../../../src/web/dashboard/words/short-address.ts';
import { addWallet, fundAsset, toWallet } from '../../../support/wallet-payments.ts';
import {
  startDashboard,
  type TestDashboard,
} from '../../../support/web/dashboard/dashboard-harness.ts';

let dashboard: TestDashboard;
let owner: string;
let wallet: WalletRow;
let id: string;
beforeAll(async () => {
  dashboard = await startDashboard();
  owner = await dashboard.logIn('OWNER');
  const { harness } = dashboard;
  await fundAsset(harness, 'USDC', 100_000_000n);
  wallet = await addWallet(harness);
  const answer = await harness.pay(toWallet(harness, wallet.id));
  expect(answer.statusCode, answer.body).toBe(201);
  ({ id } = answer.json<{ id: string }>());
});
afterAll(() => dashboard.close());

const open = async (path: string) => {
  const answer = await dashboard.site.get(path, owner);
  expect(answer.status, answer.body).toBe(200);
  return answer.body;
};

it('the page of a payment to a wallet shows network and shortened address, and no account', async () => {
  const page = await open(`/test/payments/${id}`);
  expect(page).toContain(`BASE ${shortAddress(wallet.address)}`);
  expect(page).not.toContain(wallet.address);
  expect(page).toContain('25.000000');
  expect(page).not.toContain('Holder');
  expect(page).toMatch(/timeline-next.*Completed.*waits for the network/s);
});

it('its money is on the network between reserve and beneficiary, and at no bank', async () => {
  const page = await open(`/test/payments/${id}`);
  expect(page).toMatch(/Reserved<\/li>.{0,120}On the network<\/li>.{0,120}Beneficiary/s);
  expect(page).not.toContain('At the bank');
});

it('the list finds it by the id of its wallet, and the file of the list names it', async () => {
  expect(await open(`/test/payments?search=${wallet.id}`)).toContain(`/test/payments/${id}`);
  const [head, ...lines] = (await open(`/test/payments.csv?search=${wallet.id}`)).split('\r\n');
  const cells = (line = '') => line.split(',');
  const at = (name: string) => cells(lines[0])[cells(head).indexOf(name)];
  expect([at('amount'), at('currency'), at('rail')]).toEqual(['25.000000', 'USDC', 'BASE']);
  expect([at('bankAccountId'), at('walletId')]).toEqual(['', wallet.id]);
});

it('who may see it is shown the whole address, once', async () => {
  const act = `/test/payments/${id}/unmask`;
  const page = await dashboard.site.get(`/test/payments/${id}`, owner);
  const fields = dashboard.site.hiddenFields(page.body, act);
  const shown = await dashboard.site.post(act, fields, owner);
  expect([shown.status, shown.body]).toEqual([201, expect.stringContaining(wallet.address)]);
});

it('home and balances have a row for the asset', async () => {
  expect(await open('/test/balances')).toContain('USDC');
  expect(await open('/test/home')).toContain('USDC');
});
