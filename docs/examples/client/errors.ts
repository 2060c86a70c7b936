import { Causeway, CausewayApiError, CausewayConnectionError } from 'causeway/client';

const causeway = new Causeway({
  apiKey: process.env['CAUSEWAY_API_KEY'] ?? '',
  baseUrl: process.env['CAUSEWAY_URL'] ?? 'http://127.0.0.1:8080',
  onAttempt: ({ operation, number, status, requestId }) => {
    console.error(`${operation} #${String(number)}: ${String(status)} ${requestId ?? ''}`);
  },
});

try {
  await causeway.payments.create({
    endUserId: process.env['END_USER'] ?? '',
    bankAccountId: process.env['BANK_ACCOUNT'] ?? '',
    amount: '999999999.00',
    currency: 'EUR',
  });
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
      default:
        // Name the request to the operators of the service.
        console.log(`${error.error}, request ${error.requestId ?? ''}`);
    }
    if (error.isOutcomeUnknown) console.log(`send it again with ${error.idempotencyKey ?? ''}`);
  } else if (error instanceof CausewayConnectionError) {
    console.log(`no answer (${error.fault}): send it again with ${error.idempotencyKey ?? ''}`);
  } else {
    throw error;
  }
}
