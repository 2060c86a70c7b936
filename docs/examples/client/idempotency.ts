import { Causeway, CausewayConnectionError } from 'causeway/client';

const causeway = new Causeway({
  apiKey: process.env['CAUSEWAY_API_KEY'] ?? '',
  baseUrl: process.env['CAUSEWAY_URL'] ?? 'http://127.0.0.1:8080',
});

const invoice = {
  id: process.env['INVOICE'] ?? 'invoice-4711',
  endUserId: process.env['END_USER'] ?? '',
  bankAccountId: process.env['BANK_ACCOUNT'] ?? '',
};

/**
 * Pays an invoice, once. Its own id is the key: a program that was stopped in the middle calls this
 * again, and so does one that got no answer. After a payment that failed, the key is used up: add a
 * number that is stored with the invoice.
 */
async function payInvoice() {
  const { id, endUserId, bankAccountId } = invoice;
  const payment = { endUserId, bankAccountId, amount: '10.00', currency: 'EUR', externalId: id };
  try {
    return await causeway.payments.create(payment, { idempotencyKey: id });
  } catch (error) {
    // The client has sent it four times under that key. Leave the invoice open and call this later.
    if (error instanceof CausewayConnectionError) console.error(`${id} is still open`);
    throw error;
  }
}

const first = await payInvoice();
const again = await payInvoice();
console.log(first.id === again.id ? 'one payment' : 'two payments');

/**
 * Gives an invoice up whose answers were lost. Afterwards nothing is ever paid with its key, so it can be paid in
 * another way; unless a payment is there: that one counts as not paid only by its final status and its fundsStatus.
 */
async function giveUp(id: string) {
  const { state, payment } = await causeway.idempotencyKeys.close({ idempotencyKey: id });
  if (state === 'CLOSED') return 'it can be paid in another way';
  return payment === undefined ? 'the key is of another request' : `follow ${payment.id}`;
}

const unpaid = `${invoice.id}-2`;
console.log(`${unpaid}: ${await giveUp(unpaid)}`);
