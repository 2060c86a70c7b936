import { HOLDER, madeBy, type SmokeDay } from './smoke-day.ts';
import { mustAnswer, mustHold, rowsOf, SmokeSkip, textOf, until, type Step } from './step.ts';

/** Everything before the first payment. */
export const FIRST_STEPS: readonly Step<SmokeDay>[] = [
  {
    name: 'health',
    async take({ api }) {
      const answer = await api.get('/health');
      mustAnswer(answer, 200, 'health');
      mustHold(answer.headers['x-request-id'] !== undefined, 'an answer has no X-Request-Id');
      return 'the installation answers';
    },
  },
  {
    name: 'key',
    async take({ api }) {
      const balances = rowsOf(mustAnswer(await api.get('/balances'), 200, 'balances'));
      mustHold(balances.length > 0, 'there are no balances to pay from');
      return `the key holds; balances of ${String(balances.length)} currencies`;
    },
  },
  {
    name: 'rates',
    async take({ api }) {
      const body = mustAnswer(await api.get('/fx-rates?quote=EUR,GBP'), 200, 'rates');
      const rates = rowsOf(body).map((row) => `${textOf(row, 'quote')} ${textOf(row, 'rate')}`);
      mustHold(rates.length === 2, `${String(rates.length)} rates came, not 2`);
      return `1 ${textOf(rowsOf(body)[0] ?? {}, 'base')} = ${rates.join(', ')}`;
    },
  },
  {
    name: 'webhook endpoint',
    async take(day) {
      const { api, receiver, webhookUrl, made, run } = day;
      const order = { url: webhookUrl, types: ['payment.*'], description: `smoke ${run}` };
      const answer = await api.post('/webhook-endpoints', order);
      const details = rowsOf({ data: answer.body['details'] ?? [] });
      const isUrl = details.some(({ path }) => path === '/url');
      if (answer.status === 400 && isUrl) {
        throw new SmokeSkip(
          'the installation sends no webhooks to this machine: give --webhook-url, an https address that leads here',
        );
      }
      const endpoint = mustAnswer(answer, 201, 'the endpoint');
      receiver.trust(textOf(endpoint, 'secret'));
      made.set('webhook endpoint', textOf(endpoint, 'id'));
      return textOf(endpoint, 'id');
    },
  },
  {
    name: 'end-user',
    async take({ api, made, run }) {
      const answer = await api.post('/end-users', {
        type: 'INDIVIDUAL',
        individual: { firstName: HOLDER.firstName, lastName: HOLDER.lastName },
        externalId: `smoke-${run}`,
      });
      const id = textOf(mustAnswer(answer, 201, 'the end-user'), 'id');
      const read = mustAnswer(await api.get(`/end-users/${id}`), 200, 'reading it');
      mustHold(read['id'] === id, 'another end-user was read');
      made.set('end-user', id);
      return id;
    },
  },
  {
    name: 'KYC',
    needs: ['end-user'],
    async take(day) {
      const path = `/end-users/${madeBy(day, 'end-user')}/kyc`;
      mustAnswer(await day.api.post(path, {}), 201, 'the check');
      await until('KYC approval', day.waitMs, async () => {
        const { status } = mustAnswer(await day.api.get(path), 200, 'the check');
        return status === 'APPROVED' ? { found: status } : { seen: String(status) };
      });
      return 'APPROVED';
    },
  },
  {
    name: 'bank account',
    needs: ['end-user'],
    async take(day) {
      const answer = await day.api.post('/bank-accounts', {
        endUserId: madeBy(day, 'end-user'),
        ...{ country: 'DE', currency: 'EUR', holderType: 'INDIVIDUAL' },
        holderName: `${HOLDER.firstName} ${HOLDER.lastName}`,
        details: { iban: HOLDER.iban },
      });
      const account = mustAnswer(answer, 201, 'the account');
      mustHold(!answer.text.includes(HOLDER.iban), 'the answer shows the whole account number');
      day.made.set('bank account', textOf(account, 'id'));
      return `${textOf(account, 'rail')}, ****${textOf(account, 'last4')}; its number is masked`;
    },
  },
];
