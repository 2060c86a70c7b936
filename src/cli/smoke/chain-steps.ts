import { randomBytes } from 'node:crypto';
import type { Json } from './partner-api.ts';
import { madeBy, untilStatus, type SmokeDay } from './smoke-day.ts';
import { mustAnswer, mustHold, rowsOf, SmokeSkip, textOf, until, type Step } from './step.ts';

const ASSET = 'USDC';

/** The first network that is listed. Throws SmokeSkip where none is. */
async function networkOf({ api }: SmokeDay): Promise<string> {
  const [network] = rowsOf(mustAnswer(await api.get('/networks'), 200, 'the networks'));
  if (network === undefined) throw new SmokeSkip('no network is listed here');
  return textOf(network, 'network');
}

/** Tokens out and in, where there are networks. */
export const CHAIN_STEPS: readonly Step<SmokeDay>[] = [
  {
    name: 'payment to a wallet',
    needs: ['KYC'],
    async take(day) {
      const network = await networkOf(day);
      const endUserId = madeBy(day, 'end-user');
      // Belongs to no one: what is sent there on a test network stays there.
      const address = `0x${randomBytes(20).toString('hex')}`;
      const order = { endUserId, network, address, ownership: 'SELF_HOSTED' };
      const wallet = mustAnswer(await day.api.post('/wallets', order), 201, 'the wallet');
      const answer = await day.api.post(
        '/payments',
        {
          ...{ endUserId, walletId: textOf(wallet, 'id'), asset: ASSET },
          ...{ amount: '2.50', sourceCurrency: 'EUR' },
        },
        `smoke-${day.run}-wallet`,
      );
      const payment = mustAnswer(answer, 201, 'the payment');
      await untilStatus(day, textOf(payment, 'id'), 'COMPLETED');
      return `2.50 ${ASSET} on ${network}, COMPLETED`;
    },
  },
  {
    name: 'deposit',
    needs: ['end-user'],
    async take(day) {
      const network = await networkOf(day);
      const endUserId = madeBy(day, 'end-user');
      const made = await day.api.post('/deposit-addresses', { endUserId });
      const address = mustAnswer(made, 201, 'the deposit address');
      const sent = await day.api.post('/sandbox/token-deposits', {
        ...{ address: textOf(address, 'address'), network, asset: ASSET, amount: '5.00' },
      });
      mustAnswer(sent, 202, 'the deposit');
      const deposit = await until('the deposit', day.waitMs, () =>
        credited(day, textOf(address, 'id')),
      );
      // Tokens have six decimals, and answers all of them.
      const amount = textOf(deposit, 'amount');
      mustHold(amount === '5.000000', `it is of ${amount}`);
      return `5.00 ${ASSET} on ${network}, ${textOf(deposit, 'status')}`;
    },
  },
];

async function credited(
  { api }: SmokeDay,
  addressId: string,
): Promise<{ readonly found: Json } | { readonly seen: string }> {
  const answer = await api.get(`/deposits?depositAddressId=${addressId}`);
  const [deposit] = rowsOf(mustAnswer(answer, 200, 'the deposits'));
  if (deposit === undefined) return { seen: 'none' };
  const status = textOf(deposit, 'status');
  return status === 'CREDITED' || status === 'FINAL' ? { found: deposit } : { seen: status };
}
