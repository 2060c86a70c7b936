// Written by "npm run client-types" from docs/openapi.json. Not to be changed by hand.

/** An Ed25519 public key (RFC 8037). */
export interface WebhookJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  /** The 32 bytes of the key, in base64url. */
  readonly x: string;
  /** The thumbprint of the key (RFC 7638). */
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: 'EdDSA';
  /** The key in the format of Standard Webhooks 1.0: `whpk_` and the 32 bytes of the key in base64. */
  readonly publicKey: string;
  /** The time at which the key expires. Signatures made after that do not use it. */
  readonly expiresAt: string | null;
}

/** The keys that verify the `v1a` signatures of an endpoint, as a JWK Set (RFC 7517). */
export interface WebhookKeys {
  /** The keys, newest first. Two keys are valid during the overlap of a rotation. */
  readonly keys: readonly WebhookJwk[];
}

export interface Balance {
  /** The currency or asset of the balance. ISO 4217 code. Absent for an asset. */
  readonly currency?: string | undefined;
  /** The currency or asset of the balance. Asset code. Absent for a currency. */
  readonly asset?: string | undefined;
  /** Can be paid out. */
  readonly available: string;
  /** Held for payments that are under way. */
  readonly reserved: string;
  /** On its way in. */
  readonly pending: string;
  /** Owed to us, zero or negative: a credit that the bank took back was spent. Whatever comes in repays it first. */
  readonly receivable: string;
}

export type BalanceName = 'AVAILABLE' | 'RESERVED' | 'PENDING' | 'RECEIVABLE';

export type BalanceTransactionType =
  | 'DEPOSIT'
  | 'PAYMENT_HOLD'
  | 'PAYMENT'
  | 'PAYMENT_RELEASE'
  | 'PAYMENT_RETURN'
  | 'DEPOSIT_REVERSAL'
  | 'RECEIVABLE_REPAYMENT'
  | 'ADJUSTMENT'
  | 'FEE';

export type PaymentKind = 'PAYOUT' | 'WITHDRAWAL';

/** A single change of one balance. Transactions are immutable. */
export interface BalanceTransaction {
  readonly id: string;
  /** The type of the transaction. More values may be added. */
  readonly type: BalanceTransactionType;
  /**
   * The balance that changes. AVAILABLE: funds that you can pay out. RESERVED: funds held for payments. PENDING:
   * incoming funds that are not available yet. RECEIVABLE: the amount that you owe.
   */
  readonly balance: BalanceName;
  /** The currency or asset of the balance. ISO 4217 code. Absent for an asset. */
  readonly currency?: string | undefined;
  /** The currency or asset of the balance. Asset code. Absent for a currency. */
  readonly asset?: string | undefined;
  /** The change of the balance, in major units. Negative for a decrease. */
  readonly amount: string;
  /** The balance after the transaction, in major units. */
  readonly balanceAfter: string;
  /** The resource that caused the transaction. Null for incoming funds. */
  readonly source: {
    /** The type of the source. More values may be added. */
    readonly type: 'payment';
    readonly id: string;
    /** The kind of the payment. WITHDRAWAL: a payment to a bank account of your own company. */
    readonly kind: PaymentKind;
  } | null;
  /** The `externalId` of the payment. */
  readonly externalId: string | null;
  /** A description for people. The text may change. */
  readonly description: string;
  /** The time at which the transaction was booked. Use the order of the list, not this time, to order transactions. */
  readonly createdAt: string;
}

/** The parts of `closingBalance`. */
export interface ClosingBalances {
  /** The funds that you could pay out, in major units. */
  readonly available: string;
  /** The funds held for payments, in major units. */
  readonly reserved: string;
  /** The incoming funds that were not available yet, in major units. */
  readonly pending: string;
  /** The amount that you owed, in major units. Zero or negative. */
  readonly receivable: string;
}

/** The statement of one day in one currency or asset, without its entries. Statements are immutable. */
export interface BalanceStatementSummary {
  /** The currency or asset of the balance. ISO 4217 code. Absent for an asset. */
  readonly currency?: string | undefined;
  /** The currency or asset of the balance. Asset code. Absent for a currency. */
  readonly asset?: string | undefined;
  /** The day of the statement, in UTC (YYYY-MM-DD). */
  readonly date: string;
  /** The total balance at the start of the day, in major units. Equals the `closingBalance` of the previous day. */
  readonly openingBalance: string;
  /** The total balance at the end of the day, in major units: `openingBalance` plus the amounts of all entries. */
  readonly closingBalance: string;
  readonly closing: ClosingBalances;
  /** The time at which the day was closed. */
  readonly closedAt: string;
}

export type StatementFormat = 'json' | 'csv' | 'camt.053';

/** A booking of the day. */
export interface BalanceStatementEntry {
  /** The id of the balance transaction. If the entry combines several transactions, the id of the first one. */
  readonly id: string;
  /** The type of the transaction. More values may be added. */
  readonly type: BalanceTransactionType;
  /** A description for people. The text may change. */
  readonly description: string;
  /** The amount of the entry, in major units. Negative for outgoing funds. */
  readonly amount: string;
  /** The total balance after the entry, in major units. */
  readonly balanceAfter: string;
  /** The id of the payment. Null if no payment caused the entry. */
  readonly paymentId: string | null;
  /** Your own id for the payment. */
  readonly externalId: string | null;
  /** The END_TO_END_ID of the payment, which also appears on the bank's statement. */
  readonly reference: string | null;
  /** The time at which the entry was booked. */
  readonly bookedAt: string;
}

/** The statement of one day in one currency or asset, with all its entries. Statements are immutable. */
export interface BalanceStatement {
  /** The currency or asset of the balance. ISO 4217 code. Absent for an asset. */
  readonly currency?: string | undefined;
  /** The currency or asset of the balance. Asset code. Absent for a currency. */
  readonly asset?: string | undefined;
  /** The day of the statement, in UTC (YYYY-MM-DD). */
  readonly date: string;
  /** The total balance at the start of the day, in major units. Equals the `closingBalance` of the previous day. */
  readonly openingBalance: string;
  /** The total balance at the end of the day, in major units: `openingBalance` plus the amounts of all entries. */
  readonly closingBalance: string;
  readonly closing: ClosingBalances;
  /** The time at which the day was closed. */
  readonly closedAt: string;
  readonly entries: readonly BalanceStatementEntry[];
  /** The number of entries. */
  readonly entryCount: number;
  /** The sum of all incoming entries, in major units. */
  readonly totalCredits: string;
  /** The sum of all outgoing entries, in major units. Zero or negative. */
  readonly totalDebits: string;
}

export type HolderType = 'INDIVIDUAL' | 'BUSINESS';

export interface Address {
  /** The street and house number. */
  readonly line1: string;
  /** The floor, unit, or similar. */
  readonly line2?: string | undefined;
  /** The city or town. */
  readonly city: string;
  /** The state, province, or region. */
  readonly region?: string | undefined;
  /** The postal code, in the format of the country. */
  readonly postalCode?: string | undefined;
  /** A two-letter ISO 3166-1 country code. */
  readonly country: string;
}

/** A bank account to pay to. You cannot change it later. */
export interface NewBankAccount {
  /** The id of the end-user whose payments go to the account. */
  readonly endUserId: string;
  /** The country of the account, as a two-letter ISO 3166-1 code. */
  readonly country: string;
  /** The currency of the account, as a three-letter ISO 4217 code. */
  readonly currency: string;
  /**
   * The rail that carries payments to the account. One of SWIFT, MOBILE_MONEY, SEPA, SEPA_INSTANT, FPS, SIC, CERTIS,
   * ELIXIR, GIRO_HU, STRAKS, BANKGIROT, NICS, SENT, SEP_UA, ACH, FEDWIRE, EFT, INTERAC, SPEI, PIX, CBU, TEF, CCE,
   * ACH_CO, SINPE, UPI, IMPS, BEFTN, CEFTS, FAST, PROMPTPAY, INSTAPAY, DUITNOW, BI_FAST, NAPAS, FPS_HK, CNAPS, ACH_TW,
   * ZENGIN, KFTC, BECS, NPP, BECS_NZ, UAEFTS, SARIE, FAST_TR, RAAST, IPN, CLIQ, FAWRI_PLUS, MASAV, NIP, GIP, PESALINK,
   * RTC. Default: the default rail of the corridor.
   */
  readonly rail?: string | undefined;
  /** The full name of the account holder. */
  readonly holderName: string;
  /** The type of the account holder: a person or a business. */
  readonly holderType: HolderType;
  readonly holderAddress?: Address | undefined;
  /**
   * The account details. `GET /bank-account-requirements` lists the fields for each country and rail. Printed spaces
   * and hyphens are accepted.
   */
  readonly details: Readonly<Record<string, unknown>>;
}

export type Rail =
  | 'SWIFT' | 'MOBILE_MONEY' | 'SEPA' | 'SEPA_INSTANT' | 'FPS' | 'SIC' | 'CERTIS'
  | 'ELIXIR' | 'GIRO_HU' | 'STRAKS' | 'BANKGIROT' | 'NICS' | 'SENT' | 'SEP_UA'
  | 'ACH' | 'FEDWIRE' | 'EFT' | 'INTERAC' | 'SPEI' | 'PIX' | 'CBU' | 'TEF' | 'CCE'
  | 'ACH_CO' | 'SINPE' | 'UPI' | 'IMPS' | 'BEFTN' | 'CEFTS' | 'FAST' | 'PROMPTPAY'
  | 'INSTAPAY' | 'DUITNOW' | 'BI_FAST' | 'NAPAS' | 'FPS_HK' | 'CNAPS' | 'ACH_TW'
  | 'ZENGIN' | 'KFTC' | 'BECS' | 'NPP' | 'BECS_NZ' | 'UAEFTS' | 'SARIE'
  | 'FAST_TR' | 'RAAST' | 'IPN' | 'CLIQ' | 'FAWRI_PLUS' | 'MASAV' | 'NIP' | 'GIP'
  | 'PESALINK' | 'RTC';

export type BankAccountStatus = 'PENDING' | 'ACTIVE' | 'DISABLED';

export type NameCheck = 'MATCH' | 'CLOSE_MATCH' | 'NO_MATCH' | 'UNAVAILABLE' | 'NOT_SUPPORTED';

/** A bank account with masked details. */
export interface BankAccount {
  readonly id: string;
  readonly endUserId: string;
  readonly country: string;
  /** The currency of the account, as a three-letter ISO 4217 code. */
  readonly currency: string;
  readonly rail: Rail;
  readonly holderName: string;
  /** The type of the account holder: a person or a business. */
  readonly holderType: HolderType;
  readonly holderAddress?: Address | undefined;
  /** The account details, masked. Each value shows its last four characters at most, and never its first two. */
  readonly details: Readonly<Record<string, string>>;
  /** The last four characters of the account number. */
  readonly last4: string;
  /** An opaque value that is the same for the same account of any of your end-users. */
  readonly fingerprint: string;
  /** The name of the bank. Null if no bank directory lists it. */
  readonly bankName: string | null;
  /**
   * The status of the account. You can pay to an ACTIVE account only. PENDING: an account of your own company that
   * awaits approval by the operators of the service.
   */
  readonly status: BankAccountStatus;
  /**
   * The result of the name check at registration, which compares `holderName` with the name that the bank has.
   * NO_MATCH: payments are refused with `payee_name_mismatch`.
   */
  readonly nameCheck: NameCheck;
  /** The version of the resource. It increases by one with every change. */
  readonly version: number;
  /** The time at which the resource was created. */
  readonly createdAt: string;
  /** The time of the last change. */
  readonly updatedAt: string;
}

/** The fields that a bank account needs on one rail. */
export interface BankAccountRequirements {
  readonly country: string;
  /** The currency of the account, as a three-letter ISO 4217 code. */
  readonly currency: string;
  readonly rail: Rail;
  /** The type of the account holder: a person or a business. */
  readonly holderType: HolderType;
  /** A JSON Schema (2020-12) of the body of `POST /bank-accounts` without `endUserId`. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export type CorridorStatus = 'ACTIVE' | 'SUSPENDED';

export interface CutOff {
  /** The local time of day, as HH:MM. */
  readonly time: string;
  /** The IANA name of the time zone. */
  readonly timeZone: string;
}

export type Weekday = 'MON' | 'TUE' | 'WED' | 'THU' | 'FRI' | 'SAT' | 'SUN';

export interface Holidays {
  /** The name of the holiday calendar. Null if the operator of the service sets the days. */
  readonly calendar: string | null;
  readonly closedWeekdays: readonly Weekday[];
  readonly dates: readonly string[];
}

export interface CorridorTermSource {
  /**
   * The kind of the source. SOURCE: a published document. DEFAULT: a default of the product. OPERATOR: a setting of the
   * operator of the service.
   */
  readonly kind: 'SOURCE' | 'DEFAULT' | 'OPERATOR';
  /** The title of the document. */
  readonly title?: string | undefined;
  /** The date of the document, or a date on which it was valid: YYYY, YYYY-MM, or YYYY-MM-DD. */
  readonly date?: string | undefined;
}

export interface Corridor {
  /** A two-letter ISO 3166-1 country code. */
  readonly country: string;
  /** A three-letter ISO 4217 currency code. */
  readonly currency: string;
  readonly rail: Rail;
  /** Whether a new bank account uses this rail if it names no rail. */
  readonly isDefault: boolean;
  /** Null if no limit is known. */
  readonly min: string | null;
  /** Null if no limit is known. */
  readonly max: string | null;
  /**
   * The cut-off time. A payment released later leaves on the next banking day. If null with a source, the rail has no
   * cut-off. If null without a source, the cut-off is not known.
   */
  readonly cutOff: CutOff | null;
  /**
   * The days without settlement in this year and the next. If null with a source, the rail settles every day. If null
   * without a source, the days are not known.
   */
  readonly holidays: Holidays | null;
  /** The number of banking days after the day of sending by which the beneficiary is credited. Null if not known. */
  readonly settlementDays: number | null;
  /** The number of banking days within which the beneficiary's bank may return a payment. Null if not known. */
  readonly returnWindowDays: number | null;
  /** Whether banks may deduct charges from returned funds. */
  readonly returnsMayBeDeducted: boolean;
  /** The status of the corridor. Payments are accepted and sent only while it is ACTIVE. */
  readonly status: CorridorStatus;
  /** The source of each value. */
  readonly sources: {
    /** The source of a value. Null if no source states the value. */
    readonly min: CorridorTermSource | null;
    /** The source of a value. Null if no source states the value. */
    readonly max: CorridorTermSource | null;
    /** The source of a value. Null if no source states the value. */
    readonly cutOff: CorridorTermSource | null;
    /** The source of a value. Null if no source states the value. */
    readonly holidays: CorridorTermSource | null;
    /** The source of a value. Null if no source states the value. */
    readonly settlementDays: CorridorTermSource | null;
    /** The source of a value. Null if no source states the value. */
    readonly returnWindowDays: CorridorTermSource | null;
    /** The source of a value. Null if no source states the value. */
    readonly returnsMayBeDeducted: CorridorTermSource | null;
    /** The source of a value. Null if no source states the value. */
    readonly status: CorridorTermSource | null;
  };
}

export type NetworkName = 'ETHEREUM' | 'BASE' | 'OPTIMISM' | 'ARBITRUM' | 'POLYGON';

export type NetworkStatus = 'ACTIVE' | 'PAUSED';

/** A blockchain network that carries tokens. */
export interface Network {
  readonly network: NetworkName;
  /** EIP-155. */
  readonly chainId: number;
  readonly assets: readonly {
    readonly asset: string;
    /** The address of the token contract. A token of another contract is another token. */
    readonly contract: string;
    /** The minimum amount of a payment, in major units. */
    readonly min: string;
    /** The maximum amount of a payment, in major units. */
    readonly max: string;
  }[];
  readonly confirmations: {
    /** The depth at which a deposit of up to 10,000 units of the asset is credited. */
    readonly credit: {
      /** The required depth below the newest block, in blocks. Null if `tag` decides. */
      readonly blocks: number | null;
      /** The block tag that a node of the network must report. Null if `blocks` decides. */
      readonly tag: 'safe' | 'finalized' | null;
    };
    /** The depth at which a deposit of more than 10,000 units of the asset is credited. */
    readonly creditAbove: {
      /** The required depth below the newest block, in blocks. Null if `tag` decides. */
      readonly blocks: number | null;
      /** The block tag that a node of the network must report. Null if `blocks` decides. */
      readonly tag: 'safe' | 'finalized' | null;
    };
    /** The depth at which a transfer is final. */
    readonly final: {
      /** The required depth below the newest block, in blocks. Null if `tag` decides. */
      readonly blocks: number | null;
      /** The block tag that a node of the network must report. Null if `blocks` decides. */
      readonly tag: 'safe' | 'finalized' | null;
    };
  };
  /** The status of the network. PAUSED: no new transfers are sent over the network. */
  readonly status: NetworkStatus;
}

export type WalletOwnership = 'SELF_HOSTED' | 'HOSTED';

/** The provider of a HOSTED wallet. */
export interface Vasp {
  /** The name of the provider. */
  readonly name: string;
  /** The country of the provider, as a two-letter ISO 3166-1 code. */
  readonly country: string;
}

/** A wallet to pay to. You cannot change it later. A HOSTED wallet requires `vasp`. */
export interface NewWallet {
  /** The id of the end-user who owns the wallet. Default: your own company. */
  readonly endUserId?: string | undefined;
  /** The network of the wallet, one that `GET /networks` lists: ETHEREUM, BASE, OPTIMISM, ARBITRUM, POLYGON. */
  readonly network: string;
  /**
   * The address: `0x` and 40 hexadecimal digits, all lowercase, all uppercase, or with an EIP-55 checksum. It must not
   * be the zero address, a precompiled contract, a token contract, or an address of the service.
   */
  readonly address: string;
  /** Who controls the key. SELF_HOSTED: the owner. HOSTED: a provider. */
  readonly ownership: WalletOwnership;
  readonly vasp?: Vasp | undefined;
}

export interface WalletVasp {
  readonly name: string;
  readonly country: string;
}

export type WalletStatus = 'PENDING' | 'ACTIVE' | 'REJECTED' | 'DISABLED';

export interface WalletProof {
  /** The message to sign with the key of the wallet (EIP-191, `personal_sign`). */
  readonly message: string;
}

/** A wallet to pay to. */
export interface Wallet {
  readonly id: string;
  /** The id of the end-user who owns the wallet. Null for a wallet of your own company. */
  readonly endUserId: string | null;
  readonly network: NetworkName;
  /** The address with its EIP-55 checksum. `****` if the end-user was erased. */
  readonly address: string;
  /** Who controls the key. SELF_HOSTED: the owner. HOSTED: a provider. */
  readonly ownership: WalletOwnership;
  /** The provider of a HOSTED wallet. Null for a SELF_HOSTED wallet. */
  readonly vasp: WalletVasp | null;
  /**
   * The status of the wallet. You can pay to an ACTIVE wallet only. PENDING: the screening of the address is not
   * complete. REJECTED: the address is on a sanctions list.
   */
  readonly status: WalletStatus;
  /** The proof of ownership. Null if the wallet needs no proof. */
  readonly proof: WalletProof | null;
  /** The time at which a signature proved the ownership. Null before that. */
  readonly provedAt: string | null;
  /** The version of the resource. It increases by one with every change. */
  readonly version: number;
  /** The time at which the resource was created. */
  readonly createdAt: string;
  /** The time of the last change. */
  readonly updatedAt: string;
}

/** A signature that proves the ownership of a wallet. */
export interface NewProof {
  /**
   * The signature of `proof.message`, as `0x` and hexadecimal digits: 65 bytes (r, s, and v) for a key (EIP-191), or
   * the signature that the contract at the address accepts (ERC-1271).
   */
  readonly signature: string;
}

/** An address that receives deposits. You cannot change it later. */
export interface NewDepositAddress {
  /**
   * The id of the end-user that the address is for. Required with `bankAccountId` or `walletId`. Default: your own
   * company.
   */
  readonly endUserId?: string | undefined;
  /** The id of a bank account of the end-user that receives each deposit. */
  readonly bankAccountId?: string | undefined;
  /**
   * The id of a wallet of the end-user or of your own company that receives each deposit, instead of `bankAccountId`.
   * If you name neither, deposits stay in your balance.
   */
  readonly walletId?: string | undefined;
  /**
   * The minimum amount of a deposit that is paid on, in units of the deposited asset, with up to 6 decimals. Default:
   * every deposit is paid on. In major units, as a number or decimal text. Greater than 0 and less than 1000000000000,
   * with no more decimals than its currency or asset has. Trailing zeros count as decimals. Signs and exponents are not
   * allowed.
   */
  readonly minAmount?: string | undefined;
}

export interface ReceivingNetwork {
  readonly network: NetworkName;
  readonly assets: readonly string[];
}

export type DepositAddressStatus = 'ACTIVE' | 'DISABLED';

/** A permanent address that receives deposits. */
export interface DepositAddress {
  readonly id: string;
  /** The id of the end-user that the address is for. Null for your own company. */
  readonly endUserId: string | null;
  /** The id of the bank account that receives each deposit. Null if deposits are not paid on to a bank account. */
  readonly bankAccountId: string | null;
  /** The id of the wallet that receives each deposit. Null if deposits are not paid on to a wallet. */
  readonly walletId: string | null;
  /** The minimum amount of a deposit that is paid on, in units of the deposited asset. */
  readonly minAmount: string;
  /** The address with its EIP-55 checksum. It is the same on every network. */
  readonly address: string;
  /** The networks and tokens that the address accepts. Other tokens sent to the address are not detected. */
  readonly networks: readonly ReceivingNetwork[];
  /** The status of the address. Deposits to a DISABLED address are credited to your balance but not paid on. */
  readonly status: DepositAddressStatus;
  /** The version of the resource. It increases by one with every change. */
  readonly version: number;
  /** The time at which the resource was created. */
  readonly createdAt: string;
  /** The time of the last change. */
  readonly updatedAt: string;
}

export type DepositStatus = 'SEEN' | 'CREDITED' | 'FINAL' | 'ORPHANED' | 'BLOCKED' | 'KEPT';

export interface Confirmations {
  /** The number of blocks above the block of the deposit. */
  readonly have: number;
  /**
   * The number of blocks required to credit the deposit. While the deposit is SEEN, the number depends on the sum of
   * your recent deposits. Null if a block tag decides (see `GET /networks`).
   */
  readonly need: number | null;
}

export type DepositUse = 'PAYMENT' | 'BALANCE' | 'SUSPENSE';

export type DepositReason =
  | 'LATE'
  | 'SURPLUS'
  | 'UNDERPAID'
  | 'WRONG_ASSET'
  | 'WRONG_NETWORK'
  | 'BELOW_MINIMUM'
  | 'PAYMENT_REFUSED';

export interface DepositOnward {
  /** The id of the payment that pays the deposit on or refunds the excess. */
  readonly paymentId: string | null;
  /** The error code if no payment was made: a code of `POST /payments`, or `deposit_address_disabled`. */
  readonly code: string | null;
}

/** Tokens received at one of your addresses. */
export interface Deposit {
  readonly id: string;
  readonly network: NetworkName;
  /** The code of the received asset. */
  readonly asset: string;
  /** The received amount, in major units. */
  readonly amount: string;
  /** The address of the sender. It often belongs to an exchange: do not send refunds to it. */
  readonly from: string;
  /** The address that received the deposit. */
  readonly address: string;
  readonly txHash: string;
  readonly confirmations: Confirmations;
  /**
   * The status of the deposit. SEEN: a block contains the transfer. CREDITED: the deposit is credited. FINAL: the
   * deposit cannot be reversed. ORPHANED: the block was removed from the chain, and the transfer may be mined again.
   * BLOCKED: the sender is on a sanctions list. KEPT: the deposit is blocked permanently.
   */
  readonly status: DepositStatus;
  /** Where the deposit was credited. Null while it is not credited. */
  readonly appliedTo: DepositUse | null;
  /**
   * The reason why the deposit, or a part of it, was credited to your balance instead of its payment. Null if it was
   * not.
   */
  readonly reason: DepositReason | null;
  /** The id of the payment that the address belongs to. Null for a deposit address. */
  readonly paymentId: string | null;
  /** The id of the deposit address. Null for the address of a payment. */
  readonly depositAddressId: string | null;
  /**
   * The result of paying the deposit on or of refunding the excess. It is set soon after the deposit is FINAL. Null
   * before that, or if neither is requested.
   */
  readonly onward: DepositOnward | null;
  /** The timestamp of the block that contains the deposit, or that last contained it. */
  readonly minedAt: string;
  /** The version of the resource. It increases by one with every change. */
  readonly version: number;
  /** The time at which the deposit was first seen. */
  readonly createdAt: string;
  /** The time of the last change. */
  readonly updatedAt: string;
}

/** The amount and the destination of a refund. */
export interface NewDepositRefund {
  /** The id of an ACTIVE wallet of the deposit's end-user or of your own company. */
  readonly walletId: string;
  /**
   * The amount that the wallet receives, in the asset of the deposit. Default: the amount that is not refunded yet. In
   * major units, as a number or decimal text. Greater than 0 and less than 1000000000000, with no more decimals than
   * its currency or asset has. Trailing zeros count as decimals. Signs and exponents are not allowed.
   */
  readonly amount?: string | undefined;
  /**
   * The id of the end-user on whose behalf the refund is paid. Required only if neither the deposit nor the wallet
   * belongs to an end-user.
   */
  readonly endUserId?: string | undefined;
}

export type PaymentStatus =
  | 'PROCESSING'
  | 'ON_HOLD'
  | 'SENT'
  | 'COMPLETED'
  | 'FAILED'
  | 'CANCELED'
  | 'EXPIRED'
  | 'RETURNED';

export type FundsStatus =
  | 'AWAITED'
  | 'ARRIVING'
  | 'HELD'
  | 'IN_RAIL'
  | 'DELIVERED'
  | 'BACK_IN_BALANCE'
  | 'UNKNOWN';

export type Finality = 'NONE' | 'PROVISIONAL' | 'FINAL';

export interface PaymentFinality {
  readonly state: Finality;
  /** The time at which the payment became final. */
  readonly finalAt: string | null;
  /** The earliest time at which the payment becomes final: the end of the return window of its rail. */
  readonly dueAt: string | null;
}

export interface PaymentSource {
  /** The currency or asset of the balance that pays. ISO 4217 code. Absent for an asset. */
  readonly currency?: string | undefined;
  /** The currency or asset of the balance that pays. Asset code. Absent for a currency. */
  readonly asset?: string | undefined;
  /** The total amount that the balance pays, in major units, including fees. */
  readonly amount: string;
}

export type FundingType = 'BALANCE' | 'CRYPTO_DEPOSIT';

/** The funding of the payment. For BALANCE, all fields except `type` are null. */
export interface Funding {
  /**
   * The source of the funds. BALANCE: your balance pays immediately. CRYPTO_DEPOSIT: tokens sent to an address for this
   * payment pay for it, after they are credited.
   */
  readonly type: FundingType;
  /** The code of the asset to send. */
  readonly asset: string | null;
  /** The network to use for the deposit. */
  readonly network: string | null;
  /**
   * The address to send the deposit to. It belongs to this payment only. Late deposits and excess amounts are credited
   * to your balance.
   */
  readonly address: string | null;
  /** The total amount to send, in major units, including fees. You can send it in several deposits. */
  readonly amountDue: string | null;
  /** The credited amount that counts toward the payment, in major units. */
  readonly amountReceived: string | null;
  /**
   * The deadline for deposits. The timestamp of the block that contains the deposit decides, even if the deposit is
   * confirmed later.
   */
  readonly expiresAt: string | null;
  /**
   * The id of the wallet that receives refunds: late deposits, excess amounts, partial deposits of a payment that
   * expired, and deposits of another asset or network. Null if these stay in your balance.
   */
  readonly refundWalletId: string | null;
}

export type OnQuoteExpiry = 'FAIL' | 'REQUOTE';

export type FeeType = 'SERVICE' | 'NETWORK' | 'RAIL' | 'FIXED' | 'PERCENTAGE' | 'ROUNDING';

/** A fee that is part of the source amount. */
export interface Fee {
  /** The type of the fee. More values may be added. */
  readonly type: FeeType;
  /** The amount of the fee, in major units of the source. It is part of the source amount. */
  readonly amount: string;
  /** The currency or asset of the source. ISO 4217 code. Absent for an asset. */
  readonly currency?: string | undefined;
  /** The currency or asset of the source. Asset code. Absent for a currency. */
  readonly asset?: string | undefined;
  /** The variable part of the fee, in basis points. Null if the fee is a fixed amount. */
  readonly bps: number | null;
  /** A description for people. The text may change. */
  readonly description: string;
}

export type FailureCategory =
  | 'BANK_REJECTED'
  | 'BENEFICIARY_REFUSED'
  | 'RECALLED'
  | 'COMPLIANCE'
  | 'KYC'
  | 'NOT_FUNDED'
  | 'CUSTOMER'
  | 'INTERNAL';

export type FailureAction =
  | 'CORRECT_ACCOUNT'
  | 'CORRECT_PAYMENT'
  | 'ASK_BENEFICIARY'
  | 'RETRY_LATER'
  | 'CONTACT_SUPPORT'
  | 'DO_NOT_RETRY';

export interface PaymentFailure {
  /** A code of `GET /failure-codes`. More values may be added. */
  readonly code: string;
  /** The origin of the failure. More values may be added. */
  readonly category: FailureCategory;
  /** A description for developers. */
  readonly message: string;
  /** Whether a new payment with the same data and a new Idempotency-Key may succeed. */
  readonly retryable: boolean;
  /** What to do next. More values may be added. */
  readonly action: FailureAction;
  /** The code that the bank gave. Null if the bank gave no code, or a code that cannot be disclosed. */
  readonly railCode: string | null;
}

export interface PaymentReturn {
  /** The code that the bank gave, as in `railCode`. */
  readonly reason: string | null;
  /** A code of `GET /failure-codes`. More values may be added. */
  readonly code: string;
  /** The origin of the failure. More values may be added. */
  readonly category: FailureCategory;
  /** A description for developers. */
  readonly message: string;
  /** Whether a new payment with the same data and a new Idempotency-Key may succeed. */
  readonly retryable: boolean;
  /** What to do next. More values may be added. */
  readonly action: FailureAction;
  /** The code that the bank gave. Null if the bank gave no code, or a code that cannot be disclosed. */
  readonly railCode: string | null;
  /** The amount that was returned, in major units. */
  readonly amount: string;
  /** The amount that the bank deducted, in major units. */
  readonly fee: string;
  readonly credited: {
    /** The currency or asset of the balance that paid. ISO 4217 code. Absent for an asset. */
    readonly currency?: string | undefined;
    /** The currency or asset of the balance that paid. Asset code. Absent for a currency. */
    readonly asset?: string | undefined;
    /** The amount credited back to the balance, in major units: the returned amount at the rate of the payment. */
    readonly amount: string;
  };
  /** The time of the return. */
  readonly at: string;
  /**
   * Whether the return arrived after the payment was final. The payment then stays COMPLETED, and the amount is
   * credited.
   */
  readonly late: boolean;
}

export interface PaymentReference {
  /**
   * The type of the reference: END_TO_END_ID, BANK_REFERENCE, or, for a payment to a wallet, TX_HASH. More values may
   * be added.
   */
  readonly type: string;
  readonly value: string;
}

export type ReconciliationStatus = 'PENDING' | 'RECONCILED' | 'EXCEPTION';

/**
 * The expected arrival, from the cut-off, banking days, and holidays of the corridor. It can change without a new
 * `version`. Events do not contain it.
 */
export interface PaymentArrival {
  /** Null if the time is not known. */
  readonly at: string | null;
  /** The reason why `at` is null. More values may be added. */
  readonly reason:
    | 'SPEED_NOT_STATED'
    | 'HOLIDAYS_NOT_STATED'
    | 'RAIL_NEVER_OPENS'
    | 'AWAITS_DEPOSIT'
    | 'CORRIDOR_UNAVAILABLE'
    | 'PAYMENT_ENDED'
    | 'NOT_RECORDED' | null;
}

export interface PaymentStatusChange {
  /** The status of the payment. */
  readonly status: PaymentStatus;
  /**
   * The reason for the status. One of AWAITING_DEPOSIT, DEPOSIT_SEEN, QUEUED, SCHEDULED, SUBMITTING, OUTCOME_UNKNOWN,
   * STALLED, IN_RAIL, RETRYING, SETTLEMENT_FAILED, KYC_WITHDRAWN, COMPLIANCE_REVIEW, COMPLIANCE_DECLINED,
   * CUSTOMER_SUSPENDED, END_USER_NOT_ACTIVE, BANK_ACCOUNT_DISABLED, WALLET_NOT_ACTIVE, WALLET_NOT_PROVED, TRAVEL_RULE,
   * TRAVEL_RULE_REJECTED, CORRIDOR_UNAVAILABLE, QUOTE_EXPIRED, AWAITING_RATE, REQUOTED, CUSTOMER_APPROVAL,
   * APPROVAL_EXPIRED, RELEASE_STOPPED, AWAITING_LIQUIDITY, NETWORK_CONGESTED, SIGNING_STOPPED, ENGINE_FAULT, DELIVERED,
   * REJECTED_BY_BANK, VOIDED, REVERTED, RETURNED_BY_BANK, CANCELED_ON_REQUEST, DEPOSIT_EXPIRED, DEPOSIT_UNDERPAID. More
   * values may be added.
   */
  readonly statusDetail: string;
  /** The time of the status change. */
  readonly at: string;
  /** The version of the resource. It increases by one with every change. */
  readonly version: number;
}

/** A payment to a bank account or a wallet. */
export interface Payment {
  readonly id: string;
  /**
   * The kind of the payment. WITHDRAWAL: a payment to a bank account of your own company. PAYOUT: every other payment.
   */
  readonly kind: PaymentKind;
  /** The status of the payment. */
  readonly status: PaymentStatus;
  /**
   * The reason for the status. One of AWAITING_DEPOSIT, DEPOSIT_SEEN, QUEUED, SCHEDULED, SUBMITTING, OUTCOME_UNKNOWN,
   * STALLED, IN_RAIL, RETRYING, SETTLEMENT_FAILED, KYC_WITHDRAWN, COMPLIANCE_REVIEW, COMPLIANCE_DECLINED,
   * CUSTOMER_SUSPENDED, END_USER_NOT_ACTIVE, BANK_ACCOUNT_DISABLED, WALLET_NOT_ACTIVE, WALLET_NOT_PROVED, TRAVEL_RULE,
   * TRAVEL_RULE_REJECTED, CORRIDOR_UNAVAILABLE, QUOTE_EXPIRED, AWAITING_RATE, REQUOTED, CUSTOMER_APPROVAL,
   * APPROVAL_EXPIRED, RELEASE_STOPPED, AWAITING_LIQUIDITY, NETWORK_CONGESTED, SIGNING_STOPPED, ENGINE_FAULT, DELIVERED,
   * REJECTED_BY_BANK, VOIDED, REVERTED, RETURNED_BY_BANK, CANCELED_ON_REQUEST, DEPOSIT_EXPIRED, DEPOSIT_UNDERPAID. More
   * values may be added.
   */
  readonly statusDetail: string;
  /** The location of the funds. More values may be added. */
  readonly fundsStatus: FundsStatus;
  readonly finality: PaymentFinality;
  /** Whether the network can still reverse the payment. Always false for a payment to a bank account. */
  readonly preliminary: boolean;
  /**
   * Whether you can still cancel the payment with `POST /payments/{id}/cancel`. True until a part of it has been sent.
   */
  readonly cancelable: boolean;
  /** The requested day of sending. Null if you requested none. */
  readonly scheduledFor: string | null;
  /** The time at which the payment is sent: when the rail opens on that day, or on the next day on which it opens. */
  readonly releaseAt: string | null;
  readonly endUserId: string;
  /** The id of the bank account. Null for a payment to a wallet. */
  readonly bankAccountId: string | null;
  /** The id of the wallet. Null for a payment to a bank account. */
  readonly walletId: string | null;
  /** The rail of the payment. For a payment to a wallet, the network of the wallet. */
  readonly rail: string;
  /** The network of the wallet. Null for a payment to a bank account. */
  readonly network: string | null;
  /** The amount that the beneficiary receives, in major units. */
  readonly amount: string;
  /** The currency or asset that the beneficiary receives. ISO 4217 code. Absent for an asset. */
  readonly currency?: string | undefined;
  /** The currency or asset that the beneficiary receives. Asset code. Absent for a currency. */
  readonly asset?: string | undefined;
  /** The id of the quote that priced the payment. Null if there was no conversion. */
  readonly quoteId: string | null;
  readonly source: PaymentSource;
  readonly funding: Funding;
  /** The number of target units for one unit of the source, applied after fees. Null if there was no conversion. */
  readonly rate: string | null;
  /**
   * The time until which `rate` is held. A payment that was not sent by then, because it was on hold for example, fails
   * with `quote_expired`, and its funds go back, or is priced anew with `onQuoteExpiry` REQUOTE. Null if there was no
   * conversion.
   */
  readonly rateHeldUntil: string | null;
  /** What happens if the payment was not sent while its rate was held. Null if there was no conversion. */
  readonly onQuoteExpiry: OnQuoteExpiry | null;
  /**
   * The most that the payment may cost, in the currency or asset of `source`. It is reserved until the payment ends.
   * Null without REQUOTE.
   */
  readonly maxSourceAmount: string | null;
  /**
   * The time until which the payment may be priced anew, 24 hours after the first `rateHeldUntil`. A payment that was
   * not sent by then fails with `quote_expired`. Null without REQUOTE.
   */
  readonly requoteUntil: string | null;
  /** The fees, which are part of `source.amount`. They are refunded if the payment fails, but not if it is returned. */
  readonly fees: readonly Fee[];
  readonly externalId: string | null;
  readonly purpose: string | null;
  readonly failure: PaymentFailure | null;
  readonly return: PaymentReturn | null;
  /** The references that identify the payment at the bank, on its statements, or on the network. */
  readonly references: readonly PaymentReference[];
  /** The reconciliation of the payment with the bank's statement. */
  readonly reconciliation: {
    readonly status: ReconciliationStatus;
    readonly evidence: Readonly<Record<string, unknown>> | null;
  };
  /** The version of the resource. It increases by one with every change. */
  readonly version: number;
  /** The time at which the payment was accepted. */
  readonly createdAt: string;
  /** The time of the last change. */
  readonly updatedAt: string;
  readonly expectedArrival: PaymentArrival;
  readonly idempotencyKey: string;
  readonly reference: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly statusHistory: readonly PaymentStatusChange[];
}

export type EndUserType = 'INDIVIDUAL' | 'BUSINESS';

export interface TaxId {
  /** The country that issued the number, as a two-letter ISO 3166-1 code. */
  readonly country: string;
  /** The tax number. Answers show only its last four characters. */
  readonly number: string;
}

export interface Person {
  /** The given names. */
  readonly firstName: string;
  /** The family names. */
  readonly lastName: string;
  /** The date of birth, as YYYY-MM-DD. It must not be in the future. */
  readonly dateOfBirth?: string | undefined;
  /** A two-letter ISO 3166-1 country code. */
  readonly nationality?: string | undefined;
  /** The tax numbers, up to ten. */
  readonly taxIds?: readonly TaxId[] | undefined;
}

export type PersonRole = 'DIRECTOR' | 'BENEFICIAL_OWNER' | 'REPRESENTATIVE';

export interface BusinessPerson {
  /** The given names. */
  readonly firstName: string;
  /** The family names. */
  readonly lastName: string;
  /** The date of birth, as YYYY-MM-DD. It must not be in the future. */
  readonly dateOfBirth?: string | undefined;
  /** A two-letter ISO 3166-1 country code. */
  readonly nationality?: string | undefined;
  /** The tax numbers, up to ten. */
  readonly taxIds?: readonly TaxId[] | undefined;
  /** The role of the person in the business. */
  readonly role?: PersonRole | undefined;
}

export interface Business {
  /** The registered name of the business. */
  readonly legalName: string;
  /** The number in the company register. */
  readonly registrationNumber?: string | undefined;
  /** A two-letter ISO 3166-1 country code. */
  readonly incorporationCountry?: string | undefined;
  /** The people who represent or own the business. The first person completes the KYC check. */
  readonly persons: readonly BusinessPerson[];
}

/** A person or business on whose behalf you make payments. */
export interface NewEndUser {
  /** The type of the end-user. INDIVIDUAL requires `individual`, and BUSINESS requires `business`. */
  readonly type: EndUserType;
  /**
   * Your own id for the resource. It must be unique within the environment. Do not put personal data in it, because it
   * is not encrypted.
   */
  readonly externalId?: string | undefined;
  readonly individual?: Person | undefined;
  readonly business?: Business | undefined;
  /** The email address. */
  readonly email?: string | undefined;
  /**
   * The phone number in E.164 format: `+` and 7 to 15 digits, the first of which is not 0. Otherwise the answer is
   * `invalid_phone`.
   */
  readonly phone?: string | undefined;
  readonly address?: Address | undefined;
  /**
   * Your own key-value pairs: up to 50 pairs, with keys of up to 40 and values of up to 500 characters, 8 kB in total.
   * They are stored encrypted and never appear in events.
   */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

export type Relationship = 'CLIENT' | 'SELF';

export type EndUserStatus = 'ACTIVE' | 'SUSPENDED' | 'CLOSED';

export type KycStatus =
  | 'NOT_STARTED'
  | 'PENDING'
  | 'IN_REVIEW'
  | 'APPROVED'
  | 'REJECTED'
  | 'RESUBMISSION_REQUIRED'
  | 'EXPIRED'
  | 'REVOKED';

/** An end-user. Tax numbers show only their last four characters. */
export interface EndUser {
  readonly id: string;
  /** The type of the end-user. INDIVIDUAL requires `individual`, and BUSINESS requires `business`. */
  readonly type: EndUserType;
  /**
   * The relationship of the end-user to you. SELF: your own company. You have one at most, payments to its accounts are
   * withdrawals, and only the operators of the service can change it. CLIENT: every other end-user.
   */
  readonly relationship: Relationship;
  readonly externalId: string | null;
  /** The status of the end-user. You can make payments for an ACTIVE end-user only. */
  readonly status: EndUserStatus;
  /** The status of the newest KYC check. Payments require APPROVED. */
  readonly kycStatus: KycStatus;
  readonly individual?: Person | undefined;
  readonly business?: Business | undefined;
  /** The email address. */
  readonly email?: string | undefined;
  /**
   * The phone number in E.164 format: `+` and 7 to 15 digits, the first of which is not 0. Otherwise the answer is
   * `invalid_phone`.
   */
  readonly phone?: string | undefined;
  readonly address?: Address | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  /** The time at which the personal data was erased. Null if it was not. */
  readonly erasedAt: string | null;
  /** The version of the resource. It increases by one with every change. */
  readonly version: number;
  /** The time at which the resource was created. */
  readonly createdAt: string;
  /** The time of the last change. */
  readonly updatedAt: string;
}

export interface PersonPatch {
  /** The given names. */
  readonly firstName?: string | undefined;
  /** The family names. */
  readonly lastName?: string | undefined;
  /** The date of birth, as YYYY-MM-DD. It must not be in the future. */
  readonly dateOfBirth?: string | null | undefined;
  /** A two-letter ISO 3166-1 country code. */
  readonly nationality?: string | null | undefined;
  /** The tax numbers, up to ten. */
  readonly taxIds?: readonly TaxId[] | null | undefined;
}

export interface BusinessPatch {
  /** The registered name of the business. */
  readonly legalName?: string | undefined;
  /** The number in the company register. */
  readonly registrationNumber?: string | null | undefined;
  /** A two-letter ISO 3166-1 country code. */
  readonly incorporationCountry?: string | null | undefined;
  /** The people who represent or own the business. The first person completes the KYC check. */
  readonly persons?: readonly BusinessPerson[] | undefined;
}

export interface AddressPatch {
  /** The street and house number. */
  readonly line1?: string | undefined;
  /** The floor, unit, or similar. */
  readonly line2?: string | null | undefined;
  /** The city or town. */
  readonly city?: string | undefined;
  /** The state, province, or region. */
  readonly region?: string | null | undefined;
  /** The postal code, in the format of the country. */
  readonly postalCode?: string | null | undefined;
  /** A two-letter ISO 3166-1 country code. */
  readonly country?: string | undefined;
}

/**
 * The fields to change, as a JSON Merge Patch (RFC 7396). Null clears a field, an omitted field keeps its value, and an
 * array replaces the old one. The type cannot change.
 */
export interface EndUserPatch {
  /**
   * Your own id for the resource. It must be unique within the environment. Do not put personal data in it, because it
   * is not encrypted.
   */
  readonly externalId?: string | null | undefined;
  readonly individual?: PersonPatch | null | undefined;
  readonly business?: BusinessPatch | null | undefined;
  /** The email address. */
  readonly email?: string | null | undefined;
  /**
   * The phone number in E.164 format: `+` and 7 to 15 digits, the first of which is not 0. Otherwise the answer is
   * `invalid_phone`.
   */
  readonly phone?: string | null | undefined;
  readonly address?: AddressPatch | null | undefined;
  /**
   * Your own key-value pairs: up to 50 pairs, with keys of up to 40 and values of up to 500 characters, 8 kB in total.
   * They are stored encrypted and never appear in events.
   */
  readonly metadata?: Readonly<Record<string, string | null>> | null | undefined;
}

export interface FailureCode {
  /** A code of `GET /failure-codes`. More values may be added. */
  readonly code: string;
  /** The origin of the failure. More values may be added. */
  readonly category: FailureCategory;
  /** A description for developers. */
  readonly message: string;
  /** Whether a new payment with the same data and a new Idempotency-Key may succeed. */
  readonly retryable: boolean;
  /** What to do next. More values may be added. */
  readonly action: FailureAction;
  /** The recommended action, as a sentence. */
  readonly nextStep: string;
  /**
   * The rail codes that map to this failure code: codes of ISO 20022, Nacha, and the bank contract
   * (`bank-contract.md`). A code that means one thing in a rejection and another in a return is listed with both
   * failure codes.
   */
  readonly railCodes: readonly string[];
}

export type ResourceType =
  | 'payment'
  | 'payment_batch'
  | 'end_user'
  | 'kyc'
  | 'bank_account'
  | 'wallet'
  | 'deposit_address'
  | 'deposit'
  | 'funding_credit'
  | 'webhook_endpoint';

export type Environment = 'test' | 'live';

/** An event. `type` determines its schema. More types may be added. */
export type Event =
  | EndUserCreatedEvent | EndUserUpdatedEvent | EndUserClosedEvent
  | KycPendingEvent | KycInReviewEvent | KycApprovedEvent | KycRejectedEvent
  | KycResubmissionRequiredEvent | KycExpiredEvent | KycRevokedEvent
  | KycUpdatedEvent | BankAccountCreatedEvent | BankAccountActivatedEvent
  | BankAccountDisabledEvent | WalletCreatedEvent | WalletActivatedEvent
  | WalletVerifiedEvent | WalletRejectedEvent | WalletDisabledEvent
  | DepositAddressCreatedEvent | DepositAddressDisabledEvent | PaymentCreatedEvent
  | PaymentProcessingEvent | PaymentOnHoldEvent | PaymentSentEvent
  | PaymentCompletedEvent | PaymentFailedEvent | PaymentCanceledEvent
  | PaymentExpiredEvent | PaymentReturnedEvent | PaymentRequotedEvent
  | PaymentReconciledEvent | PaymentFinalEvent | PaymentUpdatedEvent
  | PaymentBatchCreatedEvent | PaymentBatchCompletedEvent | DepositSeenEvent
  | DepositCreditedEvent | DepositFinalEvent | DepositOrphanedEvent
  | DepositBlockedEvent | DepositKeptEvent | DepositUpdatedEvent
  | BalanceCreditedEvent | BalanceCreditReversedEvent
  | WebhookEndpointUpdatedEvent | WebhookEndpointDisabledEvent | PingEvent;

/** The options of a redelivery. */
export interface Redelivery {
  /** The id of the endpoint to send the event to. Default: all endpoints that subscribe to the event. */
  readonly webhookEndpointId?: string | undefined;
}

/** The result of a redelivery. */
export interface RedeliveryResult {
  readonly eventId: string;
  /** The ids of the endpoints that receive the event. */
  readonly webhookEndpointIds: readonly string[];
}

export interface FundingInstruction {
  /** A three-letter ISO 4217 currency code. Funds in another currency are not credited under this reference. */
  readonly currency: string;
  /** The rail on which the account receives funds. */
  readonly rail: string;
  /** The details of the account to pay to. The fields depend on the rail, such as `iban`, `bic`, or `accountNumber`. */
  readonly account: Readonly<Record<string, string>>;
  /** The name of the account holder. */
  readonly holderName: string;
  readonly bankName: string | null;
  /**
   * Your ISO 11649 creditor reference for this currency and environment. It never changes. The payer must put it in the
   * remittance information, without any other reference.
   */
  readonly reference: string;
  /** The reference in printed form, in groups of four characters. Spaces and letter case do not matter. */
  readonly printed: string;
}

/** A KYC check of an end-user. */
export interface KycCheck {
  readonly id: string;
  readonly endUserId: string;
  /** The status of the newest KYC check. Payments require APPROVED. */
  readonly status: KycStatus;
  /** The reasons for the status. Empty if there is no problem. */
  readonly reasons: readonly {
    readonly code: string;
    /** A description for developers. The text may change. */
    readonly message: string;
    /** Whether the end-user can correct the problem with another attempt. */
    readonly retryable: boolean;
  }[];
  /**
   * The time at which the approval expires. The check is then EXPIRED, and you can start a new one. Null if the check
   * is not APPROVED or does not expire.
   */
  readonly expiresAt: string | null;
  /** The link to the hosted page. Null if the end-user was erased. */
  readonly link: {
    /** The URL of the hosted page. Give it to the end-user only. */
    readonly url: string;
    /** The time at which the link expires. */
    readonly expiresAt: string;
  } | null;
  /** The version of the resource. It increases by one with every change. */
  readonly version: number;
  /** The time at which the check was started. */
  readonly createdAt: string;
  /** The time of the last change. */
  readonly updatedAt: string;
}

/** The funding of the payment. Default: your balance. */
export interface NewFunding {
  /**
   * The source of the funds. BALANCE: your balance pays immediately. CRYPTO_DEPOSIT: tokens sent to an address for this
   * payment pay for it, after they are credited.
   */
  readonly type: FundingType;
  /**
   * For CRYPTO_DEPOSIT: the asset of the deposit, one that `GET /networks` lists for the network. It is also the source
   * asset of the payment.
   */
  readonly asset?: string | undefined;
  /**
   * For CRYPTO_DEPOSIT: the network of the deposit, one that `GET /networks` lists: ETHEREUM, BASE, OPTIMISM, ARBITRUM,
   * POLYGON.
   */
  readonly network?: string | undefined;
  /**
   * For CRYPTO_DEPOSIT: the id of an ACTIVE wallet of the end-user or of your own company, on a network that lists the
   * asset. After a deposit is FINAL, the part of it that the payment does not use is refunded to this wallet, minus
   * fees. Default: that part stays in your balance.
   */
  readonly refundWalletId?: string | undefined;
}

/** A payment to make. */
export interface NewPayment {
  /** The id of the end-user on whose behalf you make the payment. */
  readonly endUserId: string;
  /**
   * The amount that the beneficiary receives. In major units, as a number or decimal text. Greater than 0 and less than
   * 1000000000000, with no more decimals than its currency or asset has. Trailing zeros count as decimals. Signs and
   * exponents are not allowed.
   */
  readonly amount: string;
  /** The three-letter ISO 4217 code of the bank account's currency. Required with `bankAccountId`. */
  readonly currency?: string | undefined;
  /** The id of the bank account to pay to. Give this or `walletId`. */
  readonly bankAccountId?: string | undefined;
  /**
   * The asset to pay: USDC, EURC, or USDT, if `GET /networks` lists it for the wallet's network. Required with
   * `walletId`, instead of `currency`.
   */
  readonly asset?: string | undefined;
  /** The id of the wallet to pay to: a wallet of the end-user or of your own company. Give this or `bankAccountId`. */
  readonly walletId?: string | undefined;
  /**
   * The three-letter ISO 4217 code of the balance that pays. Default: the source of the quote, or the currency or asset
   * of the payment if there is no quote. If it differs from the target and you give no quote, the current rate applies.
   */
  readonly sourceCurrency?: string | undefined;
  /** The code of the asset balance that pays, instead of `sourceCurrency`. */
  readonly sourceAsset?: string | undefined;
  readonly funding?: NewFunding | undefined;
  /**
   * The day on which to send the payment, as YYYY-MM-DD in the time zone of the rail. Today, or up to 180 days ahead.
   * Default: the payment is sent immediately.
   */
  readonly scheduledFor?: string | undefined;
  /** The id of the quote to use. Its target must match the payment. */
  readonly quoteId?: string | undefined;
  /**
   * What happens if the payment was not sent while its rate was held. FAIL: it fails, and its funds go back. REQUOTE:
   * it is priced anew at the rate of the moment in which it is sent, at most at `maxSourceAmount`. Only for a payment
   * in two currencies. REQUOTE is only for a payment from a balance to a bank account. Default: FAIL.
   */
  readonly onQuoteExpiry?: OnQuoteExpiry | undefined;
  /**
   * The most that the payment may cost, including fees, in `sourceCurrency` or `sourceAsset`. It is reserved instead of
   * the price. Required with REQUOTE, and refused without it. In major units, as a number or decimal text. Greater than
   * 0 and less than 1000000000000, with no more decimals than its currency or asset has. Trailing zeros count as
   * decimals. Signs and exponents are not allowed.
   */
  readonly maxSourceAmount?: string | undefined;
  /** Your own id for the payment. */
  readonly externalId?: string | undefined;
  /** The text for the beneficiary's statement. */
  readonly reference?: string | undefined;
  /** The purpose code, such as an ISO 20022 code. */
  readonly purpose?: string | undefined;
  /**
   * Your own key-value pairs: up to 50 pairs, with keys of up to 40 and values of up to 500 characters, 8 kB in total.
   * They are stored encrypted and never appear in events.
   */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** The result of a payment check. No payment is made. */
export interface PaymentValidation {
  /** Whether `POST /payments` would accept the payment now. */
  readonly valid: boolean;
  /** All problems of the payment. Empty if the payment is valid. */
  readonly problems: readonly {
    /** The field of the problem: a JSON Pointer into the body, or /query/<name>, /path/<name>, or /header/<name>. */
    readonly path: string;
    /**
     * The code of the problem: an error code, or one of required, not_allowed, unexpected, unknown_field,
     * one_unit_needed, one_amount_needed, network_with_asset, same_currency, source_mismatch, format, not_positive,
     * too_large, too_many, invalid_date, masked_value, repeated_key, country_mismatch, end_user_not_closed,
     * payments_not_final, retention_not_over, invalid_phone, invalid_iban, invalid_bic, invalid_routing_number,
     * invalid_account_number, invalid_account_type, invalid_sort_code, invalid_bank_code, invalid_branch_code,
     * invalid_bsb, invalid_cbu, invalid_cci, invalid_clabe, invalid_clearing_code, invalid_cnaps_code, invalid_email,
     * invalid_ifsc, invalid_institution_number, invalid_operator, invalid_pix_key, invalid_proxy, invalid_proxy_type,
     * invalid_tax_id, invalid_transit_number, invalid_vpa. More values may be added.
     */
    readonly code: string;
    readonly message: string;
    readonly meta?: Readonly<Record<string, unknown>> | undefined;
  }[];
  /** The cost of the payment. Null if the request has no amount that can be paid to the account. */
  readonly cost: {
    /** The amount that the balance pays, including all fees, as in `source` of a payment. */
    readonly source: {
      /** The currency or asset of the amount. ISO 4217 code. Absent for an asset. */
      readonly currency?: string | undefined;
      /** The currency or asset of the amount. Asset code. Absent for a currency. */
      readonly asset?: string | undefined;
      /** The amount, in major units. */
      readonly amount: string;
    };
    /** The part of `source` without fees. It is paid to the beneficiary or converted. */
    readonly withoutFees: {
      /** The currency or asset of the amount. ISO 4217 code. Absent for an asset. */
      readonly currency?: string | undefined;
      /** The currency or asset of the amount. Asset code. Absent for a currency. */
      readonly asset?: string | undefined;
      /** The amount, in major units. */
      readonly amount: string;
    };
    readonly fees: readonly Fee[];
    /** Null if there is no conversion. */
    readonly rate: string | null;
    /** The time until which the rate would be held if you sent the payment now. Null if there is no conversion. */
    readonly rateHeldUntil: string | null;
    /**
     * The time until which the payment would be priced anew after `rateHeldUntil`. Null without `onQuoteExpiry`
     * REQUOTE.
     */
    readonly requoteUntil: string | null;
    /** The id of the quote that fixes the cost. Null if the payment names no quote. */
    readonly quoteId: string | null;
    /** Whether the actual cost may differ because no quote locks the rate. */
    readonly indicative: boolean;
  } | null;
  /**
   * The corridor of the payment. Null if the account is not yours, if no corridor reaches it, or if the payment goes to
   * a wallet.
   */
  readonly corridor: {
    /** A two-letter ISO 3166-1 country code. */
    readonly country: string;
    /** A three-letter ISO 4217 currency code. */
    readonly currency: string;
    readonly rail: Rail;
    /** The status of the corridor. Payments are accepted and sent only while it is ACTIVE. */
    readonly status: CorridorStatus;
    /**
     * The cut-off time. A payment released later leaves on the next banking day. If null with a source, the rail has no
     * cut-off. If null without a source, the cut-off is not known.
     */
    readonly cutOff: CutOff | null;
  } | null;
  readonly expectedArrival: {
    /** Null if the time is not known. */
    readonly at: string | null;
    /** The reason why `at` is null. More values may be added. */
    readonly reason:
      | 'SPEED_NOT_STATED'
      | 'HOLIDAYS_NOT_STATED'
      | 'RAIL_NEVER_OPENS'
      | 'AWAITS_DEPOSIT'
      | 'CORRIDOR_UNAVAILABLE' | null;
  };
}

/** A past or expected step of a payment. */
export interface TimelineRow {
  /** The time at which the step happened or is due. Null if it is not known. */
  readonly at: string | null;
  /** The status of the payment. */
  readonly status: PaymentStatus;
  /**
   * The reason for the status. One of AWAITING_DEPOSIT, DEPOSIT_SEEN, QUEUED, SCHEDULED, SUBMITTING, OUTCOME_UNKNOWN,
   * STALLED, IN_RAIL, RETRYING, SETTLEMENT_FAILED, KYC_WITHDRAWN, COMPLIANCE_REVIEW, COMPLIANCE_DECLINED,
   * CUSTOMER_SUSPENDED, END_USER_NOT_ACTIVE, BANK_ACCOUNT_DISABLED, WALLET_NOT_ACTIVE, WALLET_NOT_PROVED, TRAVEL_RULE,
   * TRAVEL_RULE_REJECTED, CORRIDOR_UNAVAILABLE, QUOTE_EXPIRED, AWAITING_RATE, REQUOTED, CUSTOMER_APPROVAL,
   * APPROVAL_EXPIRED, RELEASE_STOPPED, AWAITING_LIQUIDITY, NETWORK_CONGESTED, SIGNING_STOPPED, ENGINE_FAULT, DELIVERED,
   * REJECTED_BY_BANK, VOIDED, REVERTED, RETURNED_BY_BANK, CANCELED_ON_REQUEST, DEPOSIT_EXPIRED, DEPOSIT_UNDERPAID. More
   * values may be added.
   */
  readonly statusDetail: string;
  /** The location of the funds. More values may be added. */
  readonly fundsStatus: FundsStatus;
  readonly reconciliationStatus: ReconciliationStatus;
  /** The finality of the payment after this step. */
  readonly finality: Finality;
  /** The version of the resource. It increases by one with every change. */
  readonly version: number | null;
  /** Whether the step is expected and has not happened yet. */
  readonly expected: boolean;
  /**
   * For an expected step: who must act next. One of US, RAIL, BANK, NETWORK, PARTNER, OPERATOR. More values may be
   * added.
   */
  readonly waitsFor: string | null;
}

/** An idempotency key to close. */
export interface KeyToClose {
  /**
   * The key to close, as it was sent in the Idempotency-Key header, or as the key of an item of a batch. From 1 to 255
   * printable ASCII characters, without spaces at the beginning or end: HTTP removes them from a header.
   */
  readonly idempotencyKey: string;
}

/**
 * What an idempotency key stands for. `payment` is there if the state is `PAYMENT`, as `GET /payments/{paymentId}`
 * shows it now. It counts as not paid only by its final `status` and its `fundsStatus`.
 */
export interface KeyClosing {
  /**
   * `CLOSED`: no request was carried out with the key, and none ever is. `PAYMENT`: the key made `payment`.
   * `OTHER_RESOURCE`: the key made no payment; another POST was carried out with it.
   */
  readonly state: 'CLOSED' | 'PAYMENT' | 'OTHER_RESOURCE';
  readonly payment?: Payment | undefined;
}

/** A payment to make, with its idempotency key. */
export interface NewPaymentBatchItem {
  /**
   * A unique key for the payment, as in the Idempotency-Key header of `POST /payments`. Both share the same keys. From
   * 1 to 255 printable ASCII characters.
   */
  readonly idempotencyKey: string;
  /** The id of the end-user on whose behalf you make the payment. */
  readonly endUserId: string;
  /**
   * The amount that the beneficiary receives. In major units, as a number or decimal text. Greater than 0 and less than
   * 1000000000000, with no more decimals than its currency or asset has. Trailing zeros count as decimals. Signs and
   * exponents are not allowed.
   */
  readonly amount: string;
  /** The three-letter ISO 4217 code of the bank account's currency. Required with `bankAccountId`. */
  readonly currency?: string | undefined;
  /** The id of the bank account to pay to. Give this or `walletId`. */
  readonly bankAccountId?: string | undefined;
  /**
   * The asset to pay: USDC, EURC, or USDT, if `GET /networks` lists it for the wallet's network. Required with
   * `walletId`, instead of `currency`.
   */
  readonly asset?: string | undefined;
  /** The id of the wallet to pay to: a wallet of the end-user or of your own company. Give this or `bankAccountId`. */
  readonly walletId?: string | undefined;
  /**
   * The three-letter ISO 4217 code of the balance that pays. Default: the source of the quote, or the currency or asset
   * of the payment if there is no quote. If it differs from the target and you give no quote, the current rate applies.
   */
  readonly sourceCurrency?: string | undefined;
  /** The code of the asset balance that pays, instead of `sourceCurrency`. */
  readonly sourceAsset?: string | undefined;
  readonly funding?: NewFunding | undefined;
  /**
   * The day on which to send the payment, as YYYY-MM-DD in the time zone of the rail. Today, or up to 180 days ahead.
   * Default: the payment is sent immediately.
   */
  readonly scheduledFor?: string | undefined;
  /** The id of the quote to use. Its target must match the payment. */
  readonly quoteId?: string | undefined;
  /**
   * What happens if the payment was not sent while its rate was held. FAIL: it fails, and its funds go back. REQUOTE:
   * it is priced anew at the rate of the moment in which it is sent, at most at `maxSourceAmount`. Only for a payment
   * in two currencies. REQUOTE is only for a payment from a balance to a bank account. Default: FAIL.
   */
  readonly onQuoteExpiry?: OnQuoteExpiry | undefined;
  /**
   * The most that the payment may cost, including fees, in `sourceCurrency` or `sourceAsset`. It is reserved instead of
   * the price. Required with REQUOTE, and refused without it. In major units, as a number or decimal text. Greater than
   * 0 and less than 1000000000000, with no more decimals than its currency or asset has. Trailing zeros count as
   * decimals. Signs and exponents are not allowed.
   */
  readonly maxSourceAmount?: string | undefined;
  /** Your own id for the payment. */
  readonly externalId?: string | undefined;
  /** The text for the beneficiary's statement. */
  readonly reference?: string | undefined;
  /** The purpose code, such as an ISO 20022 code. */
  readonly purpose?: string | undefined;
  /**
   * Your own key-value pairs: up to 50 pairs, with keys of up to 40 and values of up to 500 characters, 8 kB in total.
   * They are stored encrypted and never appear in events.
   */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** A batch of payments to make. */
export interface NewPaymentBatch {
  /** The payments to make. They are processed in this order. */
  readonly items: readonly NewPaymentBatchItem[];
}

export type PaymentBatchStatus = 'PROCESSING' | 'COMPLETED';

/** A batch of payments. */
export interface PaymentBatch {
  readonly id: string;
  /**
   * The status of the batch. COMPLETED: every item is accepted or refused. The accepted payments may still be in
   * progress.
   */
  readonly status: PaymentBatchStatus;
  readonly counts: {
    /** The number of items in the batch. */
    readonly total: number;
    /** The number of items that are not processed yet. */
    readonly pending: number;
    /** The number of accepted items. Each one is a payment. */
    readonly accepted: number;
    /** The number of refused items. */
    readonly refused: number;
  };
  /** The sums for each currency and asset. */
  readonly totals: readonly {
    /** The currency or asset of the amounts. ISO 4217 code. Absent for an asset. */
    readonly currency?: string | undefined;
    /** The currency or asset of the amounts. Asset code. Absent for a currency. */
    readonly asset?: string | undefined;
    /** The sum of all valid items, in major units. */
    readonly amount: string;
    /** The sum of all accepted items, in major units. */
    readonly accepted: string;
  }[];
  /**
   * The version of the batch: 1 until the batch is COMPLETED, then 2. Changes of `counts` and `totals` do not increase
   * it.
   */
  readonly version: number;
  /** The time at which the batch was accepted. */
  readonly createdAt: string;
  /** The time at which the last item was processed. */
  readonly completedAt: string | null;
}

export type PaymentBatchItemStatus = 'PENDING' | 'ACCEPTED' | 'REFUSED';

export type ErrorCode =
  | 'validation_failed' | 'invalid_json' | 'invalid_parameter' | 'invalid_cursor'
  | 'unsupported_currency' | 'unsupported_network' | 'invalid_address'
  | 'unsupported_asset' | 'unsupported_country' | 'amount_precision_exceeded'
  | 'idempotency_key_required' | 'invalid_idempotency_key' | 'missing_api_key'
  | 'invalid_api_key' | 'api_key_expired' | 'api_key_revoked'
  | 'invalid_signature' | 'ip_not_allowed' | 'insufficient_scope'
  | 'operators_only' | 'customer_suspended' | 'live_access_not_granted'
  | 'not_found' | 'method_not_allowed' | 'payload_too_large'
  | 'unsupported_media_type' | 'idempotency_key_in_progress'
  | 'idempotency_key_closed' | 'payment_not_cancelable' | 'quote_already_used'
  | 'webhook_endpoint_disabled' | 'limit_reached' | 'external_id_taken'
  | 'statement_not_closed' | 'deposit_not_final' | 'move_not_possible'
  | 'end_user_has_open_payments' | 'end_user_not_erasable' | 'version_conflict'
  | 'precondition_failed' | 'idempotency_key_mismatch' | 'kyc_not_approved'
  | 'insufficient_balance' | 'quote_expired' | 'quote_mismatch'
  | 'amount_below_minimum' | 'amount_above_maximum' | 'bank_account_pending'
  | 'bank_account_disabled' | 'address_blocked' | 'wallet_proof_invalid'
  | 'wallet_not_active' | 'wallet_not_proved' | 'wallet_cooling_off'
  | 'travel_rule_data_required' | 'end_user_not_active' | 'refund_exceeds_deposit'
  | 'resource_not_found' | 'payee_name_mismatch' | 'corridor_unavailable'
  | 'country_restricted' | 'scheduling_not_supported' | 'sandbox_unavailable'
  | 'currency_mismatch' | 'rate_limited' | 'internal_error'
  | 'service_unavailable' | 'rate_unavailable';

/** An item of a batch. */
export interface PaymentBatchItem {
  /** The position of the item in the request. The first position is 0. */
  readonly index: number;
  readonly idempotencyKey: string;
  /**
   * The state of the item. ACCEPTED: `paymentId` names the payment. REFUSED: no payment was made, and `error` says why.
   */
  readonly state: PaymentBatchItemStatus;
  readonly paymentId: string | null;
  readonly error: {
    /** The error code that `POST /payments` would have returned. */
    readonly error: ErrorCode;
    /** A description for developers. The text may change. */
    readonly message: string;
    /** The first 20 problems of the item. Each path is a JSON Pointer into the item. */
    readonly details: readonly {
      /** The field of the problem: a JSON Pointer into the body, or /query/<name>, /path/<name>, or /header/<name>. */
      readonly path: string;
      /**
       * The code of the problem: an error code, or one of required, not_allowed, unexpected, unknown_field,
       * one_unit_needed, one_amount_needed, network_with_asset, same_currency, source_mismatch, format, not_positive,
       * too_large, too_many, invalid_date, masked_value, repeated_key, country_mismatch, end_user_not_closed,
       * payments_not_final, retention_not_over, invalid_phone, invalid_iban, invalid_bic, invalid_routing_number,
       * invalid_account_number, invalid_account_type, invalid_sort_code, invalid_bank_code, invalid_branch_code,
       * invalid_bsb, invalid_cbu, invalid_cci, invalid_clabe, invalid_clearing_code, invalid_cnaps_code, invalid_email,
       * invalid_ifsc, invalid_institution_number, invalid_operator, invalid_pix_key, invalid_proxy, invalid_proxy_type,
       * invalid_tax_id, invalid_transit_number, invalid_vpa. More values may be added.
       */
      readonly code: string;
      readonly message: string;
      readonly meta?: Readonly<Record<string, unknown>> | undefined;
    }[];
  } | null;
}

export type LockTime = '1m' | '5m' | '15m' | '1h';

/** A quote to create. */
export interface NewQuote {
  /** The source currency. Give this or `sourceAsset`. A three-letter ISO 4217 currency code. */
  readonly sourceCurrency?: string | undefined;
  /** The source asset. Give this or `sourceCurrency`. A stablecoin that `GET /networks` lists. */
  readonly sourceAsset?: string | undefined;
  /**
   * The target currency, which must differ from the source. Give this or `targetAsset`. A three-letter ISO 4217
   * currency code.
   */
  readonly targetCurrency?: string | undefined;
  /**
   * The target asset, which must differ from the source. It requires `network`. Give this or `targetCurrency`. A
   * stablecoin that `GET /networks` lists.
   */
  readonly targetAsset?: string | undefined;
  /** The network of `targetAsset`, one that lists the asset. */
  readonly network?: NetworkName | undefined;
  /**
   * The total amount to pay, including fees. Give this or `targetAmount`. In major units, as a number or decimal text.
   * Greater than 0 and less than 1000000000000, with no more decimals than its currency or asset has. Trailing zeros
   * count as decimals. Signs and exponents are not allowed.
   */
  readonly sourceAmount?: string | undefined;
  /**
   * The amount that the beneficiary receives. Give this or `sourceAmount`. In major units, as a number or decimal text.
   * Greater than 0 and less than 1000000000000, with no more decimals than its currency or asset has. Trailing zeros
   * count as decimals. Signs and exponents are not allowed.
   */
  readonly targetAmount?: string | undefined;
  /** How long the rate is locked. */
  readonly lockFor: LockTime;
}

export type QuoteStatus = 'ACTIVE' | 'CONSUMED' | 'EXPIRED';

/** A locked exchange rate with all fees. */
export interface Quote {
  readonly id: string;
  /** The status of the quote. ACTIVE: you can use the quote. CONSUMED: a payment used it. EXPIRED: its lock ended. */
  readonly status: QuoteStatus;
  /** The source currency, as a three-letter ISO 4217 code. Absent if the source is an asset. */
  readonly sourceCurrency?: string | undefined;
  /** The source asset. Absent if the source is a currency. */
  readonly sourceAsset?: string | undefined;
  /** The target currency, as a three-letter ISO 4217 code. Absent if the target is an asset. */
  readonly targetCurrency?: string | undefined;
  /** The target asset. Absent if the target is a currency. */
  readonly targetAsset?: string | undefined;
  /** The network of `targetAsset`. Absent if the target is a currency. */
  readonly network?: NetworkName | undefined;
  /** The side whose amount you gave. The quote keeps that amount exactly. */
  readonly fixedSide: 'SOURCE' | 'TARGET';
  /**
   * The total amount to pay, in major units: `convertedAmount` plus all fees. If the target is a currency, the payment
   * can add the fee of its rail. POST /payments/validate shows it.
   */
  readonly sourceAmount: string;
  /** The part of `sourceAmount` that is converted, in major units of the source. */
  readonly convertedAmount: string;
  /** The amount that the beneficiary receives, in major units: `convertedAmount` at `rate`. */
  readonly targetAmount: string;
  /**
   * The mid-market rate, as target units for one unit of the source. Decimal text with up to 18 significant digits and
   * up to 24 decimals, without trailing zeros.
   */
  readonly midMarketRate: string;
  /**
   * Your rate, as target units for one unit of the source: `midMarketRate` minus the markup. Decimal text with up to 18
   * significant digits and up to 24 decimals, without trailing zeros.
   */
  readonly rate: string;
  /**
   * The markup, in basis points: how far `rate` is below `midMarketRate`. It is larger for a longer lock and an older
   * rate.
   */
  readonly markupBps: number;
  readonly fees: readonly Fee[];
  /** The time of the oldest rate used for `midMarketRate`. */
  readonly rateAsOf: string;
  /** The sources of the rate. */
  readonly rateSource: string;
  /**
   * Whether the rate is older than the permitted age, or its sources disagree. Only quotes of the test environment can
   * be stale.
   */
  readonly stale: boolean;
  /**
   * Whether the market of the pair was closed at `rateAsOf` or at `createdAt`: on a weekend, or on a holiday of both
   * currencies. The markup is then larger.
   */
  readonly marketClosed: boolean;
  /** How long the rate is locked. */
  readonly lockFor: LockTime;
  /** The time at which the quote was created. */
  readonly createdAt: string;
  /** The time at which the quote expires. */
  readonly expiresAt: string;
  /** The time at which a payment used the quote. */
  readonly consumedAt: string | null;
  /** The id of the payment that used the quote. */
  readonly paymentId: string | null;
}

/** A deposit to simulate. */
export interface NewSandboxDeposit {
  /** A three-letter ISO 4217 currency code. */
  readonly currency: string;
  /**
   * The amount that the payer sends. In major units, as a number or decimal text. Greater than 0 and less than
   * 1000000000000, with no more decimals than its currency or asset has. Trailing zeros count as decimals. Signs and
   * exponents are not allowed.
   */
  readonly amount: string;
  /**
   * The reference that the payer gives. Default: your own reference for the currency. A deposit with an unknown
   * reference stays unmatched.
   */
  readonly reference?: string | undefined;
}

/** The simulated deposit. */
export interface SandboxDeposit {
  readonly id: string;
  /** A three-letter ISO 4217 currency code. */
  readonly currency: string;
  /** The amount that the payer sends, in major units. */
  readonly amount: string;
  /** The reference that the payer gives. */
  readonly reference: string;
  /** The time of the request. */
  readonly createdAt: string;
}

/** A token deposit to simulate. */
export interface NewSandboxTokenDeposit {
  /** One of your deposit addresses, or the address of a payment that awaits tokens: `0x` and 40 hexadecimal digits. */
  readonly address: string;
  /** A network that `GET /networks` lists. */
  readonly network: string;
  /** The code of a token that the network lists. */
  readonly asset: string;
  /**
   * The amount to send. In major units, as a number or decimal text. Greater than 0 and less than 1000000000000, with
   * no more decimals than its currency or asset has. Trailing zeros count as decimals. Signs and exponents are not
   * allowed.
   */
  readonly amount: string;
}

/** The simulated token deposit. */
export interface SandboxTokenDeposit {
  readonly network: NetworkName;
  /** The amount to send. */
  readonly asset: string;
  /** One of your deposit addresses, or the address of a payment that awaits tokens: `0x` and 40 hexadecimal digits. */
  readonly address: string;
  /** The amount sent, in major units. */
  readonly amount: string;
  readonly txHash: string;
  /** The time of the request. */
  readonly createdAt: string;
}

/** The state to which the KYC check moves. */
export interface NewSandboxKyc {
  /** The state to which the provider moves the newest check. The check passes through all states in between. */
  readonly state:
    | 'IN_REVIEW'
    | 'APPROVED'
    | 'REJECTED'
    | 'RESUBMISSION_REQUIRED'
    | 'EXPIRED'
    | 'REVOKED';
}

/** The KYC check and the state to which it moves. */
export interface SandboxKyc {
  readonly endUserId: string;
  /** The id of the check. */
  readonly kycId: string;
  /** The state to which the provider moves the newest check. The check passes through all states in between. */
  readonly state:
    | 'IN_REVIEW'
    | 'APPROVED'
    | 'REJECTED'
    | 'RESUBMISSION_REQUIRED'
    | 'EXPIRED'
    | 'REVOKED';
  /** The time of the request. */
  readonly createdAt: string;
}

/** The state to which the payment moves. */
export interface NewSandboxAdvance {
  /** The state to which the bank moves the payment. RECONCILED: the bank shows the payment on a statement now. */
  readonly to: 'COMPLETED' | 'FAILED' | 'RETURNED' | 'RECONCILED';
  /** The reason code of the bank, for FAILED and RETURNED only. Default: a code that the sandbox chooses. */
  readonly railCode?: string | undefined;
}

/** The payment and the state to which it moves. */
export interface SandboxAdvance {
  readonly paymentId: string;
  /** The state to which the bank moves the payment. RECONCILED: the bank shows the payment on a statement now. */
  readonly to: 'COMPLETED' | 'FAILED' | 'RETURNED' | 'RECONCILED';
  /** The time of the request. */
  readonly createdAt: string;
}

/** A fault to simulate. */
export interface NewSandboxFault {
  /**
   * The fault to simulate. The values, in this order, match the amounts that end in .01 to .07. UNDECIDED matches no
   * amount: the bank accepts the payment, and only `POST /sandbox/payments/{paymentId}/advance` decides it.
   */
  readonly fault:
    | 'REJECTED'
    | 'RETURNED'
    | 'SETTLED_UNANSWERED'
    | 'REJECTED_UNANSWERED'
    | 'NEVER_ANSWERED'
    | 'UNAVAILABLE'
    | 'CALLBACKS_SHUFFLED'
    | 'UNDECIDED';
  /** The number of payments that the fault applies to. */
  readonly count?: number | undefined;
}

/** A pending fault. */
export interface SandboxFault {
  /**
   * The fault to simulate. The values, in this order, match the amounts that end in .01 to .07. UNDECIDED matches no
   * amount: the bank accepts the payment, and only `POST /sandbox/payments/{paymentId}/advance` decides it.
   */
  readonly fault:
    | 'REJECTED'
    | 'RETURNED'
    | 'SETTLED_UNANSWERED'
    | 'REJECTED_UNANSWERED'
    | 'NEVER_ANSWERED'
    | 'UNAVAILABLE'
    | 'CALLBACKS_SHUFFLED'
    | 'UNDECIDED';
  /** The number of payments that the fault applies to. */
  readonly count: number;
  /** The number of payments that the fault still applies to. */
  readonly left: number;
  /** The time at which the fault was created. */
  readonly armedAt: string;
  /** The time at which the fault ends. */
  readonly endsAt: string;
}

/** How far the clock of the test environment moves. */
export interface NewSandboxClockAdvance {
  /**
   * How far the clock moves: an ISO 8601 duration of whole weeks, days (24 hours), hours, minutes, and seconds. Longer
   * than zero, 400 days at most.
   */
  readonly advance: string;
}

/** How far you have moved the clock of your test environment. */
export interface SandboxClock {
  /** How far the clock was moved in sum, as an ISO 8601 duration. `PT0S`: never. */
  readonly advancedBy: string;
  /** How far the clock can still be moved, as an ISO 8601 duration. */
  readonly remaining: string;
  /** The real time of the last move. Null: the clock was never moved. */
  readonly advancedAt: string | null;
}

export type EventSubscription =
  | '*' | 'end_user.*' | 'kyc.*' | 'bank_account.*' | 'wallet.*'
  | 'deposit_address.*' | 'payment.*' | 'payment_batch.*' | 'deposit.*'
  | 'balance.*' | 'webhook_endpoint.*' | 'end_user.created' | 'end_user.updated'
  | 'end_user.closed' | 'kyc.pending' | 'kyc.in_review' | 'kyc.approved'
  | 'kyc.rejected' | 'kyc.resubmission_required' | 'kyc.expired' | 'kyc.revoked'
  | 'kyc.updated' | 'bank_account.created' | 'bank_account.activated'
  | 'bank_account.disabled' | 'wallet.created' | 'wallet.activated'
  | 'wallet.verified' | 'wallet.rejected' | 'wallet.disabled'
  | 'deposit_address.created' | 'deposit_address.disabled' | 'payment.created'
  | 'payment.processing' | 'payment.on_hold' | 'payment.sent'
  | 'payment.completed' | 'payment.failed' | 'payment.canceled'
  | 'payment.expired' | 'payment.returned' | 'payment.requoted'
  | 'payment.reconciled' | 'payment.final' | 'payment.updated'
  | 'payment_batch.created' | 'payment_batch.completed' | 'deposit.seen'
  | 'deposit.credited' | 'deposit.final' | 'deposit.orphaned' | 'deposit.blocked'
  | 'deposit.kept' | 'deposit.updated' | 'balance.credited'
  | 'balance.credit_reversed' | 'webhook_endpoint.updated'
  | 'webhook_endpoint.disabled' | 'ping';

/** An endpoint that receives events. It receives all events unless you set `types`. */
export interface NewWebhookEndpoint {
  /**
   * The URL to which events are sent with POST. In live, it must use https on port 443. It must resolve to public
   * addresses only, and must not contain credentials or a fragment.
   */
  readonly url: string;
  /** The event types to send: types, families (`payment.*`), or all types (`*`). */
  readonly types?: readonly EventSubscription[] | undefined;
  /** Your own description of the endpoint. */
  readonly description?: string | undefined;
  /** Whether webhooks contain ids only. `data` is then `{"id": ...}`, and `previous` is absent. Default: false. */
  readonly thin?: boolean | undefined;
  /**
   * Whether webhooks also have an Ed25519 signature (`v1a`). Default: false. False deletes the key pair immediately.
   */
  readonly asymmetric?: boolean | undefined;
}

/** A public key that verifies the webhooks of an endpoint. */
export interface WebhookPublicKey {
  /** The key in the format of Standard Webhooks 1.0: `whpk_` and the 32 bytes of the key in base64. */
  readonly publicKey: string;
  /** The time at which the key expires. Signatures made after that do not use it. */
  readonly expiresAt: string | null;
}

export type WebhookEndpointStatus = 'ENABLED' | 'DISABLED';

export type WebhookDisabledReason = 'REQUESTED' | 'RECEIVER_GONE' | 'FAILING';

/** A new endpoint with its secret. */
export interface CreatedWebhookEndpoint {
  readonly id: string;
  /**
   * The URL to which events are sent with POST. In live, it must use https on port 443. It must resolve to public
   * addresses only, and must not contain credentials or a fragment.
   */
  readonly url: string;
  /** The event types to send: types, families (`payment.*`), or all types (`*`). */
  readonly types: readonly EventSubscription[];
  readonly description: string | null;
  /** Whether webhooks contain ids only. `data` is then `{"id": ...}`, and `previous` is absent. Default: false. */
  readonly thin: boolean;
  /**
   * Whether webhooks also have an Ed25519 signature (`v1a`). Default: false. False deletes the key pair immediately.
   */
  readonly asymmetric: boolean;
  /**
   * The keys that verify the `v1a` signatures, newest first. There are two during the overlap of a rotation, and none
   * if the endpoint is not asymmetric. Receivers can read the same keys without an API key at
   * `/.well-known/webhook-keys/{id}`.
   */
  readonly publicKeys: readonly WebhookPublicKey[];
  /**
   * The status of the endpoint. An endpoint becomes DISABLED on request, after a 410 response, or after four days of
   * failures only. Events that it misses are sent after it is ENABLED again.
   */
  readonly status: WebhookEndpointStatus;
  /** The time at which the endpoint was disabled. */
  readonly disabledAt: string | null;
  /** Why the endpoint is DISABLED: on request, after a 410 response, or after four days of failures. */
  readonly disabledReason: WebhookDisabledReason | null;
  /**
   * The time of the first failure since the last success. Null if there was no failure since then, or since the
   * endpoint was enabled or its URL changed.
   */
  readonly failingSince: string | null;
  /** The version of the resource. It increases by one with every change. */
  readonly version: number;
  /** The time at which the resource was created. */
  readonly createdAt: string;
  /** The time of the last change. */
  readonly updatedAt: string;
  /** The secret that signs every webhook to this endpoint (Standard Webhooks 1.0). No later answer shows it again. */
  readonly secret: string;
}

/** An endpoint that receives events. */
export interface WebhookEndpoint {
  readonly id: string;
  /**
   * The URL to which events are sent with POST. In live, it must use https on port 443. It must resolve to public
   * addresses only, and must not contain credentials or a fragment.
   */
  readonly url: string;
  /** The event types to send: types, families (`payment.*`), or all types (`*`). */
  readonly types: readonly EventSubscription[];
  readonly description: string | null;
  /** Whether webhooks contain ids only. `data` is then `{"id": ...}`, and `previous` is absent. Default: false. */
  readonly thin: boolean;
  /**
   * Whether webhooks also have an Ed25519 signature (`v1a`). Default: false. False deletes the key pair immediately.
   */
  readonly asymmetric: boolean;
  /**
   * The keys that verify the `v1a` signatures, newest first. There are two during the overlap of a rotation, and none
   * if the endpoint is not asymmetric. Receivers can read the same keys without an API key at
   * `/.well-known/webhook-keys/{id}`.
   */
  readonly publicKeys: readonly WebhookPublicKey[];
  /**
   * The status of the endpoint. An endpoint becomes DISABLED on request, after a 410 response, or after four days of
   * failures only. Events that it misses are sent after it is ENABLED again.
   */
  readonly status: WebhookEndpointStatus;
  /** The time at which the endpoint was disabled. */
  readonly disabledAt: string | null;
  /** Why the endpoint is DISABLED: on request, after a 410 response, or after four days of failures. */
  readonly disabledReason: WebhookDisabledReason | null;
  /**
   * The time of the first failure since the last success. Null if there was no failure since then, or since the
   * endpoint was enabled or its URL changed.
   */
  readonly failingSince: string | null;
  /** The version of the resource. It increases by one with every change. */
  readonly version: number;
  /** The time at which the resource was created. */
  readonly createdAt: string;
  /** The time of the last change. */
  readonly updatedAt: string;
}

/** An endpoint with its health. */
export interface WebhookEndpointInFull {
  readonly id: string;
  /**
   * The URL to which events are sent with POST. In live, it must use https on port 443. It must resolve to public
   * addresses only, and must not contain credentials or a fragment.
   */
  readonly url: string;
  /** The event types to send: types, families (`payment.*`), or all types (`*`). */
  readonly types: readonly EventSubscription[];
  readonly description: string | null;
  /** Whether webhooks contain ids only. `data` is then `{"id": ...}`, and `previous` is absent. Default: false. */
  readonly thin: boolean;
  /**
   * Whether webhooks also have an Ed25519 signature (`v1a`). Default: false. False deletes the key pair immediately.
   */
  readonly asymmetric: boolean;
  /**
   * The keys that verify the `v1a` signatures, newest first. There are two during the overlap of a rotation, and none
   * if the endpoint is not asymmetric. Receivers can read the same keys without an API key at
   * `/.well-known/webhook-keys/{id}`.
   */
  readonly publicKeys: readonly WebhookPublicKey[];
  /**
   * The status of the endpoint. An endpoint becomes DISABLED on request, after a 410 response, or after four days of
   * failures only. Events that it misses are sent after it is ENABLED again.
   */
  readonly status: WebhookEndpointStatus;
  /** The time at which the endpoint was disabled. */
  readonly disabledAt: string | null;
  /** Why the endpoint is DISABLED: on request, after a 410 response, or after four days of failures. */
  readonly disabledReason: WebhookDisabledReason | null;
  /**
   * The time of the first failure since the last success. Null if there was no failure since then, or since the
   * endpoint was enabled or its URL changed.
   */
  readonly failingSince: string | null;
  /** The version of the resource. It increases by one with every change. */
  readonly version: number;
  /** The time at which the resource was created. */
  readonly createdAt: string;
  /** The time of the last change. */
  readonly updatedAt: string;
  /** The health of the endpoint. */
  readonly health: {
    /** The time of the last 2xx response to a webhook, within the last 90 days. */
    readonly lastSuccessAt: string | null;
    /**
     * The number of deliveries that wait for a first or further attempt, up to 10,000. Events that the endpoint missed
     * while it was disabled count once they are queued.
     */
    readonly backlog: number;
    /**
     * The median delay of the newest 100 first attempts, in milliseconds, measured from the time at which each delivery
     * was due to the end of the attempt. A delivery is due when its event happens or is queued again. Null before the
     * first attempt.
     */
    readonly medianDelayMs: number | null;
  };
}

/** A JSON Merge Patch of an endpoint. */
export interface WebhookEndpointPatch {
  /**
   * The URL to which events are sent with POST. In live, it must use https on port 443. It must resolve to public
   * addresses only, and must not contain credentials or a fragment.
   */
  readonly url?: string | undefined;
  /** The event types to send: types, families (`payment.*`), or all types (`*`). */
  readonly types?: readonly EventSubscription[] | undefined;
  /** Your own description of the endpoint. */
  readonly description?: string | null | undefined;
  /** Whether webhooks contain ids only. `data` is then `{"id": ...}`, and `previous` is absent. Default: false. */
  readonly thin?: boolean | undefined;
  /**
   * Whether webhooks also have an Ed25519 signature (`v1a`). Default: false. False deletes the key pair immediately.
   */
  readonly asymmetric?: boolean | undefined;
  /**
   * The status of the endpoint. An endpoint becomes DISABLED on request, after a 410 response, or after four days of
   * failures only. Events that it misses are sent after it is ENABLED again.
   */
  readonly status?: WebhookEndpointStatus | undefined;
}

/** The options of a secret rotation. */
export interface SecretRotation {
  /**
   * The number of hours during which webhooks are also signed with the previous secret. Default: 24. With 0, the
   * previous secret becomes invalid immediately.
   */
  readonly overlapHours?: number | undefined;
}

/** An endpoint with its new secret. */
export interface RotatedWebhookEndpoint {
  readonly id: string;
  /**
   * The URL to which events are sent with POST. In live, it must use https on port 443. It must resolve to public
   * addresses only, and must not contain credentials or a fragment.
   */
  readonly url: string;
  /** The event types to send: types, families (`payment.*`), or all types (`*`). */
  readonly types: readonly EventSubscription[];
  readonly description: string | null;
  /** Whether webhooks contain ids only. `data` is then `{"id": ...}`, and `previous` is absent. Default: false. */
  readonly thin: boolean;
  /**
   * Whether webhooks also have an Ed25519 signature (`v1a`). Default: false. False deletes the key pair immediately.
   */
  readonly asymmetric: boolean;
  /**
   * The keys that verify the `v1a` signatures, newest first. There are two during the overlap of a rotation, and none
   * if the endpoint is not asymmetric. Receivers can read the same keys without an API key at
   * `/.well-known/webhook-keys/{id}`.
   */
  readonly publicKeys: readonly WebhookPublicKey[];
  /**
   * The status of the endpoint. An endpoint becomes DISABLED on request, after a 410 response, or after four days of
   * failures only. Events that it misses are sent after it is ENABLED again.
   */
  readonly status: WebhookEndpointStatus;
  /** The time at which the endpoint was disabled. */
  readonly disabledAt: string | null;
  /** Why the endpoint is DISABLED: on request, after a 410 response, or after four days of failures. */
  readonly disabledReason: WebhookDisabledReason | null;
  /**
   * The time of the first failure since the last success. Null if there was no failure since then, or since the
   * endpoint was enabled or its URL changed.
   */
  readonly failingSince: string | null;
  /** The version of the resource. It increases by one with every change. */
  readonly version: number;
  /** The time at which the resource was created. */
  readonly createdAt: string;
  /** The time of the last change. */
  readonly updatedAt: string;
  /** The new secret. No later answer shows it again. */
  readonly secret: string;
  /** The time at which the previous secret expires. */
  readonly previousSecretExpiresAt: string;
}

/** The options of a test. */
export interface WebhookTest {
  /** The type of the sample event to send. Default: `ping`. */
  readonly type?:
    | 'end_user.created' | 'end_user.updated' | 'end_user.closed' | 'kyc.pending'
    | 'kyc.in_review' | 'kyc.approved' | 'kyc.rejected'
    | 'kyc.resubmission_required' | 'kyc.expired' | 'kyc.revoked' | 'kyc.updated'
    | 'bank_account.created' | 'bank_account.activated' | 'bank_account.disabled'
    | 'wallet.created' | 'wallet.activated' | 'wallet.verified' | 'wallet.rejected'
    | 'wallet.disabled' | 'deposit_address.created' | 'deposit_address.disabled'
    | 'payment.created' | 'payment.processing' | 'payment.on_hold' | 'payment.sent'
    | 'payment.completed' | 'payment.failed' | 'payment.canceled'
    | 'payment.expired' | 'payment.returned' | 'payment.requoted'
    | 'payment.reconciled' | 'payment.final' | 'payment.updated'
    | 'payment_batch.created' | 'payment_batch.completed' | 'deposit.seen'
    | 'deposit.credited' | 'deposit.final' | 'deposit.orphaned' | 'deposit.blocked'
    | 'deposit.kept' | 'deposit.updated' | 'balance.credited'
    | 'balance.credit_reversed' | 'webhook_endpoint.updated'
    | 'webhook_endpoint.disabled' | 'ping' | undefined;
}

/** The result of a test. */
export interface WebhookTestResult {
  /** The `webhook-id` of the test. The event appears in no list. */
  readonly eventId: string;
  readonly type: string;
  /** Whether the endpoint returned a complete 2xx response within 15 seconds. */
  readonly delivered: boolean;
  /** The time at which the response arrived or the attempt was abandoned. */
  readonly at: string;
  readonly durationMs: number;
  /** The HTTP status of the response. Null if there was no response. */
  readonly statusCode: number | null;
  /**
   * The reason for the failure. One of STATUS, REDIRECT, TIMEOUT, DNS, CONNECT, TLS, ADDRESS_REFUSED, URL_REFUSED,
   * RESET, BAD_ANSWER, ANSWER_TOO_LONG. More values may be added. Null if the attempt succeeded.
   */
  readonly error: string | null;
  /** The first 4 kB of the response body. Null if the response had no body. */
  readonly answer: string | null;
}

export type WebhookDeliveryStatus = 'PENDING' | 'DELIVERED' | 'EXHAUSTED';

/** The delivery of an event to an endpoint. */
export interface WebhookDelivery {
  readonly eventId: string;
  readonly type: string;
  readonly resource: {
    readonly type: string;
    readonly id: string;
    readonly version: number;
  };
  /**
   * The status of the delivery. PENDING: the delivery waits for an attempt. DELIVERED: the endpoint returned a complete
   * 2xx response within 15 seconds. EXHAUSTED: all attempts failed.
   */
  readonly status: WebhookDeliveryStatus;
  /** The number of attempts. It restarts at 1 after each redelivery or replay. */
  readonly attempts: number;
  /**
   * The time of the next attempt. The attempt may happen earlier if the receiver recovers, and waits while the endpoint
   * is disabled. Null unless the delivery is PENDING.
   */
  readonly nextAttemptAt: string | null;
  /** The time of the last attempt. */
  readonly lastAttemptAt: string | null;
  /** The HTTP status of the response. Null if there was no response. */
  readonly lastStatusCode: number | null;
  /**
   * The reason for the failure. One of STATUS, REDIRECT, TIMEOUT, DNS, CONNECT, TLS, ADDRESS_REFUSED, URL_REFUSED,
   * RESET, BAD_ANSWER, ANSWER_TOO_LONG. More values may be added. Null if the attempt succeeded.
   */
  readonly lastError: string | null;
  /** The time at which the event was delivered. */
  readonly deliveredAt: string | null;
  /** The time at which the event happened. */
  readonly createdAt: string;
}

export interface WebhookAttempt {
  /** The number of attempts. It restarts at 1 after each redelivery or replay. */
  readonly number: number;
  /** The time at which the response arrived or the attempt was abandoned. */
  readonly at: string;
  readonly durationMs: number;
  /** The HTTP status of the response. Null if there was no response. */
  readonly statusCode: number | null;
  /**
   * The reason for the failure. One of STATUS, REDIRECT, TIMEOUT, DNS, CONNECT, TLS, ADDRESS_REFUSED, URL_REFUSED,
   * RESET, BAD_ANSWER, ANSWER_TOO_LONG. More values may be added. Null if the attempt succeeded.
   */
  readonly error: string | null;
  /** The first 4 kB of the response body. Null if the response had no body. */
  readonly answer: string | null;
}

/** A delivery with its newest attempts. */
export interface WebhookDeliveryInFull {
  readonly eventId: string;
  readonly type: string;
  readonly resource: {
    readonly type: string;
    readonly id: string;
    readonly version: number;
  };
  /**
   * The status of the delivery. PENDING: the delivery waits for an attempt. DELIVERED: the endpoint returned a complete
   * 2xx response within 15 seconds. EXHAUSTED: all attempts failed.
   */
  readonly status: WebhookDeliveryStatus;
  /** The number of attempts. It restarts at 1 after each redelivery or replay. */
  readonly attempts: number;
  /**
   * The time of the next attempt. The attempt may happen earlier if the receiver recovers, and waits while the endpoint
   * is disabled. Null unless the delivery is PENDING.
   */
  readonly nextAttemptAt: string | null;
  /** The time of the last attempt. */
  readonly lastAttemptAt: string | null;
  /** The HTTP status of the response. Null if there was no response. */
  readonly lastStatusCode: number | null;
  /**
   * The reason for the failure. One of STATUS, REDIRECT, TIMEOUT, DNS, CONNECT, TLS, ADDRESS_REFUSED, URL_REFUSED,
   * RESET, BAD_ANSWER, ANSWER_TOO_LONG. More values may be added. Null if the attempt succeeded.
   */
  readonly lastError: string | null;
  /** The time at which the event was delivered. */
  readonly deliveredAt: string | null;
  /** The time at which the event happened. */
  readonly createdAt: string;
  /** The newest 50 attempts, newest first. */
  readonly attemptHistory: readonly WebhookAttempt[];
}

/** The events to send again, with the same ids. */
export interface NewWebhookReplay {
  /** The start of the time span (inclusive), at most 90 days ago. */
  readonly from: string;
  /** The end of the time span (exclusive). It may be in the future. */
  readonly to: string;
  /** The event types or families to send. Default: all types that the endpoint subscribes to. */
  readonly types?: readonly EventSubscription[] | undefined;
  /** Whether to send only events whose delivery failed. Default: false. */
  readonly onlyFailed?: boolean | undefined;
}

/** A replay: events that are sent again. */
export interface WebhookReplay {
  readonly id: string;
  readonly webhookEndpointId: string;
  /** The reason for the replay. MISSED: the endpoint was enabled again and receives the events that it missed. */
  readonly reason: 'REQUESTED' | 'MISSED';
  /** The status of the replay. COMPLETED: every matching event is queued for the endpoint. */
  readonly status: 'RUNNING' | 'COMPLETED';
  /** The start or end of the time span. Null if `reason` is MISSED. */
  readonly from: string | null;
  /** The start or end of the time span. Null if `reason` is MISSED. */
  readonly to: string | null;
  /** The event types of the replay. `*` stands for all types that the endpoint subscribes to. */
  readonly types: readonly string[];
  readonly onlyFailed: boolean;
  /** The number of events queued so far. */
  readonly queued: number;
  /** The time of the request. */
  readonly createdAt: string;
  /** The time at which the last event was queued. */
  readonly completedAt: string | null;
}

export interface EndUserEventResource {
  readonly type: 'end_user';
  readonly id: string;
  readonly version: number;
}

/** An end-user in an event, without personal data. */
export interface EndUserEventData {
  readonly id: string;
  /** The type of the end-user. INDIVIDUAL requires `individual`, and BUSINESS requires `business`. */
  readonly type: EndUserType;
  /**
   * The relationship of the end-user to you. SELF: your own company. You have one at most, payments to its accounts are
   * withdrawals, and only the operators of the service can change it. CLIENT: every other end-user.
   */
  readonly relationship: Relationship;
  readonly externalId: string | null;
  /** The status of the end-user. You can make payments for an ACTIVE end-user only. */
  readonly status: EndUserStatus;
  /** The status of the newest KYC check. Payments require APPROVED. */
  readonly kycStatus: KycStatus;
  /** The time at which the personal data was erased. Null if it was not. */
  readonly erasedAt: string | null;
  /** The version of the resource. It increases by one with every change. */
  readonly version: number;
  /** The time at which the resource was created. */
  readonly createdAt: string;
  /** The time of the last change. */
  readonly updatedAt: string;
}

/** The previous values of the changed fields. */
export interface EndUserBefore {
  /** The status of the end-user. You can make payments for an ACTIVE end-user only. */
  readonly status: EndUserStatus;
  /** The status of the newest KYC check. Payments require APPROVED. */
  readonly kycStatus: KycStatus;
}

/** An end-user was created. */
export interface EndUserCreatedEvent {
  readonly id: string;
  readonly type: 'end_user.created';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: EndUserEventResource;
  readonly data: EndUserEventData;
  readonly previous?: EndUserBefore | undefined;
}

/** The id of the resource. */
export interface IdOnly {
  /** The id of the resource, as in `resource.id`. */
  readonly id: string;
}

/** An event that contains ids only. `GET /events/{id}` returns the complete event for 90 days. */
export interface ThinEvent {
  readonly id: string;
  readonly type: string;
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: {
    readonly type: string;
    readonly id: string;
    readonly version: number;
  };
  readonly data: IdOnly;
}

/** An end-user or their KYC status changed. */
export interface EndUserUpdatedEvent {
  readonly id: string;
  readonly type: 'end_user.updated';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: EndUserEventResource;
  readonly data: EndUserEventData;
  readonly previous?: EndUserBefore | undefined;
}

/** An end-user was closed. */
export interface EndUserClosedEvent {
  readonly id: string;
  readonly type: 'end_user.closed';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: EndUserEventResource;
  readonly data: EndUserEventData & {
    readonly status: 'CLOSED';
  };
  readonly previous?: EndUserBefore | undefined;
}

export interface KycEventResource {
  readonly type: 'kyc';
  readonly id: string;
  readonly version: number;
}

/** A KYC check in an event, without its secret link. */
export interface KycEventData {
  readonly id: string;
  readonly endUserId: string;
  /** The status of the newest KYC check. Payments require APPROVED. */
  readonly status: KycStatus;
  /** The reasons for the status. Empty if there is no problem. */
  readonly reasons: readonly {
    readonly code: string;
    /** A description for developers. The text may change. */
    readonly message: string;
    /** Whether the end-user can correct the problem with another attempt. */
    readonly retryable: boolean;
  }[];
  /**
   * The time at which the approval expires. The check is then EXPIRED, and you can start a new one. Null if the check
   * is not APPROVED or does not expire.
   */
  readonly expiresAt: string | null;
  /** The version of the resource. It increases by one with every change. */
  readonly version: number;
  /** The time at which the check was started. */
  readonly createdAt: string;
  /** The time of the last change. */
  readonly updatedAt: string;
}

/** The previous values of the changed fields. */
export interface KycBefore {
  /** The status of the newest KYC check. Payments require APPROVED. */
  readonly status: KycStatus;
}

/** A KYC check was started and awaits the end-user. */
export interface KycPendingEvent {
  readonly id: string;
  readonly type: 'kyc.pending';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: KycEventResource;
  readonly data: KycEventData & {
    readonly status: 'PENDING';
  };
  readonly previous?: KycBefore | undefined;
}

/** The KYC provider is reviewing the data of the end-user. */
export interface KycInReviewEvent {
  readonly id: string;
  readonly type: 'kyc.in_review';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: KycEventResource;
  readonly data: KycEventData & {
    readonly status: 'IN_REVIEW';
  };
  readonly previous?: KycBefore | undefined;
}

/** A KYC check was approved. You can make payments for the end-user. */
export interface KycApprovedEvent {
  readonly id: string;
  readonly type: 'kyc.approved';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: KycEventResource;
  readonly data: KycEventData & {
    readonly status: 'APPROVED';
  };
  readonly previous?: KycBefore | undefined;
}

/** A KYC check was rejected. */
export interface KycRejectedEvent {
  readonly id: string;
  readonly type: 'kyc.rejected';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: KycEventResource;
  readonly data: KycEventData & {
    readonly status: 'REJECTED';
  };
  readonly previous?: KycBefore | undefined;
}

/** The end-user must submit data again. `reasons` lists the data. */
export interface KycResubmissionRequiredEvent {
  readonly id: string;
  readonly type: 'kyc.resubmission_required';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: KycEventResource;
  readonly data: KycEventData & {
    readonly status: 'RESUBMISSION_REQUIRED';
  };
  readonly previous?: KycBefore | undefined;
}

/** A KYC approval expired. */
export interface KycExpiredEvent {
  readonly id: string;
  readonly type: 'kyc.expired';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: KycEventResource;
  readonly data: KycEventData & {
    readonly status: 'EXPIRED';
  };
  readonly previous?: KycBefore | undefined;
}

/** A KYC approval was withdrawn. */
export interface KycRevokedEvent {
  readonly id: string;
  readonly type: 'kyc.revoked';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: KycEventResource;
  readonly data: KycEventData & {
    readonly status: 'REVOKED';
  };
  readonly previous?: KycBefore | undefined;
}

/** A KYC check changed, but not its status. */
export interface KycUpdatedEvent {
  readonly id: string;
  readonly type: 'kyc.updated';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: KycEventResource;
  readonly data: KycEventData;
  readonly previous?: KycBefore | undefined;
}

export interface BankAccountEventResource {
  readonly type: 'bank_account';
  readonly id: string;
  readonly version: number;
}

/** A bank account in an event, without the holder's name and the account details. */
export interface BankAccountEventData {
  readonly id: string;
  readonly endUserId: string;
  readonly country: string;
  /** The currency of the account, as a three-letter ISO 4217 code. */
  readonly currency: string;
  readonly rail: Rail;
  /** The type of the account holder: a person or a business. */
  readonly holderType: HolderType;
  /** An opaque value that is the same for the same account of any of your end-users. */
  readonly fingerprint: string;
  /** The name of the bank. Null if no bank directory lists it. */
  readonly bankName: string | null;
  /**
   * The status of the account. You can pay to an ACTIVE account only. PENDING: an account of your own company that
   * awaits approval by the operators of the service.
   */
  readonly status: BankAccountStatus;
  /**
   * The result of the name check at registration, which compares `holderName` with the name that the bank has.
   * NO_MATCH: payments are refused with `payee_name_mismatch`.
   */
  readonly nameCheck: NameCheck;
  /** The version of the resource. It increases by one with every change. */
  readonly version: number;
  /** The time at which the resource was created. */
  readonly createdAt: string;
  /** The time of the last change. */
  readonly updatedAt: string;
}

/** A bank account was created. */
export interface BankAccountCreatedEvent {
  readonly id: string;
  readonly type: 'bank_account.created';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: BankAccountEventResource;
  readonly data: BankAccountEventData;
}

/** The operators of the service approved a bank account of your own company. */
export interface BankAccountActivatedEvent {
  readonly id: string;
  readonly type: 'bank_account.activated';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: BankAccountEventResource;
  readonly data: BankAccountEventData & {
    readonly status: 'ACTIVE';
  };
}

/** A bank account was disabled. */
export interface BankAccountDisabledEvent {
  readonly id: string;
  readonly type: 'bank_account.disabled';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: BankAccountEventResource;
  readonly data: BankAccountEventData & {
    readonly status: 'DISABLED';
  };
}

export interface WalletEventResource {
  readonly type: 'wallet';
  readonly id: string;
  readonly version: number;
}

/** A wallet in an event, without its address and its provider. */
export interface WalletEventData {
  readonly id: string;
  /** The id of the end-user who owns the wallet. Null for a wallet of your own company. */
  readonly endUserId: string | null;
  readonly network: NetworkName;
  /** Who controls the key. SELF_HOSTED: the owner. HOSTED: a provider. */
  readonly ownership: WalletOwnership;
  /**
   * The status of the wallet. You can pay to an ACTIVE wallet only. PENDING: the screening of the address is not
   * complete. REJECTED: the address is on a sanctions list.
   */
  readonly status: WalletStatus;
  /** The time at which a signature proved the ownership. Null before that. */
  readonly provedAt: string | null;
  /** The version of the resource. It increases by one with every change. */
  readonly version: number;
  /** The time at which the resource was created. */
  readonly createdAt: string;
  /** The time of the last change. */
  readonly updatedAt: string;
}

/** A wallet was created. The screening of its address is not complete. */
export interface WalletCreatedEvent {
  readonly id: string;
  readonly type: 'wallet.created';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: WalletEventResource;
  readonly data: WalletEventData & {
    readonly status: 'PENDING';
  };
}

/** The screening of a wallet found nothing. You can pay to the wallet. */
export interface WalletActivatedEvent {
  readonly id: string;
  readonly type: 'wallet.activated';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: WalletEventResource;
  readonly data: WalletEventData & {
    readonly status: 'ACTIVE';
  };
}

/** A signature proved the ownership of a wallet. */
export interface WalletVerifiedEvent {
  readonly id: string;
  readonly type: 'wallet.verified';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: WalletEventResource;
  readonly data: WalletEventData;
}

/** The address of a wallet is on a sanctions list. You cannot pay to the wallet. */
export interface WalletRejectedEvent {
  readonly id: string;
  readonly type: 'wallet.rejected';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: WalletEventResource;
  readonly data: WalletEventData & {
    readonly status: 'REJECTED';
  };
}

/** A wallet was disabled. */
export interface WalletDisabledEvent {
  readonly id: string;
  readonly type: 'wallet.disabled';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: WalletEventResource;
  readonly data: WalletEventData & {
    readonly status: 'DISABLED';
  };
}

export interface DepositAddressEventResource {
  readonly type: 'deposit_address';
  readonly id: string;
  readonly version: number;
}

/** A deposit address in an event. */
export interface DepositAddressEventData {
  readonly id: string;
  /** The id of the end-user that the address is for. Null for your own company. */
  readonly endUserId: string | null;
  /** The id of the bank account that receives each deposit. Null if deposits are not paid on to a bank account. */
  readonly bankAccountId: string | null;
  /** The id of the wallet that receives each deposit. Null if deposits are not paid on to a wallet. */
  readonly walletId: string | null;
  /** The minimum amount of a deposit that is paid on, in units of the deposited asset. */
  readonly minAmount: string;
  /** The address with its EIP-55 checksum. It is the same on every network. */
  readonly address: string;
  /** The status of the address. Deposits to a DISABLED address are credited to your balance but not paid on. */
  readonly status: DepositAddressStatus;
  /** The version of the resource. It increases by one with every change. */
  readonly version: number;
  /** The time at which the resource was created. */
  readonly createdAt: string;
  /** The time of the last change. */
  readonly updatedAt: string;
}

/** A deposit address was created. */
export interface DepositAddressCreatedEvent {
  readonly id: string;
  readonly type: 'deposit_address.created';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: DepositAddressEventResource;
  readonly data: DepositAddressEventData & {
    readonly status: 'ACTIVE';
  };
}

/** A deposit address was disabled, or its end-user was erased. */
export interface DepositAddressDisabledEvent {
  readonly id: string;
  readonly type: 'deposit_address.disabled';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: DepositAddressEventResource;
  readonly data: DepositAddressEventData & {
    readonly status: 'DISABLED';
  };
}

export interface PaymentEventResource {
  readonly type: 'payment';
  readonly id: string;
  readonly version: number;
}

/** A payment in an event. */
export interface PaymentEventData {
  readonly id: string;
  /**
   * The kind of the payment. WITHDRAWAL: a payment to a bank account of your own company. PAYOUT: every other payment.
   */
  readonly kind: PaymentKind;
  /** The status of the payment. */
  readonly status: PaymentStatus;
  /**
   * The reason for the status. One of AWAITING_DEPOSIT, DEPOSIT_SEEN, QUEUED, SCHEDULED, SUBMITTING, OUTCOME_UNKNOWN,
   * STALLED, IN_RAIL, RETRYING, SETTLEMENT_FAILED, KYC_WITHDRAWN, COMPLIANCE_REVIEW, COMPLIANCE_DECLINED,
   * CUSTOMER_SUSPENDED, END_USER_NOT_ACTIVE, BANK_ACCOUNT_DISABLED, WALLET_NOT_ACTIVE, WALLET_NOT_PROVED, TRAVEL_RULE,
   * TRAVEL_RULE_REJECTED, CORRIDOR_UNAVAILABLE, QUOTE_EXPIRED, AWAITING_RATE, REQUOTED, CUSTOMER_APPROVAL,
   * APPROVAL_EXPIRED, RELEASE_STOPPED, AWAITING_LIQUIDITY, NETWORK_CONGESTED, SIGNING_STOPPED, ENGINE_FAULT, DELIVERED,
   * REJECTED_BY_BANK, VOIDED, REVERTED, RETURNED_BY_BANK, CANCELED_ON_REQUEST, DEPOSIT_EXPIRED, DEPOSIT_UNDERPAID. More
   * values may be added.
   */
  readonly statusDetail: string;
  /** The location of the funds. More values may be added. */
  readonly fundsStatus: FundsStatus;
  readonly finality: PaymentFinality;
  /** Whether the network can still reverse the payment. Always false for a payment to a bank account. */
  readonly preliminary: boolean;
  /**
   * Whether you can still cancel the payment with `POST /payments/{id}/cancel`. True until a part of it has been sent.
   */
  readonly cancelable: boolean;
  /** The requested day of sending. Null if you requested none. */
  readonly scheduledFor: string | null;
  /** The time at which the payment is sent: when the rail opens on that day, or on the next day on which it opens. */
  readonly releaseAt: string | null;
  readonly endUserId: string;
  /** The id of the bank account. Null for a payment to a wallet. */
  readonly bankAccountId: string | null;
  /** The id of the wallet. Null for a payment to a bank account. */
  readonly walletId: string | null;
  /** The rail of the payment. For a payment to a wallet, the network of the wallet. */
  readonly rail: string;
  /** The network of the wallet. Null for a payment to a bank account. */
  readonly network: string | null;
  /** The amount that the beneficiary receives, in major units. */
  readonly amount: string;
  /** The currency or asset that the beneficiary receives. ISO 4217 code. Absent for an asset. */
  readonly currency?: string | undefined;
  /** The currency or asset that the beneficiary receives. Asset code. Absent for a currency. */
  readonly asset?: string | undefined;
  /** The id of the quote that priced the payment. Null if there was no conversion. */
  readonly quoteId: string | null;
  readonly source: PaymentSource;
  readonly funding: Funding;
  /** The number of target units for one unit of the source, applied after fees. Null if there was no conversion. */
  readonly rate: string | null;
  /**
   * The time until which `rate` is held. A payment that was not sent by then, because it was on hold for example, fails
   * with `quote_expired`, and its funds go back, or is priced anew with `onQuoteExpiry` REQUOTE. Null if there was no
   * conversion.
   */
  readonly rateHeldUntil: string | null;
  /** What happens if the payment was not sent while its rate was held. Null if there was no conversion. */
  readonly onQuoteExpiry: OnQuoteExpiry | null;
  /**
   * The most that the payment may cost, in the currency or asset of `source`. It is reserved until the payment ends.
   * Null without REQUOTE.
   */
  readonly maxSourceAmount: string | null;
  /**
   * The time until which the payment may be priced anew, 24 hours after the first `rateHeldUntil`. A payment that was
   * not sent by then fails with `quote_expired`. Null without REQUOTE.
   */
  readonly requoteUntil: string | null;
  /** The fees, which are part of `source.amount`. They are refunded if the payment fails, but not if it is returned. */
  readonly fees: readonly Fee[];
  readonly externalId: string | null;
  readonly purpose: string | null;
  readonly failure: PaymentFailure | null;
  readonly return: PaymentReturn | null;
  /** The references that identify the payment at the bank, on its statements, or on the network. */
  readonly references: readonly PaymentReference[];
  /** The reconciliation of the payment with the bank's statement. */
  readonly reconciliation: {
    readonly status: ReconciliationStatus;
    readonly evidence: Readonly<Record<string, unknown>> | null;
  };
  /** The version of the resource. It increases by one with every change. */
  readonly version: number;
  /** The time at which the payment was accepted. */
  readonly createdAt: string;
  /** The time of the last change. */
  readonly updatedAt: string;
}

/** The previous values of the changed fields. */
export interface PaymentBefore {
  /** The status of the payment. */
  readonly status: PaymentStatus;
  /**
   * The reason for the status. One of AWAITING_DEPOSIT, DEPOSIT_SEEN, QUEUED, SCHEDULED, SUBMITTING, OUTCOME_UNKNOWN,
   * STALLED, IN_RAIL, RETRYING, SETTLEMENT_FAILED, KYC_WITHDRAWN, COMPLIANCE_REVIEW, COMPLIANCE_DECLINED,
   * CUSTOMER_SUSPENDED, END_USER_NOT_ACTIVE, BANK_ACCOUNT_DISABLED, WALLET_NOT_ACTIVE, WALLET_NOT_PROVED, TRAVEL_RULE,
   * TRAVEL_RULE_REJECTED, CORRIDOR_UNAVAILABLE, QUOTE_EXPIRED, AWAITING_RATE, REQUOTED, CUSTOMER_APPROVAL,
   * APPROVAL_EXPIRED, RELEASE_STOPPED, AWAITING_LIQUIDITY, NETWORK_CONGESTED, SIGNING_STOPPED, ENGINE_FAULT, DELIVERED,
   * REJECTED_BY_BANK, VOIDED, REVERTED, RETURNED_BY_BANK, CANCELED_ON_REQUEST, DEPOSIT_EXPIRED, DEPOSIT_UNDERPAID. More
   * values may be added.
   */
  readonly statusDetail: string;
}

/** A payment was accepted, and its funds are held. */
export interface PaymentCreatedEvent {
  readonly id: string;
  readonly type: 'payment.created';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: PaymentEventResource;
  readonly data: PaymentEventData;
  readonly previous?: PaymentBefore | undefined;
}

/** A payment that was on hold continues. */
export interface PaymentProcessingEvent {
  readonly id: string;
  readonly type: 'payment.processing';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: PaymentEventResource;
  readonly data: PaymentEventData & {
    readonly status: 'PROCESSING';
  };
  readonly previous?: PaymentBefore | undefined;
}

/** A payment is on hold. `statusDetail` gives the reason. */
export interface PaymentOnHoldEvent {
  readonly id: string;
  readonly type: 'payment.on_hold';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: PaymentEventResource;
  readonly data: PaymentEventData & {
    readonly status: 'ON_HOLD';
  };
  readonly previous?: PaymentBefore | undefined;
}

/** The bank accepted a payment. */
export interface PaymentSentEvent {
  readonly id: string;
  readonly type: 'payment.sent';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: PaymentEventResource;
  readonly data: PaymentEventData & {
    readonly status: 'SENT';
  };
  readonly previous?: PaymentBefore | undefined;
}

/** A payment was delivered. The bank may still return it until it is final. */
export interface PaymentCompletedEvent {
  readonly id: string;
  readonly type: 'payment.completed';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: PaymentEventResource;
  readonly data: PaymentEventData & {
    readonly status: 'COMPLETED';
  };
  readonly previous?: PaymentBefore | undefined;
}

/** A payment was not delivered, and its funds are back in your balance. `failure` gives the reason. */
export interface PaymentFailedEvent {
  readonly id: string;
  readonly type: 'payment.failed';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: PaymentEventResource;
  readonly data: PaymentEventData & {
    readonly status: 'FAILED';
  };
  readonly previous?: PaymentBefore | undefined;
}

/** A payment was canceled on request, and its funds are back in your balance. */
export interface PaymentCanceledEvent {
  readonly id: string;
  readonly type: 'payment.canceled';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: PaymentEventResource;
  readonly data: PaymentEventData & {
    readonly status: 'CANCELED';
  };
  readonly previous?: PaymentBefore | undefined;
}

/** A payment could not be made in time, and its funds are back in your balance. */
export interface PaymentExpiredEvent {
  readonly id: string;
  readonly type: 'payment.expired';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: PaymentEventResource;
  readonly data: PaymentEventData & {
    readonly status: 'EXPIRED';
  };
  readonly previous?: PaymentBefore | undefined;
}

/** A payment was returned after its delivery. `return` gives the details. */
export interface PaymentReturnedEvent {
  readonly id: string;
  readonly type: 'payment.returned';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: PaymentEventResource;
  readonly data: PaymentEventData & {
    readonly status: 'RETURNED';
  };
  readonly previous?: PaymentBefore | undefined;
}

/**
 * The rate of a payment ended, and the payment was priced anew within its `maxSourceAmount`. `rate`, `fees`, `source`,
 * `quoteId`, and `rateHeldUntil` have changed.
 */
export interface PaymentRequotedEvent {
  readonly id: string;
  readonly type: 'payment.requoted';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: PaymentEventResource;
  readonly data: PaymentEventData;
  readonly previous?: PaymentBefore | undefined;
}

/** A payment appears on the bank's statement. */
export interface PaymentReconciledEvent {
  readonly id: string;
  readonly type: 'payment.reconciled';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: PaymentEventResource;
  readonly data: PaymentEventData;
  readonly previous?: PaymentBefore | undefined;
}

/** A completed payment is final and can no longer be returned. */
export interface PaymentFinalEvent {
  readonly id: string;
  readonly type: 'payment.final';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: PaymentEventResource;
  readonly data: PaymentEventData;
  readonly previous?: PaymentBefore | undefined;
}

/** A payment changed, but not its status. */
export interface PaymentUpdatedEvent {
  readonly id: string;
  readonly type: 'payment.updated';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: PaymentEventResource;
  readonly data: PaymentEventData;
  readonly previous?: PaymentBefore | undefined;
}

export interface PaymentBatchEventResource {
  readonly type: 'payment_batch';
  readonly id: string;
  readonly version: number;
}

/** A batch of payments was accepted. */
export interface PaymentBatchCreatedEvent {
  readonly id: string;
  readonly type: 'payment_batch.created';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: PaymentBatchEventResource;
  readonly data: PaymentBatch & {
    readonly status: 'PROCESSING';
  };
}

/** Every item of a batch is accepted or refused. The accepted payments may still be in progress. */
export interface PaymentBatchCompletedEvent {
  readonly id: string;
  readonly type: 'payment_batch.completed';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: PaymentBatchEventResource;
  readonly data: PaymentBatch & {
    readonly status: 'COMPLETED';
  };
}

export interface DepositEventResource {
  readonly type: 'deposit';
  readonly id: string;
  readonly version: number;
}

/** A deposit in an event, without the address of its sender. */
export interface DepositEventData {
  readonly id: string;
  readonly network: NetworkName;
  /** The code of the received asset. */
  readonly asset: string;
  /** The received amount, in major units. */
  readonly amount: string;
  /** The address that received the deposit. */
  readonly address: string;
  readonly txHash: string;
  /**
   * The status of the deposit. SEEN: a block contains the transfer. CREDITED: the deposit is credited. FINAL: the
   * deposit cannot be reversed. ORPHANED: the block was removed from the chain, and the transfer may be mined again.
   * BLOCKED: the sender is on a sanctions list. KEPT: the deposit is blocked permanently.
   */
  readonly status: DepositStatus;
  /** Where the deposit was credited. Null while it is not credited. */
  readonly appliedTo: DepositUse | null;
  /**
   * The reason why the deposit, or a part of it, was credited to your balance instead of its payment. Null if it was
   * not.
   */
  readonly reason: DepositReason | null;
  /** The id of the payment that the address belongs to. Null for a deposit address. */
  readonly paymentId: string | null;
  /** The id of the deposit address. Null for the address of a payment. */
  readonly depositAddressId: string | null;
  /**
   * The result of paying the deposit on or of refunding the excess. It is set soon after the deposit is FINAL. Null
   * before that, or if neither is requested.
   */
  readonly onward: DepositOnward | null;
  /** The timestamp of the block that contains the deposit, or that last contained it. */
  readonly minedAt: string;
  /** The version of the resource. It increases by one with every change. */
  readonly version: number;
  /** The time at which the deposit was first seen. */
  readonly createdAt: string;
  /** The time of the last change. */
  readonly updatedAt: string;
}

/** A block contains tokens sent to one of your addresses. The deposit may still be reversed. */
export interface DepositSeenEvent {
  readonly id: string;
  readonly type: 'deposit.seen';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: DepositEventResource;
  readonly data: DepositEventData & {
    readonly status: 'SEEN';
  };
}

/** A deposit was credited to your balance or to its payment. */
export interface DepositCreditedEvent {
  readonly id: string;
  readonly type: 'deposit.credited';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: DepositEventResource;
  readonly data: DepositEventData & {
    readonly status: 'CREDITED';
  };
}

/** A credited deposit is final and can no longer be reversed. */
export interface DepositFinalEvent {
  readonly id: string;
  readonly type: 'deposit.final';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: DepositEventResource;
  readonly data: DepositEventData & {
    readonly status: 'FINAL';
  };
}

/**
 * The block that contained a deposit was removed from the chain, and the credit is reversed. The transfer may be mined
 * again.
 */
export interface DepositOrphanedEvent {
  readonly id: string;
  readonly type: 'deposit.orphaned';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: DepositEventResource;
  readonly data: DepositEventData & {
    readonly status: 'ORPHANED';
  };
}

/** The sender of a deposit is on a sanctions list. You cannot use the deposit. */
export interface DepositBlockedEvent {
  readonly id: string;
  readonly type: 'deposit.blocked';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: DepositEventResource;
  readonly data: DepositEventData & {
    readonly status: 'BLOCKED';
  };
}

/** A blocked deposit is kept permanently and will not be credited to your balance. */
export interface DepositKeptEvent {
  readonly id: string;
  readonly type: 'deposit.kept';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: DepositEventResource;
  readonly data: DepositEventData & {
    readonly status: 'KEPT';
  };
}

/** A deposit changed, but not its status. */
export interface DepositUpdatedEvent {
  readonly id: string;
  readonly type: 'deposit.updated';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: DepositEventResource;
  readonly data: DepositEventData;
}

export interface FundingCreditEventResource {
  readonly type: 'funding_credit';
  readonly id: string;
  readonly version: number;
}

/** Incoming funds, without data about the sender. */
export interface FundingCreditEventData {
  readonly id: string;
  /** The status of the credit. REVERSED: the bank reversed it. */
  readonly status: 'CREDITED' | 'REVERSED';
  /** The currency of the balance, as a three-letter ISO 4217 code. */
  readonly currency: string;
  /** The amount that was credited or reversed, in major units. */
  readonly amount: string;
  /**
   * Your reference from `GET /funding-instructions` that the payer gave. Null if an operator assigned the funds to you.
   */
  readonly reference: string | null;
  /** The time at which the bank booked the credit. */
  readonly bookedAt: string | null;
  readonly balanceTransactionId: string;
}

/** Incoming funds were credited to your balance. */
export interface BalanceCreditedEvent {
  readonly id: string;
  readonly type: 'balance.credited';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: FundingCreditEventResource;
  readonly data: FundingCreditEventData & {
    readonly status: 'CREDITED';
  };
}

/** The bank reversed a credit. */
export interface BalanceCreditReversedEvent {
  readonly id: string;
  readonly type: 'balance.credit_reversed';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: FundingCreditEventResource;
  readonly data: FundingCreditEventData & {
    readonly status: 'REVERSED';
  };
}

export interface WebhookEndpointEventResource {
  readonly type: 'webhook_endpoint';
  readonly id: string;
  readonly version: number;
}

/** A webhook endpoint in an event, without its URL and description. */
export interface WebhookEndpointEventData {
  readonly id: string;
  /** The event types to send: types, families (`payment.*`), or all types (`*`). */
  readonly types: readonly EventSubscription[];
  /** Whether webhooks contain ids only. `data` is then `{"id": ...}`, and `previous` is absent. Default: false. */
  readonly thin: boolean;
  /**
   * Whether webhooks also have an Ed25519 signature (`v1a`). Default: false. False deletes the key pair immediately.
   */
  readonly asymmetric: boolean;
  /**
   * The status of the endpoint. An endpoint becomes DISABLED on request, after a 410 response, or after four days of
   * failures only. Events that it misses are sent after it is ENABLED again.
   */
  readonly status: WebhookEndpointStatus;
  /** Why the endpoint is DISABLED: on request, after a 410 response, or after four days of failures. */
  readonly reason: WebhookDisabledReason | null;
  /** The version of the resource. It increases by one with every change. */
  readonly version: number;
  /** The time at which the resource was created. */
  readonly createdAt: string;
  /** The time of the last change. */
  readonly updatedAt: string;
}

/** The previous values of the changed fields. */
export interface WebhookEndpointBefore {
  /**
   * The status of the endpoint. An endpoint becomes DISABLED on request, after a 410 response, or after four days of
   * failures only. Events that it misses are sent after it is ENABLED again.
   */
  readonly status: WebhookEndpointStatus;
}

/** A webhook endpoint changed. */
export interface WebhookEndpointUpdatedEvent {
  readonly id: string;
  readonly type: 'webhook_endpoint.updated';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: WebhookEndpointEventResource;
  readonly data: WebhookEndpointEventData;
  readonly previous?: WebhookEndpointBefore | undefined;
}

/** A webhook endpoint was disabled on request, after a 410 response, or after four days of failures. */
export interface WebhookEndpointDisabledEvent {
  readonly id: string;
  readonly type: 'webhook_endpoint.disabled';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: WebhookEndpointEventResource;
  readonly data: WebhookEndpointEventData & {
    readonly status: 'DISABLED';
  };
  readonly previous?: WebhookEndpointBefore | undefined;
}

/** A test event, sent on request only. */
export interface PingEvent {
  readonly id: string;
  readonly type: 'ping';
  /** The time at which the event happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: Environment;
  readonly resource: WebhookEndpointEventResource;
  readonly data: IdOnly;
}

/** An error. */
export interface ErrorBody {
  /** The stable error code. Base your error handling on this code. */
  readonly error: ErrorCode;
  /** A description for developers. The text may change. */
  readonly message: string;
  readonly details: readonly {
    /** The field of the problem: a JSON Pointer into the body, or /query/<name>, /path/<name>, or /header/<name>. */
    readonly path: string;
    /**
     * The code of the problem: an error code, or one of required, not_allowed, unexpected, unknown_field,
     * one_unit_needed, one_amount_needed, network_with_asset, same_currency, source_mismatch, format, not_positive,
     * too_large, too_many, invalid_date, masked_value, repeated_key, country_mismatch, end_user_not_closed,
     * payments_not_final, retention_not_over, invalid_phone, invalid_iban, invalid_bic, invalid_routing_number,
     * invalid_account_number, invalid_account_type, invalid_sort_code, invalid_bank_code, invalid_branch_code,
     * invalid_bsb, invalid_cbu, invalid_cci, invalid_clabe, invalid_clearing_code, invalid_cnaps_code, invalid_email,
     * invalid_ifsc, invalid_institution_number, invalid_operator, invalid_pix_key, invalid_proxy, invalid_proxy_type,
     * invalid_tax_id, invalid_transit_number, invalid_vpa. More values may be added.
     */
    readonly code: string;
    readonly message: string;
    readonly meta?: Readonly<Record<string, unknown>> | undefined;
  }[];
  readonly requestId: string;
}
