// Written by "npm run client-types" from docs/openapi.json. Not to be changed by hand.

import type { Page, Paging } from '../page.ts';
import type {
  Balance, BalanceName, BalanceStatement, BalanceStatementSummary, BalanceTransaction,
  BalanceTransactionType, BankAccount, BankAccountRequirements, BankAccountStatus, Corridor,
  CorridorStatus, CreatedWebhookEndpoint, Deposit, DepositAddress, DepositAddressStatus,
  DepositStatus, EndUser, EndUserPatch, EndUserStatus, EndUserType, Event, FailureCode,
  FundingInstruction, HolderType, KeyClosing, KeyToClose, KycCheck, KycStatus, Network, NetworkName,
  NewBankAccount, NewDepositAddress, NewDepositRefund, NewEndUser, NewPayment, NewPaymentBatch,
  NewProof, NewQuote, NewSandboxAdvance, NewSandboxClockAdvance, NewSandboxDeposit, NewSandboxFault,
  NewSandboxKyc, NewSandboxTokenDeposit, NewWallet, NewWebhookEndpoint, NewWebhookReplay, Payment,
  PaymentBatch, PaymentBatchItem, PaymentBatchItemStatus, PaymentBatchStatus, PaymentStatus,
  PaymentValidation, Quote, QuoteStatus, Rail, Redelivery, RedeliveryResult, Relationship,
  ResourceType, RotatedWebhookEndpoint, SandboxAdvance, SandboxClock, SandboxDeposit, SandboxFault,
  SandboxKyc, SandboxTokenDeposit, SecretRotation, StatementFormat, TimelineRow, Wallet,
  WalletStatus, WebhookDelivery, WebhookDeliveryInFull, WebhookDeliveryStatus, WebhookEndpoint,
  WebhookEndpointInFull, WebhookEndpointPatch, WebhookKeys, WebhookReplay, WebhookTest,
  WebhookTestResult,
} from './schemas.ts';

/** Of what types the parameters, the body and the answer of each operation are. */
export interface Operations {
  /**
   * Get the public keys of a webhook endpoint. Receivers use these keys to verify `v1a` signatures. The request needs
   * no API key. An endpoint that is not `asymmetric` has no keys, and the answer is 404.
   */
  readonly getWebhookKeys: {
    readonly path: { readonly webhookEndpointId: string };
    readonly answer: WebhookKeys;
  };
  /** Get the OpenAPI document. */
  readonly getOpenApi: {
    readonly answer: Readonly<Record<string, unknown>>;
  };
  /**
   * List balances. Lists your balances, one for each currency and asset, ordered by code. Without `limit`, one answer
   * contains all of them.
   */
  readonly listBalances: {
    readonly query: Paging | undefined;
    readonly answer: Page<Balance>;
  };
  /**
   * List balance transactions. Lists transactions, newest first. For each currency and balance, `balanceAfter` is the
   * `balanceAfter` of the next row in the list plus `amount`.
   */
  readonly listBalanceTransactions: {
    readonly query: (Paging & {
      /** A three-letter ISO 4217 currency code, or the code of an asset. Transactions in it. */
      readonly currency?: string | undefined;
      /**
       * The balance that changes. AVAILABLE: funds that you can pay out. RESERVED: funds held for payments. PENDING:
       * incoming funds that are not available yet. RECEIVABLE: the amount that you owe.
       */
      readonly balance?: BalanceName | undefined;
      /** The type of the transaction. More values may be added. */
      readonly type?: BalanceTransactionType | undefined;
      /** Returns only transactions of this payment. */
      readonly paymentId?: string | undefined;
      /** Returns only transactions booked after this time. */
      readonly createdAfter?: string | Date | undefined;
      /** Returns only transactions booked before this time. */
      readonly createdBefore?: string | Date | undefined;
    }) | undefined;
    readonly answer: Page<BalanceTransaction>;
  };
  /** Read a balance transaction. */
  readonly getBalanceTransaction: {
    readonly path: { readonly balanceTransactionId: string };
    readonly answer: BalanceTransaction;
  };
  /**
   * List daily statements. Lists the closed days of a currency, newest first, starting with the day of its first
   * booking. A day closes five minutes after it ends in UTC.
   */
  readonly listBalanceStatements: {
    readonly query: Paging & {
      /** A three-letter ISO 4217 currency code, or the code of an asset. The currency or asset of the balance. */
      readonly currency: string;
      /** The first day. */
      readonly from?: string | undefined;
      /** The last day. */
      readonly to?: string | undefined;
    };
    readonly answer: Page<BalanceStatementSummary>;
  };
  /**
   * Read a daily statement. Returns the opening balance, every booking, and the closing balance. Holds are not
   * bookings. If an answer is cut off, discard it and send the request again.
   */
  readonly getBalanceStatement: {
    readonly path: { readonly currency: string; readonly date: string };
    readonly query: {
      /**
       * The format of the answer: `csv` (RFC 4180) or, for a currency, `camt.053` (ISO 20022, camt.053.001.08).
       * Default: JSON.
       */
      readonly format?: StatementFormat | undefined;
    } | undefined;
    readonly answer: BalanceStatement | string;
  };
  /**
   * Register a bank account. Answers 201 with a new account. If the end-user already has the account, in any spelling
   * and status, answers 200 with that one. If the rail supports name checks, the service asks the bank whether the
   * holder name matches and waits up to 2 seconds (`nameCheck`). Payments to an account with NO_MATCH are refused.
   */
  readonly createBankAccount: {
    readonly body: NewBankAccount;
    readonly answer: BankAccount;
  };
  /** List bank accounts. */
  readonly listBankAccounts: {
    readonly query: (Paging & {
      /** Returns only items of this end-user. */
      readonly endUserId?: string | undefined;
      /**
       * The status of the account. You can pay to an ACTIVE account only. PENDING: an account of your own company that
       * awaits approval by the operators of the service.
       */
      readonly status?: BankAccountStatus | undefined;
      /** Returns only accounts in this country, a two-letter ISO 3166-1 code. */
      readonly country?: string | undefined;
      /** Returns only accounts in this currency, a three-letter ISO 4217 code. */
      readonly currency?: string | undefined;
      /** Returns only accounts on this rail. */
      readonly rail?: Rail | undefined;
    }) | undefined;
    readonly answer: Page<BankAccount>;
  };
  /** Read a bank account. */
  readonly getBankAccount: {
    readonly path: { readonly bankAccountId: string };
    readonly answer: BankAccount;
  };
  /**
   * Disable a bank account. Disables the account permanently. New payments to it are refused, and a payment that has
   * not been sent goes ON_HOLD. Repeating the request returns the same answer.
   */
  readonly disableBankAccount: {
    readonly path: { readonly bankAccountId: string };
    readonly answer: BankAccount;
  };
  /**
   * List the fields that a bank account needs. Lists one row for each open rail to the country and each holder type.
   * The first rail of a currency is its default. `schema` is a JSON Schema (2020-12) of the body of POST /bank-accounts
   * without `endUserId`. You can build a form from it, and the API accepts its example. Without `limit`, one answer
   * holds all rows.
   */
  readonly listBankAccountRequirements: {
    readonly query: Paging & {
      /** The country of the account, as a two-letter ISO 3166-1 code. */
      readonly country: string;
      /** Returns only rails for this currency, a three-letter ISO 4217 code. */
      readonly currency?: string | undefined;
      /** Returns only this rail. */
      readonly rail?: Rail | undefined;
      /** The type of the account holder: a person or a business. */
      readonly holderType?: HolderType | undefined;
    };
    readonly answer: Page<BankAccountRequirements>;
  };
  /**
   * List corridors. Lists where you can send money, ordered by country and currency. The default rail of each currency
   * comes first. A value that no source states is null. `sources` names the source of each value.
   */
  readonly listCorridors: {
    readonly query: (Paging & {
      /** Returns only corridors to this country, a two-letter ISO 3166-1 code. */
      readonly country?: string | undefined;
      /** A three-letter ISO 4217 currency code. */
      readonly currency?: string | undefined;
      /** Returns only corridors on this rail. */
      readonly rail?: string | undefined;
      /** The status of the corridor. Payments are accepted and sent only while it is ACTIVE. */
      readonly status?: CorridorStatus | undefined;
    }) | undefined;
    readonly answer: Page<Corridor>;
  };
  /**
   * List networks. Lists the networks that this environment sends tokens over. The list is empty if the environment
   * does not support tokens.
   */
  readonly listNetworks: {
    readonly query: Paging | undefined;
    readonly answer: Page<Network>;
  };
  /**
   * Register a wallet. Answers 201 with a new wallet. If the owner already has the wallet, answers 200 with that one
   * and ignores the other fields. The service screens the address. A wallet whose address is clear is ACTIVE
   * immediately. A wallet whose address is under review is PENDING. Send the same request again to check whether the
   * address is clear.
   */
  readonly createWallet: {
    readonly body: NewWallet;
    readonly answer: Wallet;
  };
  /** List wallets. */
  readonly listWallets: {
    readonly query: (Paging & {
      /** Returns only items of this end-user. */
      readonly endUserId?: string | undefined;
      /**
       * The status of the wallet. You can pay to an ACTIVE wallet only. PENDING: the screening of the address is not
       * complete. REJECTED: the address is on a sanctions list.
       */
      readonly status?: WalletStatus | undefined;
      /** Returns only items on this network. */
      readonly network?: NetworkName | undefined;
    }) | undefined;
    readonly answer: Page<Wallet>;
  };
  /** Read a wallet. */
  readonly getWallet: {
    readonly path: { readonly walletId: string };
    readonly answer: Wallet;
  };
  /**
   * Prove ownership of a wallet. Verifies a signature over `proof.message` and sets `provedAt`. The wallet must be
   * SELF_HOSTED, and PENDING or ACTIVE. After the wallet is proved, every further request returns the same answer.
   */
  readonly verifyWallet: {
    readonly path: { readonly walletId: string };
    readonly body: NewProof;
    readonly answer: Wallet;
  };
  /**
   * Disable a wallet. Disables the wallet permanently. New payments to it are refused, and a payment that has not been
   * sent goes ON_HOLD. Repeating the request returns the same answer. You can register the same address again.
   */
  readonly disableWallet: {
    readonly path: { readonly walletId: string };
    readonly answer: Wallet;
  };
  /**
   * Create a deposit address. Creates an address that receives tokens on every network. If you name a bank account or a
   * wallet, each deposit is converted and paid on once it is final. Otherwise it stays in your balance. Each request
   * creates another address, so send an Idempotency-Key. Limits: 50 ACTIVE addresses for an end-user; in each
   * environment, 10,000 ACTIVE addresses in total, and 20,000 that are ACTIVE or were disabled in the last 30 days.
   * Beyond a limit the answer is `limit_reached`. Addresses are created one at a time, so concurrent requests may get a
   * 503.
   */
  readonly createDepositAddress: {
    readonly body: NewDepositAddress;
    readonly answer: DepositAddress;
  };
  /** List deposit addresses. */
  readonly listDepositAddresses: {
    readonly query: (Paging & {
      /** Returns only items of this end-user. */
      readonly endUserId?: string | undefined;
      /** The status of the address. Deposits to a DISABLED address are credited to your balance but not paid on. */
      readonly status?: DepositAddressStatus | undefined;
    }) | undefined;
    readonly answer: Page<DepositAddress>;
  };
  /** Read a deposit address. */
  readonly getDepositAddress: {
    readonly path: { readonly depositAddressId: string };
    readonly answer: DepositAddress;
  };
  /**
   * Disable a deposit address. Disables the address permanently. Later deposits are still credited to your balance, but
   * not paid on. Repeating the request returns the same answer.
   */
  readonly disableDepositAddress: {
    readonly path: { readonly depositAddressId: string };
    readonly answer: DepositAddress;
  };
  /** List deposits. */
  readonly listDeposits: {
    readonly query: (Paging & {
      /** Returns only deposits to an address of this end-user or of one of their payments. */
      readonly endUserId?: string | undefined;
      /** Returns only deposits to the address of this payment. */
      readonly paymentId?: string | undefined;
      /** Returns only deposits to this deposit address. */
      readonly depositAddressId?: string | undefined;
      /** Returns only items on this network. */
      readonly network?: NetworkName | undefined;
      /** Returns only deposits of this asset. */
      readonly asset?: string | undefined;
      /** Returns only deposits with this status. */
      readonly status?: DepositStatus | undefined;
      /** Returns only deposits first seen after this time. */
      readonly createdAfter?: string | Date | undefined;
      /** Returns only deposits first seen before this time. */
      readonly createdBefore?: string | Date | undefined;
    }) | undefined;
    readonly answer: Page<Deposit>;
  };
  /** Read a deposit. */
  readonly getDeposit: {
    readonly path: { readonly depositId: string };
    readonly answer: Deposit;
  };
  /**
   * Refund a deposit. Makes a payment in the asset of the deposit from your balance to a registered wallet. The refund
   * does not go to the address that sent the deposit, because that address often belongs to an exchange. The answer is
   * that of POST /payments, and both operations share their idempotency keys.
   */
  readonly refundDeposit: {
    readonly path: { readonly depositId: string };
    readonly body: NewDepositRefund;
    readonly answer: Payment;
  };
  /** Register an end-user. */
  readonly createEndUser: {
    readonly body: NewEndUser;
    readonly answer: EndUser;
  };
  /** List end-users. */
  readonly listEndUsers: {
    readonly query: (Paging & {
      /** The type of the end-user. INDIVIDUAL requires `individual`, and BUSINESS requires `business`. */
      readonly type?: EndUserType | undefined;
      /**
       * The relationship of the end-user to you. SELF: your own company. You have one at most, payments to its accounts
       * are withdrawals, and only the operators of the service can change it. CLIENT: every other end-user.
       */
      readonly relationship?: Relationship | undefined;
      /**
       * Your own id for the resource. It must be unique within the environment. Do not put personal data in it, because
       * it is not encrypted.
       */
      readonly externalId?: string | undefined;
      /** The status of the end-user. You can make payments for an ACTIVE end-user only. */
      readonly status?: EndUserStatus | undefined;
      /** The status of the newest KYC check. Payments require APPROVED. */
      readonly kycStatus?: KycStatus | undefined;
      /** Returns only end-users created after this time. */
      readonly createdAfter?: string | Date | undefined;
      /** Returns only end-users created before this time. */
      readonly createdBefore?: string | Date | undefined;
    }) | undefined;
    readonly answer: Page<EndUser>;
  };
  /**
   * Erase an end-user. Makes all personal data of a closed end-user permanently unreadable: names, accounts,
   * references, metadata, and stored answers. Ids and amounts stay. The answer is 409 until all payments of the
   * end-user are final and the retention period is over. `details` says what is missing and when erasure becomes
   * possible.
   */
  readonly eraseEndUser: {
    readonly path: { readonly endUserId: string };
    readonly answer: EndUser;
  };
  /** Read an end-user. */
  readonly getEndUser: {
    readonly path: { readonly endUserId: string };
    readonly answer: EndUser;
  };
  /**
   * Change an end-user. Takes a JSON Merge Patch. A change to the name, date of birth, nationality, tax ids, address,
   * or business data withdraws an approved KYC check. Start a new check afterwards.
   */
  readonly updateEndUser: {
    readonly path: { readonly endUserId: string };
    readonly body: EndUserPatch;
    readonly answer: EndUser;
  };
  /**
   * Close an end-user. Closes the end-user permanently. You can still read the end-user, with status CLOSED, but can
   * make no payments for them. Repeating the request returns the same answer.
   */
  readonly closeEndUser: {
    readonly path: { readonly endUserId: string };
    readonly answer: undefined;
  };
  /** List error codes. Lists all error codes. Without `limit`, one answer contains all of them. */
  readonly listErrors: {
    readonly query: Paging | undefined;
    readonly answer: Page<{
      readonly error: string;
      /** The HTTP status of the error. */
      readonly status: number;
      /**
       * Whether the same request may succeed after a wait, without any other change. If false, remove the cause first.
       * The same request with the same Idempotency-Key may then succeed.
       */
      readonly retryable: boolean;
      readonly description: string;
    }>;
  };
  /**
   * List failure codes. Lists the values of `failure.code` and `return.code` with the recommended action for each.
   * Without `limit`, one answer contains all of them.
   */
  readonly listFailureCodes: {
    readonly query: Paging | undefined;
    readonly answer: Page<FailureCode>;
  };
  /**
   * List events. Lists the events of the last 90 days. The `type` of an event determines the schema of its `data`.
   * Events are complete here, even if your endpoints receive thin ones.
   */
  readonly listEvents: {
    readonly query: (Paging & {
      /** Returns only events of these types: a comma-separated list of types and families (`payment.*`). */
      readonly type?: string | undefined;
      /** Returns only events of resources of this type. */
      readonly resourceType?: ResourceType | undefined;
      /** Returns only events of this resource. */
      readonly resourceId?: string | undefined;
      /** Returns only events after this time. */
      readonly createdAfter?: string | Date | undefined;
      /** Returns only events before this time. */
      readonly createdBefore?: string | Date | undefined;
    }) | undefined;
    readonly answer: Page<Event>;
  };
  /** Read an event. */
  readonly getEvent: {
    readonly path: { readonly eventId: string };
    readonly answer: Event;
  };
  /**
   * Send an event again. Sends the event again, with the same id, to each enabled endpoint that subscribes to it or to
   * the endpoint that you name.
   */
  readonly redeliverEvent: {
    readonly path: { readonly eventId: string };
    readonly body: Redelivery;
    readonly answer: RedeliveryResult;
  };
  /**
   * List funding instructions. Lists the accounts to pay into and your reference for each currency. Money that arrives
   * with your reference is credited to `available`. A currency that cannot be paid in is not listed. Your references
   * never change.
   */
  readonly listFundingInstructions: {
    readonly query: (Paging & {
      /** A three-letter ISO 4217 currency code. */
      readonly currency?: string | undefined;
    }) | undefined;
    readonly answer: Page<FundingInstruction>;
  };
  /** List mid-market rates. */
  readonly listFxRates: {
    readonly query: {
      /**
       * The base of the rates: an ISO 4217 currency code or the code of an asset, 3 or 4 capital letters. Default: the
       * configured base.
       */
      readonly base?: string | undefined;
      /**
       * Returns only rates for these currencies and assets: a comma-separated list of codes, each 3 or 4 capital
       * letters, without spaces. Default: all currencies, and no asset.
       */
      readonly quote?: string | undefined;
      /**
       * Returns the rates at this time. It must not be in the future or before the oldest stored rates. Default: now.
       */
      readonly at?: string | Date | undefined;
    } | undefined;
    readonly answer: {
      readonly data: readonly {
        /** The base currency or asset. */
        readonly base: string;
        /** The quote currency or asset. */
        readonly quote: string;
        /**
         * The mid-market rate: the number of units of `quote` for one unit of `base`. Decimal text with up to 18
         * significant digits and up to 24 decimals, without trailing zeros.
         */
        readonly rate: string;
      }[];
      /** The time of the oldest rate used for the answer. */
      readonly asOf: string;
      /** The sources of the rates. */
      readonly source: string;
      /** Whether a rate is older than the permitted age, or its sources disagree. */
      readonly stale: boolean;
      /**
       * Whether the market of a pair was closed at the time of its rate, or is closed at the time of the answer: on a
       * weekend, or on a holiday of both currencies. Assets count as the currency that they are redeemed in.
       */
      readonly marketClosed: boolean;
    };
  };
  /** Check that the service runs. */
  readonly getHealth: {
    readonly answer: {
      readonly status: 'ok';
      readonly checks: {
      };
    };
  };
  /** Check that the service can serve requests. */
  readonly getReady: {
    readonly answer: {
      readonly status: 'ok';
      readonly checks: {
        readonly postgres: 'ok';
        readonly temporal: 'ok' | 'unreachable';
        /** The schedules that repeat lost workflow starts. Any value except `ok` needs an operator. */
        readonly sweep: 'ok' | 'paused' | 'missing' | 'unknown';
      };
    };
  };
  /**
   * Start a KYC check. Answers 201 with a new check. If the newest check is open or approved, answers 200 with that
   * one.
   */
  readonly startKyc: {
    readonly path: { readonly endUserId: string };
    readonly body: {
      /** The URL to which the hosted page redirects the end-user, with https. Test keys may use http. */
      readonly redirectUrl?: string | undefined;
    } | undefined;
    readonly answer: KycCheck;
  };
  /** Read the newest KYC check of an end-user. */
  readonly getKyc: {
    readonly path: { readonly endUserId: string };
    readonly answer: KycCheck;
  };
  /**
   * Make a payment. Requires an Idempotency-Key. A repeated request makes no second payment. It answers 201 with the
   * first answer and `Idempotent-Replayed: true`.
   */
  readonly createPayment: {
    readonly body: NewPayment;
    readonly answer: Payment;
  };
  /** List payments. */
  readonly listPayments: {
    readonly query: (Paging & {
      /** The status of the payment. */
      readonly status?: PaymentStatus | undefined;
      /** Returns only payments of this end-user. */
      readonly endUserId?: string | undefined;
      /** Returns only payments to this bank account. */
      readonly bankAccountId?: string | undefined;
      /** Returns only payments to this wallet. */
      readonly walletId?: string | undefined;
      /** Your own id for the payment. */
      readonly externalId?: string | undefined;
      /** Returns only the payment made with this idempotency key. */
      readonly idempotencyKey?: string | undefined;
      /** Returns only payments accepted after this time. */
      readonly createdAfter?: string | Date | undefined;
      /** Returns only payments accepted before this time. */
      readonly createdBefore?: string | Date | undefined;
    }) | undefined;
    readonly answer: Page<Payment>;
  };
  /**
   * Validate a payment. Checks the body of a payment as POST /payments would now. The answer lists every problem, the
   * cost, and the expected arrival. Nothing is stored or reserved. The Idempotency-Key is ignored.
   */
  readonly validatePayment: {
    readonly body: NewPayment;
    readonly answer: PaymentValidation;
  };
  /** Read a payment. */
  readonly getPayment: {
    readonly path: { readonly paymentId: string };
    readonly answer: Payment;
  };
  /**
   * Read the timeline of a payment. Lists what happened to the payment, oldest first, and then what is expected next.
   */
  readonly getPaymentTimeline: {
    readonly path: { readonly paymentId: string };
    readonly query: Paging | undefined;
    readonly answer: Page<TimelineRow>;
  };
  /**
   * Cancel a payment. Cancels a payment permanently if nothing of it has been sent. Its funds are back in your balance
   * when the answer arrives. Repeating the request returns the same answer.
   */
  readonly cancelPayment: {
    readonly path: { readonly paymentId: string };
    readonly answer: Payment;
  };
  /**
   * Close an idempotency key. Closes a key permanently if no request was carried out with it: every later POST with the
   * key, whatever its body, is a 409 `idempotency_key_closed`, and a pending item of a batch with the key is refused.
   * If a request was carried out, the answer says so and nothing changes. While a request with the key is running, the
   * answer is a 409 `idempotency_key_in_progress` and says nothing about it. Repeating the request returns the same
   * state. The Idempotency-Key header is ignored.
   */
  readonly closeIdempotencyKey: {
    readonly body: KeyToClose;
    readonly answer: KeyClosing;
  };
  /**
   * Create a payment batch. Accepts up to 1,000 payments in up to 2 MiB and processes them in order, each as POST
   * /payments would.
   * Read the batch until it is COMPLETED, or wait for `payment_batch.completed`, and then read its items. A body that
   * is
   * not a valid batch is refused with a 400. An item with invalid fields is `REFUSED`, and the other items are paid.
   */
  readonly createPaymentBatch: {
    readonly body: NewPaymentBatch;
    readonly answer: PaymentBatch;
  };
  /** List payment batches. */
  readonly listPaymentBatches: {
    readonly query: (Paging & {
      /**
       * The status of the batch. COMPLETED: every item is accepted or refused. The accepted payments may still be in
       * progress.
       */
      readonly status?: PaymentBatchStatus | undefined;
    }) | undefined;
    readonly answer: Page<PaymentBatch>;
  };
  /** Read a payment batch. */
  readonly getPaymentBatch: {
    readonly path: { readonly paymentBatchId: string };
    readonly answer: PaymentBatch;
  };
  /** List the items of a payment batch. */
  readonly listPaymentBatchItems: {
    readonly path: { readonly paymentBatchId: string };
    readonly query: (Paging & {
      /**
       * The state of the item. ACCEPTED: `paymentId` names the payment. REFUSED: no payment was made, and `error` says
       * why.
       */
      readonly status?: PaymentBatchItemStatus | undefined;
    }) | undefined;
    readonly answer: Page<PaymentBatchItem>;
  };
  /**
   * Lock a rate. Give exactly one amount. The quote keeps that amount and calculates the other one. Each side is a
   * currency or an asset. If the target is an asset, name its network. A quote can be used for one payment.
   */
  readonly createQuote: {
    readonly body: NewQuote;
    readonly answer: Quote;
  };
  /** List quotes. */
  readonly listQuotes: {
    readonly query: (Paging & {
      /**
       * The status of the quote. ACTIVE: you can use the quote. CONSUMED: a payment used it. EXPIRED: its lock ended.
       */
      readonly status?: QuoteStatus | undefined;
    }) | undefined;
    readonly answer: Page<Quote>;
  };
  /** Read a quote. A quote that no payment used can be read until 90 days after it expires. */
  readonly getQuote: {
    readonly path: { readonly quoteId: string };
    readonly answer: Quote;
  };
  /**
   * Create a sandbox deposit. The sandbox bank books a credit, which arrives with a bank statement within about 15
   * seconds. It is credited if the reference belongs to a customer, and is unmatched otherwise. With a live key the
   * answer is 404.
   */
  readonly createSandboxDeposit: {
    readonly body: NewSandboxDeposit;
    readonly answer: SandboxDeposit;
  };
  /**
   * Create a sandbox token deposit. Sends tokens from an outside payer to one of your addresses. The service sees them
   * as any deposit. An amount that ends in .08 is orphaned. An amount that ends in .09 comes from a blocked sender.
   * With a live key the answer is 404.
   */
  readonly createSandboxTokenDeposit: {
    readonly body: NewSandboxTokenDeposit;
    readonly answer: SandboxTokenDeposit;
  };
  /**
   * Decide a KYC check in the sandbox. The sandbox KYC provider moves the newest check to the given state and reports
   * it with a signed callback within a second. From then on, the last name of the end-user no longer decides the
   * outcome. With a live key the answer is 404.
   */
  readonly decideSandboxKyc: {
    readonly path: { readonly endUserId: string };
    readonly body: NewSandboxKyc;
    readonly answer: SandboxKyc;
  };
  /**
   * Advance a payment in the sandbox. The sandbox bank settles, rejects, or returns the transfer, or shows it on a
   * statement, and reports that in its usual way. The payment follows within seconds. Repeating the request returns the
   * same answer. With a live key the answer is 404.
   */
  readonly advanceSandboxPayment: {
    readonly path: { readonly paymentId: string };
    readonly body: NewSandboxAdvance;
    readonly answer: SandboxAdvance;
  };
  /**
   * Create a sandbox fault. The fault happens to your next bank payments, whatever their cents. It ends after the given
   * number of payments, or after one hour. Faults apply in the order in which you create them, and only to your
   * payments. With a live key the answer is 404.
   */
  readonly createSandboxFault: {
    readonly body: NewSandboxFault;
    readonly answer: SandboxFault;
  };
  /**
   * List sandbox faults. Lists your pending faults, in the order in which they apply to payments. With a live key the
   * answer is 404.
   */
  readonly listSandboxFaults: {
    readonly query: Paging | undefined;
    readonly answer: Page<SandboxFault>;
  };
  /**
   * Move the sandbox clock forward. Everything that waits in your test environment for a time waits that much less:
   * scheduled payments, quotes, holds, return windows, KYC approvals, idempotency keys, and retries of webhooks. Times
   * that have come take effect within seconds. The clock cannot go back, and moves by 400 days at most in sum. What you
   * create afterwards starts at the real time. Send an Idempotency-Key: without it, a repeated request moves the clock
   * again. With a live key the answer is 404.
   */
  readonly advanceSandboxClock: {
    readonly body: NewSandboxClockAdvance;
    readonly answer: SandboxClock;
  };
  /**
   * Read the sandbox clock. Shows how far you have moved the clock of your test environment. With a live key the answer
   * is 404.
   */
  readonly getSandboxClock: {
    readonly answer: SandboxClock;
  };
  /**
   * Create a webhook endpoint. You can have up to 16 endpoints. The answer contains the signing secret. No later answer
   * shows it again.
   */
  readonly createWebhookEndpoint: {
    readonly body: NewWebhookEndpoint;
    readonly answer: CreatedWebhookEndpoint;
  };
  /** List webhook endpoints. */
  readonly listWebhookEndpoints: {
    readonly query: Paging | undefined;
    readonly answer: Page<WebhookEndpoint>;
  };
  /** Read a webhook endpoint. */
  readonly getWebhookEndpoint: {
    readonly path: { readonly webhookEndpointId: string };
    readonly answer: WebhookEndpointInFull;
  };
  /**
   * Change a webhook endpoint. Takes a JSON Merge Patch. An endpoint that is ENABLED again receives the events that it
   * missed. After a change of `url`, waiting events go to the new URL.
   */
  readonly updateWebhookEndpoint: {
    readonly path: { readonly webhookEndpointId: string };
    readonly body: WebhookEndpointPatch;
    readonly answer: WebhookEndpoint;
  };
  /**
   * Delete a webhook endpoint. Deletes the endpoint permanently. Events that have not been delivered to it are no
   * longer sent.
   */
  readonly deleteWebhookEndpoint: {
    readonly path: { readonly webhookEndpointId: string };
    readonly answer: undefined;
  };
  /**
   * Rotate the secret of a webhook endpoint. Replaces the signing secret. Webhooks are signed with both secrets during
   * the overlap. The answer contains the new secret, and no later answer shows it again. The key pair of an
   * `asymmetric` endpoint is replaced in the same way.
   */
  readonly rotateWebhookSecret: {
    readonly path: { readonly webhookEndpointId: string };
    readonly body: SecretRotation;
    readonly answer: RotatedWebhookEndpoint;
  };
  /**
   * Test a webhook endpoint. Sends a signed `ping` or a sample event of any type, and returns what the endpoint
   * answered. The sample is the example of its schema, with a new id and the current time. It is sent once and appears
   * in no list. Each API process runs up to four tests at a time for an environment. The Idempotency-Key is ignored.
   */
  readonly testWebhookEndpoint: {
    readonly path: { readonly webhookEndpointId: string };
    readonly body: WebhookTest;
    readonly answer: WebhookTestResult;
  };
  /** List the deliveries of a webhook endpoint. */
  readonly listWebhookDeliveries: {
    readonly path: { readonly webhookEndpointId: string };
    readonly query: (Paging & {
      /**
       * The status of the delivery. PENDING: the delivery waits for an attempt. DELIVERED: the endpoint returned a
       * complete 2xx response within 15 seconds. EXHAUSTED: all attempts failed.
       */
      readonly status?: WebhookDeliveryStatus | undefined;
      /** Returns only deliveries of events of this resource. */
      readonly resourceId?: string | undefined;
    }) | undefined;
    readonly answer: Page<WebhookDelivery>;
  };
  /** Read a delivery. */
  readonly getWebhookDelivery: {
    readonly path: { readonly webhookEndpointId: string; readonly eventId: string };
    readonly answer: WebhookDeliveryInFull;
  };
  /**
   * Send events again. Sends the events of a time span again, oldest first, with the same ids. Delivered events are
   * sent again too, unless you set `onlyFailed`.
   */
  readonly replayWebhooks: {
    readonly path: { readonly webhookEndpointId: string };
    readonly body: NewWebhookReplay;
    readonly answer: WebhookReplay;
  };
  /** List replays. */
  readonly listWebhookReplays: {
    readonly path: { readonly webhookEndpointId: string };
    readonly query: Paging | undefined;
    readonly answer: Page<WebhookReplay>;
  };
  /** Read a replay. */
  readonly getWebhookReplay: {
    readonly path: { readonly webhookEndpointId: string; readonly webhookReplayId: string };
    readonly answer: WebhookReplay;
  };
}

/** How an operation is sent. */
export interface OperationRules {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With its parameters in braces. */
  readonly path: string;
  readonly needsApiKey?: true;
  readonly takesIdempotencyKey?: true;
  readonly takesIfMatch?: true;
}

/** How each operation is sent. */
export const OPERATIONS = {
  getWebhookKeys: { method: 'GET', path: '/.well-known/webhook-keys/{webhookEndpointId}' },
  getOpenApi: { method: 'GET', path: '/api/v1/openapi.json' },
  listBalances: { method: 'GET', path: '/api/v1/balances', needsApiKey: true },
  listBalanceTransactions: {
    method: 'GET',
    path: '/api/v1/balance-transactions',
    needsApiKey: true,
  },
  getBalanceTransaction: {
    method: 'GET',
    path: '/api/v1/balance-transactions/{balanceTransactionId}',
    needsApiKey: true,
  },
  listBalanceStatements: { method: 'GET', path: '/api/v1/balance-statements', needsApiKey: true },
  getBalanceStatement: {
    method: 'GET',
    path: '/api/v1/balance-statements/{currency}/{date}',
    needsApiKey: true,
  },
  createBankAccount: {
    method: 'POST',
    path: '/api/v1/bank-accounts',
    needsApiKey: true,
    takesIdempotencyKey: true,
  },
  listBankAccounts: { method: 'GET', path: '/api/v1/bank-accounts', needsApiKey: true },
  getBankAccount: {
    method: 'GET',
    path: '/api/v1/bank-accounts/{bankAccountId}',
    needsApiKey: true,
  },
  disableBankAccount: {
    method: 'POST',
    path: '/api/v1/bank-accounts/{bankAccountId}/disable',
    needsApiKey: true,
    takesIdempotencyKey: true,
    takesIfMatch: true,
  },
  listBankAccountRequirements: {
    method: 'GET',
    path: '/api/v1/bank-account-requirements',
    needsApiKey: true,
  },
  listCorridors: { method: 'GET', path: '/api/v1/corridors', needsApiKey: true },
  listNetworks: { method: 'GET', path: '/api/v1/networks', needsApiKey: true },
  createWallet: {
    method: 'POST',
    path: '/api/v1/wallets',
    needsApiKey: true,
    takesIdempotencyKey: true,
  },
  listWallets: { method: 'GET', path: '/api/v1/wallets', needsApiKey: true },
  getWallet: { method: 'GET', path: '/api/v1/wallets/{walletId}', needsApiKey: true },
  verifyWallet: {
    method: 'POST',
    path: '/api/v1/wallets/{walletId}/verify',
    needsApiKey: true,
    takesIdempotencyKey: true,
    takesIfMatch: true,
  },
  disableWallet: {
    method: 'POST',
    path: '/api/v1/wallets/{walletId}/disable',
    needsApiKey: true,
    takesIdempotencyKey: true,
    takesIfMatch: true,
  },
  createDepositAddress: {
    method: 'POST',
    path: '/api/v1/deposit-addresses',
    needsApiKey: true,
    takesIdempotencyKey: true,
  },
  listDepositAddresses: { method: 'GET', path: '/api/v1/deposit-addresses', needsApiKey: true },
  getDepositAddress: {
    method: 'GET',
    path: '/api/v1/deposit-addresses/{depositAddressId}',
    needsApiKey: true,
  },
  disableDepositAddress: {
    method: 'POST',
    path: '/api/v1/deposit-addresses/{depositAddressId}/disable',
    needsApiKey: true,
    takesIdempotencyKey: true,
    takesIfMatch: true,
  },
  listDeposits: { method: 'GET', path: '/api/v1/deposits', needsApiKey: true },
  getDeposit: { method: 'GET', path: '/api/v1/deposits/{depositId}', needsApiKey: true },
  refundDeposit: {
    method: 'POST',
    path: '/api/v1/deposits/{depositId}/refund',
    needsApiKey: true,
    takesIdempotencyKey: true,
  },
  createEndUser: {
    method: 'POST',
    path: '/api/v1/end-users',
    needsApiKey: true,
    takesIdempotencyKey: true,
  },
  listEndUsers: { method: 'GET', path: '/api/v1/end-users', needsApiKey: true },
  eraseEndUser: {
    method: 'POST',
    path: '/api/v1/end-users/{endUserId}/erase',
    needsApiKey: true,
    takesIdempotencyKey: true,
    takesIfMatch: true,
  },
  getEndUser: { method: 'GET', path: '/api/v1/end-users/{endUserId}', needsApiKey: true },
  updateEndUser: {
    method: 'PATCH',
    path: '/api/v1/end-users/{endUserId}',
    needsApiKey: true,
    takesIfMatch: true,
  },
  closeEndUser: {
    method: 'DELETE',
    path: '/api/v1/end-users/{endUserId}',
    needsApiKey: true,
    takesIfMatch: true,
  },
  listErrors: { method: 'GET', path: '/api/v1/errors', needsApiKey: true },
  listFailureCodes: { method: 'GET', path: '/api/v1/failure-codes', needsApiKey: true },
  listEvents: { method: 'GET', path: '/api/v1/events', needsApiKey: true },
  getEvent: { method: 'GET', path: '/api/v1/events/{eventId}', needsApiKey: true },
  redeliverEvent: {
    method: 'POST',
    path: '/api/v1/events/{eventId}/redeliver',
    needsApiKey: true,
    takesIdempotencyKey: true,
  },
  listFundingInstructions: {
    method: 'GET',
    path: '/api/v1/funding-instructions',
    needsApiKey: true,
  },
  listFxRates: { method: 'GET', path: '/api/v1/fx-rates', needsApiKey: true },
  getHealth: { method: 'GET', path: '/api/v1/health' },
  getReady: { method: 'GET', path: '/api/v1/ready' },
  startKyc: {
    method: 'POST',
    path: '/api/v1/end-users/{endUserId}/kyc',
    needsApiKey: true,
    takesIdempotencyKey: true,
  },
  getKyc: { method: 'GET', path: '/api/v1/end-users/{endUserId}/kyc', needsApiKey: true },
  createPayment: {
    method: 'POST',
    path: '/api/v1/payments',
    needsApiKey: true,
    takesIdempotencyKey: true,
  },
  listPayments: { method: 'GET', path: '/api/v1/payments', needsApiKey: true },
  validatePayment: { method: 'POST', path: '/api/v1/payments/validate', needsApiKey: true },
  getPayment: { method: 'GET', path: '/api/v1/payments/{paymentId}', needsApiKey: true },
  getPaymentTimeline: {
    method: 'GET',
    path: '/api/v1/payments/{paymentId}/timeline',
    needsApiKey: true,
  },
  cancelPayment: {
    method: 'POST',
    path: '/api/v1/payments/{paymentId}/cancel',
    needsApiKey: true,
    takesIdempotencyKey: true,
    takesIfMatch: true,
  },
  closeIdempotencyKey: {
    method: 'POST',
    path: '/api/v1/idempotency-keys/close',
    needsApiKey: true,
  },
  createPaymentBatch: {
    method: 'POST',
    path: '/api/v1/payment-batches',
    needsApiKey: true,
    takesIdempotencyKey: true,
  },
  listPaymentBatches: { method: 'GET', path: '/api/v1/payment-batches', needsApiKey: true },
  getPaymentBatch: {
    method: 'GET',
    path: '/api/v1/payment-batches/{paymentBatchId}',
    needsApiKey: true,
  },
  listPaymentBatchItems: {
    method: 'GET',
    path: '/api/v1/payment-batches/{paymentBatchId}/items',
    needsApiKey: true,
  },
  createQuote: {
    method: 'POST',
    path: '/api/v1/quotes',
    needsApiKey: true,
    takesIdempotencyKey: true,
  },
  listQuotes: { method: 'GET', path: '/api/v1/quotes', needsApiKey: true },
  getQuote: { method: 'GET', path: '/api/v1/quotes/{quoteId}', needsApiKey: true },
  createSandboxDeposit: {
    method: 'POST',
    path: '/api/v1/sandbox/deposits',
    needsApiKey: true,
    takesIdempotencyKey: true,
  },
  createSandboxTokenDeposit: {
    method: 'POST',
    path: '/api/v1/sandbox/token-deposits',
    needsApiKey: true,
    takesIdempotencyKey: true,
  },
  decideSandboxKyc: {
    method: 'POST',
    path: '/api/v1/sandbox/end-users/{endUserId}/kyc',
    needsApiKey: true,
    takesIdempotencyKey: true,
  },
  advanceSandboxPayment: {
    method: 'POST',
    path: '/api/v1/sandbox/payments/{paymentId}/advance',
    needsApiKey: true,
    takesIdempotencyKey: true,
  },
  createSandboxFault: {
    method: 'POST',
    path: '/api/v1/sandbox/faults',
    needsApiKey: true,
    takesIdempotencyKey: true,
  },
  listSandboxFaults: { method: 'GET', path: '/api/v1/sandbox/faults', needsApiKey: true },
  advanceSandboxClock: {
    method: 'POST',
    path: '/api/v1/sandbox/clock',
    needsApiKey: true,
    takesIdempotencyKey: true,
  },
  getSandboxClock: { method: 'GET', path: '/api/v1/sandbox/clock', needsApiKey: true },
  createWebhookEndpoint: {
    method: 'POST',
    path: '/api/v1/webhook-endpoints',
    needsApiKey: true,
    takesIdempotencyKey: true,
  },
  listWebhookEndpoints: { method: 'GET', path: '/api/v1/webhook-endpoints', needsApiKey: true },
  getWebhookEndpoint: {
    method: 'GET',
    path: '/api/v1/webhook-endpoints/{webhookEndpointId}',
    needsApiKey: true,
  },
  updateWebhookEndpoint: {
    method: 'PATCH',
    path: '/api/v1/webhook-endpoints/{webhookEndpointId}',
    needsApiKey: true,
    takesIfMatch: true,
  },
  deleteWebhookEndpoint: {
    method: 'DELETE',
    path: '/api/v1/webhook-endpoints/{webhookEndpointId}',
    needsApiKey: true,
    takesIfMatch: true,
  },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/api/v1/webhook-endpoints/{webhookEndpointId}/rotate-secret',
    needsApiKey: true,
    takesIdempotencyKey: true,
    takesIfMatch: true,
  },
  testWebhookEndpoint: {
    method: 'POST',
    path: '/api/v1/webhook-endpoints/{webhookEndpointId}/test',
    needsApiKey: true,
  },
  listWebhookDeliveries: {
    method: 'GET',
    path: '/api/v1/webhook-endpoints/{webhookEndpointId}/deliveries',
    needsApiKey: true,
  },
  getWebhookDelivery: {
    method: 'GET',
    path: '/api/v1/webhook-endpoints/{webhookEndpointId}/deliveries/{eventId}',
    needsApiKey: true,
  },
  replayWebhooks: {
    method: 'POST',
    path: '/api/v1/webhook-endpoints/{webhookEndpointId}/replay',
    needsApiKey: true,
    takesIdempotencyKey: true,
  },
  listWebhookReplays: {
    method: 'GET',
    path: '/api/v1/webhook-endpoints/{webhookEndpointId}/replays',
    needsApiKey: true,
  },
  getWebhookReplay: {
    method: 'GET',
    path: '/api/v1/webhook-endpoints/{webhookEndpointId}/replays/{webhookReplayId}',
    needsApiKey: true,
  },
} as const satisfies Record<keyof Operations, OperationRules>;
