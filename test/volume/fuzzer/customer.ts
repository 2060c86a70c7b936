import { randomBytes, randomUUID } from 'node:crypto';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { Stack } from '../../support/e2e/stack.ts';
import { addCustomer } from '../../support/add-customer.ts';
import { until } from '../../support/until.ts';

/** Values that a fuzzer is given beside those that it makes up, by the name of a parameter or of a field. */
export type Dictionaries = Readonly<Record<string, readonly string[]>>;

export interface FuzzedCustomer {
  readonly token: string;
  /** By "path.<parameter>" or "body.<field>". */
  readonly known: Dictionaries;
  /** The same for single operations: what is closed or deleted there is not needed elsewhere. */
  readonly knownTo: Readonly<Record<string, Dictionaries>>;
}

const HOOK = 'http://127.0.0.1:9/hooks';
const IBAN = 'DE89370400440532013000';

/**
 * A customer of its own with one of each resource, so that requests with the right ids get behind the first
 * look-up: an approved end-user, money in both kinds of balances, what was paid with it, what came in.
 */
export async function prepareFuzzedCustomer(stack: Stack): Promise<FuzzedCustomer> {
  const { testApiKey: token } = await addCustomer(stack.folder, 'Fuzzed Partner');
  const headers = { authorization: `Bearer ${token}` };
  const read = async <Body>(path: string) =>
    (await stack.insist<Body>('GET', path, undefined, headers)).body;
  const make = async <Body = { id: string }>(path: string, body: object) => {
    const own = { ...headers, 'idempotency-key': randomUUID() };
    const answer = await stack.insist<Body>('POST', path, body, own);
    if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.text}`);
    return answer.body;
  };
  const firstOf = async (path: string) => {
    const { data } = await read<{ data: { id: string }[] }>(path);
    return data[0]?.id;
  };
  const addPerson = () =>
    make('/end-users', {
      type: 'INDIVIDUAL',
      individual: { firstName: 'Ada', lastName: 'Sample' },
    });
  const addAccount = (endUserId: string, iban = IBAN) =>
    make('/bank-accounts', {
      ...{ endUserId, country: 'DE', currency: 'EUR', holderType: 'INDIVIDUAL' },
      ...{ holderName: 'Ada Sample', details: { iban } },
    });
  const signer = privateKeyToAccount(generatePrivateKey());
  const addWallet = (endUserId: string, address = `0x${randomBytes(20).toString('hex')}`) =>
    make<{ id: string; proof: { message: string } }>('/wallets', {
      ...{ endUserId, network: 'BASE', address, ownership: 'SELF_HOSTED' },
    });

  await make('/sandbox/deposits', { currency: 'EUR', amount: '100000.00' });
  const [main, spare, closed] = [await addPerson(), await addPerson(), await addPerson()];
  for (const { id } of [main, spare]) await make(`/end-users/${id}/kyc`, {});
  await stack.insist('DELETE', `/end-users/${closed.id}`, undefined, headers);
  const [account, spareAccount] = [await addAccount(main.id), await addAccount(spare.id)];
  const [wallet, spareWallet] = [await addWallet(main.id), await addWallet(spare.id)];
  const proved = await addWallet(main.id, signer.address);
  const signature = await signer.signMessage({ message: proved.proof.message });
  const address = await make<{ id: string; address: string }>('/deposit-addresses', {
    endUserId: main.id,
  });
  const spareAddress = await make('/deposit-addresses', {});
  const hook = await make('/webhook-endpoints', { url: HOOK, asymmetric: true });
  const spareHook = await make('/webhook-endpoints', { url: `${HOOK}/spare` });
  await make('/sandbox/token-deposits', {
    ...{ address: address.address, network: 'BASE', asset: 'USDC', amount: '500.00' },
  });
  const quote = await make('/quotes', {
    ...{ sourceCurrency: 'EUR', targetAsset: 'USDC', network: 'BASE', targetAmount: '100' },
    lockFor: '1h',
  });
  await until('the balance and the approvals', async () => {
    const balance = await read<{ data: { currency?: string }[] }>('/balances');
    const user = await read<{ kycStatus: string }>(`/end-users/${main.id}`);
    const isFunded = balance.data.some(({ currency }) => currency === 'EUR');
    return isFunded && user.kycStatus === 'APPROVED' ? true : null;
  });
  const order = {
    ...{ endUserId: main.id, bankAccountId: account.id, currency: 'EUR', amount: '10.00' },
  };
  const payment = await make('/payments', order);
  const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const scheduled = await make('/payments', { ...order, scheduledFor: day });
  const batch = await make('/payment-batches', {
    items: [{ ...order, idempotencyKey: randomUUID() }],
  });
  const now = Date.now();
  const replay = await make(`/webhook-endpoints/${hook.id}/replay`, {
    from: new Date(now - 60_000).toISOString(),
    to: new Date(now).toISOString(),
  });
  const event = await until('a delivery', async () => {
    const path = `/webhook-endpoints/${hook.id}/deliveries`;
    const { data } = await read<{ data: { eventId: string }[] }>(path);
    return data[0]?.eventId;
  });
  const deposit = await until('a deposit that is final', () =>
    firstOf(`/deposits?depositAddressId=${address.id}&status=FINAL`),
  );
  const move = await until('a booking', () => firstOf('/balance-transactions?currency=EUR'));
  return {
    token,
    known: {
      'path.endUserId': [spare.id],
      'path.bankAccountId': [spareAccount.id],
      'path.walletId': [spareWallet.id],
      'path.depositAddressId': [spareAddress.id],
      'path.depositId': [deposit],
      'path.paymentId': [payment.id, scheduled.id],
      'path.paymentBatchId': [batch.id],
      'path.quoteId': [quote.id],
      'path.eventId': [event],
      'path.webhookEndpointId': [hook.id],
      'path.webhookReplayId': [replay.id],
      'path.balanceTransactionId': [move],
      'path.currency': ['EUR', 'USDC'],
      'query.paymentId': [payment.id],
      'query.endUserId': [main.id],
      'query.resourceId': [payment.id],
      'body.endUserId': [main.id],
      'body.bankAccountId': [account.id],
      'body.walletId': [wallet.id],
      'body.webhookEndpointId': [hook.id],
      'body.quoteId': [quote.id],
      'body.from': [new Date(now - 60_000).toISOString()],
      'body.to': [new Date(now).toISOString()],
    },
    knownTo: {
      verifyWallet: { 'path.walletId': [proved.id], 'body.signature': [signature] },
      closeEndUser: { 'path.endUserId': [spare.id, closed.id] },
      eraseEndUser: { 'path.endUserId': [closed.id] },
      deleteWebhookEndpoint: { 'path.webhookEndpointId': [spareHook.id] },
      createSandboxTokenDeposit: { 'body.address': [address.address] },
      cancelPayment: { 'path.paymentId': [scheduled.id] },
    },
  };
}
