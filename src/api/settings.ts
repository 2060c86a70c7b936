import type { ListedNetwork } from '../domain/onchain/network-setup.ts';
import type { FeeSchedule } from '../domain/payments/fees/fee-schedule.ts';
import type { FundingAccount } from '../domain/ledger/funding/funding-account.ts';
import type { QuotePricing } from '../domain/payments/quotes/quote-pricing.ts';
import type { Environment } from '../domain/scope.ts';

/** A token bucket: refilled at `perSecond`, holding `burst` at most. */
export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

interface RateLimitSettings {
  /** By environment, per customer. */
  readonly requests: Readonly<Record<Environment, RateLimit>>;
  /** POST /payments, on top of the one for requests. */
  readonly payments: Readonly<Record<Environment, RateLimit>>;
  /** POST /payment-batches, on top of the one for requests. */
  readonly paymentBatches: Readonly<Record<Environment, RateLimit>>;
  /** Failed authentications per minute and address; a valid key never meets it. */
  readonly failedAuthenticationsPerMinute: number;
}

/** What the operator chose, as far as the HTTP surface cares. */
export interface HttpSettings {
  /** Where partners and their end-users reach the API from outside, without a slash at the end. */
  readonly publicUrl: string;
  /** CIDR ranges of proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  readonly rateLimits: RateLimitSettings;
  readonly fx: {
    /** ISO 4217; the base where a question names none. */
    readonly baseCurrency: string;
    /** Milliseconds after which a rate is marked stale. */
    readonly rateMaxAgeMs: number;
    /** How far back `at` may reach, in milliseconds. */
    readonly historyMs: number;
    /** Currencies whose peg holds no longer. */
    readonly releasedPegs: readonly string[];
  };
  /** What quotes cost, by environment. */
  readonly quotes: Readonly<Record<Environment, QuotePricing>>;
  /** What payments in one currency cost, and the rail of any payment. */
  readonly fees: FeeSchedule;
  /** Where customers have money sent to, by environment. */
  readonly fundingAccounts: Readonly<Record<Environment, readonly FundingAccount[]>>;
  /** The networks that tokens are sent over, by environment; none: no crypto there. */
  readonly networks: Readonly<Record<Environment, readonly ListedNetwork[]>>;
  /** What the banks sign their callbacks with (`whsec_` and base64), by environment. */
  readonly bankCallbackSecrets: Readonly<Partial<Record<Environment, string>>>;
  /** How long data of a closed end-user is kept before they may be erased, in milliseconds. */
  readonly endUserRetentionMs: Readonly<Record<Environment, number>>;
  /** Webhook addresses of the test environment may be plain http and loopback. */
  readonly webhookAllowLoopbackInTest: boolean;
  /**
   * What the KYC providers sign their callbacks with (`whsec_` and base64). An environment without one
   * has no KYC provider: checks cannot be started there.
   */
  readonly kycCallbackSecrets: Readonly<Partial<Record<Environment, string>>>;
  /** How long a submitted document waits for a KYC provider that does not take it, in milliseconds. */
  readonly kycDocumentLifeMs: number;
}
