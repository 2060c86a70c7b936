import type { EventType } from '../../../domain/webhooks/event-types.ts';

/** When an event of a type is sent, as the document says it. */
export const EVENT_TEXTS: Readonly<Record<EventType, string>> = {
  'end_user.created': 'An end-user was created.',
  'end_user.updated': 'An end-user or their KYC status changed.',
  'end_user.closed': 'An end-user was closed.',
  'kyc.pending': 'A KYC check was started and awaits the end-user.',
  'kyc.in_review': 'The KYC provider is reviewing the data of the end-user.',
  'kyc.approved': 'A KYC check was approved. You can make payments for the end-user.',
  'kyc.rejected': 'A KYC check was rejected.',
  'kyc.resubmission_required': 'The end-user must submit data again. `reasons` lists the data.',
  'kyc.expired': 'A KYC approval expired.',
  'kyc.revoked': 'A KYC approval was withdrawn.',
  'kyc.updated': 'A KYC check changed, but not its status.',
  'bank_account.created': 'A bank account was created.',
  'bank_account.activated':
    'The operators of the service approved a bank account of your own company.',
  'bank_account.disabled': 'A bank account was disabled.',
  'wallet.created': 'A wallet was created. The screening of its address is not complete.',
  'wallet.activated': 'The screening of a wallet found nothing. You can pay to the wallet.',
  'wallet.verified': 'A signature proved the ownership of a wallet.',
  'wallet.rejected':
    'The address of a wallet is on a sanctions list. You cannot pay to the wallet.',
  'wallet.disabled': 'A wallet was disabled.',
  'deposit_address.created': 'A deposit address was created.',
  'deposit_address.disabled': 'A deposit address was disabled, or its end-user was erased.',
  'payment.created': 'A payment was accepted, and its funds are held.',
  'payment.processing': 'A payment that was on hold continues.',
  'payment.on_hold': 'A payment is on hold. `statusDetail` gives the reason.',
  'payment.sent': 'The bank accepted a payment.',
  'payment.completed': 'A payment was delivered. The bank may still return it until it is final.',
  'payment.failed':
    'A payment was not delivered, and its funds are back in your balance. `failure` gives the reason.',
  'payment.canceled': 'A payment was canceled on request, and its funds are back in your balance.',
  'payment.expired': 'A payment could not be made in time, and its funds are back in your balance.',
  'payment.returned': 'A payment was returned after its delivery. `return` gives the details.',
  'payment.requoted':
    'The rate of a payment ended, and the payment was priced anew within its `maxSourceAmount`. `rate`, `fees`, `source`, `quoteId`, and `rateHeldUntil` have changed.',
  'payment.reconciled': "A payment appears on the bank's statement.",
  'payment.final': 'A completed payment is final and can no longer be returned.',
  'payment.updated': 'A payment changed, but not its status.',
  'payment_batch.created': 'A batch of payments was accepted.',
  'payment_batch.completed':
    'Every item of a batch is accepted or refused. The accepted payments may still be in progress.',
  'deposit.seen':
    'A block contains tokens sent to one of your addresses. The deposit may still be reversed.',
  'deposit.credited': 'A deposit was credited to your balance or to its payment.',
  'deposit.final': 'A credited deposit is final and can no longer be reversed.',
  'deposit.orphaned':
    'The block that contained a deposit was removed from the chain, and the credit is reversed. The transfer may be mined again.',
  'deposit.blocked': 'The sender of a deposit is on a sanctions list. You cannot use the deposit.',
  'deposit.kept': 'A blocked deposit is kept permanently and will not be credited to your balance.',
  'deposit.updated': 'A deposit changed, but not its status.',
  'balance.credited': 'Incoming funds were credited to your balance.',
  'balance.credit_reversed': 'The bank reversed a credit.',
  'webhook_endpoint.updated': 'A webhook endpoint changed.',
  'webhook_endpoint.disabled':
    'A webhook endpoint was disabled on request, after a 410 response, or after four days of failures.',
  ping: 'A test event, sent on request only.',
};
