/**
 * The activities as workflows see them: derived from the factories, and types alone. What an activity takes and answers
 * ends up in Temporal's history, so it holds ids and codes, and no name, account number, or secret.
 */
import type { createKeyExpiryActivities } from './customers/key-expiry.ts';
import type { createMailActivities } from './customers/mails.ts';
import type { createOnboardingActivities } from './customers/onboarding.ts';
import type { createChainActivities } from './onchain/chains.ts';
import type { createDepositActivities } from './onchain/deposits.ts';
import type { createReconcilerActivities } from './operations/reconciler.ts';
import type { createKycExpiryActivities } from './parties/kyc-expiry.ts';
import type { createKycActivities } from './parties/kyc.ts';
import type { createScreeningActivities } from './parties/screening.ts';
import type { createFinalityActivities } from './payments/finality.ts';
import type { createFxActivities } from './payments/fx.ts';
import type { createPaymentBatchActivities } from './payments/payment-batches.ts';
import type { createPaymentActivities } from './payments/payments.ts';
import type { createReconciliationActivities } from './reconciliation/reconciliation.ts';
import type { createWebhookActivities } from './webhooks/webhooks.ts';

export type ChainActivities = ReturnType<typeof createChainActivities>;
export type DepositActivities = ReturnType<typeof createDepositActivities>;
export type FinalityActivities = ReturnType<typeof createFinalityActivities>;
export type FxActivities = ReturnType<typeof createFxActivities>;
export type KeyExpiryActivities = ReturnType<typeof createKeyExpiryActivities>;
export type KycActivities = ReturnType<typeof createKycActivities>;
export type KycExpiryActivities = ReturnType<typeof createKycExpiryActivities>;
export type MailActivities = ReturnType<typeof createMailActivities>;
export type OnboardingActivities = ReturnType<typeof createOnboardingActivities>;
export type PaymentActivities = ReturnType<typeof createPaymentActivities>;
export type PaymentBatchActivities = ReturnType<typeof createPaymentBatchActivities>;
export type ReconciliationActivities = ReturnType<typeof createReconciliationActivities>;
export type ScreeningActivities = ReturnType<typeof createScreeningActivities>;
export type ReconcilerActivities = ReturnType<typeof createReconcilerActivities>;
export type WebhookActivities = ReturnType<typeof createWebhookActivities>;
