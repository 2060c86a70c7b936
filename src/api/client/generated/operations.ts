// Written by "npm run client-types" from docs/openapi.json. Not to be changed by hand.

import type {
  BalanceStatement,
  BalanceStatementSummary,
  BalanceTransaction,
  BankAccount,
  BankAccountRequirements,
  CreatedWebhookEndpoint,
  Deposit,
  DepositAddress,
  EndUser,
  EndUserPatch,
  Event,
  FailureCode,
  FundingInstruction,
  KycCheck,
  Network,
  NewBankAccount,
  NewDepositAddress,
  NewDepositRefund,
  NewEndUser,
  NewPayment,
  NewPaymentBatch,
  NewProof,
  NewQuote,
  NewSandboxAdvance,
  NewSandboxDeposit,
  NewSandboxFault,
  NewSandboxKyc,
  NewSandboxTokenDeposit,
  NewWallet,
  NewWebhookEndpoint,
  NewWebhookReplay,
  Payment,
  PaymentBatch,
  PaymentBatchItem,
  PaymentValidation,
  Quote,
  Redelivery,
  RedeliveryResult,
  RotatedWebhookEndpoint,
  SandboxAdvance,
  SandboxDeposit,
  SandboxFault,
  SandboxKyc,
  SandboxTokenDeposit,
  SecretRotation,
  TimelineRow,
  Wallet,
  WebhookDelivery,
  WebhookDeliveryInFull,
  WebhookEndpoint,
  WebhookEndpointInFull,
  WebhookEndpointPatch,
  WebhookKeys,
  WebhookReplay,
  WebhookTest,
  WebhookTestResult,
} from './schemas.ts';

/** Of what types the parameters, the body and the answer of each operation are. */
export interface Operations {
  /**
   * The public keys of an endpoint, for its receiver. Without an API key. An endpoint that is not
   * `asymmetric` has none, and is not found.
   */
  readonly getWebhookKeys: {
    readonly path: {
      /** The id of the endpoint. */
      readonly webhookEndpointId: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: WebhookKeys;
  };
  /** The OpenAPI 3.1 document of this API */
  readonly getOpenApi: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Readonly<Record<string, unknown>>;
  };
  /**
   * Balances by currency and asset. Ordered by their codes. Without limit all of them come in one
   * answer.
   */
  readonly listBalances: {
    readonly path: undefined;
    readonly query: {
      /** How many items at most, 1 to 100. All of them where it is left out. */
      readonly limit?: number | undefined;
      /** The nextCursor of the page before, from the same list. */
      readonly cursor?: string | undefined;
    } | undefined;
    readonly body: undefined;
    readonly answer: {
      readonly data: readonly {
        /** What the balance is in. ISO 4217; absent where it is an asset. */
        readonly currency?: string | undefined;
        /** What the balance is in. Absent where it is a currency. */
        readonly asset?: string | undefined;
        /** Can be paid out. */
        readonly available: string;
        /** Held for payments that are under way. */
        readonly reserved: string;
        /** On its way in. */
        readonly pending: string;
        /**
         * Owed to us, zero or negative: a credit that the bank took back was spent. Whatever comes
         * in repays it first.
         */
        readonly receivable: string;
      }[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Give it as cursor to get the next page; null on the last one. */
      readonly nextCursor: string | null;
    };
  };
  /**
   * List balance transactions. Newest first. In each currency and balance every `balanceAfter` is
   * the one below it and `amount`.
   */
  readonly listBalanceTransactions: {
    readonly path: undefined;
    readonly query: {
      /**
       * How many items at most, 1 to 100. 20 where it is left out. A page that cannot be read
       * within 2 s is answered with 503 `service_unavailable`: narrow the filters, or try again.
       */
      readonly limit?: number | undefined;
      /** The nextCursor of the page before, from the same list. */
      readonly cursor?: string | undefined;
      /** ISO 4217, or the code of an asset. Transactions in it. */
      readonly currency?: string | undefined;
      /**
       * The balance that moves: AVAILABLE can be paid out, RESERVED is held for payments, PENDING
       * is on its way in, RECEIVABLE is what you owe.
       */
      readonly balance?: 'AVAILABLE' | 'RESERVED' | 'PENDING' | 'RECEIVABLE' | undefined;
      /** What it is for. More may come. */
      readonly type?:
  | 'DEPOSIT'
  | 'PAYMENT_HOLD'
  | 'PAYMENT'
  | 'PAYMENT_RELEASE'
  | 'PAYMENT_RETURN'
  | 'DEPOSIT_REVERSAL'
  | 'RECEIVABLE_REPAYMENT'
  | 'FEE' | undefined;
      /** Those of this payment. */
      readonly paymentId?: string | undefined;
      /** Booked after this moment. */
      readonly createdAfter?: string | Date | undefined;
      /** Booked before this moment. */
      readonly createdBefore?: string | Date | undefined;
    } | undefined;
    readonly body: undefined;
    readonly answer: {
      readonly data: readonly BalanceTransaction[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Give it as cursor to get the next page; null on the last one. */
      readonly nextCursor: string | null;
    };
  };
  /** Read a balance transaction */
  readonly getBalanceTransaction: {
    readonly path: {
      /** The id of the balance transaction. */
      readonly balanceTransactionId: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: BalanceTransaction;
  };
  /**
   * List daily statements. The days of a currency that are over, newest first, from that of its
   * first booking on. A day is over five minutes after its end by UTC.
   */
  readonly listBalanceStatements: {
    readonly path: undefined;
    readonly query: {
      /**
       * How many items at most, 1 to 100. 20 where it is left out. A page that cannot be read
       * within 2 s is answered with 503 `service_unavailable`: narrow the filters, or try again.
       */
      readonly limit?: number | undefined;
      /** The nextCursor of the page before, from the same list. */
      readonly cursor?: string | undefined;
      /** ISO 4217, or the code of an asset. What the balance is in. */
      readonly currency: string;
      /** The first day. */
      readonly from?: string | undefined;
      /** The last day. */
      readonly to?: string | undefined;
    };
    readonly body: undefined;
    readonly answer: {
      readonly data: readonly BalanceStatementSummary[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Give it as cursor to get the next page; null on the last one. */
      readonly nextCursor: string | null;
    };
  };
  /**
   * Read a daily statement. Opening balance, every booking, closing balance. Holds are no bookings.
   * An answer that ends in the middle is a fault: ask again.
   */
  readonly getBalanceStatement: {
    readonly path: {
      /** ISO 4217, or the code of an asset. What the balance is in. */
      readonly currency: string;
      /** The day, by UTC. */
      readonly date: string;
    };
    readonly query: {
      /**
       * JSON unless given; `csv` (RFC 4180) or, of a currency, `camt.053` (ISO 20022,
       * camt.053.001.08).
       */
      readonly format?: 'json' | 'csv' | 'camt.053' | undefined;
    } | undefined;
    readonly body: undefined;
    readonly answer: BalanceStatement | string;
  };
  /**
   * Register a bank account. Answers 201 with a new account, or 200 with the one that the end-user
   * has already, however it is written and whatever became of it. Where the rail has such a scheme
   * the bank is asked whether the name is right (`nameCheck`), for 2 s at most; a NO_MATCH account
   * takes no payments.
   */
  readonly createBankAccount: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: NewBankAccount;
    readonly answer: BankAccount;
  };
  /** List bank accounts */
  readonly listBankAccounts: {
    readonly path: undefined;
    readonly query: {
      /**
       * How many items at most, 1 to 100. 20 where it is left out. A page that cannot be read
       * within 2 s is answered with 503 `service_unavailable`: narrow the filters, or try again.
       */
      readonly limit?: number | undefined;
      /** The nextCursor of the page before, from the same list. */
      readonly cursor?: string | undefined;
      /** Only of this end-user. */
      readonly endUserId?: string | undefined;
      /**
       * Only an ACTIVE account can be paid to. PENDING: an account of your own company that waits
       * for its approval by the operators of the service.
       */
      readonly status?: 'PENDING' | 'ACTIVE' | 'DISABLED' | undefined;
      /** Only in this country, ISO 3166-1 alpha-2. */
      readonly country?: string | undefined;
      /** Only in this currency, ISO 4217. */
      readonly currency?: string | undefined;
      /** Only over this rail. */
      readonly rail?:
  | 'SWIFT'
  | 'MOBILE_MONEY'
  | 'SEPA'
  | 'SEPA_INSTANT'
  | 'FPS'
  | 'SIC'
  | 'CERTIS'
  | 'ELIXIR'
  | 'GIRO_HU'
  | 'STRAKS'
  | 'BANKGIROT'
  | 'NICS'
  | 'SENT'
  | 'SEP_UA'
  | 'ACH'
  | 'FEDWIRE'
  | 'EFT'
  | 'INTERAC'
  | 'SPEI'
  | 'PIX'
  | 'CBU'
  | 'TEF'
  | 'CCE'
  | 'ACH_CO'
  | 'SINPE'
  | 'UPI'
  | 'IMPS'
  | 'BEFTN'
  | 'CEFTS'
  | 'FAST'
  | 'PROMPTPAY'
  | 'INSTAPAY'
  | 'DUITNOW'
  | 'BI_FAST'
  | 'NAPAS'
  | 'FPS_HK'
  | 'CNAPS'
  | 'ACH_TW'
  | 'ZENGIN'
  | 'KFTC'
  | 'BECS'
  | 'NPP'
  | 'BECS_NZ'
  | 'UAEFTS'
  | 'SARIE'
  | 'FAST_TR'
  | 'RAAST'
  | 'IPN'
  | 'CLIQ'
  | 'FAWRI_PLUS'
  | 'MASAV'
  | 'NIP'
  | 'GIP'
  | 'PESALINK'
  | 'RTC' | undefined;
    } | undefined;
    readonly body: undefined;
    readonly answer: {
      readonly data: readonly BankAccount[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Give it as cursor to get the next page; null on the last one. */
      readonly nextCursor: string | null;
    };
  };
  /** Read a bank account */
  readonly getBankAccount: {
    readonly path: {
      /** The id of the bank account. */
      readonly bankAccountId: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: BankAccount;
  };
  /**
   * Disable a bank account. For good. Payments to it are refused; one that has not been sent goes
   * ON_HOLD. A second time answers the same.
   */
  readonly disableBankAccount: {
    readonly path: {
      /** The id of the bank account. */
      readonly bankAccountId: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: BankAccount;
  };
  /**
   * What a bank account in a country needs. One row for each open rail to the country and each kind
   * of holder, the first rail of a currency being the default one. `schema` is JSON Schema 2020-12
   * of the body of POST /bank-accounts without `endUserId`: a form can be built from it, and its
   * example is accepted. Without limit all rows come in one answer.
   */
  readonly listBankAccountRequirements: {
    readonly path: undefined;
    readonly query: {
      /** How many items at most, 1 to 100. All of them where it is left out. */
      readonly limit?: number | undefined;
      /** The nextCursor of the page before, from the same list. */
      readonly cursor?: string | undefined;
      /** The account's country, ISO 3166-1 alpha-2. */
      readonly country: string;
      /** Only this currency, ISO 4217. */
      readonly currency?: string | undefined;
      /** Only this rail. */
      readonly rail?:
  | 'SWIFT'
  | 'MOBILE_MONEY'
  | 'SEPA'
  | 'SEPA_INSTANT'
  | 'FPS'
  | 'SIC'
  | 'CERTIS'
  | 'ELIXIR'
  | 'GIRO_HU'
  | 'STRAKS'
  | 'BANKGIROT'
  | 'NICS'
  | 'SENT'
  | 'SEP_UA'
  | 'ACH'
  | 'FEDWIRE'
  | 'EFT'
  | 'INTERAC'
  | 'SPEI'
  | 'PIX'
  | 'CBU'
  | 'TEF'
  | 'CCE'
  | 'ACH_CO'
  | 'SINPE'
  | 'UPI'
  | 'IMPS'
  | 'BEFTN'
  | 'CEFTS'
  | 'FAST'
  | 'PROMPTPAY'
  | 'INSTAPAY'
  | 'DUITNOW'
  | 'BI_FAST'
  | 'NAPAS'
  | 'FPS_HK'
  | 'CNAPS'
  | 'ACH_TW'
  | 'ZENGIN'
  | 'KFTC'
  | 'BECS'
  | 'NPP'
  | 'BECS_NZ'
  | 'UAEFTS'
  | 'SARIE'
  | 'FAST_TR'
  | 'RAAST'
  | 'IPN'
  | 'CLIQ'
  | 'FAWRI_PLUS'
  | 'MASAV'
  | 'NIP'
  | 'GIP'
  | 'PESALINK'
  | 'RTC' | undefined;
      /** Whether a person or a business holds the account. */
      readonly holderType?: 'INDIVIDUAL' | 'BUSINESS' | undefined;
    };
    readonly body: undefined;
    readonly answer: {
      readonly data: readonly BankAccountRequirements[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Give it as cursor to get the next page; null on the last one. */
      readonly nextCursor: string | null;
    };
  };
  /**
   * Where money can go. Ordered by country and currency, the rail that is taken by default first.
   * What no source states is null; `sources` tells what each value rests on.
   */
  readonly listCorridors: {
    readonly path: undefined;
    readonly query: {
      /**
       * How many items at most, 1 to 100. 20 where it is left out. A page that cannot be read
       * within 2 s is answered with 503 `service_unavailable`: narrow the filters, or try again.
       */
      readonly limit?: number | undefined;
      /** The nextCursor of the page before, from the same list. */
      readonly cursor?: string | undefined;
      /** ISO 3166-1 alpha-2. */
      readonly country?: string | undefined;
      /** ISO 4217. */
      readonly currency?: string | undefined;
      /** A rail. */
      readonly rail?: string | undefined;
      /** Payments are taken, and leave, only where it is ACTIVE. */
      readonly status?: 'ACTIVE' | 'SUSPENDED' | undefined;
    } | undefined;
    readonly body: undefined;
    readonly answer: {
      readonly data: readonly ({
        /** ISO 3166-1 alpha-2. */
        readonly country: string;
        /** ISO 4217. */
        readonly currency: string;
        readonly rail:
          | 'SWIFT'
          | 'MOBILE_MONEY'
          | 'SEPA'
          | 'SEPA_INSTANT'
          | 'FPS'
          | 'SIC'
          | 'CERTIS'
          | 'ELIXIR'
          | 'GIRO_HU'
          | 'STRAKS'
          | 'BANKGIROT'
          | 'NICS'
          | 'SENT'
          | 'SEP_UA'
          | 'ACH'
          | 'FEDWIRE'
          | 'EFT'
          | 'INTERAC'
          | 'SPEI'
          | 'PIX'
          | 'CBU'
          | 'TEF'
          | 'CCE'
          | 'ACH_CO'
          | 'SINPE'
          | 'UPI'
          | 'IMPS'
          | 'BEFTN'
          | 'CEFTS'
          | 'FAST'
          | 'PROMPTPAY'
          | 'INSTAPAY'
          | 'DUITNOW'
          | 'BI_FAST'
          | 'NAPAS'
          | 'FPS_HK'
          | 'CNAPS'
          | 'ACH_TW'
          | 'ZENGIN'
          | 'KFTC'
          | 'BECS'
          | 'NPP'
          | 'BECS_NZ'
          | 'UAEFTS'
          | 'SARIE'
          | 'FAST_TR'
          | 'RAAST'
          | 'IPN'
          | 'CLIQ'
          | 'FAWRI_PLUS'
          | 'MASAV'
          | 'NIP'
          | 'GIP'
          | 'PESALINK'
          | 'RTC';
        /** Whether a bank account takes this rail where it names none. */
        readonly isDefault: boolean;
        /** Null: no limit is known. */
        readonly min: string | null;
        /** Null: no limit is known. */
        readonly max: string | null;
        /**
         * What is released later leaves on the next banking day. Null with a source: round the
         * clock; null without: not known.
         */
        readonly cutOff: {
          /** HH:MM, local time. */
          readonly time: string;
          /** IANA name. */
          readonly timeZone: string;
        } | null;
        /**
         * When the rail does not settle, for this year and the next. Null with a source: it never
         * closes; null without: not known.
         */
        readonly holidays: {
          /** Its name; null for days of our own. */
          readonly calendar: string | null;
          readonly closedWeekdays: readonly ('MON' | 'TUE' | 'WED' | 'THU' | 'FRI' | 'SAT' | 'SUN')[];
          readonly dates: readonly string[];
        } | null;
        /**
         * A payment is credited by the end of this many banking days after the one on which it
         * leaves. Null: not known.
         */
        readonly settlementDays: number | null;
        /**
         * Banking days within which the beneficiary's bank may send the money back. Null: not
         * known.
         */
        readonly returnWindowDays: number | null;
        /** Whether charges may be taken off money that comes back. */
        readonly returnsMayBeDeducted: boolean;
        /** Payments are taken, and leave, only where it is ACTIVE. */
        readonly status: 'ACTIVE' | 'SUSPENDED';
        /** What each value rests on. */
        readonly sources: {
          /** What a value rests on; null where no source states it. */
          readonly min: {
            /**
             * SOURCE: a document states it. DEFAULT: our own choice. OPERATOR: set by who runs this
             * service.
             */
            readonly kind: 'SOURCE' | 'DEFAULT' | 'OPERATOR';
            /** Of the document. */
            readonly title?: string | undefined;
            /** Of the document, or when it was valid: YYYY, YYYY-MM or YYYY-MM-DD. */
            readonly date?: string | undefined;
          } | null;
          /** What a value rests on; null where no source states it. */
          readonly max: {
            /**
             * SOURCE: a document states it. DEFAULT: our own choice. OPERATOR: set by who runs this
             * service.
             */
            readonly kind: 'SOURCE' | 'DEFAULT' | 'OPERATOR';
            /** Of the document. */
            readonly title?: string | undefined;
            /** Of the document, or when it was valid: YYYY, YYYY-MM or YYYY-MM-DD. */
            readonly date?: string | undefined;
          } | null;
          /** What a value rests on; null where no source states it. */
          readonly cutOff: {
            /**
             * SOURCE: a document states it. DEFAULT: our own choice. OPERATOR: set by who runs this
             * service.
             */
            readonly kind: 'SOURCE' | 'DEFAULT' | 'OPERATOR';
            /** Of the document. */
            readonly title?: string | undefined;
            /** Of the document, or when it was valid: YYYY, YYYY-MM or YYYY-MM-DD. */
            readonly date?: string | undefined;
          } | null;
          /** What a value rests on; null where no source states it. */
          readonly holidays: {
            /**
             * SOURCE: a document states it. DEFAULT: our own choice. OPERATOR: set by who runs this
             * service.
             */
            readonly kind: 'SOURCE' | 'DEFAULT' | 'OPERATOR';
            /** Of the document. */
            readonly title?: string | undefined;
            /** Of the document, or when it was valid: YYYY, YYYY-MM or YYYY-MM-DD. */
            readonly date?: string | undefined;
          } | null;
          /** What a value rests on; null where no source states it. */
          readonly settlementDays: {
            /**
             * SOURCE: a document states it. DEFAULT: our own choice. OPERATOR: set by who runs this
             * service.
             */
            readonly kind: 'SOURCE' | 'DEFAULT' | 'OPERATOR';
            /** Of the document. */
            readonly title?: string | undefined;
            /** Of the document, or when it was valid: YYYY, YYYY-MM or YYYY-MM-DD. */
            readonly date?: string | undefined;
          } | null;
          /** What a value rests on; null where no source states it. */
          readonly returnWindowDays: {
            /**
             * SOURCE: a document states it. DEFAULT: our own choice. OPERATOR: set by who runs this
             * service.
             */
            readonly kind: 'SOURCE' | 'DEFAULT' | 'OPERATOR';
            /** Of the document. */
            readonly title?: string | undefined;
            /** Of the document, or when it was valid: YYYY, YYYY-MM or YYYY-MM-DD. */
            readonly date?: string | undefined;
          } | null;
          /** What a value rests on; null where no source states it. */
          readonly returnsMayBeDeducted: {
            /**
             * SOURCE: a document states it. DEFAULT: our own choice. OPERATOR: set by who runs this
             * service.
             */
            readonly kind: 'SOURCE' | 'DEFAULT' | 'OPERATOR';
            /** Of the document. */
            readonly title?: string | undefined;
            /** Of the document, or when it was valid: YYYY, YYYY-MM or YYYY-MM-DD. */
            readonly date?: string | undefined;
          } | null;
          /** What a value rests on; null where no source states it. */
          readonly status: {
            /**
             * SOURCE: a document states it. DEFAULT: our own choice. OPERATOR: set by who runs this
             * service.
             */
            readonly kind: 'SOURCE' | 'DEFAULT' | 'OPERATOR';
            /** Of the document. */
            readonly title?: string | undefined;
            /** Of the document, or when it was valid: YYYY, YYYY-MM or YYYY-MM-DD. */
            readonly date?: string | undefined;
          } | null;
        };
      })[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Give it as cursor to get the next page; null on the last one. */
      readonly nextCursor: string | null;
    };
  };
  /** List networks. The networks that tokens are sent over in this environment; none: no crypto. */
  readonly listNetworks: {
    readonly path: undefined;
    readonly query: {
      /**
       * How many items at most, 1 to 100. 20 where it is left out. A page that cannot be read
       * within 2 s is answered with 503 `service_unavailable`: narrow the filters, or try again.
       */
      readonly limit?: number | undefined;
      /** The nextCursor of the page before, from the same list. */
      readonly cursor?: string | undefined;
    } | undefined;
    readonly body: undefined;
    readonly answer: {
      readonly data: readonly Network[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Give it as cursor to get the next page; null on the last one. */
      readonly nextCursor: string | null;
    };
  };
  /**
   * Register a wallet. Answers 201 with a new wallet, or 200 with the one that its owner has
   * already, whatever else is said of it. The address is looked up in a list of addresses: a clear
   * one is ACTIVE at once, one that is under review PENDING until the same request finds it clear.
   */
  readonly createWallet: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: NewWallet;
    readonly answer: Wallet;
  };
  /** List wallets */
  readonly listWallets: {
    readonly path: undefined;
    readonly query: {
      /**
       * How many items at most, 1 to 100. 20 where it is left out. A page that cannot be read
       * within 2 s is answered with 503 `service_unavailable`: narrow the filters, or try again.
       */
      readonly limit?: number | undefined;
      /** The nextCursor of the page before, from the same list. */
      readonly cursor?: string | undefined;
      /** Only of this end-user. */
      readonly endUserId?: string | undefined;
      /**
       * Only an ACTIVE wallet can be paid to. PENDING: its address is not cleared yet. REJECTED:
       * the address is on a list of addresses.
       */
      readonly status?: 'PENDING' | 'ACTIVE' | 'REJECTED' | 'DISABLED' | undefined;
      /** Only on this network. */
      readonly network?: 'ETHEREUM' | 'BASE' | 'OPTIMISM' | 'ARBITRUM' | 'POLYGON' | undefined;
    } | undefined;
    readonly body: undefined;
    readonly answer: {
      readonly data: readonly Wallet[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Give it as cursor to get the next page; null on the last one. */
      readonly nextCursor: string | null;
    };
  };
  /** Read a wallet */
  readonly getWallet: {
    readonly path: {
      /** The id of the wallet. */
      readonly walletId: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Wallet;
  };
  /**
   * Show whose a wallet is. Takes a signature over `proof.message` of a SELF_HOSTED wallet that is
   * PENDING or ACTIVE, and sets `provedAt`. Once proved it answers the same, whatever is sent.
   */
  readonly verifyWallet: {
    readonly path: {
      /** The id of the wallet. */
      readonly walletId: string;
    };
    readonly query: undefined;
    readonly body: NewProof;
    readonly answer: Wallet;
  };
  /**
   * Disable a wallet. For good. Payments to it are refused; one that has not been sent goes
   * ON_HOLD. A second time answers the same. The same address can be registered anew.
   */
  readonly disableWallet: {
    readonly path: {
      /** The id of the wallet. */
      readonly walletId: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Wallet;
  };
  /**
   * Make a deposit address. An address that takes tokens on every network. With a bank account or a
   * wallet each deposit becomes a payment of what it buys once it is final; without, it stays in
   * the balance. Every request makes another address: give an Idempotency-Key. An end-user has at
   * most 50 ACTIVE ones and you 10,000 in an environment, and 20,000 that are ACTIVE or were
   * disabled within 30 days: one more is refused with limit_reached. They are made one after the
   * other: many at once may be answered with 503.
   */
  readonly createDepositAddress: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: NewDepositAddress;
    readonly answer: DepositAddress;
  };
  /** List deposit addresses */
  readonly listDepositAddresses: {
    readonly path: undefined;
    readonly query: {
      /**
       * How many items at most, 1 to 100. 20 where it is left out. A page that cannot be read
       * within 2 s is answered with 503 `service_unavailable`: narrow the filters, or try again.
       */
      readonly limit?: number | undefined;
      /** The nextCursor of the page before, from the same list. */
      readonly cursor?: string | undefined;
      /** Only of this end-user. */
      readonly endUserId?: string | undefined;
      /** What comes to a DISABLED address stays in the balance. */
      readonly status?: 'ACTIVE' | 'DISABLED' | undefined;
    } | undefined;
    readonly body: undefined;
    readonly answer: {
      readonly data: readonly DepositAddress[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Give it as cursor to get the next page; null on the last one. */
      readonly nextCursor: string | null;
    };
  };
  /** Read a deposit address */
  readonly getDepositAddress: {
    readonly path: {
      /** The id of the deposit address. */
      readonly depositAddressId: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: DepositAddress;
  };
  /**
   * Disable a deposit address. For good. Nothing that comes is paid on any more; it is still
   * credited, to the balance. A second time answers the same.
   */
  readonly disableDepositAddress: {
    readonly path: {
      /** The id of the deposit address. */
      readonly depositAddressId: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: DepositAddress;
  };
  /** List deposits */
  readonly listDeposits: {
    readonly path: undefined;
    readonly query: {
      /**
       * How many items at most, 1 to 100. 20 where it is left out. A page that cannot be read
       * within 2 s is answered with 503 `service_unavailable`: narrow the filters, or try again.
       */
      readonly limit?: number | undefined;
      /** The nextCursor of the page before, from the same list. */
      readonly cursor?: string | undefined;
      /** Only of this end-user: to an address of theirs, or of a payment of theirs. */
      readonly endUserId?: string | undefined;
      /** Only to the address of this payment. */
      readonly paymentId?: string | undefined;
      /** Only to this deposit address. */
      readonly depositAddressId?: string | undefined;
      /** Only on this network. */
      readonly network?: 'ETHEREUM' | 'BASE' | 'OPTIMISM' | 'ARBITRUM' | 'POLYGON' | undefined;
      /** Only of this asset. */
      readonly asset?: string | undefined;
      /** Only of this status. */
      readonly status?: 'SEEN' | 'CREDITED' | 'FINAL' | 'ORPHANED' | 'BLOCKED' | 'KEPT' | undefined;
      /** First seen later than this. */
      readonly createdAfter?: string | Date | undefined;
      /** First seen earlier than this. */
      readonly createdBefore?: string | Date | undefined;
    } | undefined;
    readonly body: undefined;
    readonly answer: {
      readonly data: readonly Deposit[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Give it as cursor to get the next page; null on the last one. */
      readonly nextCursor: string | null;
    };
  };
  /** Read a deposit */
  readonly getDeposit: {
    readonly path: {
      /** The id of the deposit. */
      readonly depositId: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Deposit;
  };
  /**
   * Refund a deposit. A payment in the asset that came, out of your balance to a registered wallet.
   * Nothing goes back to the sender as such: that is often an exchange. Answers as POST /payments
   * does, in the same namespace of keys.
   */
  readonly refundDeposit: {
    readonly path: {
      /** The id of the deposit. */
      readonly depositId: string;
    };
    readonly query: undefined;
    readonly body: NewDepositRefund;
    readonly answer: Payment;
  };
  /** Register an end-user */
  readonly createEndUser: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: NewEndUser;
    readonly answer: EndUser;
  };
  /** List end-users */
  readonly listEndUsers: {
    readonly path: undefined;
    readonly query: {
      /**
       * How many items at most, 1 to 100. 20 where it is left out. A page that cannot be read
       * within 2 s is answered with 503 `service_unavailable`: narrow the filters, or try again.
       */
      readonly limit?: number | undefined;
      /** The nextCursor of the page before, from the same list. */
      readonly cursor?: string | undefined;
      /** Who it is: decides between `individual` and `business`. */
      readonly type?: 'INDIVIDUAL' | 'BUSINESS' | undefined;
      /**
       * SELF is your own company, at most one: payments to its accounts are withdrawals, and only
       * the operators of the service change it. Every other end-user is a CLIENT.
       */
      readonly relationship?: 'CLIENT' | 'SELF' | undefined;
      /**
       * Your own id of the resource, unique per environment. Nothing personal: it is not encrypted.
       */
      readonly externalId?: string | undefined;
      /** Only an ACTIVE end-user can be paid for. */
      readonly status?: 'ACTIVE' | 'SUSPENDED' | 'CLOSED' | undefined;
      /** Where the newest KYC check stands. Payments need APPROVED. */
      readonly kycStatus?:
  | 'NOT_STARTED'
  | 'PENDING'
  | 'IN_REVIEW'
  | 'APPROVED'
  | 'REJECTED'
  | 'RESUBMISSION_REQUIRED'
  | 'EXPIRED'
  | 'REVOKED' | undefined;
      /** Registered later than this. */
      readonly createdAfter?: string | Date | undefined;
      /** Registered earlier than this. */
      readonly createdBefore?: string | Date | undefined;
    } | undefined;
    readonly body: undefined;
    readonly answer: {
      readonly data: readonly EndUser[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Give it as cursor to get the next page; null on the last one. */
      readonly nextCursor: string | null;
    };
  };
  /**
   * Erase an end-user. Makes everything personal of a closed end-user unreadable, for good: names,
   * accounts, references, metadata, stored answers. Ids and amounts stay. Refused (409) until all
   * of their payments are final and the retention is over; details say what is missing and from
   * when it is possible.
   */
  readonly eraseEndUser: {
    readonly path: {
      /** The id of the end-user. */
      readonly endUserId: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: EndUser;
  };
  /** Read an end-user */
  readonly getEndUser: {
    readonly path: {
      /** The id of the end-user. */
      readonly endUserId: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: EndUser;
  };
  /**
   * Change an end-user. A JSON Merge Patch. A change of name, birth date, nationality, tax ids,
   * address or of anything about a business withdraws an approved KYC check: a new one must be
   * started.
   */
  readonly updateEndUser: {
    readonly path: {
      /** The id of the end-user. */
      readonly endUserId: string;
    };
    readonly query: undefined;
    readonly body: EndUserPatch;
    readonly answer: EndUser;
  };
  /**
   * Close an end-user. For good. The end-user stays readable as CLOSED; nothing is paid for them
   * any more. Again, it changes nothing and answers the same.
   */
  readonly closeEndUser: {
    readonly path: {
      /** The id of the end-user. */
      readonly endUserId: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: undefined;
  };
  /** All error codes. Without limit all of them come in one answer. */
  readonly listErrors: {
    readonly path: undefined;
    readonly query: {
      /** How many items at most, 1 to 100. All of them where it is left out. */
      readonly limit?: number | undefined;
      /** The nextCursor of the page before, from the same list. */
      readonly cursor?: string | undefined;
    } | undefined;
    readonly body: undefined;
    readonly answer: {
      readonly data: readonly {
        readonly error: string;
        /** The HTTP status it comes with. */
        readonly status: number;
        /** Whether the same request may succeed later. */
        readonly retryable: boolean;
        readonly description: string;
      }[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Give it as cursor to get the next page; null on the last one. */
      readonly nextCursor: string | null;
    };
  };
  /**
   * All reasons for which payments fail or come back. What `failure.code` and `return.code` can be,
   * and what to do next. Without limit all of them come in one answer.
   */
  readonly listFailureCodes: {
    readonly path: undefined;
    readonly query: {
      /** How many items at most, 1 to 100. All of them where it is left out. */
      readonly limit?: number | undefined;
      /** The nextCursor of the page before, from the same list. */
      readonly cursor?: string | undefined;
    } | undefined;
    readonly body: undefined;
    readonly answer: {
      readonly data: readonly FailureCode[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Give it as cursor to get the next page; null on the last one. */
      readonly nextCursor: string | null;
    };
  };
  /**
   * Events of the last 90 days. `data` has the schema of its `type`, in full also for thin
   * endpoints.
   */
  readonly listEvents: {
    readonly path: undefined;
    readonly query: {
      /**
       * How many items at most, 1 to 100. 20 where it is left out. A page that cannot be read
       * within 2 s is answered with 503 `service_unavailable`: narrow the filters, or try again.
       */
      readonly limit?: number | undefined;
      /** The nextCursor of the page before, from the same list. */
      readonly cursor?: string | undefined;
      /** Only events of these types: types and families (`payment.*`) with commas between. */
      readonly type?: string | undefined;
      /** Only events of resources of this type. */
      readonly resourceType?:
  | 'payment'
  | 'payment_batch'
  | 'end_user'
  | 'kyc'
  | 'bank_account'
  | 'wallet'
  | 'deposit_address'
  | 'deposit'
  | 'funding_credit'
  | 'webhook_endpoint' | undefined;
      /** Only events of this resource. */
      readonly resourceId?: string | undefined;
      /** Only what happened later than this. */
      readonly createdAfter?: string | Date | undefined;
      /** Only what happened earlier than this. */
      readonly createdBefore?: string | Date | undefined;
    } | undefined;
    readonly body: undefined;
    readonly answer: {
      readonly data: readonly Event[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Give it as cursor to get the next page; null on the last one. */
      readonly nextCursor: string | null;
    };
  };
  /** One event */
  readonly getEvent: {
    readonly path: {
      /** Id of the event. */
      readonly eventId: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Event;
  };
  /**
   * Send an event again. Under its id, to each enabled endpoint that subscribes to it, or to the
   * one named.
   */
  readonly redeliverEvent: {
    readonly path: {
      /** Id of the event. */
      readonly eventId: string;
    };
    readonly query: undefined;
    readonly body: Redelivery;
    readonly answer: RedeliveryResult;
  };
  /**
   * How to fill a balance. Our accounts, and your own reference for each currency: a credit on our
   * bank statement that bears it is credited to `available` once. A currency in which we take no
   * money is not listed. The references never change.
   */
  readonly listFundingInstructions: {
    readonly path: undefined;
    readonly query: {
      /** How many items at most, 1 to 100. All of them where it is left out. */
      readonly limit?: number | undefined;
      /** The nextCursor of the page before, from the same list. */
      readonly cursor?: string | undefined;
      /** ISO 4217. */
      readonly currency?: string | undefined;
    } | undefined;
    readonly body: undefined;
    readonly answer: {
      readonly data: readonly FundingInstruction[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Give it as cursor to get the next page; null on the last one. */
      readonly nextCursor: string | null;
    };
  };
  /** Mid-market rates */
  readonly listFxRates: {
    readonly path: undefined;
    readonly query: {
      /** ISO 4217 or an asset: 3 or 4 capital letters. The configured base where left out. */
      readonly base?: string | undefined;
      /**
       * Codes of ISO 4217 or of assets, each of 3 or 4 capital letters, with commas between and no
       * blanks; all of them where left out.
       */
      readonly quote?: string | undefined;
      /**
       * The rates as they stood then: of each source the newest that is not younger. Not in the
       * future, and no older than rates are kept; now where left out.
       */
      readonly at?: string | Date | undefined;
    } | undefined;
    readonly body: undefined;
    readonly answer: {
      readonly data: readonly {
        /** One unit of this currency or asset */
        readonly base: string;
        /** costs so many of this one. */
        readonly quote: string;
        /**
         * Mid-market. A plain decimal: 18 significant digits within 24 decimals, zeros at the end
         * left out.
         */
        readonly rate: string;
      }[];
      /** The time of the oldest rate that went into the answer. */
      readonly asOf: string;
      /** Where the rates come from. */
      readonly source: string;
      /** Whether a rate is older than it should be, or its sources contradict each other. */
      readonly stale: boolean;
    };
  };
  /** Whether the service runs */
  readonly getHealth: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      readonly status: 'ok';
      readonly checks: {
      };
    };
  };
  /** Whether requests can be served */
  readonly getReady: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: {
      readonly status: 'ok';
      readonly checks: {
        readonly postgres: 'ok';
        readonly temporal: 'ok' | 'unreachable';
        /** The schedules that repeat lost starts. Anything but ok needs an operator. */
        readonly sweep: 'ok' | 'paused' | 'missing' | 'unknown';
      };
    };
  };
  /**
   * Start a KYC check. Answers 201 with a new check, or 200 with the newest one while it is open or
   * approved.
   */
  readonly startKyc: {
    readonly path: {
      /** The id of the end-user. */
      readonly endUserId: string;
    };
    readonly query: undefined;
    readonly body: {
      /** Where the end-user is sent after the hosted page; http or https. */
      readonly redirectUrl?: string | undefined;
    } | undefined;
    readonly answer: KycCheck;
  };
  /** Read the newest KYC check of an end-user */
  readonly getKyc: {
    readonly path: {
      /** The id of the end-user. */
      readonly endUserId: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: KycCheck;
  };
  /**
   * Make a payment. Needs an Idempotency-Key. A repeated request answers 201 with the first answer
   * and `Idempotent-Replayed: true`.
   */
  readonly createPayment: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: NewPayment;
    readonly answer: Payment;
  };
  /** List payments */
  readonly listPayments: {
    readonly path: undefined;
    readonly query: {
      /**
       * How many items at most, 1 to 100. 20 where it is left out. A page that cannot be read
       * within 2 s is answered with 503 `service_unavailable`: narrow the filters, or try again.
       */
      readonly limit?: number | undefined;
      /** The nextCursor of the page before, from the same list. */
      readonly cursor?: string | undefined;
      /** Where the payment stands. */
      readonly status?:
  | 'PROCESSING'
  | 'ON_HOLD'
  | 'SENT'
  | 'COMPLETED'
  | 'FAILED'
  | 'CANCELED'
  | 'EXPIRED'
  | 'RETURNED' | undefined;
      /** Payments of this end-user. */
      readonly endUserId?: string | undefined;
      /** Payments to this bank account. */
      readonly bankAccountId?: string | undefined;
      /** Payments to this wallet. */
      readonly walletId?: string | undefined;
      /** Your own id of the payment. */
      readonly externalId?: string | undefined;
      /** The payment that this key is bound to. */
      readonly idempotencyKey?: string | undefined;
      /** Accepted later than this. */
      readonly createdAfter?: string | Date | undefined;
      /** Accepted earlier than this. */
      readonly createdBefore?: string | Date | undefined;
    } | undefined;
    readonly body: undefined;
    readonly answer: {
      readonly data: readonly Payment[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Give it as cursor to get the next page; null on the last one. */
      readonly nextCursor: string | null;
    };
  };
  /**
   * Check a payment without making it. The body of a payment, judged as POST /payments would judge
   * it now: every problem at once, what it costs, and when it is expected to arrive. Nothing is
   * stored or reserved; an Idempotency-Key is not looked at.
   */
  readonly validatePayment: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: NewPayment;
    readonly answer: PaymentValidation;
  };
  /** Read a payment */
  readonly getPayment: {
    readonly path: {
      /** The id of the payment. */
      readonly paymentId: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Payment;
  };
  /**
   * Read a payment's timeline. What happened, oldest first, and behind it what is expected next.
   */
  readonly getPaymentTimeline: {
    readonly path: {
      /** The id of the payment. */
      readonly paymentId: string;
    };
    readonly query: {
      /** How many items at most, 1 to 100. All of them where it is left out. */
      readonly limit?: number | undefined;
      /** The nextCursor of the page before, from the same list. */
      readonly cursor?: string | undefined;
    } | undefined;
    readonly body: undefined;
    readonly answer: {
      readonly data: readonly TimelineRow[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Give it as cursor to get the next page; null on the last one. */
      readonly nextCursor: string | null;
    };
  };
  /**
   * Cancel a payment. For good, where nothing of it has been sent; its funds are back with the
   * answer. A second time answers the same.
   */
  readonly cancelPayment: {
    readonly path: {
      /** The id of the payment. */
      readonly paymentId: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Payment;
  };
  /**
   * Make many payments. Takes up to 1,000 payments in 2 MiB and judges them one after the other,
   * each as POST /payments would.
   * Read the batch, or wait for `payment_batch.completed`, and then its items. What has the shape
   * of no batch is
   * refused whole with a 400; an item whose fields do not fit is `REFUSED`, and the others are
   * paid.
   */
  readonly createPaymentBatch: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: NewPaymentBatch;
    readonly answer: PaymentBatch;
  };
  /** List batches of payments */
  readonly listPaymentBatches: {
    readonly path: undefined;
    readonly query: {
      /**
       * How many items at most, 1 to 100. 20 where it is left out. A page that cannot be read
       * within 2 s is answered with 503 `service_unavailable`: narrow the filters, or try again.
       */
      readonly limit?: number | undefined;
      /** The nextCursor of the page before, from the same list. */
      readonly cursor?: string | undefined;
      /** COMPLETED once every item is judged; the payments themselves go on. */
      readonly status?: 'PROCESSING' | 'COMPLETED' | undefined;
    } | undefined;
    readonly body: undefined;
    readonly answer: {
      readonly data: readonly PaymentBatch[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Give it as cursor to get the next page; null on the last one. */
      readonly nextCursor: string | null;
    };
  };
  /** Read a batch of payments */
  readonly getPaymentBatch: {
    readonly path: {
      /** The id of the batch. */
      readonly paymentBatchId: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: PaymentBatch;
  };
  /** List the items of a batch */
  readonly listPaymentBatchItems: {
    readonly path: {
      /** The id of the batch. */
      readonly paymentBatchId: string;
    };
    readonly query: {
      /**
       * How many items at most, 1 to 100. 20 where it is left out. A page that cannot be read
       * within 2 s is answered with 503 `service_unavailable`: narrow the filters, or try again.
       */
      readonly limit?: number | undefined;
      /** The nextCursor of the page before, from the same list. */
      readonly cursor?: string | undefined;
      /** ACCEPTED: it is the payment `paymentId`. REFUSED: it is none, for `error`. */
      readonly status?: 'PENDING' | 'ACCEPTED' | 'REFUSED' | undefined;
    } | undefined;
    readonly body: undefined;
    readonly answer: {
      readonly data: readonly PaymentBatchItem[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Give it as cursor to get the next page; null on the last one. */
      readonly nextCursor: string | null;
    };
  };
  /**
   * Lock a rate. Give exactly one amount: it is kept, and the other one worked out. Each side is in
   * a currency or in an asset; to an asset the network is named. The quote is good for one payment.
   */
  readonly createQuote: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: NewQuote;
    readonly answer: Quote;
  };
  /** List quotes */
  readonly listQuotes: {
    readonly path: undefined;
    readonly query: {
      /**
       * How many items at most, 1 to 100. 20 where it is left out. A page that cannot be read
       * within 2 s is answered with 503 `service_unavailable`: narrow the filters, or try again.
       */
      readonly limit?: number | undefined;
      /** The nextCursor of the page before, from the same list. */
      readonly cursor?: string | undefined;
      /** ACTIVE until it is used by a payment (CONSUMED) or its time is over (EXPIRED). */
      readonly status?: 'ACTIVE' | 'CONSUMED' | 'EXPIRED' | undefined;
    } | undefined;
    readonly body: undefined;
    readonly answer: {
      readonly data: readonly Quote[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Give it as cursor to get the next page; null on the last one. */
      readonly nextCursor: string | null;
    };
  };
  /** Read a quote. One that no payment used can be read for 90 days after it expired. */
  readonly getQuote: {
    readonly path: {
      /** The id of the quote. */
      readonly quoteId: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Quote;
  };
  /**
   * Pay into the sandbox bank. The bank of the test environment books a credit, and it arrives by
   * its statement within some 15 seconds: credited where the reference is a customer's, unmatched
   * where it is not. A live key finds no such route (404).
   */
  readonly createSandboxDeposit: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: NewSandboxDeposit;
    readonly answer: SandboxDeposit;
  };
  /**
   * Send tokens on a sandbox chain. An outside payer sends tokens to an address of yours, and it is
   * seen as any deposit is. Amounts that end in .08 are orphaned, in .09 come from a sender who is
   * on a list. A live key finds no such route (404).
   */
  readonly createSandboxTokenDeposit: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: NewSandboxTokenDeposit;
    readonly answer: SandboxTokenDeposit;
  };
  /**
   * Decide a KYC check in the sandbox. The sandbox's KYC provider moves the newest check, and tells
   * it by its signed callback within a second. From then on the last name decides nothing more. A
   * live key finds no such route (404).
   */
  readonly decideSandboxKyc: {
    readonly path: {
      /** The id of the end-user. */
      readonly endUserId: string;
    };
    readonly query: undefined;
    readonly body: NewSandboxKyc;
    readonly answer: SandboxKyc;
  };
  /**
   * Have the sandbox bank go on with a payment. The bank settles, rejects or returns the transfer,
   * or shows it on a statement, and tells it as it always does: the payment follows within seconds.
   * A second time answers the same. A live key finds no such route (404).
   */
  readonly advanceSandboxPayment: {
    readonly path: {
      /** The id of the payment. */
      readonly paymentId: string;
    };
    readonly query: undefined;
    readonly body: NewSandboxAdvance;
    readonly answer: SandboxAdvance;
  };
  /**
   * Arm a fault at the sandbox bank. Your next payments to banks meet the fault, whatever their
   * cents, until as many have as you say, for an hour at the most. Faults are met in the order in
   * which they were armed, and by your payments alone. A live key finds no such route (404).
   */
  readonly createSandboxFault: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: NewSandboxFault;
    readonly answer: SandboxFault;
  };
  /**
   * List the faults that wait at the sandbox bank. Yours alone, in the order in which payments meet
   * them. A live key finds no such route (404).
   */
  readonly listSandboxFaults: {
    readonly path: undefined;
    readonly query: {
      /** How many items at most, 1 to 100. All of them where it is left out. */
      readonly limit?: number | undefined;
      /** The nextCursor of the page before, from the same list. */
      readonly cursor?: string | undefined;
    } | undefined;
    readonly body: undefined;
    readonly answer: {
      readonly data: readonly SandboxFault[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Give it as cursor to get the next page; null on the last one. */
      readonly nextCursor: string | null;
    };
  };
  /**
   * Add a webhook endpoint. At most 16 at a time. The answer carries the signing secret, this once
   * only.
   */
  readonly createWebhookEndpoint: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: NewWebhookEndpoint;
    readonly answer: CreatedWebhookEndpoint;
  };
  /** List webhook endpoints */
  readonly listWebhookEndpoints: {
    readonly path: undefined;
    readonly query: {
      /**
       * How many items at most, 1 to 100. 20 where it is left out. A page that cannot be read
       * within 2 s is answered with 503 `service_unavailable`: narrow the filters, or try again.
       */
      readonly limit?: number | undefined;
      /** The nextCursor of the page before, from the same list. */
      readonly cursor?: string | undefined;
    } | undefined;
    readonly body: undefined;
    readonly answer: {
      readonly data: readonly WebhookEndpoint[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Give it as cursor to get the next page; null on the last one. */
      readonly nextCursor: string | null;
    };
  };
  /** Read a webhook endpoint, and how it is doing */
  readonly getWebhookEndpoint: {
    readonly path: {
      /** The id of the endpoint. */
      readonly webhookEndpointId: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: WebhookEndpointInFull;
  };
  /**
   * Change a webhook endpoint. A JSON Merge Patch. One that is ENABLED again is sent what it has
   * missed; what was waiting for a URL goes to the new one.
   */
  readonly updateWebhookEndpoint: {
    readonly path: {
      /** The id of the endpoint. */
      readonly webhookEndpointId: string;
    };
    readonly query: undefined;
    readonly body: WebhookEndpointPatch;
    readonly answer: WebhookEndpoint;
  };
  /**
   * Delete a webhook endpoint. For good. What has not been delivered to it is not sent any more.
   */
  readonly deleteWebhookEndpoint: {
    readonly path: {
      /** The id of the endpoint. */
      readonly webhookEndpointId: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: undefined;
  };
  /**
   * Replace the signing secret. Webhooks are signed with both secrets while they overlap. The
   * answer carries the new one, this once only. The key pair of an `asymmetric` endpoint is
   * replaced with it, in the same way.
   */
  readonly rotateWebhookSecret: {
    readonly path: {
      /** The id of the endpoint. */
      readonly webhookEndpointId: string;
    };
    readonly query: undefined;
    readonly body: SecretRotation;
    readonly answer: RotatedWebhookEndpoint;
  };
  /**
   * Send a webhook now, and see the answer. A signed `ping`, or a made-up event of any type: the
   * example of its schema, under a new id and of this moment. It is sent once, whatever comes of
   * it, and is in no list. Four at a time for an environment, in each API process; an
   * Idempotency-Key is not looked at.
   */
  readonly testWebhookEndpoint: {
    readonly path: {
      /** The id of the endpoint. */
      readonly webhookEndpointId: string;
    };
    readonly query: undefined;
    readonly body: WebhookTest;
    readonly answer: WebhookTestResult;
  };
  /** What became of each event */
  readonly listWebhookDeliveries: {
    readonly path: {
      /** The id of the endpoint. */
      readonly webhookEndpointId: string;
    };
    readonly query: {
      /**
       * How many items at most, 1 to 100. 20 where it is left out. A page that cannot be read
       * within 2 s is answered with 503 `service_unavailable`: narrow the filters, or try again.
       */
      readonly limit?: number | undefined;
      /** The nextCursor of the page before, from the same list. */
      readonly cursor?: string | undefined;
      /**
       * PENDING waits for an attempt, DELIVERED was answered with a whole 2xx within 15 s,
       * EXHAUSTED is out of attempts.
       */
      readonly status?: 'PENDING' | 'DELIVERED' | 'EXHAUSTED' | undefined;
      /** Only deliveries that tell of this resource. */
      readonly resourceId?: string | undefined;
    } | undefined;
    readonly body: undefined;
    readonly answer: {
      readonly data: readonly WebhookDelivery[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Give it as cursor to get the next page; null on the last one. */
      readonly nextCursor: string | null;
    };
  };
  /** One event at one endpoint, with its newest attempts */
  readonly getWebhookDelivery: {
    readonly path: {
      /** The id of the endpoint. */
      readonly webhookEndpointId: string;
      /** The id of the event. */
      readonly eventId: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: WebhookDeliveryInFull;
  };
  /**
   * Send events again. The events of a span of time, oldest first, under their ids. What was
   * delivered is sent again too, unless `onlyFailed`.
   */
  readonly replayWebhooks: {
    readonly path: {
      /** The id of the endpoint. */
      readonly webhookEndpointId: string;
    };
    readonly query: undefined;
    readonly body: NewWebhookReplay;
    readonly answer: WebhookReplay;
  };
  /** Replays and how far they are */
  readonly listWebhookReplays: {
    readonly path: {
      /** The id of the endpoint. */
      readonly webhookEndpointId: string;
    };
    readonly query: {
      /**
       * How many items at most, 1 to 100. 20 where it is left out. A page that cannot be read
       * within 2 s is answered with 503 `service_unavailable`: narrow the filters, or try again.
       */
      readonly limit?: number | undefined;
      /** The nextCursor of the page before, from the same list. */
      readonly cursor?: string | undefined;
    } | undefined;
    readonly body: undefined;
    readonly answer: {
      readonly data: readonly WebhookReplay[];
      /** Whether there is another page. */
      readonly hasMore: boolean;
      /** Give it as cursor to get the next page; null on the last one. */
      readonly nextCursor: string | null;
    };
  };
  /** How far a replay is */
  readonly getWebhookReplay: {
    readonly path: {
      /** The id of the endpoint. */
      readonly webhookEndpointId: string;
      /** The id of the replay. */
      readonly webhookReplayId: string;
    };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: WebhookReplay;
  };
}

/** How each operation is sent. */
export const OPERATIONS = {
  getWebhookKeys: {
    method: 'GET',
    path: '/.well-known/webhook-keys/{webhookEndpointId}',
    needsApiKey: false,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  getOpenApi: {
    method: 'GET',
    path: '/api/v1/openapi.json',
    needsApiKey: false,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  listBalances: {
    method: 'GET',
    path: '/api/v1/balances',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  listBalanceTransactions: {
    method: 'GET',
    path: '/api/v1/balance-transactions',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  getBalanceTransaction: {
    method: 'GET',
    path: '/api/v1/balance-transactions/{balanceTransactionId}',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  listBalanceStatements: {
    method: 'GET',
    path: '/api/v1/balance-statements',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  getBalanceStatement: {
    method: 'GET',
    path: '/api/v1/balance-statements/{currency}/{date}',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  createBankAccount: {
    method: 'POST',
    path: '/api/v1/bank-accounts',
    needsApiKey: true,
    takesIdempotencyKey: true,
    takesIfMatch: false,
  },
  listBankAccounts: {
    method: 'GET',
    path: '/api/v1/bank-accounts',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  getBankAccount: {
    method: 'GET',
    path: '/api/v1/bank-accounts/{bankAccountId}',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
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
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  listCorridors: {
    method: 'GET',
    path: '/api/v1/corridors',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  listNetworks: {
    method: 'GET',
    path: '/api/v1/networks',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  createWallet: {
    method: 'POST',
    path: '/api/v1/wallets',
    needsApiKey: true,
    takesIdempotencyKey: true,
    takesIfMatch: false,
  },
  listWallets: {
    method: 'GET',
    path: '/api/v1/wallets',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  getWallet: {
    method: 'GET',
    path: '/api/v1/wallets/{walletId}',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
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
    takesIfMatch: false,
  },
  listDepositAddresses: {
    method: 'GET',
    path: '/api/v1/deposit-addresses',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  getDepositAddress: {
    method: 'GET',
    path: '/api/v1/deposit-addresses/{depositAddressId}',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  disableDepositAddress: {
    method: 'POST',
    path: '/api/v1/deposit-addresses/{depositAddressId}/disable',
    needsApiKey: true,
    takesIdempotencyKey: true,
    takesIfMatch: true,
  },
  listDeposits: {
    method: 'GET',
    path: '/api/v1/deposits',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  getDeposit: {
    method: 'GET',
    path: '/api/v1/deposits/{depositId}',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  refundDeposit: {
    method: 'POST',
    path: '/api/v1/deposits/{depositId}/refund',
    needsApiKey: true,
    takesIdempotencyKey: true,
    takesIfMatch: false,
  },
  createEndUser: {
    method: 'POST',
    path: '/api/v1/end-users',
    needsApiKey: true,
    takesIdempotencyKey: true,
    takesIfMatch: false,
  },
  listEndUsers: {
    method: 'GET',
    path: '/api/v1/end-users',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  eraseEndUser: {
    method: 'POST',
    path: '/api/v1/end-users/{endUserId}/erase',
    needsApiKey: true,
    takesIdempotencyKey: true,
    takesIfMatch: true,
  },
  getEndUser: {
    method: 'GET',
    path: '/api/v1/end-users/{endUserId}',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  updateEndUser: {
    method: 'PATCH',
    path: '/api/v1/end-users/{endUserId}',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: true,
  },
  closeEndUser: {
    method: 'DELETE',
    path: '/api/v1/end-users/{endUserId}',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: true,
  },
  listErrors: {
    method: 'GET',
    path: '/api/v1/errors',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  listFailureCodes: {
    method: 'GET',
    path: '/api/v1/failure-codes',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  listEvents: {
    method: 'GET',
    path: '/api/v1/events',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  getEvent: {
    method: 'GET',
    path: '/api/v1/events/{eventId}',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  redeliverEvent: {
    method: 'POST',
    path: '/api/v1/events/{eventId}/redeliver',
    needsApiKey: true,
    takesIdempotencyKey: true,
    takesIfMatch: false,
  },
  listFundingInstructions: {
    method: 'GET',
    path: '/api/v1/funding-instructions',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  listFxRates: {
    method: 'GET',
    path: '/api/v1/fx-rates',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  getHealth: {
    method: 'GET',
    path: '/api/v1/health',
    needsApiKey: false,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  getReady: {
    method: 'GET',
    path: '/api/v1/ready',
    needsApiKey: false,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  startKyc: {
    method: 'POST',
    path: '/api/v1/end-users/{endUserId}/kyc',
    needsApiKey: true,
    takesIdempotencyKey: true,
    takesIfMatch: false,
  },
  getKyc: {
    method: 'GET',
    path: '/api/v1/end-users/{endUserId}/kyc',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  createPayment: {
    method: 'POST',
    path: '/api/v1/payments',
    needsApiKey: true,
    takesIdempotencyKey: true,
    takesIfMatch: false,
  },
  listPayments: {
    method: 'GET',
    path: '/api/v1/payments',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  validatePayment: {
    method: 'POST',
    path: '/api/v1/payments/validate',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  getPayment: {
    method: 'GET',
    path: '/api/v1/payments/{paymentId}',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  getPaymentTimeline: {
    method: 'GET',
    path: '/api/v1/payments/{paymentId}/timeline',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  cancelPayment: {
    method: 'POST',
    path: '/api/v1/payments/{paymentId}/cancel',
    needsApiKey: true,
    takesIdempotencyKey: true,
    takesIfMatch: true,
  },
  createPaymentBatch: {
    method: 'POST',
    path: '/api/v1/payment-batches',
    needsApiKey: true,
    takesIdempotencyKey: true,
    takesIfMatch: false,
  },
  listPaymentBatches: {
    method: 'GET',
    path: '/api/v1/payment-batches',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  getPaymentBatch: {
    method: 'GET',
    path: '/api/v1/payment-batches/{paymentBatchId}',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  listPaymentBatchItems: {
    method: 'GET',
    path: '/api/v1/payment-batches/{paymentBatchId}/items',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  createQuote: {
    method: 'POST',
    path: '/api/v1/quotes',
    needsApiKey: true,
    takesIdempotencyKey: true,
    takesIfMatch: false,
  },
  listQuotes: {
    method: 'GET',
    path: '/api/v1/quotes',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  getQuote: {
    method: 'GET',
    path: '/api/v1/quotes/{quoteId}',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  createSandboxDeposit: {
    method: 'POST',
    path: '/api/v1/sandbox/deposits',
    needsApiKey: true,
    takesIdempotencyKey: true,
    takesIfMatch: false,
  },
  createSandboxTokenDeposit: {
    method: 'POST',
    path: '/api/v1/sandbox/token-deposits',
    needsApiKey: true,
    takesIdempotencyKey: true,
    takesIfMatch: false,
  },
  decideSandboxKyc: {
    method: 'POST',
    path: '/api/v1/sandbox/end-users/{endUserId}/kyc',
    needsApiKey: true,
    takesIdempotencyKey: true,
    takesIfMatch: false,
  },
  advanceSandboxPayment: {
    method: 'POST',
    path: '/api/v1/sandbox/payments/{paymentId}/advance',
    needsApiKey: true,
    takesIdempotencyKey: true,
    takesIfMatch: false,
  },
  createSandboxFault: {
    method: 'POST',
    path: '/api/v1/sandbox/faults',
    needsApiKey: true,
    takesIdempotencyKey: true,
    takesIfMatch: false,
  },
  listSandboxFaults: {
    method: 'GET',
    path: '/api/v1/sandbox/faults',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  createWebhookEndpoint: {
    method: 'POST',
    path: '/api/v1/webhook-endpoints',
    needsApiKey: true,
    takesIdempotencyKey: true,
    takesIfMatch: false,
  },
  listWebhookEndpoints: {
    method: 'GET',
    path: '/api/v1/webhook-endpoints',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  getWebhookEndpoint: {
    method: 'GET',
    path: '/api/v1/webhook-endpoints/{webhookEndpointId}',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  updateWebhookEndpoint: {
    method: 'PATCH',
    path: '/api/v1/webhook-endpoints/{webhookEndpointId}',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: true,
  },
  deleteWebhookEndpoint: {
    method: 'DELETE',
    path: '/api/v1/webhook-endpoints/{webhookEndpointId}',
    needsApiKey: true,
    takesIdempotencyKey: false,
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
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  listWebhookDeliveries: {
    method: 'GET',
    path: '/api/v1/webhook-endpoints/{webhookEndpointId}/deliveries',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  getWebhookDelivery: {
    method: 'GET',
    path: '/api/v1/webhook-endpoints/{webhookEndpointId}/deliveries/{eventId}',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  replayWebhooks: {
    method: 'POST',
    path: '/api/v1/webhook-endpoints/{webhookEndpointId}/replay',
    needsApiKey: true,
    takesIdempotencyKey: true,
    takesIfMatch: false,
  },
  listWebhookReplays: {
    method: 'GET',
    path: '/api/v1/webhook-endpoints/{webhookEndpointId}/replays',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
  getWebhookReplay: {
    method: 'GET',
    path: '/api/v1/webhook-endpoints/{webhookEndpointId}/replays/{webhookReplayId}',
    needsApiKey: true,
    takesIdempotencyKey: false,
    takesIfMatch: false,
  },
} as const;
