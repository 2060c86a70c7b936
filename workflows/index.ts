export { fxRefresh } from './fx-refresh.ts';
export { kycCheck } from './kyc-check.ts';
export { kycFollowUp } from './kyc-follow-up.ts';
export { payment } from './payment.ts';
export { paymentFollowUp } from './payment-follow-up.ts';
export { reconcile } from './reconcile.ts';
export { statementFetch } from './statement-fetch.ts';
export { sweep, sweepUnfinished } from './sweep.ts';
export { webhookEndpoint } from './webhook-endpoint.ts';
