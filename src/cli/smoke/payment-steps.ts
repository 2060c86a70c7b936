import { madeBy, orderOf, untilReconciled, untilStatus, type SmokeDay } from './smoke-day.ts';
import { mustAnswer, mustHold, objectOf, rowsOf, textOf, until, type Step } from './step.ts';

const AMOUNT = '12.50';
const keyOf = ({ run }: SmokeDay, nth: number): string => `smoke-${run}-${String(nth)}`;
const READY = ['KYC', 'bank account'];

/** The first payment, and what is promised of it. */
export const PAYMENT_STEPS: readonly Step<SmokeDay>[] = [
  {
    name: 'validate',
    needs: READY,
    async take(day) {
      const answer = await day.api.post('/payments/validate', orderOf(day, AMOUNT));
      const verdict = mustAnswer(answer, 200, 'the question');
      mustHold(verdict['valid'] === true, `not valid: ${JSON.stringify(verdict['problems'])}`);
      return `${AMOUNT} EUR would be accepted`;
    },
  },
  {
    name: 'payment',
    needs: READY,
    async take(day) {
      const answer = await day.api.post('/payments', orderOf(day, AMOUNT), keyOf(day, 1));
      const payment = mustAnswer(answer, 201, 'the payment');
      mustHold(payment['status'] === 'PROCESSING', 'a new payment is not PROCESSING');
      mustHold(payment['amount'] === AMOUNT, `the amount is ${String(payment['amount'])}`);
      day.made.set('payment', textOf(payment, 'id'));
      day.firstAnswer = answer.text;
      return textOf(payment, 'id');
    },
  },
  {
    name: 'same key twice',
    needs: ['payment'],
    async take(day) {
      const again = await day.api.post('/payments', orderOf(day, AMOUNT), keyOf(day, 1));
      mustAnswer(again, 201, 'the repeat');
      mustHold(again.text === day.firstAnswer, 'the repeat was answered otherwise');
      mustHold(again.headers['idempotent-replayed'] === 'true', 'the repeat does not say so');
      const found = await day.api.get(`/payments?idempotencyKey=${keyOf(day, 1)}`);
      const count = rowsOf(mustAnswer(found, 200, 'the list')).length;
      mustHold(count === 1, `${String(count)} payments have the key`);
      return 'the same answer, one payment';
    },
  },
  {
    name: 'other body with the key',
    needs: ['payment'],
    async take(day) {
      const answer = await day.api.post('/payments', orderOf(day, '13.50'), keyOf(day, 1));
      const { error } = mustAnswer(answer, 422, 'the other body');
      mustHold(error === 'idempotency_key_mismatch', `refused with ${String(error)}`);
      return 'refused: idempotency_key_mismatch';
    },
  },
  {
    name: 'completion',
    needs: ['payment'],
    async take(day) {
      const payment = await untilStatus(day, madeBy(day, 'payment'), 'COMPLETED');
      return `COMPLETED over ${textOf(payment, 'rail')}`;
    },
  },
  {
    name: 'reconciliation',
    needs: ['completion'],
    async take(day) {
      await untilReconciled(day, madeBy(day, 'payment'));
      return "RECONCILED: the bank's statement has it";
    },
  },
  {
    name: 'timeline',
    needs: ['completion'],
    async take(day) {
      const answer = await day.api.get(`/payments/${madeBy(day, 'payment')}/timeline?limit=100`);
      const rows = rowsOf(mustAnswer(answer, 200, 'the timeline'));
      const seen = rows.map(({ status }) => String(status));
      mustHold(
        seen.includes('PROCESSING') && seen.includes('COMPLETED'),
        `it shows ${seen.join()}`,
      );
      return `${String(rows.length)} moves, PROCESSING and COMPLETED among them`;
    },
  },
  {
    name: 'balance',
    needs: ['completion'],
    async take(day) {
      const path = `/balance-transactions?limit=100&paymentId=${madeBy(day, 'payment')}`;
      const rows = rowsOf(mustAnswer(await day.api.get(path), 200, 'the bookings'));
      mustHold(rows.length > 0, 'no booking names the payment');
      const answer = await day.api.get(`/payments/${madeBy(day, 'payment')}`);
      const { amount, currency } = objectOf(mustAnswer(answer, 200, 'the payment'), 'source');
      return `${String(rows.length)} bookings; it cost ${String(amount)} ${String(currency)}`;
    },
  },
  {
    name: 'verified webhook',
    needs: ['webhook endpoint', 'completion'],
    async take(day) {
      const paymentId = madeBy(day, 'payment');
      const { receiver } = day;
      for (const type of ['payment.created', 'payment.completed']) {
        await until(`the webhook ${type}`, day.waitMs, async () => {
          const found = receiver.events.find(
            (event) => event.type === type && event.resource.id === paymentId,
          );
          return found === undefined
            ? { seen: `${String(receiver.events.length)} others` }
            : { found };
        });
      }
      mustHold(receiver.refused() === 0, `${String(receiver.refused())} signatures do not hold`);
      return 'payment.created and payment.completed, their signatures hold';
    },
  },
  {
    name: 'failed payment',
    needs: ['payment'],
    async take(day) {
      const answer = await day.api.post('/payments', orderOf(day, '10.01'), keyOf(day, 2));
      const id = textOf(mustAnswer(answer, 201, 'the payment'), 'id');
      const payment = await untilStatus(day, id, 'FAILED');
      mustHold(
        payment['fundsStatus'] === 'BACK_IN_BALANCE',
        'the money is not back in the balance',
      );
      return `FAILED with ${textOf(objectOf(payment, 'failure'), 'code')}, the money is back`;
    },
  },
];

/** What is built on payments. */
export const FURTHER_STEPS: readonly Step<SmokeDay>[] = [
  {
    name: 'quote',
    async take({ api }) {
      const answer = await api.post('/quotes', {
        ...{ sourceCurrency: 'USD', targetCurrency: 'EUR', sourceAmount: '100.00', lockFor: '5m' },
      });
      const quote = mustAnswer(answer, 201, 'the quote');
      const read = mustAnswer(await api.get(`/quotes/${textOf(quote, 'id')}`), 200, 'reading it');
      mustHold(read['rate'] === quote['rate'], 'the rate changed meanwhile');
      return `100.00 USD are ${textOf(quote, 'targetAmount')} EUR at ${textOf(quote, 'rate')}`;
    },
  },
  {
    name: 'batch',
    needs: READY,
    async take(day) {
      const items = [3, 4].map((nth) => {
        return { idempotencyKey: keyOf(day, nth), ...orderOf(day, '1.00') };
      });
      const answer = await day.api.post('/payment-batches', { items }, keyOf(day, 5));
      const id = textOf(mustAnswer(answer, 201, 'the batch'), 'id');
      await until(`COMPLETED of ${id}`, day.waitMs, async () => {
        const { status } = mustAnswer(
          await day.api.get(`/payment-batches/${id}`),
          200,
          'the batch',
        );
        return status === 'COMPLETED' ? { found: status } : { seen: String(status) };
      });
      const judged = await day.api.get(`/payment-batches/${id}/items`);
      const states = rowsOf(mustAnswer(judged, 200, 'the items')).map(({ state }) => String(state));
      mustHold(states.join() === 'ACCEPTED,ACCEPTED', `its items are ${states.join()}`);
      return '2 items, both accepted';
    },
  },
];
