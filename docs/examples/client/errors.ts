import { Causeway, CausewayApiError, CausewayConnectionError } from 'causeway/client';

const causeway = new Causeway({
  apiKey: process.env['CAUSEWAY_API_KEY'] ?? '',
  baseUrl: process.env['CAUSEWAY_URL'] ?? 'http://127.0.0.1:8080',
  onAttempt: ({ operation, number, status, requestId }) => {
    console.error(`${operation} #${String(number)}: ${String(status)} ${requestId ?? ''}`);
  },
});

// The id of the order is the key. Every later attempt uses it, also after a restart, until a payment exists. After a
// payment that failed, take the next number.
const idempotencyKey = process.env['INVOICE'] ?? 'invoice-4711';

try {
  await causeway.payments.create(
    {
      endUserId: process.env['END_USER'] ?? '',
      bankAccountId: process.env['BANK_ACCOUNT'] ?? '',
      amount: '999999999.00',
      currency: 'EUR',
    },
    { idempotencyKey },
  );
} catch (error) {
  if (error instanceof CausewayApiError) {
    switch (error.error) {
      case 'insufficient_balance':
      case 'amount_above_maximum':
        console.log(`refused: ${error.error}`);
        break;
      case 'validation_failed':
        for (const { path, message } of error.details) console.log(`${path}: ${message}`);
        break;
      case 'idempotency_key_in_progress':
        // The client has waited and tried four times. The payment may exist: keep the key.
        console.log(`still running: try ${idempotencyKey} again later`);
        break;
      case 'limit_reached':
        console.log(`too many payments await a deposit: try ${idempotencyKey} again when one ends`);
        break;
      case 'quote_already_used':
        // Another payment used the quote. It may be the payment of this very order.
        console.log('read the paymentId of the quote before you create a new quote');
        break;
      case 'idempotency_key_mismatch':
        console.log(`${idempotencyKey} belongs to another request: compare the two`);
        break;
      default:
        // Name the request to the operators of the service.
        console.log(`${error.error}, request ${error.requestId ?? ''}`);
    }
    if (error.isOutcomeUnknown) console.log(`send it again with ${idempotencyKey}`);
  } else if (error instanceof CausewayConnectionError) {
    console.log(`no answer (${error.fault}): send it again with ${idempotencyKey}`);
  } else {
    throw error;
  }
}
