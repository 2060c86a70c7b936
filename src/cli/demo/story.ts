import { countMovements, findStatement } from './bank-evidence.ts';
import { orderByDeposit, settleByDeposit } from './deposit-story.ts';
import { list, text } from './json.ts';
import { retryByOps } from './ops-command.ts';
import { createPartner, referenceOf, type Partner } from './partner.ts';
import { mustHold, until } from './step.ts';
import { verifyBooks } from './verify-books.ts';
import { orderToWallet, settleOnChain } from './wallet-story.ts';
import type { WebhookInbox } from './webhook-inbox.ts';
import type { Env } from '../../server/config/settings.ts';
import type { DevState } from '../dev/dev-stack.ts';
import { table } from '../ops/table.ts';

/** Seconds on a machine of its own; a busy one only makes it later. */
const KYC_MS = 60_000;
const SETTLED_MS = 60_000;
const RECONCILED_MS = 60_000;
const ON_HOLD_MS = 60_000;

type Say = (line: string) => void;

/** The local run that the story is played on. */
interface DemoRun {
  readonly state: DevState;
  readonly dataDir: string;
  readonly env: Env;
}

/**
 * One payout from beginning to end, a second one that fails at the bank and is retried, one to a wallet, and one
 * that a deposit of tokens pays for.
 */
export async function playStory(run: DemoRun, inbox: WebhookInbox, say: Say): Promise<void> {
  const { state } = run;
  const partner = createPartner(state.apiUrl, state.testApiKey);
  await readRates(partner, say);
  const endUserId = await approveEndUser(partner, say);
  const bankAccountId = await addBankAccount(partner, endUserId, say);
  await listen(partner, inbox, say);

  const order = {
    endUserId,
    bankAccountId,
    amount: '125.50',
    currency: 'EUR',
    reference: 'Invoice 4711',
  };
  const paymentId = await payOnce(partner, order, say);
  // Beside the first one: the bank refuses it four times before an operator must decide.
  const second = await partner.post(
    '/payments',
    { ...order, amount: '20.06', reference: 'Invoice 4712' },
    { 'idempotency-key': 'demo-payment-2' },
  );
  const failingId = text(second.body['id']);
  const toWalletId = await orderToWallet(partner, state, endUserId, say);
  const byDepositId = await orderByDeposit(partner, state, { endUserId, bankAccountId }, say);

  await settle(partner, state, paymentId, say);
  await receiveEvents(inbox, paymentId, ['payment.created', 'payment.completed'], say);
  await reconcile(partner, state, paymentId, say);
  await receiveEvents(inbox, paymentId, ['payment.reconciled'], say);
  await retry(partner, run, failingId, say);
  if (toWalletId !== null) await settleOnChain(partner, state, toWalletId, say);
  if (byDepositId !== null) await settleByDeposit(partner, state, byDepositId, say);
  await balanceTheBooks(run, say);
  await showTimeline(partner, state, paymentId, say);
}

async function readRates(partner: Partner, say: Say): Promise<void> {
  const { body } = await partner.get('/fx-rates?quote=EUR,GBP');
  const rates = list(body['data']).map((row) => `${text(row['quote'])} ${text(row['rate'])}`);
  mustHold(rates.length === 2, 'the rates of EUR and GBP are missing');
  say(`FX rates            1 USD = ${rates.join(', ')} (as of ${text(body['asOf'])})`);
}

async function approveEndUser(partner: Partner, say: Say): Promise<string> {
  const { body } = await partner.post('/end-users', {
    type: 'INDIVIDUAL',
    individual: { firstName: 'Ada', lastName: 'Sample' },
    email: 'ada@example.com',
  });
  const endUserId = text(body['id']);
  say(`End-user            ${endUserId}`);
  const kyc = await partner.post(`/end-users/${endUserId}/kyc`, {});
  say(`KYC started         ${text(kyc.body['id'])} ${text(kyc.body['status'])}`);
  await until('KYC approval', KYC_MS, async () => {
    const { body: check } = await partner.get(`/end-users/${endUserId}/kyc`);
    return check['status'] === 'APPROVED' ? check : null;
  });
  say("KYC approved        through the workflow and the provider's signed callback");
  return endUserId;
}

async function addBankAccount(partner: Partner, endUserId: string, say: Say): Promise<string> {
  const { body } = await partner.post('/bank-accounts', {
    endUserId,
    country: 'DE',
    currency: 'EUR',
    holderName: 'Ada Sample',
    holderType: 'INDIVIDUAL',
    details: { iban: 'DE89370400440532013000' },
  });
  say(
    `Bank account        ${text(body['id'])} over ${text(body['rail'])}, ****${text(body['last4'])}`,
  );
  return text(body['id']);
}

async function listen(partner: Partner, inbox: WebhookInbox, say: Say): Promise<void> {
  const { body } = await partner.post('/webhook-endpoints', { url: inbox.url });
  inbox.trust(text(body['secret']));
  say(`Webhook endpoint    ${text(body['id'])} -> ${inbox.url}`);
}

async function payOnce(partner: Partner, order: object, say: Say): Promise<string> {
  const key = { 'idempotency-key': 'demo-payment-1' };
  const first = await partner.post('/payments', order, key);
  const again = await partner.post('/payments', order, key);
  mustHold(first.body['status'] === 'PROCESSING', 'a new payment is not PROCESSING');
  mustHold(
    again.headers['idempotent-replayed'] === 'true',
    'the repeated request was not replayed',
  );
  mustHold(again.text === first.text, 'the repeated request was answered differently');
  say(`Payment             ${text(first.body['id'])} PROCESSING, 125.50 EUR`);
  say('  posted again      same answer, Idempotent-Replayed: true, one payment');
  return text(first.body['id']);
}

async function settle(
  partner: Partner,
  state: DevState,
  paymentId: string,
  say: Say,
): Promise<void> {
  await until('settlement', SETTLED_MS, async () => {
    const { body } = await partner.get(`/payments/${paymentId}`);
    return body['status'] === 'COMPLETED' ? body : null;
  });
  const reference = await referenceOf(partner, paymentId);
  const moved = await countMovements(state.bankUrl, reference);
  mustHold(moved === 1, `the bank moved money ${String(moved)} times`);
  say(`Settled             COMPLETED; the bank's journal has one movement under ${reference}`);
}

async function receiveEvents(
  inbox: WebhookInbox,
  paymentId: string,
  types: readonly string[],
  say: Say,
): Promise<void> {
  for (const type of types) {
    await until(`the webhook ${type}`, SETTLED_MS, () => {
      const event = inbox.events.find((one) => one.type === type && one.resource.id === paymentId);
      return Promise.resolve(event ?? null);
    });
    say(`Webhook             ${type}, verified with the standardwebhooks package`);
  }
  mustHold(inbox.refusals.length === 0, `a webhook was refused: ${inbox.refusals.join(', ')}`);
}

async function reconcile(
  partner: Partner,
  state: DevState,
  paymentId: string,
  say: Say,
): Promise<void> {
  const reference = await referenceOf(partner, paymentId);
  const statement = await until("the bank's statement", RECONCILED_MS, () =>
    findStatement(state.bankUrl, reference),
  );
  mustHold(statement.xml.includes('camt.053.001.08'), 'the statement is no camt.053.001.08');
  say(`Statement           camt.053 ${statement.id} shows ${reference}`);
  await until('reconciliation', RECONCILED_MS, async () => {
    const { body } = await partner.get(`/payments/${paymentId}`);
    const { status } = body['reconciliation'] as { readonly status: string };
    return status === 'RECONCILED' ? body : null;
  });
  say('Reconciled          the payment is RECONCILED against it');
}

async function retry(
  partner: Partner,
  { state, dataDir, env }: DemoRun,
  paymentId: string,
  say: Say,
): Promise<void> {
  say(`Second payment      ${paymentId}, 20.06 EUR: the bank answers 503 to everything`);
  await until('ON_HOLD', ON_HOLD_MS, async () => {
    const { body } = await partner.get(`/payments/${paymentId}`);
    return body['status'] === 'ON_HOLD' ? body : null;
  });
  const reference = await referenceOf(partner, paymentId);
  mustHold((await countMovements(state.bankUrl, reference)) === 0, 'money moved while ON_HOLD');
  say('  on hold           four fruitless sends, nothing moved; an operator decides');
  await retryByOps(env, dataDir, paymentId);
  say(`  retried           npm run ops -- payments retry ${paymentId} --reason "bank is back"`);
  await until('completion after the retry', SETTLED_MS, async () => {
    const { body } = await partner.get(`/payments/${paymentId}`);
    return body['status'] === 'COMPLETED' ? body : null;
  });
  const moved = await countMovements(state.bankUrl, reference);
  mustHold(moved === 1, `the bank moved money ${String(moved)} times`);
  say('  completed         asked first, then sent again: one movement at the bank');
}

async function balanceTheBooks({ state, dataDir }: DemoRun, say: Say): Promise<void> {
  for (const line of await verifyBooks(state, dataDir)) say(`Verified            ${line}`);
}

async function showTimeline(
  partner: Partner,
  state: DevState,
  paymentId: string,
  say: Say,
): Promise<void> {
  const { body } = await partner.get(`/payments/${paymentId}/timeline`);
  const rows = list(body['data']).map((row) => [
    text(row['version'] ?? ''),
    text(row['status']),
    text(row['statusDetail']),
    text(row['fundsStatus']),
    text(row['reconciliationStatus']),
    text(row['at'] ?? ''),
  ]);
  say(`\n${table(['version', 'status', 'detail', 'funds', 'statement', 'at'], rows)}\n`);
  const workflows = `${state.temporalUiUrl ?? ''}/namespaces/default/workflows`;
  const query = encodeURIComponent(`CausewayPayment="${paymentId}"`);
  say(`Its workflow        ${workflows}?query=${query}`);
}
