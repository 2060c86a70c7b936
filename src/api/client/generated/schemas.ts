// Written by "npm run client-types" from docs/openapi.json. Not to be changed by hand.

/** An Ed25519 public key (RFC 8037). */
export interface WebhookJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  /** Its 32 bytes as base64url. */
  readonly x: string;
  /** Its thumbprint (RFC 7638). */
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: 'EdDSA';
  /** `whpk_` and the base64 of its 32 bytes, as Standard Webhooks 1.0 writes it. */
  readonly publicKey: string;
  /** From then on it verifies nothing any more. */
  readonly expiresAt: string | null;
}

/** The keys that verify the `v1a` signatures of one endpoint: a JWK Set (RFC 7517). */
export interface WebhookKeys {
  /** Newest first; two while a rotation overlaps. */
  readonly keys: readonly WebhookJwk[];
}

/** One change of one balance. It never changes. */
export interface BalanceTransaction {
  readonly id: string;
  /** What it is for. More may come. */
  readonly type:
    | 'DEPOSIT'
    | 'PAYMENT_HOLD'
    | 'PAYMENT'
    | 'PAYMENT_RELEASE'
    | 'PAYMENT_RETURN'
    | 'DEPOSIT_REVERSAL'
    | 'RECEIVABLE_REPAYMENT'
    | 'FEE';
  /**
   * The balance that moves: AVAILABLE can be paid out, RESERVED is held for payments, PENDING is on
   * its way in, RECEIVABLE is what you owe.
   */
  readonly balance: 'AVAILABLE' | 'RESERVED' | 'PENDING' | 'RECEIVABLE';
  /** What the balance is in. ISO 4217; absent where it is an asset. */
  readonly currency?: string | undefined;
  /** What the balance is in. Absent where it is a currency. */
  readonly asset?: string | undefined;
  /** What it adds to the balance; negative where it takes. */
  readonly amount: string;
  /** The same balance behind it. */
  readonly balanceAfter: string;
  /** What moved it; null for money that came in. */
  readonly source: {
    /** More may come. */
    readonly type: 'payment';
    readonly id: string;
    /** WITHDRAWAL: to an account of your own company. */
    readonly kind: 'PAYOUT' | 'WITHDRAWAL';
  } | null;
  /** The externalId of the payment. */
  readonly externalId: string | null;
  /** For people; it may change. */
  readonly description: string;
  /** When it was booked. The order is that of the list, not of this. */
  readonly createdAt: string;
}

/** A day in one currency or asset. It never changes. */
export interface BalanceStatementSummary {
  /** What the balance is in. ISO 4217; absent where it is an asset. */
  readonly currency?: string | undefined;
  /** What the balance is in. Absent where it is a currency. */
  readonly asset?: string | undefined;
  /** The day, by UTC. */
  readonly date: string;
  /** All that you had when the day began: closingBalance of the day before. */
  readonly openingBalance: string;
  /** openingBalance and every entry. */
  readonly closingBalance: string;
  /** What closingBalance was made of. */
  readonly closing: {
    /** Could be paid out. */
    readonly available: string;
    /** Was held for payments. */
    readonly reserved: string;
    /** Was on its way in. */
    readonly pending: string;
    /** What you owed, negative. */
    readonly receivable: string;
  };
  /** When the end of the day was decided. */
  readonly closedAt: string;
}

/** One booking. */
export interface BalanceStatementEntry {
  /** The (first) balance transaction that it is made of. */
  readonly id: string;
  /** What it is for. More may come. */
  readonly type:
    | 'DEPOSIT'
    | 'PAYMENT_HOLD'
    | 'PAYMENT'
    | 'PAYMENT_RELEASE'
    | 'PAYMENT_RETURN'
    | 'DEPOSIT_REVERSAL'
    | 'RECEIVABLE_REPAYMENT'
    | 'FEE';
  /** For people; it may change. */
  readonly description: string;
  /** Negative for what went out. */
  readonly amount: string;
  /** All that you had behind it. */
  readonly balanceAfter: string;
  /** The payment that it is of. */
  readonly paymentId: string | null;
  /** Your id of the payment. */
  readonly externalId: string | null;
  /** The payment's END_TO_END_ID: what the bank's own statement names. */
  readonly reference: string | null;
  /** When it was booked. */
  readonly bookedAt: string;
}

/** A day in one currency, entry by entry. It never changes. */
export interface BalanceStatement {
  /** What the balance is in. ISO 4217; absent where it is an asset. */
  readonly currency?: string | undefined;
  /** What the balance is in. Absent where it is a currency. */
  readonly asset?: string | undefined;
  /** The day, by UTC. */
  readonly date: string;
  /** All that you had when the day began: closingBalance of the day before. */
  readonly openingBalance: string;
  /** openingBalance and every entry. */
  readonly closingBalance: string;
  /** What closingBalance was made of. */
  readonly closing: {
    /** Could be paid out. */
    readonly available: string;
    /** Was held for payments. */
    readonly reserved: string;
    /** Was on its way in. */
    readonly pending: string;
    /** What you owed, negative. */
    readonly receivable: string;
  };
  /** When the end of the day was decided. */
  readonly closedAt: string;
  readonly entries: readonly BalanceStatementEntry[];
  /** How many they are. */
  readonly entryCount: number;
  /** The sum of those that came in. */
  readonly totalCredits: string;
  /** The sum of those that went out, negative. */
  readonly totalDebits: string;
}

export interface Address {
  /** Street and number. */
  readonly line1: string;
  /** Floor, unit. */
  readonly line2?: string | undefined;
  /** Town. */
  readonly city: string;
  /** State or province. */
  readonly region?: string | undefined;
  /** As the country writes it. */
  readonly postalCode?: string | undefined;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
}

/** A bank account to pay to. Cannot be changed later. */
export interface NewBankAccount {
  /** Whose payments go there. */
  readonly endUserId: string;
  /** The account's country, ISO 3166-1 alpha-2. */
  readonly country: string;
  /** The account's currency, ISO 4217. */
  readonly currency: string;
  /**
   * Over which payments go, one of SWIFT, MOBILE_MONEY, SEPA, SEPA_INSTANT, FPS, SIC, CERTIS,
   * ELIXIR, GIRO_HU, STRAKS, BANKGIROT, NICS, SENT, SEP_UA, ACH, FEDWIRE, EFT, INTERAC, SPEI, PIX,
   * CBU, TEF, CCE, ACH_CO, SINPE, UPI, IMPS, BEFTN, CEFTS, FAST, PROMPTPAY, INSTAPAY, DUITNOW,
   * BI_FAST, NAPAS, FPS_HK, CNAPS, ACH_TW, ZENGIN, KFTC, BECS, NPP, BECS_NZ, UAEFTS, SARIE,
   * FAST_TR, RAAST, IPN, CLIQ, FAWRI_PLUS, MASAV, NIP, GIP, PESALINK, RTC. The corridor's first
   * where it is left out.
   */
  readonly rail?: string | undefined;
  /** The name that the account is under. */
  readonly holderName: string;
  /** Whether a person or a business holds the account. */
  readonly holderType: 'INDIVIDUAL' | 'BUSINESS';
  readonly holderAddress?: Address | undefined;
  /**
   * By country and rail: GET /bank-account-requirements says which fields there are. Blanks and
   * hyphens as printed are taken.
   */
  readonly details: Readonly<Record<string, unknown>>;
}

/** A bank account, its details masked. */
export interface BankAccount {
  readonly id: string;
  readonly endUserId: string;
  readonly country: string;
  /** The account's currency, ISO 4217. */
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
  readonly holderName: string;
  /** Whether a person or a business holds the account. */
  readonly holderType: 'INDIVIDUAL' | 'BUSINESS';
  readonly holderAddress?: Address | undefined;
  /** Masked: the last four characters of each value, never its first two. */
  readonly details: Readonly<Record<string, string>>;
  /** The end of the account number. */
  readonly last4: string;
  /** Equal for the same account, whichever end-user has it. Opaque. */
  readonly fingerprint: string;
  /** Where a directory of banks knows it. */
  readonly bankName: string | null;
  /**
   * Only an ACTIVE account can be paid to. PENDING: an account of your own company that waits for
   * its approval by the operators of the service.
   */
  readonly status: 'PENDING' | 'ACTIVE' | 'DISABLED';
  /**
   * How the holder's name compares with the bank's when the account was registered. NO_MATCH:
   * payments are refused with `payee_name_mismatch`.
   */
  readonly nameCheck: 'MATCH' | 'CLOSE_MATCH' | 'NO_MATCH' | 'UNAVAILABLE' | 'NOT_SUPPORTED';
  /** Goes up by one with every change. */
  readonly version: number;
  /** When it was registered. */
  readonly createdAt: string;
  /** When it last changed. */
  readonly updatedAt: string;
}

/** What an account needs that is paid over one rail. */
export interface BankAccountRequirements {
  readonly country: string;
  /** The account's currency, ISO 4217. */
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
  /** Whether a person or a business holds the account. */
  readonly holderType: 'INDIVIDUAL' | 'BUSINESS';
  /** JSON Schema 2020-12 of the body of POST /bank-accounts without endUserId. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** A network that tokens are sent over. */
export interface Network {
  readonly network: 'ETHEREUM' | 'BASE' | 'OPTIMISM' | 'ARBITRUM' | 'POLYGON';
  /** EIP-155. */
  readonly chainId: number;
  readonly assets: readonly {
    readonly asset: string;
    /** The token; one of another contract is another token. */
    readonly contract: string;
    /** The smallest payment. */
    readonly min: string;
    /** The largest payment. */
    readonly max: string;
  }[];
  readonly confirmations: {
    /** How deep a transfer lies that counts, up to 10,000 units of the asset. */
    readonly credit: {
      /** So many blocks under the newest one; null where a tag says it. */
      readonly blocks: number | null;
      /** The tag of the network's own nodes; null where blocks are counted. */
      readonly tag: 'safe' | 'finalized' | null;
    };
    /** The same above. */
    readonly creditAbove: {
      /** So many blocks under the newest one; null where a tag says it. */
      readonly blocks: number | null;
      /** The tag of the network's own nodes; null where blocks are counted. */
      readonly tag: 'safe' | 'finalized' | null;
    };
    /** How deep a transfer lies that cannot be undone. */
    readonly final: {
      /** So many blocks under the newest one; null where a tag says it. */
      readonly blocks: number | null;
      /** The tag of the network's own nodes; null where blocks are counted. */
      readonly tag: 'safe' | 'finalized' | null;
    };
  };
  /** PAUSED: nothing new goes over it now. */
  readonly status: 'ACTIVE' | 'PAUSED';
}

/** The provider that keeps a HOSTED wallet for its owner. */
export interface Vasp {
  /** The provider's name. */
  readonly name: string;
  /** Where the provider is, ISO 3166-1 alpha-2. */
  readonly country: string;
}

/** A wallet to pay to. Cannot be changed later. HOSTED needs `vasp`. */
export interface NewWallet {
  /** Whose wallet it is. Left out: your own. */
  readonly endUserId?: string | undefined;
  /** One of GET /networks: ETHEREUM, BASE, OPTIMISM, ARBITRUM, POLYGON. */
  readonly network: string;
  /**
   * The address: `0x` and 40 hexadecimal digits, all in lower or all in upper case, or with the
   * checksum of EIP-55. Neither zero, built into a network, a token nor one of ours.
   */
  readonly address: string;
  /** Whether its owner has the key, or a provider keeps it for them. */
  readonly ownership: 'SELF_HOSTED' | 'HOSTED';
  readonly vasp?: Vasp | undefined;
}

export interface WalletVasp {
  readonly name: string;
  readonly country: string;
}

export interface WalletProof {
  /** To be signed with the key of the wallet (EIP-191, `personal_sign`). */
  readonly message: string;
}

/** A wallet to pay to. */
export interface Wallet {
  readonly id: string;
  /** Whose wallet it is; null: your own. */
  readonly endUserId: string | null;
  readonly network: 'ETHEREUM' | 'BASE' | 'OPTIMISM' | 'ARBITRUM' | 'POLYGON';
  /** With EIP-55's checksum. `****` where the end-user was erased. */
  readonly address: string;
  /** Whether its owner has the key, or a provider keeps it for them. */
  readonly ownership: 'SELF_HOSTED' | 'HOSTED';
  /** Who keeps a HOSTED wallet; null for SELF_HOSTED. */
  readonly vasp: WalletVasp | null;
  /**
   * Only an ACTIVE wallet can be paid to. PENDING: its address is not cleared yet. REJECTED: the
   * address is on a list of addresses.
   */
  readonly status: 'PENDING' | 'ACTIVE' | 'REJECTED' | 'DISABLED';
  /** What shows whose the wallet is; null where there is nothing to show. */
  readonly proof: WalletProof | null;
  /** When a signature showed whose it is. */
  readonly provedAt: string | null;
  /** Goes up by one with every change. */
  readonly version: number;
  /** When it was registered. */
  readonly createdAt: string;
  /** When it last changed. */
  readonly updatedAt: string;
}

/** A signature of the wallet. */
export interface NewProof {
  /**
   * Over `proof.message`: 65 bytes of r, s and v of a key (EIP-191), or what the contract at the
   * address takes for its own (ERC-1271).
   */
  readonly signature: string;
}

/** An address that takes deposits. Cannot be changed later. */
export interface NewDepositAddress {
  /** For whom. Required with bankAccountId or walletId. Left out with neither: your own. */
  readonly endUserId?: string | undefined;
  /** An account of the end-user that each deposit is paid on to. */
  readonly bankAccountId?: string | undefined;
  /**
   * A wallet of the end-user, or your own, in the place of an account. Neither: what comes stays in
   * the balance.
   */
  readonly walletId?: string | undefined;
  /**
   * A smaller deposit is not paid on. Of whatever asset comes, up to 6 decimals. Left out: each one
   * is. More than 0 and less than 1000000000000. No more decimals than its currency or asset has,
   * zeros at the end included; no sign, no exponent.
   */
  readonly minAmount?: string | undefined;
}

export interface ReceivingNetwork {
  readonly network: 'ETHEREUM' | 'BASE' | 'OPTIMISM' | 'ARBITRUM' | 'POLYGON';
  readonly assets: readonly string[];
}

/** An address that takes deposits for as long as it stands. */
export interface DepositAddress {
  readonly id: string;
  /** For whom; null: your own. */
  readonly endUserId: string | null;
  /** Where deposits are paid on to. */
  readonly bankAccountId: string | null;
  /** The same, of a wallet. */
  readonly walletId: string | null;
  /** A smaller deposit is not paid on, in units of whatever asset comes. */
  readonly minAmount: string;
  /** The same on every network, with EIP-55's checksum. */
  readonly address: string;
  /** What it takes, and where. Nothing else that is sent there is seen. */
  readonly networks: readonly ReceivingNetwork[];
  /** What comes to a DISABLED address stays in the balance. */
  readonly status: 'ACTIVE' | 'DISABLED';
  /** Goes up by one with every change. */
  readonly version: number;
  /** When it was made. */
  readonly createdAt: string;
  /** When it last changed. */
  readonly updatedAt: string;
}

export interface Confirmations {
  /** Blocks above the one that holds it. */
  readonly have: number;
  /**
   * How many it must have to count. Of one that is SEEN, what it waits for: as many as all that
   * came to you lately would need in one deposit. Null where the network's own tag says when it
   * counts: GET /networks.
   */
  readonly need: number | null;
}

export interface DepositOnward {
  /** The payment that it became, or that refunds what is over of it. */
  readonly paymentId: string | null;
  /**
   * Why it became none, as POST /payments would have said it; `deposit_address_disabled`: so was
   * its address.
   */
  readonly code: string | null;
}

/** Tokens that came to an address of yours. */
export interface Deposit {
  readonly id: string;
  readonly network: 'ETHEREUM' | 'BASE' | 'OPTIMISM' | 'ARBITRUM' | 'POLYGON';
  /** What came. */
  readonly asset: string;
  /** How much came. */
  readonly amount: string;
  /** Who sent it. Often an exchange, to which nothing should be sent back. */
  readonly from: string;
  /** Where it came to. */
  readonly address: string;
  readonly txHash: string;
  readonly confirmations: Confirmations;
  /**
   * SEEN: a block holds it. CREDITED: it counts. FINAL: it cannot be undone. ORPHANED: its block is
   * gone; it may be mined again. BLOCKED: its sender is on a list. KEPT: it was blocked, and stays
   * so for good.
   */
  readonly status: 'SEEN' | 'CREDITED' | 'FINAL' | 'ORPHANED' | 'BLOCKED' | 'KEPT';
  /** Where it is; null while it does not count. */
  readonly appliedTo: 'PAYMENT' | 'BALANCE' | 'SUSPENSE' | null;
  /**
   * Why it, or what is over of it, is in your balance and not in the payment; null where nothing
   * is.
   */
  readonly reason:
    | 'LATE'
    | 'SURPLUS'
    | 'UNDERPAID'
    | 'WRONG_ASSET'
    | 'WRONG_NETWORK'
    | 'BELOW_MINIMUM'
    | 'PAYMENT_REFUSED' | null;
  /** The payment that the address was given for. */
  readonly paymentId: string | null;
  /** The standing address. */
  readonly depositAddressId: string | null;
  /**
   * What became of one that its address pays on, or of what its payment refunds; null where neither
   * is asked for, or before it is judged, which is soon after it is FINAL.
   */
  readonly onward: DepositOnward | null;
  /** The time of the block that holds it, or held it last. */
  readonly minedAt: string;
  /** Goes up by one with every change. */
  readonly version: number;
  /** When it was first seen. */
  readonly createdAt: string;
  /** When it last changed. */
  readonly updatedAt: string;
}

/** What to give back, and to where. */
export interface NewDepositRefund {
  /** An ACTIVE wallet of the deposit's end-user, or your own. */
  readonly walletId: string;
  /**
   * What arrives, in the asset that came. Left out: all that is left. More than 0 and less than
   * 1000000000000. No more decimals than its currency or asset has, zeros at the end included; no
   * sign, no exponent.
   */
  readonly amount?: string | undefined;
  /**
   * In whose name it is paid. Needed only where neither the deposit nor the wallet is an
   * end-user's.
   */
  readonly endUserId?: string | undefined;
}

/** What pays for the payment. Of BALANCE all but the type is null. */
export interface Funding {
  /**
   * BALANCE: the balance pays, at once. CRYPTO_DEPOSIT: what is sent to an address of its own pays,
   * once it is there.
   */
  readonly type: 'BALANCE' | 'CRYPTO_DEPOSIT';
  /** What is to be sent. */
  readonly asset: string | null;
  /** Over which it is to be sent. */
  readonly network: string | null;
  /**
   * Where it is to be sent: for this payment alone. What comes late, or is more than is due, goes
   * to the balance.
   */
  readonly address: string | null;
  /** All that is to be sent, fees included; in one deposit or several. */
  readonly amountDue: string | null;
  /** What is there and counts for the payment. */
  readonly amountReceived: string | null;
  /** A deposit is in time whose block has no later timestamp, however late it confirms. */
  readonly expiresAt: string | null;
  /**
   * To where what the payment does not take is refunded: what is late, too much, too little in
   * time, or of another asset or network. Null: it stays in the balance.
   */
  readonly refundWalletId: string | null;
}

/** A part of what is paid. */
export interface Fee {
  /** What kind of fee it is. More may come. */
  readonly type: 'SERVICE' | 'NETWORK' | 'RAIL' | 'FIXED' | 'PERCENTAGE' | 'ROUNDING';
  /** In the source, part of what is paid. */
  readonly amount: string;
  /** What the source is in. ISO 4217; absent where it is an asset. */
  readonly currency?: string | undefined;
  /** What the source is in. Absent where it is a currency. */
  readonly asset?: string | undefined;
  /** Basis points that are in it; null where the fee is no share of an amount. */
  readonly bps: number | null;
  /** For people; it may change. */
  readonly description: string;
}

/** A payment. */
export interface Payment {
  readonly id: string;
  /** WITHDRAWAL: to an account of your own company. PAYOUT: every other one. */
  readonly kind: 'PAYOUT' | 'WITHDRAWAL';
  /** Where the payment stands. */
  readonly status:
    | 'PROCESSING'
    | 'ON_HOLD'
    | 'SENT'
    | 'COMPLETED'
    | 'FAILED'
    | 'CANCELED'
    | 'EXPIRED'
    | 'RETURNED';
  /**
   * Why it stands there. An open set: AWAITING_DEPOSIT, DEPOSIT_SEEN, QUEUED, SCHEDULED,
   * SUBMITTING, OUTCOME_UNKNOWN, STALLED, IN_RAIL, RETRYING, SETTLEMENT_FAILED, KYC_WITHDRAWN,
   * COMPLIANCE_REVIEW, COMPLIANCE_DECLINED, CUSTOMER_SUSPENDED, END_USER_NOT_ACTIVE,
   * BANK_ACCOUNT_DISABLED, WALLET_NOT_ACTIVE, WALLET_NOT_PROVED, TRAVEL_RULE, TRAVEL_RULE_REJECTED,
   * CORRIDOR_UNAVAILABLE, RELEASE_STOPPED, AWAITING_LIQUIDITY, NETWORK_CONGESTED, ENGINE_FAULT,
   * DELIVERED, REJECTED_BY_BANK, VOIDED, REVERTED, RETURNED_BY_BANK, CANCELED_ON_REQUEST,
   * DEPOSIT_EXPIRED, DEPOSIT_UNDERPAID, and more to come.
   */
  readonly statusDetail: string;
  /** Where the money is. More values may come. */
  readonly fundsStatus:
    | 'AWAITED'
    | 'ARRIVING'
    | 'HELD'
    | 'IN_RAIL'
    | 'DELIVERED'
    | 'BACK_IN_BALANCE'
    | 'UNKNOWN';
  readonly finality: {
    readonly state: 'NONE' | 'PROVISIONAL' | 'FINAL';
    /** Since when nothing can change it. */
    readonly finalAt: string | null;
    /**
     * Until when its rail lets a completed payment come back: the earliest moment at which it is
     * final.
     */
    readonly dueAt: string | null;
  };
  /**
   * True of a payment to a wallet until its network cannot take back what it shows; false of every
   * other.
   */
  readonly preliminary: boolean;
  /**
   * Whether nothing of it has been sent, so that `POST /payments/{id}/cancel` would still stop it.
   */
  readonly cancelable: boolean;
  /** As ordered; null for a payment without a day. */
  readonly scheduledFor: string | null;
  /** When it leaves: the opening of the rail on that day, or the next one after it. */
  readonly releaseAt: string | null;
  readonly endUserId: string;
  /** Null: it goes to a wallet. */
  readonly bankAccountId: string | null;
  /** Null: it goes to a bank account. */
  readonly walletId: string | null;
  /** Of a payment to a wallet the wallet's network. */
  readonly rail: string;
  /** Null: it goes to a bank account. */
  readonly network: string | null;
  /** What the beneficiary receives. */
  readonly amount: string;
  /** What the beneficiary receives. ISO 4217; absent where it is an asset. */
  readonly currency?: string | undefined;
  /** What the beneficiary receives. Absent where it is a currency. */
  readonly asset?: string | undefined;
  /** The quote that it was paid by; null in one currency. */
  readonly quoteId: string | null;
  readonly source: {
    /** The balance that pays. ISO 4217; absent where it is an asset. */
    readonly currency?: string | undefined;
    /** The balance that pays. Absent where it is a currency. */
    readonly asset?: string | undefined;
    /** What it pays in all, fees included. */
    readonly amount: string;
  };
  readonly funding: Funding;
  /**
   * Units of currency for one of the source, of what is left of it after fees. Null where nothing
   * was converted.
   */
  readonly rate: string | null;
  /** Part of source.amount. Kept when the payment is returned, given back when it fails. */
  readonly fees: readonly Fee[];
  readonly externalId: string | null;
  readonly purpose: string | null;
  readonly failure: {
    /** One of GET /failure-codes. More may come. */
    readonly code: string;
    /** Who decided so. More values may come. */
    readonly category:
      | 'BANK_REJECTED'
      | 'BENEFICIARY_REFUSED'
      | 'RECALLED'
      | 'COMPLIANCE'
      | 'KYC'
      | 'NOT_FUNDED'
      | 'INTERNAL';
    /** For developers. */
    readonly message: string;
    /** Whether a new payment may succeed unchanged. */
    readonly retryable: boolean;
    /** What to do next. More values may come. */
    readonly action:
      | 'CORRECT_ACCOUNT'
      | 'CORRECT_PAYMENT'
      | 'ASK_BENEFICIARY'
      | 'RETRY_LATER'
      | 'CONTACT_SUPPORT'
      | 'DO_NOT_RETRY';
    /** The bank's own code; null where it gave none, or none that may be told. */
    readonly railCode: string | null;
  } | null;
  readonly return: {
    /** As railCode. */
    readonly reason: string | null;
    /** One of GET /failure-codes. More may come. */
    readonly code: string;
    /** Who decided so. More values may come. */
    readonly category:
      | 'BANK_REJECTED'
      | 'BENEFICIARY_REFUSED'
      | 'RECALLED'
      | 'COMPLIANCE'
      | 'KYC'
      | 'NOT_FUNDED'
      | 'INTERNAL';
    /** For developers. */
    readonly message: string;
    /** Whether a new payment may succeed unchanged. */
    readonly retryable: boolean;
    /** What to do next. More values may come. */
    readonly action:
      | 'CORRECT_ACCOUNT'
      | 'CORRECT_PAYMENT'
      | 'ASK_BENEFICIARY'
      | 'RETRY_LATER'
      | 'CONTACT_SUPPORT'
      | 'DO_NOT_RETRY';
    /** The bank's own code; null where it gave none, or none that may be told. */
    readonly railCode: string | null;
    /** What came back. */
    readonly amount: string;
    /** What the bank kept. */
    readonly fee: string;
    readonly credited: {
      /** The balance that paid. ISO 4217; absent where it is an asset. */
      readonly currency?: string | undefined;
      /** The balance that paid. Absent where it is a currency. */
      readonly asset?: string | undefined;
      /** What is back in it: what came back at the rate of the payment. */
      readonly amount: string;
    };
    /** When it came back. */
    readonly at: string;
    /** It came back when the payment was final: it stays COMPLETED, and was credited. */
    readonly late: boolean;
  } | null;
  /** Under which the bank and its statements, or the network, know it. */
  readonly references: readonly {
    /** END_TO_END_ID, BANK_REFERENCE or, to a wallet, TX_HASH. More may come. */
    readonly type: string;
    readonly value: string;
  }[];
  /** Whether the bank's statement shows it. */
  readonly reconciliation: {
    readonly status: 'PENDING' | 'RECONCILED' | 'EXCEPTION';
    readonly evidence: Readonly<Record<string, unknown>> | null;
  };
  /** Goes up by one with every change. */
  readonly version: number;
  /** When it was accepted. */
  readonly createdAt: string;
  /** When it last changed. */
  readonly updatedAt: string;
  readonly idempotencyKey: string;
  readonly reference: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly statusHistory: readonly {
    /** Where the payment stands. */
    readonly status:
      | 'PROCESSING'
      | 'ON_HOLD'
      | 'SENT'
      | 'COMPLETED'
      | 'FAILED'
      | 'CANCELED'
      | 'EXPIRED'
      | 'RETURNED';
    /**
     * Why it stands there. An open set: AWAITING_DEPOSIT, DEPOSIT_SEEN, QUEUED, SCHEDULED,
     * SUBMITTING, OUTCOME_UNKNOWN, STALLED, IN_RAIL, RETRYING, SETTLEMENT_FAILED, KYC_WITHDRAWN,
     * COMPLIANCE_REVIEW, COMPLIANCE_DECLINED, CUSTOMER_SUSPENDED, END_USER_NOT_ACTIVE,
     * BANK_ACCOUNT_DISABLED, WALLET_NOT_ACTIVE, WALLET_NOT_PROVED, TRAVEL_RULE,
     * TRAVEL_RULE_REJECTED, CORRIDOR_UNAVAILABLE, RELEASE_STOPPED, AWAITING_LIQUIDITY,
     * NETWORK_CONGESTED, ENGINE_FAULT, DELIVERED, REJECTED_BY_BANK, VOIDED, REVERTED,
     * RETURNED_BY_BANK, CANCELED_ON_REQUEST, DEPOSIT_EXPIRED, DEPOSIT_UNDERPAID, and more to come.
     */
    readonly statusDetail: string;
    /** Since when. */
    readonly at: string;
    /** Goes up by one with every change. */
    readonly version: number;
  }[];
}

export interface Person {
  /** Given names. */
  readonly firstName: string;
  /** Family names. */
  readonly lastName: string;
  /** YYYY-MM-DD, a day of the calendar that is not to come. */
  readonly dateOfBirth?: string | undefined;
  /** ISO 3166-1 alpha-2. */
  readonly nationality?: string | undefined;
  /** Tax numbers, at most ten. */
  readonly taxIds?: readonly {
    /** The country that gave it out, ISO 3166-1 alpha-2. */
    readonly country: string;
    /** The number as written. Answers show its last four characters only. */
    readonly number: string;
  }[] | undefined;
}

export interface BusinessPerson {
  /** Given names. */
  readonly firstName: string;
  /** Family names. */
  readonly lastName: string;
  /** YYYY-MM-DD, a day of the calendar that is not to come. */
  readonly dateOfBirth?: string | undefined;
  /** ISO 3166-1 alpha-2. */
  readonly nationality?: string | undefined;
  /** Tax numbers, at most ten. */
  readonly taxIds?: readonly {
    /** The country that gave it out, ISO 3166-1 alpha-2. */
    readonly country: string;
    /** The number as written. Answers show its last four characters only. */
    readonly number: string;
  }[] | undefined;
  /** What the person is to the business. */
  readonly role?: 'DIRECTOR' | 'BENEFICIAL_OWNER' | 'REPRESENTATIVE' | undefined;
}

export interface Business {
  /** The registered name. */
  readonly legalName: string;
  /** In the company register. */
  readonly registrationNumber?: string | undefined;
  /** ISO 3166-1 alpha-2. */
  readonly incorporationCountry?: string | undefined;
  /** Who stands for the business; KYC begins with the first. */
  readonly persons: readonly BusinessPerson[];
}

/** A person or business on whose behalf payments are made. */
export interface NewEndUser {
  /** Who it is: decides between `individual` and `business`. */
  readonly type: 'INDIVIDUAL' | 'BUSINESS';
  /** Your own id of the resource, unique per environment. Nothing personal: it is not encrypted. */
  readonly externalId?: string | undefined;
  readonly individual?: Person | undefined;
  readonly business?: Business | undefined;
  /** An e-mail address. */
  readonly email?: string | undefined;
  /**
   * E.164: `+` and 7 to 15 digits, the first of them not 0, and nothing else. Another one is
   * `invalid_phone`.
   */
  readonly phone?: string | undefined;
  readonly address?: Address | undefined;
  /**
   * Yours to use: up to 50 pairs, keys to 40 and values to 500 characters, 8 kB in all. Encrypted,
   * and never part of an event.
   */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** An end-user; tax ids show their last four only. */
export interface EndUser {
  readonly id: string;
  /** Who it is: decides between `individual` and `business`. */
  readonly type: 'INDIVIDUAL' | 'BUSINESS';
  /**
   * SELF is your own company, at most one: payments to its accounts are withdrawals, and only the
   * operators of the service change it. Every other end-user is a CLIENT.
   */
  readonly relationship: 'CLIENT' | 'SELF';
  readonly externalId: string | null;
  /** Only an ACTIVE end-user can be paid for. */
  readonly status: 'ACTIVE' | 'SUSPENDED' | 'CLOSED';
  /** Where the newest KYC check stands. Payments need APPROVED. */
  readonly kycStatus:
    | 'NOT_STARTED'
    | 'PENDING'
    | 'IN_REVIEW'
    | 'APPROVED'
    | 'REJECTED'
    | 'RESUBMISSION_REQUIRED'
    | 'EXPIRED'
    | 'REVOKED';
  readonly individual?: Person | undefined;
  readonly business?: Business | undefined;
  /** An e-mail address. */
  readonly email?: string | undefined;
  /**
   * E.164: `+` and 7 to 15 digits, the first of them not 0, and nothing else. Another one is
   * `invalid_phone`.
   */
  readonly phone?: string | undefined;
  readonly address?: Address | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  /** When everything personal was erased. */
  readonly erasedAt: string | null;
  /** Goes up by one with every change. */
  readonly version: number;
  /** When it was registered. */
  readonly createdAt: string;
  /** When it last changed. */
  readonly updatedAt: string;
}

export interface PersonPatch {
  /** Given names. */
  readonly firstName?: string | undefined;
  /** Family names. */
  readonly lastName?: string | undefined;
  /** YYYY-MM-DD, a day of the calendar that is not to come. */
  readonly dateOfBirth?: string | null | undefined;
  /** ISO 3166-1 alpha-2. */
  readonly nationality?: string | null | undefined;
  /** Tax numbers, at most ten. */
  readonly taxIds?: readonly {
    /** The country that gave it out, ISO 3166-1 alpha-2. */
    readonly country: string;
    /** The number as written. Answers show its last four characters only. */
    readonly number: string;
  }[] | null | undefined;
}

export interface BusinessPatch {
  /** The registered name. */
  readonly legalName?: string | undefined;
  /** In the company register. */
  readonly registrationNumber?: string | null | undefined;
  /** ISO 3166-1 alpha-2. */
  readonly incorporationCountry?: string | null | undefined;
  /** Who stands for the business; KYC begins with the first. */
  readonly persons?: readonly BusinessPerson[] | undefined;
}

export interface AddressPatch {
  /** Street and number. */
  readonly line1?: string | undefined;
  /** Floor, unit. */
  readonly line2?: string | null | undefined;
  /** Town. */
  readonly city?: string | undefined;
  /** State or province. */
  readonly region?: string | null | undefined;
  /** As the country writes it. */
  readonly postalCode?: string | null | undefined;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string | undefined;
}

/**
 * What is to change (RFC 7396): null clears, what is left out stays, an array is replaced. The type
 * cannot change.
 */
export interface EndUserPatch {
  /** Your own id of the resource, unique per environment. Nothing personal: it is not encrypted. */
  readonly externalId?: string | null | undefined;
  readonly individual?: PersonPatch | null | undefined;
  readonly business?: BusinessPatch | null | undefined;
  /** An e-mail address. */
  readonly email?: string | null | undefined;
  /**
   * E.164: `+` and 7 to 15 digits, the first of them not 0, and nothing else. Another one is
   * `invalid_phone`.
   */
  readonly phone?: string | null | undefined;
  readonly address?: AddressPatch | null | undefined;
  /**
   * Yours to use: up to 50 pairs, keys to 40 and values to 500 characters, 8 kB in all. Encrypted,
   * and never part of an event.
   */
  readonly metadata?: Readonly<Record<string, string | null>> | null | undefined;
}

export interface FailureCode {
  /** One of GET /failure-codes. More may come. */
  readonly code: string;
  /** Who decided so. More values may come. */
  readonly category:
    | 'BANK_REJECTED'
    | 'BENEFICIARY_REFUSED'
    | 'RECALLED'
    | 'COMPLIANCE'
    | 'KYC'
    | 'NOT_FUNDED'
    | 'INTERNAL';
  /** For developers. */
  readonly message: string;
  /** Whether a new payment may succeed unchanged. */
  readonly retryable: boolean;
  /** What to do next. More values may come. */
  readonly action:
    | 'CORRECT_ACCOUNT'
    | 'CORRECT_PAYMENT'
    | 'ASK_BENEFICIARY'
    | 'RETRY_LATER'
    | 'CONTACT_SUPPORT'
    | 'DO_NOT_RETRY';
  /** The same as action, in a sentence. */
  readonly nextStep: string;
  /** The codes of rails that are told so: ISO 20022, Nacha, and those of bank-contract.md. */
  readonly railCodes: readonly string[];
}

/** An event; `type` says which. More types may come. */
export type Event =
  | EndUserCreatedEvent
  | EndUserUpdatedEvent
  | EndUserClosedEvent
  | KycPendingEvent
  | KycInReviewEvent
  | KycApprovedEvent
  | KycRejectedEvent
  | KycResubmissionRequiredEvent
  | KycExpiredEvent
  | KycRevokedEvent
  | KycUpdatedEvent
  | BankAccountCreatedEvent
  | BankAccountActivatedEvent
  | BankAccountDisabledEvent
  | WalletCreatedEvent
  | WalletActivatedEvent
  | WalletVerifiedEvent
  | WalletRejectedEvent
  | WalletDisabledEvent
  | DepositAddressCreatedEvent
  | DepositAddressDisabledEvent
  | PaymentCreatedEvent
  | PaymentProcessingEvent
  | PaymentOnHoldEvent
  | PaymentSentEvent
  | PaymentCompletedEvent
  | PaymentFailedEvent
  | PaymentCanceledEvent
  | PaymentExpiredEvent
  | PaymentReturnedEvent
  | PaymentReconciledEvent
  | PaymentFinalEvent
  | PaymentUpdatedEvent
  | PaymentBatchCreatedEvent
  | PaymentBatchCompletedEvent
  | DepositSeenEvent
  | DepositCreditedEvent
  | DepositFinalEvent
  | DepositOrphanedEvent
  | DepositBlockedEvent
  | DepositKeptEvent
  | DepositUpdatedEvent
  | BalanceCreditedEvent
  | BalanceCreditReversedEvent
  | WebhookEndpointUpdatedEvent
  | WebhookEndpointDisabledEvent
  | PingEvent;

/** Where to send an event again. */
export interface Redelivery {
  /** The only endpoint to send it to; all that subscribe to it unless given. */
  readonly webhookEndpointId?: string | undefined;
}

/** Where it is sent again. */
export interface RedeliveryResult {
  readonly eventId: string;
  /** The endpoints that it is sent to now. */
  readonly webhookEndpointIds: readonly string[];
}

export interface FundingInstruction {
  /** ISO 4217. Only money of this currency is credited by the reference. */
  readonly currency: string;
  /** The rail that the account is reached over. */
  readonly rail: string;
  /** Our account as payers give it: by rail `iban`, `bic`, `accountNumber`, ... */
  readonly account: Readonly<Record<string, string>>;
  /** Who holds the account. */
  readonly holderName: string;
  readonly bankName: string | null;
  /**
   * Must be in the remittance information, and no other one: ISO 11649, with check digits. Yours
   * for this currency and environment, for ever.
   */
  readonly reference: string;
  /** The same in groups of four, for people. Blanks and case do not matter. */
  readonly printed: string;
}

/** One KYC check of an end-user. */
export interface KycCheck {
  readonly id: string;
  readonly endUserId: string;
  /** Where the newest KYC check stands. Payments need APPROVED. */
  readonly status:
    | 'NOT_STARTED'
    | 'PENDING'
    | 'IN_REVIEW'
    | 'APPROVED'
    | 'REJECTED'
    | 'RESUBMISSION_REQUIRED'
    | 'EXPIRED'
    | 'REVOKED';
  /** Why it stands there; empty where all is well. */
  readonly reasons: readonly {
    readonly code: string;
    /** For developers; it may change. */
    readonly message: string;
    /** Whether the end-user can mend it by trying again. */
    readonly retryable: boolean;
  }[];
  /**
   * Until when the approval holds; then the check is EXPIRED and a new one may be started. Null
   * unless APPROVED with an end.
   */
  readonly expiresAt: string | null;
  /** Null where the end-user was erased. */
  readonly link: {
    /** The hosted page: give it to the end-user only. */
    readonly url: string;
    /** Until when the page opens. */
    readonly expiresAt: string;
  } | null;
  /** Goes up by one with every change. */
  readonly version: number;
  /** When the check was started. */
  readonly createdAt: string;
  /** When it last changed. */
  readonly updatedAt: string;
}

/** What pays for the payment. Left out: the balance. */
export interface NewFunding {
  /**
   * BALANCE: the balance pays, at once. CRYPTO_DEPOSIT: what is sent to an address of its own pays,
   * once it is there.
   */
  readonly type: 'BALANCE' | 'CRYPTO_DEPOSIT';
  /**
   * Of CRYPTO_DEPOSIT: what is sent, as `GET /networks` lists it for the network. It is the source
   * of the payment.
   */
  readonly asset?: string | undefined;
  /**
   * Of CRYPTO_DEPOSIT: over which it is sent. One of GET /networks: ETHEREUM, BASE, OPTIMISM,
   * ARBITRUM, POLYGON.
   */
  readonly network?: string | undefined;
  /**
   * Of CRYPTO_DEPOSIT: an ACTIVE wallet of the end-user, or your own, on a network that lists the
   * asset. What the payment does not take of a deposit is refunded to it once the deposit is FINAL,
   * less the fees. Left out: it stays in the balance.
   */
  readonly refundWalletId?: string | undefined;
}

/** A payment to make. */
export interface NewPayment {
  /** Whose payment it is. */
  readonly endUserId: string;
  /**
   * What the beneficiary receives, in major units: a number or decimal text. More than 0 and less
   * than 1000000000000. No more decimals than its currency or asset has, zeros at the end included;
   * no sign, no exponent.
   */
  readonly amount: string;
  /** ISO 4217. Must be the bank account's, and is given with `bankAccountId`. */
  readonly currency?: string | undefined;
  /** Where the money goes, unless it goes to a wallet. */
  readonly bankAccountId?: string | undefined;
  /**
   * USDC, EURC or USDT: one that `GET /networks` lists for the wallet's network. Given with
   * `walletId`, in place of `currency`.
   */
  readonly asset?: string | undefined;
  /**
   * Where the asset goes, in place of `bankAccountId`: a wallet of the end-user or one of your own.
   */
  readonly walletId?: string | undefined;
  /**
   * The balance that pays. Left out, it is the quote's where there is one, else what the payment is
   * in. Another one without a quote is quoted at the rate of the moment.
   */
  readonly sourceCurrency?: string | undefined;
  /** The same where an asset pays, in place of `sourceCurrency`. */
  readonly sourceAsset?: string | undefined;
  readonly funding?: NewFunding | undefined;
  /**
   * The day on which it leaves, YYYY-MM-DD in the rail's time zone: today or up to 180 days ahead.
   * Left out: at once.
   */
  readonly scheduledFor?: string | undefined;
  /** The quote to pay by, whose target is what the payment is of. */
  readonly quoteId?: string | undefined;
  /** Your own id of the payment. */
  readonly externalId?: string | undefined;
  /** Text for the beneficiary's statement. */
  readonly reference?: string | undefined;
  /** Purpose code, e.g. of ISO 20022. */
  readonly purpose?: string | undefined;
  /**
   * Up to 50 pairs of your own, keys to 40 and values to 500 characters; 8 kB in all. Encrypted,
   * never in webhooks.
   */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** What would become of a payment if it were made now. */
export interface PaymentValidation {
  /** Whether POST /payments would accept it now. */
  readonly valid: boolean;
  /** All that is in its way; empty where valid. */
  readonly problems: readonly {
    /** JSON pointer into the body, or /query/<name>, /path/<name>, /header/<name>. */
    readonly path: string;
    /**
     * The code of this one problem: an error's, or required, not_allowed, unexpected,
     * unknown_field, one_unit_needed, one_amount_needed, network_with_asset, same_currency,
     * source_mismatch, format, not_positive, too_large, too_many, invalid_date, masked_value,
     * repeated_key, country_mismatch, end_user_not_closed, payments_not_final, retention_not_over,
     * invalid_phone, invalid_iban, invalid_bic, invalid_routing_number, invalid_account_number,
     * invalid_account_type, invalid_sort_code, invalid_bank_code, invalid_branch_code, invalid_bsb,
     * invalid_cbu, invalid_cci, invalid_clabe, invalid_clearing_code, invalid_cnaps_code,
     * invalid_email, invalid_ifsc, invalid_institution_number, invalid_operator, invalid_pix_key,
     * invalid_proxy, invalid_proxy_type, invalid_tax_id, invalid_transit_number, invalid_vpa. More
     * may come.
     */
    readonly code: string;
    readonly message: string;
    readonly meta?: Readonly<Record<string, unknown>> | undefined;
  }[];
  /** Null where the order names no amount that the account can be paid. */
  readonly cost: {
    /** What is taken from the balance: every fee is in it, as in `source` of a payment. */
    readonly source: {
      /** What the amount is in. ISO 4217; absent where it is an asset. */
      readonly currency?: string | undefined;
      /** What the amount is in. Absent where it is a currency. */
      readonly asset?: string | undefined;
      /** Major units. */
      readonly amount: string;
    };
    /** What of it pays the beneficiary, or is converted to. */
    readonly withoutFees: {
      /** What the amount is in. ISO 4217; absent where it is an asset. */
      readonly currency?: string | undefined;
      /** What the amount is in. Absent where it is a currency. */
      readonly asset?: string | undefined;
      /** Major units. */
      readonly amount: string;
    };
    readonly fees: readonly Fee[];
    /** Null: nothing is converted. */
    readonly rate: string | null;
    /** The quote that fixes the cost; null where the payment names none. */
    readonly quoteId: string | null;
    /** Whether the payment may cost another amount, because no quote holds the rate. */
    readonly indicative: boolean;
  } | null;
  /**
   * The way that it would take; null where the account is not yours or none leads there, and to a
   * wallet.
   */
  readonly corridor: {
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
    /** Payments are taken, and leave, only where it is ACTIVE. */
    readonly status: 'ACTIVE' | 'SUSPENDED';
    /**
     * What is released later leaves on the next banking day. Null with a source: round the clock;
     * null without: not known.
     */
    readonly cutOff: {
      /** HH:MM, local time. */
      readonly time: string;
      /** IANA name. */
      readonly timeZone: string;
    } | null;
  } | null;
  readonly expectedArrival: {
    /** Null where no source states it. */
    readonly at: string | null;
    /** Why `at` is null. More values may come. */
    readonly reason:
      | 'SPEED_NOT_STATED'
      | 'HOLIDAYS_NOT_STATED'
      | 'RAIL_NEVER_OPENS'
      | 'AWAITS_DEPOSIT'
      | 'CORRIDOR_UNAVAILABLE' | null;
  };
}

/** A step of a payment, done or expected. */
export interface TimelineRow {
  /** When it happened, or is due; null where that is not known. */
  readonly at: string | null;
  /** Where the payment stands. */
  readonly status:
    | 'PROCESSING'
    | 'ON_HOLD'
    | 'SENT'
    | 'COMPLETED'
    | 'FAILED'
    | 'CANCELED'
    | 'EXPIRED'
    | 'RETURNED';
  /**
   * Why it stands there. An open set: AWAITING_DEPOSIT, DEPOSIT_SEEN, QUEUED, SCHEDULED,
   * SUBMITTING, OUTCOME_UNKNOWN, STALLED, IN_RAIL, RETRYING, SETTLEMENT_FAILED, KYC_WITHDRAWN,
   * COMPLIANCE_REVIEW, COMPLIANCE_DECLINED, CUSTOMER_SUSPENDED, END_USER_NOT_ACTIVE,
   * BANK_ACCOUNT_DISABLED, WALLET_NOT_ACTIVE, WALLET_NOT_PROVED, TRAVEL_RULE, TRAVEL_RULE_REJECTED,
   * CORRIDOR_UNAVAILABLE, RELEASE_STOPPED, AWAITING_LIQUIDITY, NETWORK_CONGESTED, ENGINE_FAULT,
   * DELIVERED, REJECTED_BY_BANK, VOIDED, REVERTED, RETURNED_BY_BANK, CANCELED_ON_REQUEST,
   * DEPOSIT_EXPIRED, DEPOSIT_UNDERPAID, and more to come.
   */
  readonly statusDetail: string;
  /** Where the money is. More values may come. */
  readonly fundsStatus:
    | 'AWAITED'
    | 'ARRIVING'
    | 'HELD'
    | 'IN_RAIL'
    | 'DELIVERED'
    | 'BACK_IN_BALANCE'
    | 'UNKNOWN';
  readonly reconciliationStatus: 'PENDING' | 'RECONCILED' | 'EXCEPTION';
  /** How final the payment is with this step. */
  readonly finality: 'NONE' | 'PROVISIONAL' | 'FINAL';
  /** Goes up by one with every change. */
  readonly version: number | null;
  /** True for what has not happened yet. */
  readonly expected: boolean;
  /**
   * Of what has not happened yet: who must act first. An open set: US, RAIL, BANK, NETWORK,
   * PARTNER, OPERATOR.
   */
  readonly waitsFor: string | null;
}

/** A payment to make, and its key. */
export interface NewPaymentBatchItem {
  /**
   * As the Idempotency-Key of POST /payments, among the same keys: another one for each payment. 1
   * to 255 printable ASCII characters.
   */
  readonly idempotencyKey: string;
  /** Whose payment it is. */
  readonly endUserId: string;
  /**
   * What the beneficiary receives, in major units: a number or decimal text. More than 0 and less
   * than 1000000000000. No more decimals than its currency or asset has, zeros at the end included;
   * no sign, no exponent.
   */
  readonly amount: string;
  /** ISO 4217. Must be the bank account's, and is given with `bankAccountId`. */
  readonly currency?: string | undefined;
  /** Where the money goes, unless it goes to a wallet. */
  readonly bankAccountId?: string | undefined;
  /**
   * USDC, EURC or USDT: one that `GET /networks` lists for the wallet's network. Given with
   * `walletId`, in place of `currency`.
   */
  readonly asset?: string | undefined;
  /**
   * Where the asset goes, in place of `bankAccountId`: a wallet of the end-user or one of your own.
   */
  readonly walletId?: string | undefined;
  /**
   * The balance that pays. Left out, it is the quote's where there is one, else what the payment is
   * in. Another one without a quote is quoted at the rate of the moment.
   */
  readonly sourceCurrency?: string | undefined;
  /** The same where an asset pays, in place of `sourceCurrency`. */
  readonly sourceAsset?: string | undefined;
  readonly funding?: NewFunding | undefined;
  /**
   * The day on which it leaves, YYYY-MM-DD in the rail's time zone: today or up to 180 days ahead.
   * Left out: at once.
   */
  readonly scheduledFor?: string | undefined;
  /** The quote to pay by, whose target is what the payment is of. */
  readonly quoteId?: string | undefined;
  /** Your own id of the payment. */
  readonly externalId?: string | undefined;
  /** Text for the beneficiary's statement. */
  readonly reference?: string | undefined;
  /** Purpose code, e.g. of ISO 20022. */
  readonly purpose?: string | undefined;
  /**
   * Up to 50 pairs of your own, keys to 40 and values to 500 characters; 8 kB in all. Encrypted,
   * never in webhooks.
   */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

/** Payments to make. */
export interface NewPaymentBatch {
  /** Payments to make, judged in this order. */
  readonly items: readonly NewPaymentBatchItem[];
}

/** A batch of payments. */
export interface PaymentBatch {
  readonly id: string;
  /** COMPLETED once every item is judged; the payments themselves go on. */
  readonly status: 'PROCESSING' | 'COMPLETED';
  readonly counts: {
    /** Items that were sent. */
    readonly total: number;
    /** Not judged yet. */
    readonly pending: number;
    /** Items that are payments. */
    readonly accepted: number;
    /** Items that are none. */
    readonly refused: number;
  };
  /** By currency and asset. */
  readonly totals: readonly {
    /** What the amounts are in. ISO 4217; absent where it is an asset. */
    readonly currency?: string | undefined;
    /** What the amounts are in. Absent where it is a currency. */
    readonly asset?: string | undefined;
    /** Of all items in it whose fields fit. */
    readonly amount: string;
    /** Of those that are payments. */
    readonly accepted: string;
  }[];
  /** 1 until the batch is COMPLETED, then 2; counts and totals move in between. */
  readonly version: number;
  /** When it was taken. */
  readonly createdAt: string;
  /** When the last item was judged. */
  readonly completedAt: string | null;
}

/** An item of a batch. */
export interface PaymentBatchItem {
  /** Its place in the request, from 0. */
  readonly index: number;
  readonly idempotencyKey: string;
  /** ACCEPTED: it is the payment `paymentId`. REFUSED: it is none, for `error`. */
  readonly state: 'PENDING' | 'ACCEPTED' | 'REFUSED';
  readonly paymentId: string | null;
  readonly error: {
    /** What POST /payments would have answered. */
    readonly error:
      | 'validation_failed'
      | 'invalid_json'
      | 'invalid_parameter'
      | 'invalid_cursor'
      | 'unsupported_currency'
      | 'unsupported_network'
      | 'invalid_address'
      | 'unsupported_asset'
      | 'unsupported_country'
      | 'amount_precision_exceeded'
      | 'idempotency_key_required'
      | 'invalid_idempotency_key'
      | 'missing_api_key'
      | 'invalid_api_key'
      | 'api_key_expired'
      | 'api_key_revoked'
      | 'invalid_signature'
      | 'ip_not_allowed'
      | 'insufficient_scope'
      | 'operators_only'
      | 'customer_suspended'
      | 'live_access_not_granted'
      | 'not_found'
      | 'method_not_allowed'
      | 'payload_too_large'
      | 'unsupported_media_type'
      | 'idempotency_key_in_progress'
      | 'payment_not_cancelable'
      | 'quote_already_used'
      | 'webhook_endpoint_disabled'
      | 'limit_reached'
      | 'external_id_taken'
      | 'statement_not_closed'
      | 'deposit_not_final'
      | 'move_not_possible'
      | 'end_user_has_open_payments'
      | 'end_user_not_erasable'
      | 'version_conflict'
      | 'precondition_failed'
      | 'idempotency_key_mismatch'
      | 'kyc_not_approved'
      | 'insufficient_balance'
      | 'quote_expired'
      | 'quote_mismatch'
      | 'amount_below_minimum'
      | 'amount_above_maximum'
      | 'bank_account_pending'
      | 'bank_account_disabled'
      | 'address_blocked'
      | 'wallet_proof_invalid'
      | 'wallet_not_active'
      | 'wallet_not_proved'
      | 'wallet_cooling_off'
      | 'travel_rule_data_required'
      | 'end_user_not_active'
      | 'refund_exceeds_deposit'
      | 'resource_not_found'
      | 'payee_name_mismatch'
      | 'corridor_unavailable'
      | 'country_restricted'
      | 'scheduling_not_supported'
      | 'sandbox_unavailable'
      | 'currency_mismatch'
      | 'rate_limited'
      | 'internal_error'
      | 'service_unavailable'
      | 'rate_unavailable';
    /** A sentence for developers; it may change. */
    readonly message: string;
    /** Pointers into the item; the first 20 problems. */
    readonly details: readonly {
      /** JSON pointer into the body, or /query/<name>, /path/<name>, /header/<name>. */
      readonly path: string;
      /**
       * The code of this one problem: an error's, or required, not_allowed, unexpected,
       * unknown_field, one_unit_needed, one_amount_needed, network_with_asset, same_currency,
       * source_mismatch, format, not_positive, too_large, too_many, invalid_date, masked_value,
       * repeated_key, country_mismatch, end_user_not_closed, payments_not_final,
       * retention_not_over, invalid_phone, invalid_iban, invalid_bic, invalid_routing_number,
       * invalid_account_number, invalid_account_type, invalid_sort_code, invalid_bank_code,
       * invalid_branch_code, invalid_bsb, invalid_cbu, invalid_cci, invalid_clabe,
       * invalid_clearing_code, invalid_cnaps_code, invalid_email, invalid_ifsc,
       * invalid_institution_number, invalid_operator, invalid_pix_key, invalid_proxy,
       * invalid_proxy_type, invalid_tax_id, invalid_transit_number, invalid_vpa. More may come.
       */
      readonly code: string;
      readonly message: string;
      readonly meta?: Readonly<Record<string, unknown>> | undefined;
    }[];
  } | null;
}

/** A rate to lock. */
export interface NewQuote {
  /** ISO 4217. What is paid with. Give this or sourceAsset. */
  readonly sourceCurrency?: string | undefined;
  /** A stablecoin of `GET /networks`. What is paid with. */
  readonly sourceAsset?: string | undefined;
  /** ISO 4217. What arrives; another one. Give this or targetAsset. */
  readonly targetCurrency?: string | undefined;
  /** A stablecoin of `GET /networks`. What arrives; another one, with network. */
  readonly targetAsset?: string | undefined;
  /** Where targetAsset arrives; one that lists it. */
  readonly network?: 'ETHEREUM' | 'BASE' | 'OPTIMISM' | 'ARBITRUM' | 'POLYGON' | undefined;
  /**
   * What is paid in all, fees included. Give this or targetAmount. More than 0 and less than
   * 1000000000000. No more decimals than its currency or asset has, zeros at the end included; no
   * sign, no exponent.
   */
  readonly sourceAmount?: string | undefined;
  /**
   * What the beneficiary receives. Give this or sourceAmount. More than 0 and less than
   * 1000000000000. No more decimals than its currency or asset has, zeros at the end included; no
   * sign, no exponent.
   */
  readonly targetAmount?: string | undefined;
  /** How long the rate is held. */
  readonly lockFor: '1m' | '5m' | '15m' | '1h';
}

/** A rate that is locked. */
export interface Quote {
  readonly id: string;
  /** ACTIVE until it is used by a payment (CONSUMED) or its time is over (EXPIRED). */
  readonly status: 'ACTIVE' | 'CONSUMED' | 'EXPIRED';
  /** What is paid with; left out where it is sourceAsset. */
  readonly sourceCurrency?: string | undefined;
  /** What is paid with; left out where it is sourceCurrency. */
  readonly sourceAsset?: string | undefined;
  /** What arrives; left out where it is targetAsset. */
  readonly targetCurrency?: string | undefined;
  /** What arrives; left out where it is targetCurrency. */
  readonly targetAsset?: string | undefined;
  /** Where targetAsset arrives; left out of a currency. */
  readonly network?: 'ETHEREUM' | 'BASE' | 'OPTIMISM' | 'ARBITRUM' | 'POLYGON' | undefined;
  /** The side that was asked for, and is kept exactly. */
  readonly fixedSide: 'SOURCE' | 'TARGET';
  /** What is paid in all: convertedAmount and every fee. */
  readonly sourceAmount: string;
  /** What of it is converted, in the same currency or asset. */
  readonly convertedAmount: string;
  /** What arrives: convertedAmount at rate. */
  readonly targetAmount: string;
  /**
   * Units of the target for one of the source, in the middle. A plain decimal: 18 significant
   * digits within 24 decimals, zeros at the end left out.
   */
  readonly midMarketRate: string;
  /**
   * The same for you: midMarketRate less the markup. A plain decimal: 18 significant digits within
   * 24 decimals, zeros at the end left out.
   */
  readonly rate: string;
  /** By how many basis points rate lies below it. */
  readonly markupBps: number;
  readonly fees: readonly Fee[];
  /** The time of the oldest rate that went into midMarketRate. */
  readonly rateAsOf: string;
  /** Where it comes from. */
  readonly rateSource: string;
  /** Whether it is older than it should be. Only quotes of test may be. */
  readonly stale: boolean;
  /** How long the rate is held. */
  readonly lockFor: '1m' | '5m' | '15m' | '1h';
  /** When it was made. */
  readonly createdAt: string;
  /** From when on it can no longer be used. */
  readonly expiresAt: string;
  /** When a payment used it. */
  readonly consumedAt: string | null;
  /** The payment that used it. */
  readonly paymentId: string | null;
}

export interface NewSandboxDeposit {
  /** ISO 4217. */
  readonly currency: string;
  /**
   * What the payer sends, in major units. More than 0 and less than 1000000000000. No more decimals
   * than its currency or asset has, zeros at the end included; no sign, no exponent.
   */
  readonly amount: string;
  /**
   * What the payer writes. Left out: your own reference for the currency. Any other one stays
   * unmatched.
   */
  readonly reference?: string | undefined;
}

export interface SandboxDeposit {
  readonly id: string;
  /** ISO 4217. */
  readonly currency: string;
  /** What the payer sends. */
  readonly amount: string;
  /** What the payer writes. */
  readonly reference: string;
  /** When it was asked for. */
  readonly createdAt: string;
}

export interface NewSandboxTokenDeposit {
  /**
   * A deposit address of yours, or that of a payment which waits for tokens: `0x` and 40
   * hexadecimal digits.
   */
  readonly address: string;
  /** One of GET /networks. */
  readonly network: string;
  /** A token that the network lists. */
  readonly asset: string;
  /**
   * What is sent. More than 0 and less than 1000000000000. No more decimals than its currency or
   * asset has, zeros at the end included; no sign, no exponent.
   */
  readonly amount: string;
}

export interface SandboxTokenDeposit {
  readonly network: 'ETHEREUM' | 'BASE' | 'OPTIMISM' | 'ARBITRUM' | 'POLYGON';
  /** What is sent. */
  readonly asset: string;
  /**
   * A deposit address of yours, or that of a payment which waits for tokens: `0x` and 40
   * hexadecimal digits.
   */
  readonly address: string;
  /** How much of it. */
  readonly amount: string;
  readonly txHash: string;
  /** When it was asked for. */
  readonly createdAt: string;
}

export interface NewSandboxKyc {
  /** What the provider tells of the newest check. States between are passed through. */
  readonly state:
    | 'IN_REVIEW'
    | 'APPROVED'
    | 'REJECTED'
    | 'RESUBMISSION_REQUIRED'
    | 'EXPIRED'
    | 'REVOKED';
}

export interface SandboxKyc {
  readonly endUserId: string;
  /** The check that is moved. */
  readonly kycId: string;
  /** What the provider tells of the newest check. States between are passed through. */
  readonly state:
    | 'IN_REVIEW'
    | 'APPROVED'
    | 'REJECTED'
    | 'RESUBMISSION_REQUIRED'
    | 'EXPIRED'
    | 'REVOKED';
  /** When it was asked for. */
  readonly createdAt: string;
}

export interface NewSandboxAdvance {
  /** Where the payment is moved. RECONCILED: the bank shows it on a statement now. */
  readonly to: 'COMPLETED' | 'FAILED' | 'RETURNED' | 'RECONCILED';
  /** The bank's reason, of FAILED and RETURNED alone. Left out: one of the sandbox's. */
  readonly railCode?: string | undefined;
}

export interface SandboxAdvance {
  readonly paymentId: string;
  /** Where the payment is moved. RECONCILED: the bank shows it on a statement now. */
  readonly to: 'COMPLETED' | 'FAILED' | 'RETURNED' | 'RECONCILED';
  /** When it was asked for. */
  readonly createdAt: string;
}

export interface NewSandboxFault {
  /**
   * What goes wrong: as at amounts that end in .01 to .07, in this order. UNDECIDED has no cents:
   * accepted, and decided by `POST /sandbox/payments/{paymentId}/advance` alone.
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
  /** How many payments meet it. */
  readonly count?: number | undefined;
}

export interface SandboxFault {
  /**
   * What goes wrong: as at amounts that end in .01 to .07, in this order. UNDECIDED has no cents:
   * accepted, and decided by `POST /sandbox/payments/{paymentId}/advance` alone.
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
  /** How many payments meet it. */
  readonly count: number;
  /** How many of them have not met it yet. */
  readonly left: number;
  /** Since when it waits. */
  readonly armedAt: string;
  /** From then on no payment meets it. */
  readonly endsAt: string;
}

/** An endpoint to send events to; everything unless `types` says otherwise. */
export interface NewWebhookEndpoint {
  /**
   * Where events are sent by POST. https on port 443 in live, public addresses only, no
   * credentials, no fragment.
   */
  readonly url: string;
  /** The events to send: types, families (`payment.*`) or everything (`*`). */
  readonly types?: readonly (
    | '*'
    | 'end_user.*'
    | 'kyc.*'
    | 'bank_account.*'
    | 'wallet.*'
    | 'deposit_address.*'
    | 'payment.*'
    | 'payment_batch.*'
    | 'deposit.*'
    | 'balance.*'
    | 'webhook_endpoint.*'
    | 'end_user.created'
    | 'end_user.updated'
    | 'end_user.closed'
    | 'kyc.pending'
    | 'kyc.in_review'
    | 'kyc.approved'
    | 'kyc.rejected'
    | 'kyc.resubmission_required'
    | 'kyc.expired'
    | 'kyc.revoked'
    | 'kyc.updated'
    | 'bank_account.created'
    | 'bank_account.activated'
    | 'bank_account.disabled'
    | 'wallet.created'
    | 'wallet.activated'
    | 'wallet.verified'
    | 'wallet.rejected'
    | 'wallet.disabled'
    | 'deposit_address.created'
    | 'deposit_address.disabled'
    | 'payment.created'
    | 'payment.processing'
    | 'payment.on_hold'
    | 'payment.sent'
    | 'payment.completed'
    | 'payment.failed'
    | 'payment.canceled'
    | 'payment.expired'
    | 'payment.returned'
    | 'payment.reconciled'
    | 'payment.final'
    | 'payment.updated'
    | 'payment_batch.created'
    | 'payment_batch.completed'
    | 'deposit.seen'
    | 'deposit.credited'
    | 'deposit.final'
    | 'deposit.orphaned'
    | 'deposit.blocked'
    | 'deposit.kept'
    | 'deposit.updated'
    | 'balance.credited'
    | 'balance.credit_reversed'
    | 'webhook_endpoint.updated'
    | 'webhook_endpoint.disabled'
    | 'ping')[] | undefined;
  /** For yourself. */
  readonly description?: string | undefined;
  /**
   * Whether webhooks carry only the ids of what happened: `data` is then `{"id": ...}`, and there
   * is no `previous`. False unless said.
   */
  readonly thin?: boolean | undefined;
  /**
   * Whether webhooks carry an Ed25519 signature (`v1a`) beside the `v1` one, which they always
   * carry. False unless said; false ends its key pair at once.
   */
  readonly asymmetric?: boolean | undefined;
}

/** A key that an endpoint verifies its webhooks with. */
export interface WebhookPublicKey {
  /** `whpk_` and the base64 of its 32 bytes, as Standard Webhooks 1.0 writes it. */
  readonly publicKey: string;
  /** From then on it verifies nothing any more. */
  readonly expiresAt: string | null;
}

/** A new endpoint with its secret. */
export interface CreatedWebhookEndpoint {
  readonly id: string;
  /**
   * Where events are sent by POST. https on port 443 in live, public addresses only, no
   * credentials, no fragment.
   */
  readonly url: string;
  /** The events to send: types, families (`payment.*`) or everything (`*`). */
  readonly types: readonly (
    | '*'
    | 'end_user.*'
    | 'kyc.*'
    | 'bank_account.*'
    | 'wallet.*'
    | 'deposit_address.*'
    | 'payment.*'
    | 'payment_batch.*'
    | 'deposit.*'
    | 'balance.*'
    | 'webhook_endpoint.*'
    | 'end_user.created'
    | 'end_user.updated'
    | 'end_user.closed'
    | 'kyc.pending'
    | 'kyc.in_review'
    | 'kyc.approved'
    | 'kyc.rejected'
    | 'kyc.resubmission_required'
    | 'kyc.expired'
    | 'kyc.revoked'
    | 'kyc.updated'
    | 'bank_account.created'
    | 'bank_account.activated'
    | 'bank_account.disabled'
    | 'wallet.created'
    | 'wallet.activated'
    | 'wallet.verified'
    | 'wallet.rejected'
    | 'wallet.disabled'
    | 'deposit_address.created'
    | 'deposit_address.disabled'
    | 'payment.created'
    | 'payment.processing'
    | 'payment.on_hold'
    | 'payment.sent'
    | 'payment.completed'
    | 'payment.failed'
    | 'payment.canceled'
    | 'payment.expired'
    | 'payment.returned'
    | 'payment.reconciled'
    | 'payment.final'
    | 'payment.updated'
    | 'payment_batch.created'
    | 'payment_batch.completed'
    | 'deposit.seen'
    | 'deposit.credited'
    | 'deposit.final'
    | 'deposit.orphaned'
    | 'deposit.blocked'
    | 'deposit.kept'
    | 'deposit.updated'
    | 'balance.credited'
    | 'balance.credit_reversed'
    | 'webhook_endpoint.updated'
    | 'webhook_endpoint.disabled'
    | 'ping')[];
  readonly description: string | null;
  /**
   * Whether webhooks carry only the ids of what happened: `data` is then `{"id": ...}`, and there
   * is no `previous`. False unless said.
   */
  readonly thin: boolean;
  /**
   * Whether webhooks carry an Ed25519 signature (`v1a`) beside the `v1` one, which they always
   * carry. False unless said; false ends its key pair at once.
   */
  readonly asymmetric: boolean;
  /**
   * What verifies its `v1a` signatures, newest first; two while a rotation overlaps, none where it
   * is not asymmetric. Receivers find the same, without a key, at `/.well-known/webhook-keys/{id}`.
   */
  readonly publicKeys: readonly WebhookPublicKey[];
  /**
   * DISABLED on request, after an answer of 410, or after four days of nothing but failures. What
   * it misses is kept, and sent once it is ENABLED again.
   */
  readonly status: 'ENABLED' | 'DISABLED';
  /** When it was disabled. */
  readonly disabledAt: string | null;
  /** Why it is DISABLED: on request, by an answer of 410, by four days of failures. */
  readonly disabledReason: 'REQUESTED' | 'RECEIVER_GONE' | 'FAILING' | null;
  /**
   * Of the first failure since the last success; null also where it was enabled or given another
   * URL since.
   */
  readonly failingSince: string | null;
  /** Goes up by one with every change. */
  readonly version: number;
  /** When it was created. */
  readonly createdAt: string;
  /** When it last changed. */
  readonly updatedAt: string;
  /** Signs every webhook to this endpoint (Standard Webhooks 1.0). Shown here and never again. */
  readonly secret: string;
}

/** An endpoint that events are sent to. */
export interface WebhookEndpoint {
  readonly id: string;
  /**
   * Where events are sent by POST. https on port 443 in live, public addresses only, no
   * credentials, no fragment.
   */
  readonly url: string;
  /** The events to send: types, families (`payment.*`) or everything (`*`). */
  readonly types: readonly (
    | '*'
    | 'end_user.*'
    | 'kyc.*'
    | 'bank_account.*'
    | 'wallet.*'
    | 'deposit_address.*'
    | 'payment.*'
    | 'payment_batch.*'
    | 'deposit.*'
    | 'balance.*'
    | 'webhook_endpoint.*'
    | 'end_user.created'
    | 'end_user.updated'
    | 'end_user.closed'
    | 'kyc.pending'
    | 'kyc.in_review'
    | 'kyc.approved'
    | 'kyc.rejected'
    | 'kyc.resubmission_required'
    | 'kyc.expired'
    | 'kyc.revoked'
    | 'kyc.updated'
    | 'bank_account.created'
    | 'bank_account.activated'
    | 'bank_account.disabled'
    | 'wallet.created'
    | 'wallet.activated'
    | 'wallet.verified'
    | 'wallet.rejected'
    | 'wallet.disabled'
    | 'deposit_address.created'
    | 'deposit_address.disabled'
    | 'payment.created'
    | 'payment.processing'
    | 'payment.on_hold'
    | 'payment.sent'
    | 'payment.completed'
    | 'payment.failed'
    | 'payment.canceled'
    | 'payment.expired'
    | 'payment.returned'
    | 'payment.reconciled'
    | 'payment.final'
    | 'payment.updated'
    | 'payment_batch.created'
    | 'payment_batch.completed'
    | 'deposit.seen'
    | 'deposit.credited'
    | 'deposit.final'
    | 'deposit.orphaned'
    | 'deposit.blocked'
    | 'deposit.kept'
    | 'deposit.updated'
    | 'balance.credited'
    | 'balance.credit_reversed'
    | 'webhook_endpoint.updated'
    | 'webhook_endpoint.disabled'
    | 'ping')[];
  readonly description: string | null;
  /**
   * Whether webhooks carry only the ids of what happened: `data` is then `{"id": ...}`, and there
   * is no `previous`. False unless said.
   */
  readonly thin: boolean;
  /**
   * Whether webhooks carry an Ed25519 signature (`v1a`) beside the `v1` one, which they always
   * carry. False unless said; false ends its key pair at once.
   */
  readonly asymmetric: boolean;
  /**
   * What verifies its `v1a` signatures, newest first; two while a rotation overlaps, none where it
   * is not asymmetric. Receivers find the same, without a key, at `/.well-known/webhook-keys/{id}`.
   */
  readonly publicKeys: readonly WebhookPublicKey[];
  /**
   * DISABLED on request, after an answer of 410, or after four days of nothing but failures. What
   * it misses is kept, and sent once it is ENABLED again.
   */
  readonly status: 'ENABLED' | 'DISABLED';
  /** When it was disabled. */
  readonly disabledAt: string | null;
  /** Why it is DISABLED: on request, by an answer of 410, by four days of failures. */
  readonly disabledReason: 'REQUESTED' | 'RECEIVER_GONE' | 'FAILING' | null;
  /**
   * Of the first failure since the last success; null also where it was enabled or given another
   * URL since.
   */
  readonly failingSince: string | null;
  /** Goes up by one with every change. */
  readonly version: number;
  /** When it was created. */
  readonly createdAt: string;
  /** When it last changed. */
  readonly updatedAt: string;
}

/** An endpoint, and how it is doing. */
export interface WebhookEndpointInFull {
  readonly id: string;
  /**
   * Where events are sent by POST. https on port 443 in live, public addresses only, no
   * credentials, no fragment.
   */
  readonly url: string;
  /** The events to send: types, families (`payment.*`) or everything (`*`). */
  readonly types: readonly (
    | '*'
    | 'end_user.*'
    | 'kyc.*'
    | 'bank_account.*'
    | 'wallet.*'
    | 'deposit_address.*'
    | 'payment.*'
    | 'payment_batch.*'
    | 'deposit.*'
    | 'balance.*'
    | 'webhook_endpoint.*'
    | 'end_user.created'
    | 'end_user.updated'
    | 'end_user.closed'
    | 'kyc.pending'
    | 'kyc.in_review'
    | 'kyc.approved'
    | 'kyc.rejected'
    | 'kyc.resubmission_required'
    | 'kyc.expired'
    | 'kyc.revoked'
    | 'kyc.updated'
    | 'bank_account.created'
    | 'bank_account.activated'
    | 'bank_account.disabled'
    | 'wallet.created'
    | 'wallet.activated'
    | 'wallet.verified'
    | 'wallet.rejected'
    | 'wallet.disabled'
    | 'deposit_address.created'
    | 'deposit_address.disabled'
    | 'payment.created'
    | 'payment.processing'
    | 'payment.on_hold'
    | 'payment.sent'
    | 'payment.completed'
    | 'payment.failed'
    | 'payment.canceled'
    | 'payment.expired'
    | 'payment.returned'
    | 'payment.reconciled'
    | 'payment.final'
    | 'payment.updated'
    | 'payment_batch.created'
    | 'payment_batch.completed'
    | 'deposit.seen'
    | 'deposit.credited'
    | 'deposit.final'
    | 'deposit.orphaned'
    | 'deposit.blocked'
    | 'deposit.kept'
    | 'deposit.updated'
    | 'balance.credited'
    | 'balance.credit_reversed'
    | 'webhook_endpoint.updated'
    | 'webhook_endpoint.disabled'
    | 'ping')[];
  readonly description: string | null;
  /**
   * Whether webhooks carry only the ids of what happened: `data` is then `{"id": ...}`, and there
   * is no `previous`. False unless said.
   */
  readonly thin: boolean;
  /**
   * Whether webhooks carry an Ed25519 signature (`v1a`) beside the `v1` one, which they always
   * carry. False unless said; false ends its key pair at once.
   */
  readonly asymmetric: boolean;
  /**
   * What verifies its `v1a` signatures, newest first; two while a rotation overlaps, none where it
   * is not asymmetric. Receivers find the same, without a key, at `/.well-known/webhook-keys/{id}`.
   */
  readonly publicKeys: readonly WebhookPublicKey[];
  /**
   * DISABLED on request, after an answer of 410, or after four days of nothing but failures. What
   * it misses is kept, and sent once it is ENABLED again.
   */
  readonly status: 'ENABLED' | 'DISABLED';
  /** When it was disabled. */
  readonly disabledAt: string | null;
  /** Why it is DISABLED: on request, by an answer of 410, by four days of failures. */
  readonly disabledReason: 'REQUESTED' | 'RECEIVER_GONE' | 'FAILING' | null;
  /**
   * Of the first failure since the last success; null also where it was enabled or given another
   * URL since.
   */
  readonly failingSince: string | null;
  /** Goes up by one with every change. */
  readonly version: number;
  /** When it was created. */
  readonly createdAt: string;
  /** When it last changed. */
  readonly updatedAt: string;
  /** How it is doing. */
  readonly health: {
    /** When a webhook was last answered with 2xx, of those of the last 90 days. */
    readonly lastSuccessAt: string | null;
    /**
     * Deliveries that wait, for a first attempt or another one; counted to 10,000. What it missed
     * while it was disabled is counted as it is queued.
     */
    readonly backlog: number;
    /**
     * How late first attempts are: the median of the newest 100, delivered or not, from the moment
     * at which each was due (when it happened, or was queued again) to the end of the attempt. Null
     * before the first.
     */
    readonly medianDelayMs: number | null;
  };
}

/** A JSON Merge Patch of an endpoint. */
export interface WebhookEndpointPatch {
  /**
   * Where events are sent by POST. https on port 443 in live, public addresses only, no
   * credentials, no fragment.
   */
  readonly url?: string | undefined;
  /** The events to send: types, families (`payment.*`) or everything (`*`). */
  readonly types?: readonly (
    | '*'
    | 'end_user.*'
    | 'kyc.*'
    | 'bank_account.*'
    | 'wallet.*'
    | 'deposit_address.*'
    | 'payment.*'
    | 'payment_batch.*'
    | 'deposit.*'
    | 'balance.*'
    | 'webhook_endpoint.*'
    | 'end_user.created'
    | 'end_user.updated'
    | 'end_user.closed'
    | 'kyc.pending'
    | 'kyc.in_review'
    | 'kyc.approved'
    | 'kyc.rejected'
    | 'kyc.resubmission_required'
    | 'kyc.expired'
    | 'kyc.revoked'
    | 'kyc.updated'
    | 'bank_account.created'
    | 'bank_account.activated'
    | 'bank_account.disabled'
    | 'wallet.created'
    | 'wallet.activated'
    | 'wallet.verified'
    | 'wallet.rejected'
    | 'wallet.disabled'
    | 'deposit_address.created'
    | 'deposit_address.disabled'
    | 'payment.created'
    | 'payment.processing'
    | 'payment.on_hold'
    | 'payment.sent'
    | 'payment.completed'
    | 'payment.failed'
    | 'payment.canceled'
    | 'payment.expired'
    | 'payment.returned'
    | 'payment.reconciled'
    | 'payment.final'
    | 'payment.updated'
    | 'payment_batch.created'
    | 'payment_batch.completed'
    | 'deposit.seen'
    | 'deposit.credited'
    | 'deposit.final'
    | 'deposit.orphaned'
    | 'deposit.blocked'
    | 'deposit.kept'
    | 'deposit.updated'
    | 'balance.credited'
    | 'balance.credit_reversed'
    | 'webhook_endpoint.updated'
    | 'webhook_endpoint.disabled'
    | 'ping')[] | undefined;
  /** For yourself. */
  readonly description?: string | null | undefined;
  /**
   * Whether webhooks carry only the ids of what happened: `data` is then `{"id": ...}`, and there
   * is no `previous`. False unless said.
   */
  readonly thin?: boolean | undefined;
  /**
   * Whether webhooks carry an Ed25519 signature (`v1a`) beside the `v1` one, which they always
   * carry. False unless said; false ends its key pair at once.
   */
  readonly asymmetric?: boolean | undefined;
  /**
   * DISABLED on request, after an answer of 410, or after four days of nothing but failures. What
   * it misses is kept, and sent once it is ENABLED again.
   */
  readonly status?: 'ENABLED' | 'DISABLED' | undefined;
}

/** How a secret is replaced. */
export interface SecretRotation {
  /**
   * For how long webhooks are signed with the secret before as well. 24 unless said; 0 ends it at
   * once.
   */
  readonly overlapHours?: number | undefined;
}

/** An endpoint with its new secret. */
export interface RotatedWebhookEndpoint {
  readonly id: string;
  /**
   * Where events are sent by POST. https on port 443 in live, public addresses only, no
   * credentials, no fragment.
   */
  readonly url: string;
  /** The events to send: types, families (`payment.*`) or everything (`*`). */
  readonly types: readonly (
    | '*'
    | 'end_user.*'
    | 'kyc.*'
    | 'bank_account.*'
    | 'wallet.*'
    | 'deposit_address.*'
    | 'payment.*'
    | 'payment_batch.*'
    | 'deposit.*'
    | 'balance.*'
    | 'webhook_endpoint.*'
    | 'end_user.created'
    | 'end_user.updated'
    | 'end_user.closed'
    | 'kyc.pending'
    | 'kyc.in_review'
    | 'kyc.approved'
    | 'kyc.rejected'
    | 'kyc.resubmission_required'
    | 'kyc.expired'
    | 'kyc.revoked'
    | 'kyc.updated'
    | 'bank_account.created'
    | 'bank_account.activated'
    | 'bank_account.disabled'
    | 'wallet.created'
    | 'wallet.activated'
    | 'wallet.verified'
    | 'wallet.rejected'
    | 'wallet.disabled'
    | 'deposit_address.created'
    | 'deposit_address.disabled'
    | 'payment.created'
    | 'payment.processing'
    | 'payment.on_hold'
    | 'payment.sent'
    | 'payment.completed'
    | 'payment.failed'
    | 'payment.canceled'
    | 'payment.expired'
    | 'payment.returned'
    | 'payment.reconciled'
    | 'payment.final'
    | 'payment.updated'
    | 'payment_batch.created'
    | 'payment_batch.completed'
    | 'deposit.seen'
    | 'deposit.credited'
    | 'deposit.final'
    | 'deposit.orphaned'
    | 'deposit.blocked'
    | 'deposit.kept'
    | 'deposit.updated'
    | 'balance.credited'
    | 'balance.credit_reversed'
    | 'webhook_endpoint.updated'
    | 'webhook_endpoint.disabled'
    | 'ping')[];
  readonly description: string | null;
  /**
   * Whether webhooks carry only the ids of what happened: `data` is then `{"id": ...}`, and there
   * is no `previous`. False unless said.
   */
  readonly thin: boolean;
  /**
   * Whether webhooks carry an Ed25519 signature (`v1a`) beside the `v1` one, which they always
   * carry. False unless said; false ends its key pair at once.
   */
  readonly asymmetric: boolean;
  /**
   * What verifies its `v1a` signatures, newest first; two while a rotation overlaps, none where it
   * is not asymmetric. Receivers find the same, without a key, at `/.well-known/webhook-keys/{id}`.
   */
  readonly publicKeys: readonly WebhookPublicKey[];
  /**
   * DISABLED on request, after an answer of 410, or after four days of nothing but failures. What
   * it misses is kept, and sent once it is ENABLED again.
   */
  readonly status: 'ENABLED' | 'DISABLED';
  /** When it was disabled. */
  readonly disabledAt: string | null;
  /** Why it is DISABLED: on request, by an answer of 410, by four days of failures. */
  readonly disabledReason: 'REQUESTED' | 'RECEIVER_GONE' | 'FAILING' | null;
  /**
   * Of the first failure since the last success; null also where it was enabled or given another
   * URL since.
   */
  readonly failingSince: string | null;
  /** Goes up by one with every change. */
  readonly version: number;
  /** When it was created. */
  readonly createdAt: string;
  /** When it last changed. */
  readonly updatedAt: string;
  /** The new secret. Shown here and never again. */
  readonly secret: string;
  /** From then on the secret before signs no more. */
  readonly previousSecretExpiresAt: string;
}

/** What to send for a test. */
export interface WebhookTest {
  /** Of which a made-up event is sent; `ping` unless said. */
  readonly type?:
    | 'end_user.created'
    | 'end_user.updated'
    | 'end_user.closed'
    | 'kyc.pending'
    | 'kyc.in_review'
    | 'kyc.approved'
    | 'kyc.rejected'
    | 'kyc.resubmission_required'
    | 'kyc.expired'
    | 'kyc.revoked'
    | 'kyc.updated'
    | 'bank_account.created'
    | 'bank_account.activated'
    | 'bank_account.disabled'
    | 'wallet.created'
    | 'wallet.activated'
    | 'wallet.verified'
    | 'wallet.rejected'
    | 'wallet.disabled'
    | 'deposit_address.created'
    | 'deposit_address.disabled'
    | 'payment.created'
    | 'payment.processing'
    | 'payment.on_hold'
    | 'payment.sent'
    | 'payment.completed'
    | 'payment.failed'
    | 'payment.canceled'
    | 'payment.expired'
    | 'payment.returned'
    | 'payment.reconciled'
    | 'payment.final'
    | 'payment.updated'
    | 'payment_batch.created'
    | 'payment_batch.completed'
    | 'deposit.seen'
    | 'deposit.credited'
    | 'deposit.final'
    | 'deposit.orphaned'
    | 'deposit.blocked'
    | 'deposit.kept'
    | 'deposit.updated'
    | 'balance.credited'
    | 'balance.credit_reversed'
    | 'webhook_endpoint.updated'
    | 'webhook_endpoint.disabled'
    | 'ping' | undefined;
}

/** What came of a test. */
export interface WebhookTestResult {
  /** The webhook-id that was sent. It is in no list. */
  readonly eventId: string;
  readonly type: string;
  /** Whether it was answered with a whole 2xx within 15 s. */
  readonly delivered: boolean;
  /** When the answer was there, or the attempt given up. */
  readonly at: string;
  readonly durationMs: number;
  /** The HTTP status of the answer; null where none came. */
  readonly statusCode: number | null;
  /**
   * Why it failed: STATUS, REDIRECT, TIMEOUT, DNS, CONNECT, TLS, ADDRESS_REFUSED, URL_REFUSED,
   * RESET, BAD_ANSWER, ANSWER_TOO_LONG. More may come. Null for a success.
   */
  readonly error: string | null;
  /** The first 4 kB of the answer; null where it had no body. */
  readonly answer: string | null;
}

/** What became of one event at one endpoint. */
export interface WebhookDelivery {
  readonly eventId: string;
  readonly type: string;
  readonly resource: {
    readonly type: string;
    readonly id: string;
    readonly version: number;
  };
  /**
   * PENDING waits for an attempt, DELIVERED was answered with a whole 2xx within 15 s, EXHAUSTED is
   * out of attempts.
   */
  readonly status: 'PENDING' | 'DELIVERED' | 'EXHAUSTED';
  /** Counts from 1 again after each redelivery or replay. */
  readonly attempts: number;
  /**
   * When it is sent next; nothing is sent while the endpoint is disabled, and it may be sent
   * earlier once its receiver is back. Null unless it is PENDING.
   */
  readonly nextAttemptAt: string | null;
  /** When it was last sent. */
  readonly lastAttemptAt: string | null;
  /** The HTTP status of the answer; null where none came. */
  readonly lastStatusCode: number | null;
  /**
   * Why it failed: STATUS, REDIRECT, TIMEOUT, DNS, CONNECT, TLS, ADDRESS_REFUSED, URL_REFUSED,
   * RESET, BAD_ANSWER, ANSWER_TOO_LONG. More may come. Null for a success.
   */
  readonly lastError: string | null;
  /** When it was delivered. */
  readonly deliveredAt: string | null;
  /** When what it tells of happened. */
  readonly createdAt: string;
}

export interface WebhookAttempt {
  /** Counts from 1 again after each redelivery or replay. */
  readonly number: number;
  /** When the answer was there, or the attempt given up. */
  readonly at: string;
  readonly durationMs: number;
  /** The HTTP status of the answer; null where none came. */
  readonly statusCode: number | null;
  /**
   * Why it failed: STATUS, REDIRECT, TIMEOUT, DNS, CONNECT, TLS, ADDRESS_REFUSED, URL_REFUSED,
   * RESET, BAD_ANSWER, ANSWER_TOO_LONG. More may come. Null for a success.
   */
  readonly error: string | null;
  /** The first 4 kB of the answer; null where it had no body. */
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
   * PENDING waits for an attempt, DELIVERED was answered with a whole 2xx within 15 s, EXHAUSTED is
   * out of attempts.
   */
  readonly status: 'PENDING' | 'DELIVERED' | 'EXHAUSTED';
  /** Counts from 1 again after each redelivery or replay. */
  readonly attempts: number;
  /**
   * When it is sent next; nothing is sent while the endpoint is disabled, and it may be sent
   * earlier once its receiver is back. Null unless it is PENDING.
   */
  readonly nextAttemptAt: string | null;
  /** When it was last sent. */
  readonly lastAttemptAt: string | null;
  /** The HTTP status of the answer; null where none came. */
  readonly lastStatusCode: number | null;
  /**
   * Why it failed: STATUS, REDIRECT, TIMEOUT, DNS, CONNECT, TLS, ADDRESS_REFUSED, URL_REFUSED,
   * RESET, BAD_ANSWER, ANSWER_TOO_LONG. More may come. Null for a success.
   */
  readonly lastError: string | null;
  /** When it was delivered. */
  readonly deliveredAt: string | null;
  /** When what it tells of happened. */
  readonly createdAt: string;
  /** The newest 50, newest first. */
  readonly attemptHistory: readonly WebhookAttempt[];
}

/** Events to send again, under their ids. */
export interface NewWebhookReplay {
  /** The first moment that is meant; at most 90 days ago. */
  readonly from: string;
  /** The moment before which events are meant. It may lie in the future. */
  readonly to: string;
  /** Types or families; all that the endpoint is subscribed to unless given. */
  readonly types?: readonly (
    | '*'
    | 'end_user.*'
    | 'kyc.*'
    | 'bank_account.*'
    | 'wallet.*'
    | 'deposit_address.*'
    | 'payment.*'
    | 'payment_batch.*'
    | 'deposit.*'
    | 'balance.*'
    | 'webhook_endpoint.*'
    | 'end_user.created'
    | 'end_user.updated'
    | 'end_user.closed'
    | 'kyc.pending'
    | 'kyc.in_review'
    | 'kyc.approved'
    | 'kyc.rejected'
    | 'kyc.resubmission_required'
    | 'kyc.expired'
    | 'kyc.revoked'
    | 'kyc.updated'
    | 'bank_account.created'
    | 'bank_account.activated'
    | 'bank_account.disabled'
    | 'wallet.created'
    | 'wallet.activated'
    | 'wallet.verified'
    | 'wallet.rejected'
    | 'wallet.disabled'
    | 'deposit_address.created'
    | 'deposit_address.disabled'
    | 'payment.created'
    | 'payment.processing'
    | 'payment.on_hold'
    | 'payment.sent'
    | 'payment.completed'
    | 'payment.failed'
    | 'payment.canceled'
    | 'payment.expired'
    | 'payment.returned'
    | 'payment.reconciled'
    | 'payment.final'
    | 'payment.updated'
    | 'payment_batch.created'
    | 'payment_batch.completed'
    | 'deposit.seen'
    | 'deposit.credited'
    | 'deposit.final'
    | 'deposit.orphaned'
    | 'deposit.blocked'
    | 'deposit.kept'
    | 'deposit.updated'
    | 'balance.credited'
    | 'balance.credit_reversed'
    | 'webhook_endpoint.updated'
    | 'webhook_endpoint.disabled'
    | 'ping')[] | undefined;
  /** Only what has been sent without success. False unless said. */
  readonly onlyFailed?: boolean | undefined;
}

/** Events sent again. */
export interface WebhookReplay {
  readonly id: string;
  readonly webhookEndpointId: string;
  /** MISSED: the endpoint was enabled again, and is sent what it had missed. */
  readonly reason: 'REQUESTED' | 'MISSED';
  /** COMPLETED once every event that is meant is queued for the endpoint. */
  readonly status: 'RUNNING' | 'COMPLETED';
  /** Null for MISSED. */
  readonly from: string | null;
  /** Null for MISSED. */
  readonly to: string | null;
  /** The types that are meant; `*`: all that the endpoint is subscribed to. */
  readonly types: readonly string[];
  readonly onlyFailed: boolean;
  /** Events queued so far. */
  readonly queued: number;
  /** When it was asked for. */
  readonly createdAt: string;
  /** When the last event was queued. */
  readonly completedAt: string | null;
}

/** An end-user as events tell of them: nothing personal. */
export interface EndUserEventData {
  readonly id: string;
  /** Who it is: decides between `individual` and `business`. */
  readonly type: 'INDIVIDUAL' | 'BUSINESS';
  /**
   * SELF is your own company, at most one: payments to its accounts are withdrawals, and only the
   * operators of the service change it. Every other end-user is a CLIENT.
   */
  readonly relationship: 'CLIENT' | 'SELF';
  readonly externalId: string | null;
  /** Only an ACTIVE end-user can be paid for. */
  readonly status: 'ACTIVE' | 'SUSPENDED' | 'CLOSED';
  /** Where the newest KYC check stands. Payments need APPROVED. */
  readonly kycStatus:
    | 'NOT_STARTED'
    | 'PENDING'
    | 'IN_REVIEW'
    | 'APPROVED'
    | 'REJECTED'
    | 'RESUBMISSION_REQUIRED'
    | 'EXPIRED'
    | 'REVOKED';
  /** When everything personal was erased. */
  readonly erasedAt: string | null;
  /** Goes up by one with every change. */
  readonly version: number;
  /** When it was registered. */
  readonly createdAt: string;
  /** When it last changed. */
  readonly updatedAt: string;
}

/** What it was before. */
export interface EndUserBefore {
  /** Only an ACTIVE end-user can be paid for. */
  readonly status: 'ACTIVE' | 'SUSPENDED' | 'CLOSED';
  /** Where the newest KYC check stands. Payments need APPROVED. */
  readonly kycStatus:
    | 'NOT_STARTED'
    | 'PENDING'
    | 'IN_REVIEW'
    | 'APPROVED'
    | 'REJECTED'
    | 'RESUBMISSION_REQUIRED'
    | 'EXPIRED'
    | 'REVOKED';
}

/** An end-user was registered. */
export interface EndUserCreatedEvent {
  readonly id: string;
  readonly type: 'end_user.created';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'end_user';
    readonly id: string;
    readonly version: number;
  };
  readonly data: EndUserEventData;
  readonly previous?: EndUserBefore | undefined;
}

/** The id of what it is about. */
export interface IdOnly {
  /** The same as resource.id. */
  readonly id: string;
}

/** An event with ids only; GET /events/{id} has all of it for 90 days. */
export interface ThinEvent {
  readonly id: string;
  readonly type: string;
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: string;
    readonly id: string;
    readonly version: number;
  };
  readonly data: IdOnly;
}

/** An end-user changed, or where their KYC stands. */
export interface EndUserUpdatedEvent {
  readonly id: string;
  readonly type: 'end_user.updated';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'end_user';
    readonly id: string;
    readonly version: number;
  };
  readonly data: EndUserEventData;
  readonly previous?: EndUserBefore | undefined;
}

/** An end-user was closed. */
export interface EndUserClosedEvent {
  readonly id: string;
  readonly type: 'end_user.closed';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'end_user';
    readonly id: string;
    readonly version: number;
  };
  readonly data: EndUserEventData & {
    readonly status: 'CLOSED';
  };
  readonly previous?: EndUserBefore | undefined;
}

/** A KYC check as events tell of it: without its link, which is a secret. */
export interface KycEventData {
  readonly id: string;
  readonly endUserId: string;
  /** Where the newest KYC check stands. Payments need APPROVED. */
  readonly status:
    | 'NOT_STARTED'
    | 'PENDING'
    | 'IN_REVIEW'
    | 'APPROVED'
    | 'REJECTED'
    | 'RESUBMISSION_REQUIRED'
    | 'EXPIRED'
    | 'REVOKED';
  /** Why it stands there; empty where all is well. */
  readonly reasons: readonly {
    readonly code: string;
    /** For developers; it may change. */
    readonly message: string;
    /** Whether the end-user can mend it by trying again. */
    readonly retryable: boolean;
  }[];
  /**
   * Until when the approval holds; then the check is EXPIRED and a new one may be started. Null
   * unless APPROVED with an end.
   */
  readonly expiresAt: string | null;
  /** Goes up by one with every change. */
  readonly version: number;
  /** When the check was started. */
  readonly createdAt: string;
  /** When it last changed. */
  readonly updatedAt: string;
}

/** What it was before. */
export interface KycBefore {
  /** Where the newest KYC check stands. Payments need APPROVED. */
  readonly status:
    | 'NOT_STARTED'
    | 'PENDING'
    | 'IN_REVIEW'
    | 'APPROVED'
    | 'REJECTED'
    | 'RESUBMISSION_REQUIRED'
    | 'EXPIRED'
    | 'REVOKED';
}

/** A KYC check was started, and waits for the end-user. */
export interface KycPendingEvent {
  readonly id: string;
  readonly type: 'kyc.pending';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'kyc';
    readonly id: string;
    readonly version: number;
  };
  readonly data: KycEventData & {
    readonly status: 'PENDING';
  };
  readonly previous?: KycBefore | undefined;
}

/** The KYC provider looks at what the end-user gave. */
export interface KycInReviewEvent {
  readonly id: string;
  readonly type: 'kyc.in_review';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'kyc';
    readonly id: string;
    readonly version: number;
  };
  readonly data: KycEventData & {
    readonly status: 'IN_REVIEW';
  };
  readonly previous?: KycBefore | undefined;
}

/** A KYC check was approved: the end-user can be paid for. */
export interface KycApprovedEvent {
  readonly id: string;
  readonly type: 'kyc.approved';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'kyc';
    readonly id: string;
    readonly version: number;
  };
  readonly data: KycEventData & {
    readonly status: 'APPROVED';
  };
  readonly previous?: KycBefore | undefined;
}

/** A KYC check was rejected. */
export interface KycRejectedEvent {
  readonly id: string;
  readonly type: 'kyc.rejected';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'kyc';
    readonly id: string;
    readonly version: number;
  };
  readonly data: KycEventData & {
    readonly status: 'REJECTED';
  };
  readonly previous?: KycBefore | undefined;
}

/** The end-user must give something again; `reasons` say what. */
export interface KycResubmissionRequiredEvent {
  readonly id: string;
  readonly type: 'kyc.resubmission_required';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'kyc';
    readonly id: string;
    readonly version: number;
  };
  readonly data: KycEventData & {
    readonly status: 'RESUBMISSION_REQUIRED';
  };
  readonly previous?: KycBefore | undefined;
}

/** An approval has ended. */
export interface KycExpiredEvent {
  readonly id: string;
  readonly type: 'kyc.expired';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'kyc';
    readonly id: string;
    readonly version: number;
  };
  readonly data: KycEventData & {
    readonly status: 'EXPIRED';
  };
  readonly previous?: KycBefore | undefined;
}

/** An approval was withdrawn. */
export interface KycRevokedEvent {
  readonly id: string;
  readonly type: 'kyc.revoked';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'kyc';
    readonly id: string;
    readonly version: number;
  };
  readonly data: KycEventData & {
    readonly status: 'REVOKED';
  };
  readonly previous?: KycBefore | undefined;
}

/** A KYC check changed, and stands where it stood. */
export interface KycUpdatedEvent {
  readonly id: string;
  readonly type: 'kyc.updated';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'kyc';
    readonly id: string;
    readonly version: number;
  };
  readonly data: KycEventData;
  readonly previous?: KycBefore | undefined;
}

/** A bank account as events tell of it: no name, no digits. */
export interface BankAccountEventData {
  readonly id: string;
  readonly endUserId: string;
  readonly country: string;
  /** The account's currency, ISO 4217. */
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
  /** Whether a person or a business holds the account. */
  readonly holderType: 'INDIVIDUAL' | 'BUSINESS';
  /** Equal for the same account, whichever end-user has it. Opaque. */
  readonly fingerprint: string;
  /** Where a directory of banks knows it. */
  readonly bankName: string | null;
  /**
   * Only an ACTIVE account can be paid to. PENDING: an account of your own company that waits for
   * its approval by the operators of the service.
   */
  readonly status: 'PENDING' | 'ACTIVE' | 'DISABLED';
  /**
   * How the holder's name compares with the bank's when the account was registered. NO_MATCH:
   * payments are refused with `payee_name_mismatch`.
   */
  readonly nameCheck: 'MATCH' | 'CLOSE_MATCH' | 'NO_MATCH' | 'UNAVAILABLE' | 'NOT_SUPPORTED';
  /** Goes up by one with every change. */
  readonly version: number;
  /** When it was registered. */
  readonly createdAt: string;
  /** When it last changed. */
  readonly updatedAt: string;
}

/** A bank account was registered. */
export interface BankAccountCreatedEvent {
  readonly id: string;
  readonly type: 'bank_account.created';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'bank_account';
    readonly id: string;
    readonly version: number;
  };
  readonly data: BankAccountEventData;
}

/** An account of your own company was approved by the operators. */
export interface BankAccountActivatedEvent {
  readonly id: string;
  readonly type: 'bank_account.activated';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'bank_account';
    readonly id: string;
    readonly version: number;
  };
  readonly data: BankAccountEventData & {
    readonly status: 'ACTIVE';
  };
}

/** A bank account was disabled. */
export interface BankAccountDisabledEvent {
  readonly id: string;
  readonly type: 'bank_account.disabled';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'bank_account';
    readonly id: string;
    readonly version: number;
  };
  readonly data: BankAccountEventData & {
    readonly status: 'DISABLED';
  };
}

/** A wallet as events tell of it: neither its address nor its host. */
export interface WalletEventData {
  readonly id: string;
  /** Whose wallet it is; null: your own. */
  readonly endUserId: string | null;
  readonly network: 'ETHEREUM' | 'BASE' | 'OPTIMISM' | 'ARBITRUM' | 'POLYGON';
  /** Whether its owner has the key, or a provider keeps it for them. */
  readonly ownership: 'SELF_HOSTED' | 'HOSTED';
  /**
   * Only an ACTIVE wallet can be paid to. PENDING: its address is not cleared yet. REJECTED: the
   * address is on a list of addresses.
   */
  readonly status: 'PENDING' | 'ACTIVE' | 'REJECTED' | 'DISABLED';
  /** When a signature showed whose it is. */
  readonly provedAt: string | null;
  /** Goes up by one with every change. */
  readonly version: number;
  /** When it was registered. */
  readonly createdAt: string;
  /** When it last changed. */
  readonly updatedAt: string;
}

/** A wallet was registered; its address is not cleared yet. */
export interface WalletCreatedEvent {
  readonly id: string;
  readonly type: 'wallet.created';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'wallet';
    readonly id: string;
    readonly version: number;
  };
  readonly data: WalletEventData & {
    readonly status: 'PENDING';
  };
}

/** A wallet can be paid to: its address was looked up and is on no list. */
export interface WalletActivatedEvent {
  readonly id: string;
  readonly type: 'wallet.activated';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'wallet';
    readonly id: string;
    readonly version: number;
  };
  readonly data: WalletEventData & {
    readonly status: 'ACTIVE';
  };
}

/** A signature has shown whose a wallet is. */
export interface WalletVerifiedEvent {
  readonly id: string;
  readonly type: 'wallet.verified';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'wallet';
    readonly id: string;
    readonly version: number;
  };
  readonly data: WalletEventData;
}

/** The address of a wallet is on a list: it is not paid. */
export interface WalletRejectedEvent {
  readonly id: string;
  readonly type: 'wallet.rejected';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'wallet';
    readonly id: string;
    readonly version: number;
  };
  readonly data: WalletEventData & {
    readonly status: 'REJECTED';
  };
}

/** A wallet was disabled. */
export interface WalletDisabledEvent {
  readonly id: string;
  readonly type: 'wallet.disabled';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'wallet';
    readonly id: string;
    readonly version: number;
  };
  readonly data: WalletEventData & {
    readonly status: 'DISABLED';
  };
}

/** A deposit address as events tell of it. */
export interface DepositAddressEventData {
  readonly id: string;
  /** For whom; null: your own. */
  readonly endUserId: string | null;
  /** Where deposits are paid on to. */
  readonly bankAccountId: string | null;
  /** The same, of a wallet. */
  readonly walletId: string | null;
  /** A smaller deposit is not paid on, in units of whatever asset comes. */
  readonly minAmount: string;
  /** The same on every network, with EIP-55's checksum. */
  readonly address: string;
  /** What comes to a DISABLED address stays in the balance. */
  readonly status: 'ACTIVE' | 'DISABLED';
  /** Goes up by one with every change. */
  readonly version: number;
  /** When it was made. */
  readonly createdAt: string;
  /** When it last changed. */
  readonly updatedAt: string;
}

/** An address that takes deposits was made. */
export interface DepositAddressCreatedEvent {
  readonly id: string;
  readonly type: 'deposit_address.created';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'deposit_address';
    readonly id: string;
    readonly version: number;
  };
  readonly data: DepositAddressEventData & {
    readonly status: 'ACTIVE';
  };
}

/** A deposit address was disabled, or its end-user erased. */
export interface DepositAddressDisabledEvent {
  readonly id: string;
  readonly type: 'deposit_address.disabled';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'deposit_address';
    readonly id: string;
    readonly version: number;
  };
  readonly data: DepositAddressEventData & {
    readonly status: 'DISABLED';
  };
}

/** A payment as events tell of it. */
export interface PaymentEventData {
  readonly id: string;
  /** WITHDRAWAL: to an account of your own company. PAYOUT: every other one. */
  readonly kind: 'PAYOUT' | 'WITHDRAWAL';
  /** Where the payment stands. */
  readonly status:
    | 'PROCESSING'
    | 'ON_HOLD'
    | 'SENT'
    | 'COMPLETED'
    | 'FAILED'
    | 'CANCELED'
    | 'EXPIRED'
    | 'RETURNED';
  /**
   * Why it stands there. An open set: AWAITING_DEPOSIT, DEPOSIT_SEEN, QUEUED, SCHEDULED,
   * SUBMITTING, OUTCOME_UNKNOWN, STALLED, IN_RAIL, RETRYING, SETTLEMENT_FAILED, KYC_WITHDRAWN,
   * COMPLIANCE_REVIEW, COMPLIANCE_DECLINED, CUSTOMER_SUSPENDED, END_USER_NOT_ACTIVE,
   * BANK_ACCOUNT_DISABLED, WALLET_NOT_ACTIVE, WALLET_NOT_PROVED, TRAVEL_RULE, TRAVEL_RULE_REJECTED,
   * CORRIDOR_UNAVAILABLE, RELEASE_STOPPED, AWAITING_LIQUIDITY, NETWORK_CONGESTED, ENGINE_FAULT,
   * DELIVERED, REJECTED_BY_BANK, VOIDED, REVERTED, RETURNED_BY_BANK, CANCELED_ON_REQUEST,
   * DEPOSIT_EXPIRED, DEPOSIT_UNDERPAID, and more to come.
   */
  readonly statusDetail: string;
  /** Where the money is. More values may come. */
  readonly fundsStatus:
    | 'AWAITED'
    | 'ARRIVING'
    | 'HELD'
    | 'IN_RAIL'
    | 'DELIVERED'
    | 'BACK_IN_BALANCE'
    | 'UNKNOWN';
  readonly finality: {
    readonly state: 'NONE' | 'PROVISIONAL' | 'FINAL';
    /** Since when nothing can change it. */
    readonly finalAt: string | null;
    /**
     * Until when its rail lets a completed payment come back: the earliest moment at which it is
     * final.
     */
    readonly dueAt: string | null;
  };
  /**
   * True of a payment to a wallet until its network cannot take back what it shows; false of every
   * other.
   */
  readonly preliminary: boolean;
  /**
   * Whether nothing of it has been sent, so that `POST /payments/{id}/cancel` would still stop it.
   */
  readonly cancelable: boolean;
  /** As ordered; null for a payment without a day. */
  readonly scheduledFor: string | null;
  /** When it leaves: the opening of the rail on that day, or the next one after it. */
  readonly releaseAt: string | null;
  readonly endUserId: string;
  /** Null: it goes to a wallet. */
  readonly bankAccountId: string | null;
  /** Null: it goes to a bank account. */
  readonly walletId: string | null;
  /** Of a payment to a wallet the wallet's network. */
  readonly rail: string;
  /** Null: it goes to a bank account. */
  readonly network: string | null;
  /** What the beneficiary receives. */
  readonly amount: string;
  /** What the beneficiary receives. ISO 4217; absent where it is an asset. */
  readonly currency?: string | undefined;
  /** What the beneficiary receives. Absent where it is a currency. */
  readonly asset?: string | undefined;
  /** The quote that it was paid by; null in one currency. */
  readonly quoteId: string | null;
  readonly source: {
    /** The balance that pays. ISO 4217; absent where it is an asset. */
    readonly currency?: string | undefined;
    /** The balance that pays. Absent where it is a currency. */
    readonly asset?: string | undefined;
    /** What it pays in all, fees included. */
    readonly amount: string;
  };
  readonly funding: Funding;
  /**
   * Units of currency for one of the source, of what is left of it after fees. Null where nothing
   * was converted.
   */
  readonly rate: string | null;
  /** Part of source.amount. Kept when the payment is returned, given back when it fails. */
  readonly fees: readonly Fee[];
  readonly externalId: string | null;
  readonly purpose: string | null;
  readonly failure: {
    /** One of GET /failure-codes. More may come. */
    readonly code: string;
    /** Who decided so. More values may come. */
    readonly category:
      | 'BANK_REJECTED'
      | 'BENEFICIARY_REFUSED'
      | 'RECALLED'
      | 'COMPLIANCE'
      | 'KYC'
      | 'NOT_FUNDED'
      | 'INTERNAL';
    /** For developers. */
    readonly message: string;
    /** Whether a new payment may succeed unchanged. */
    readonly retryable: boolean;
    /** What to do next. More values may come. */
    readonly action:
      | 'CORRECT_ACCOUNT'
      | 'CORRECT_PAYMENT'
      | 'ASK_BENEFICIARY'
      | 'RETRY_LATER'
      | 'CONTACT_SUPPORT'
      | 'DO_NOT_RETRY';
    /** The bank's own code; null where it gave none, or none that may be told. */
    readonly railCode: string | null;
  } | null;
  readonly return: {
    /** As railCode. */
    readonly reason: string | null;
    /** One of GET /failure-codes. More may come. */
    readonly code: string;
    /** Who decided so. More values may come. */
    readonly category:
      | 'BANK_REJECTED'
      | 'BENEFICIARY_REFUSED'
      | 'RECALLED'
      | 'COMPLIANCE'
      | 'KYC'
      | 'NOT_FUNDED'
      | 'INTERNAL';
    /** For developers. */
    readonly message: string;
    /** Whether a new payment may succeed unchanged. */
    readonly retryable: boolean;
    /** What to do next. More values may come. */
    readonly action:
      | 'CORRECT_ACCOUNT'
      | 'CORRECT_PAYMENT'
      | 'ASK_BENEFICIARY'
      | 'RETRY_LATER'
      | 'CONTACT_SUPPORT'
      | 'DO_NOT_RETRY';
    /** The bank's own code; null where it gave none, or none that may be told. */
    readonly railCode: string | null;
    /** What came back. */
    readonly amount: string;
    /** What the bank kept. */
    readonly fee: string;
    readonly credited: {
      /** The balance that paid. ISO 4217; absent where it is an asset. */
      readonly currency?: string | undefined;
      /** The balance that paid. Absent where it is a currency. */
      readonly asset?: string | undefined;
      /** What is back in it: what came back at the rate of the payment. */
      readonly amount: string;
    };
    /** When it came back. */
    readonly at: string;
    /** It came back when the payment was final: it stays COMPLETED, and was credited. */
    readonly late: boolean;
  } | null;
  /** Under which the bank and its statements, or the network, know it. */
  readonly references: readonly {
    /** END_TO_END_ID, BANK_REFERENCE or, to a wallet, TX_HASH. More may come. */
    readonly type: string;
    readonly value: string;
  }[];
  /** Whether the bank's statement shows it. */
  readonly reconciliation: {
    readonly status: 'PENDING' | 'RECONCILED' | 'EXCEPTION';
    readonly evidence: Readonly<Record<string, unknown>> | null;
  };
  /** Goes up by one with every change. */
  readonly version: number;
  /** When it was accepted. */
  readonly createdAt: string;
  /** When it last changed. */
  readonly updatedAt: string;
}

/** What it was before. */
export interface PaymentBefore {
  /** Where the payment stands. */
  readonly status:
    | 'PROCESSING'
    | 'ON_HOLD'
    | 'SENT'
    | 'COMPLETED'
    | 'FAILED'
    | 'CANCELED'
    | 'EXPIRED'
    | 'RETURNED';
  /**
   * Why it stands there. An open set: AWAITING_DEPOSIT, DEPOSIT_SEEN, QUEUED, SCHEDULED,
   * SUBMITTING, OUTCOME_UNKNOWN, STALLED, IN_RAIL, RETRYING, SETTLEMENT_FAILED, KYC_WITHDRAWN,
   * COMPLIANCE_REVIEW, COMPLIANCE_DECLINED, CUSTOMER_SUSPENDED, END_USER_NOT_ACTIVE,
   * BANK_ACCOUNT_DISABLED, WALLET_NOT_ACTIVE, WALLET_NOT_PROVED, TRAVEL_RULE, TRAVEL_RULE_REJECTED,
   * CORRIDOR_UNAVAILABLE, RELEASE_STOPPED, AWAITING_LIQUIDITY, NETWORK_CONGESTED, ENGINE_FAULT,
   * DELIVERED, REJECTED_BY_BANK, VOIDED, REVERTED, RETURNED_BY_BANK, CANCELED_ON_REQUEST,
   * DEPOSIT_EXPIRED, DEPOSIT_UNDERPAID, and more to come.
   */
  readonly statusDetail: string;
}

/** A payment was accepted, and its money is held. */
export interface PaymentCreatedEvent {
  readonly id: string;
  readonly type: 'payment.created';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'payment';
    readonly id: string;
    readonly version: number;
  };
  readonly data: PaymentEventData;
  readonly previous?: PaymentBefore | undefined;
}

/** A payment that was on hold goes on. */
export interface PaymentProcessingEvent {
  readonly id: string;
  readonly type: 'payment.processing';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'payment';
    readonly id: string;
    readonly version: number;
  };
  readonly data: PaymentEventData & {
    readonly status: 'PROCESSING';
  };
  readonly previous?: PaymentBefore | undefined;
}

/** A payment waits; `statusDetail` says for what. */
export interface PaymentOnHoldEvent {
  readonly id: string;
  readonly type: 'payment.on_hold';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'payment';
    readonly id: string;
    readonly version: number;
  };
  readonly data: PaymentEventData & {
    readonly status: 'ON_HOLD';
  };
  readonly previous?: PaymentBefore | undefined;
}

/** The bank has taken a payment. */
export interface PaymentSentEvent {
  readonly id: string;
  readonly type: 'payment.sent';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'payment';
    readonly id: string;
    readonly version: number;
  };
  readonly data: PaymentEventData & {
    readonly status: 'SENT';
  };
  readonly previous?: PaymentBefore | undefined;
}

/** A payment was delivered. It may still come back until it is final. */
export interface PaymentCompletedEvent {
  readonly id: string;
  readonly type: 'payment.completed';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'payment';
    readonly id: string;
    readonly version: number;
  };
  readonly data: PaymentEventData & {
    readonly status: 'COMPLETED';
  };
  readonly previous?: PaymentBefore | undefined;
}

/** A payment was not delivered, and its money is back; `failure` says why. */
export interface PaymentFailedEvent {
  readonly id: string;
  readonly type: 'payment.failed';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'payment';
    readonly id: string;
    readonly version: number;
  };
  readonly data: PaymentEventData & {
    readonly status: 'FAILED';
  };
  readonly previous?: PaymentBefore | undefined;
}

/** A payment was canceled on request, and its money is back. */
export interface PaymentCanceledEvent {
  readonly id: string;
  readonly type: 'payment.canceled';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'payment';
    readonly id: string;
    readonly version: number;
  };
  readonly data: PaymentEventData & {
    readonly status: 'CANCELED';
  };
  readonly previous?: PaymentBefore | undefined;
}

/** A payment could not be made in time, and its money is back. */
export interface PaymentExpiredEvent {
  readonly id: string;
  readonly type: 'payment.expired';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'payment';
    readonly id: string;
    readonly version: number;
  };
  readonly data: PaymentEventData & {
    readonly status: 'EXPIRED';
  };
  readonly previous?: PaymentBefore | undefined;
}

/** A payment came back after it was delivered; `return` says what of it. */
export interface PaymentReturnedEvent {
  readonly id: string;
  readonly type: 'payment.returned';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'payment';
    readonly id: string;
    readonly version: number;
  };
  readonly data: PaymentEventData & {
    readonly status: 'RETURNED';
  };
  readonly previous?: PaymentBefore | undefined;
}

/** The bank's statement shows a payment. */
export interface PaymentReconciledEvent {
  readonly id: string;
  readonly type: 'payment.reconciled';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'payment';
    readonly id: string;
    readonly version: number;
  };
  readonly data: PaymentEventData;
  readonly previous?: PaymentBefore | undefined;
}

/** A completed payment cannot come back any more. */
export interface PaymentFinalEvent {
  readonly id: string;
  readonly type: 'payment.final';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'payment';
    readonly id: string;
    readonly version: number;
  };
  readonly data: PaymentEventData;
  readonly previous?: PaymentBefore | undefined;
}

/** A payment changed, and stands where it stood. */
export interface PaymentUpdatedEvent {
  readonly id: string;
  readonly type: 'payment.updated';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'payment';
    readonly id: string;
    readonly version: number;
  };
  readonly data: PaymentEventData;
  readonly previous?: PaymentBefore | undefined;
}

/** A batch of payments was taken. */
export interface PaymentBatchCreatedEvent {
  readonly id: string;
  readonly type: 'payment_batch.created';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'payment_batch';
    readonly id: string;
    readonly version: number;
  };
  readonly data: PaymentBatch & {
    readonly status: 'PROCESSING';
  };
}

/** Every item of a batch is judged; the payments themselves go on. */
export interface PaymentBatchCompletedEvent {
  readonly id: string;
  readonly type: 'payment_batch.completed';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'payment_batch';
    readonly id: string;
    readonly version: number;
  };
  readonly data: PaymentBatch & {
    readonly status: 'COMPLETED';
  };
}

/** A deposit as events tell of it: without the address of its sender. */
export interface DepositEventData {
  readonly id: string;
  readonly network: 'ETHEREUM' | 'BASE' | 'OPTIMISM' | 'ARBITRUM' | 'POLYGON';
  /** What came. */
  readonly asset: string;
  /** How much came. */
  readonly amount: string;
  /** Where it came to. */
  readonly address: string;
  readonly txHash: string;
  /**
   * SEEN: a block holds it. CREDITED: it counts. FINAL: it cannot be undone. ORPHANED: its block is
   * gone; it may be mined again. BLOCKED: its sender is on a list. KEPT: it was blocked, and stays
   * so for good.
   */
  readonly status: 'SEEN' | 'CREDITED' | 'FINAL' | 'ORPHANED' | 'BLOCKED' | 'KEPT';
  /** Where it is; null while it does not count. */
  readonly appliedTo: 'PAYMENT' | 'BALANCE' | 'SUSPENSE' | null;
  /**
   * Why it, or what is over of it, is in your balance and not in the payment; null where nothing
   * is.
   */
  readonly reason:
    | 'LATE'
    | 'SURPLUS'
    | 'UNDERPAID'
    | 'WRONG_ASSET'
    | 'WRONG_NETWORK'
    | 'BELOW_MINIMUM'
    | 'PAYMENT_REFUSED' | null;
  /** The payment that the address was given for. */
  readonly paymentId: string | null;
  /** The standing address. */
  readonly depositAddressId: string | null;
  /**
   * What became of one that its address pays on, or of what its payment refunds; null where neither
   * is asked for, or before it is judged, which is soon after it is FINAL.
   */
  readonly onward: DepositOnward | null;
  /** The time of the block that holds it, or held it last. */
  readonly minedAt: string;
  /** Goes up by one with every change. */
  readonly version: number;
  /** When it was first seen. */
  readonly createdAt: string;
  /** When it last changed. */
  readonly updatedAt: string;
}

/** A block holds tokens that were sent to an address of yours. They may go again. */
export interface DepositSeenEvent {
  readonly id: string;
  readonly type: 'deposit.seen';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'deposit';
    readonly id: string;
    readonly version: number;
  };
  readonly data: DepositEventData & {
    readonly status: 'SEEN';
  };
}

/** A deposit counts: it is in your balance, or its payment has it. */
export interface DepositCreditedEvent {
  readonly id: string;
  readonly type: 'deposit.credited';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'deposit';
    readonly id: string;
    readonly version: number;
  };
  readonly data: DepositEventData & {
    readonly status: 'CREDITED';
  };
}

/** A credited deposit cannot be undone any more. */
export interface DepositFinalEvent {
  readonly id: string;
  readonly type: 'deposit.final';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'deposit';
    readonly id: string;
    readonly version: number;
  };
  readonly data: DepositEventData & {
    readonly status: 'FINAL';
  };
}

/**
 * The block that held a deposit is gone, and what was credited is taken back. It may be mined
 * again.
 */
export interface DepositOrphanedEvent {
  readonly id: string;
  readonly type: 'deposit.orphaned';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'deposit';
    readonly id: string;
    readonly version: number;
  };
  readonly data: DepositEventData & {
    readonly status: 'ORPHANED';
  };
}

/** The sender of a deposit is on a list: it cannot be used. */
export interface DepositBlockedEvent {
  readonly id: string;
  readonly type: 'deposit.blocked';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'deposit';
    readonly id: string;
    readonly version: number;
  };
  readonly data: DepositEventData & {
    readonly status: 'BLOCKED';
  };
}

/** A blocked deposit is kept for good: it never reaches your balance. */
export interface DepositKeptEvent {
  readonly id: string;
  readonly type: 'deposit.kept';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'deposit';
    readonly id: string;
    readonly version: number;
  };
  readonly data: DepositEventData & {
    readonly status: 'KEPT';
  };
}

/** A deposit changed, and stands where it stood. */
export interface DepositUpdatedEvent {
  readonly id: string;
  readonly type: 'deposit.updated';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'deposit';
    readonly id: string;
    readonly version: number;
  };
  readonly data: DepositEventData;
}

/** Money that came in, and nothing of who sent it. */
export interface FundingCreditEventData {
  readonly id: string;
  /** REVERSED: the bank took it back. */
  readonly status: 'CREDITED' | 'REVERSED';
  /** The balance that it moved. */
  readonly currency: string;
  /** What was credited, or taken back. */
  readonly amount: string;
  /**
   * Yours, of GET /funding-instructions, under which it came; null where operators found whose it
   * is.
   */
  readonly reference: string | null;
  /** When the bank booked it. */
  readonly bookedAt: string | null;
  readonly balanceTransactionId: string;
}

/** Money came in and was credited. */
export interface BalanceCreditedEvent {
  readonly id: string;
  readonly type: 'balance.credited';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'funding_credit';
    readonly id: string;
    readonly version: number;
  };
  readonly data: FundingCreditEventData & {
    readonly status: 'CREDITED';
  };
}

/** The bank took back what was credited. */
export interface BalanceCreditReversedEvent {
  readonly id: string;
  readonly type: 'balance.credit_reversed';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'funding_credit';
    readonly id: string;
    readonly version: number;
  };
  readonly data: FundingCreditEventData & {
    readonly status: 'REVERSED';
  };
}

/** An endpoint as events tell of it: no URL, no description. */
export interface WebhookEndpointEventData {
  readonly id: string;
  /** The events to send: types, families (`payment.*`) or everything (`*`). */
  readonly types: readonly (
    | '*'
    | 'end_user.*'
    | 'kyc.*'
    | 'bank_account.*'
    | 'wallet.*'
    | 'deposit_address.*'
    | 'payment.*'
    | 'payment_batch.*'
    | 'deposit.*'
    | 'balance.*'
    | 'webhook_endpoint.*'
    | 'end_user.created'
    | 'end_user.updated'
    | 'end_user.closed'
    | 'kyc.pending'
    | 'kyc.in_review'
    | 'kyc.approved'
    | 'kyc.rejected'
    | 'kyc.resubmission_required'
    | 'kyc.expired'
    | 'kyc.revoked'
    | 'kyc.updated'
    | 'bank_account.created'
    | 'bank_account.activated'
    | 'bank_account.disabled'
    | 'wallet.created'
    | 'wallet.activated'
    | 'wallet.verified'
    | 'wallet.rejected'
    | 'wallet.disabled'
    | 'deposit_address.created'
    | 'deposit_address.disabled'
    | 'payment.created'
    | 'payment.processing'
    | 'payment.on_hold'
    | 'payment.sent'
    | 'payment.completed'
    | 'payment.failed'
    | 'payment.canceled'
    | 'payment.expired'
    | 'payment.returned'
    | 'payment.reconciled'
    | 'payment.final'
    | 'payment.updated'
    | 'payment_batch.created'
    | 'payment_batch.completed'
    | 'deposit.seen'
    | 'deposit.credited'
    | 'deposit.final'
    | 'deposit.orphaned'
    | 'deposit.blocked'
    | 'deposit.kept'
    | 'deposit.updated'
    | 'balance.credited'
    | 'balance.credit_reversed'
    | 'webhook_endpoint.updated'
    | 'webhook_endpoint.disabled'
    | 'ping')[];
  /**
   * Whether webhooks carry only the ids of what happened: `data` is then `{"id": ...}`, and there
   * is no `previous`. False unless said.
   */
  readonly thin: boolean;
  /**
   * Whether webhooks carry an Ed25519 signature (`v1a`) beside the `v1` one, which they always
   * carry. False unless said; false ends its key pair at once.
   */
  readonly asymmetric: boolean;
  /**
   * DISABLED on request, after an answer of 410, or after four days of nothing but failures. What
   * it misses is kept, and sent once it is ENABLED again.
   */
  readonly status: 'ENABLED' | 'DISABLED';
  /** Why it is DISABLED: on request, by an answer of 410, by four days of failures. */
  readonly reason: 'REQUESTED' | 'RECEIVER_GONE' | 'FAILING' | null;
  /** Goes up by one with every change. */
  readonly version: number;
  /** When it was created. */
  readonly createdAt: string;
  /** When it last changed. */
  readonly updatedAt: string;
}

/** What it was before. */
export interface WebhookEndpointBefore {
  /**
   * DISABLED on request, after an answer of 410, or after four days of nothing but failures. What
   * it misses is kept, and sent once it is ENABLED again.
   */
  readonly status: 'ENABLED' | 'DISABLED';
}

/** A webhook endpoint changed. */
export interface WebhookEndpointUpdatedEvent {
  readonly id: string;
  readonly type: 'webhook_endpoint.updated';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'webhook_endpoint';
    readonly id: string;
    readonly version: number;
  };
  readonly data: WebhookEndpointEventData;
  readonly previous?: WebhookEndpointBefore | undefined;
}

/**
 * A webhook endpoint was disabled: on request, by an answer of 410, or after four days of failures.
 */
export interface WebhookEndpointDisabledEvent {
  readonly id: string;
  readonly type: 'webhook_endpoint.disabled';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'webhook_endpoint';
    readonly id: string;
    readonly version: number;
  };
  readonly data: WebhookEndpointEventData & {
    readonly status: 'DISABLED';
  };
  readonly previous?: WebhookEndpointBefore | undefined;
}

/** Sent on request only, to try an endpoint. */
export interface PingEvent {
  readonly id: string;
  readonly type: 'ping';
  /** When it happened. */
  readonly timestamp: string;
  readonly apiVersion: string;
  readonly environment: 'test' | 'live';
  readonly resource: {
    readonly type: 'webhook_endpoint';
    readonly id: string;
    readonly version: number;
  };
  readonly data: IdOnly;
}

/** What went wrong. */
export interface ErrorBody {
  /** A stable code to switch on. */
  readonly error:
    | 'validation_failed'
    | 'invalid_json'
    | 'invalid_parameter'
    | 'invalid_cursor'
    | 'unsupported_currency'
    | 'unsupported_network'
    | 'invalid_address'
    | 'unsupported_asset'
    | 'unsupported_country'
    | 'amount_precision_exceeded'
    | 'idempotency_key_required'
    | 'invalid_idempotency_key'
    | 'missing_api_key'
    | 'invalid_api_key'
    | 'api_key_expired'
    | 'api_key_revoked'
    | 'invalid_signature'
    | 'ip_not_allowed'
    | 'insufficient_scope'
    | 'operators_only'
    | 'customer_suspended'
    | 'live_access_not_granted'
    | 'not_found'
    | 'method_not_allowed'
    | 'payload_too_large'
    | 'unsupported_media_type'
    | 'idempotency_key_in_progress'
    | 'payment_not_cancelable'
    | 'quote_already_used'
    | 'webhook_endpoint_disabled'
    | 'limit_reached'
    | 'external_id_taken'
    | 'statement_not_closed'
    | 'deposit_not_final'
    | 'move_not_possible'
    | 'end_user_has_open_payments'
    | 'end_user_not_erasable'
    | 'version_conflict'
    | 'precondition_failed'
    | 'idempotency_key_mismatch'
    | 'kyc_not_approved'
    | 'insufficient_balance'
    | 'quote_expired'
    | 'quote_mismatch'
    | 'amount_below_minimum'
    | 'amount_above_maximum'
    | 'bank_account_pending'
    | 'bank_account_disabled'
    | 'address_blocked'
    | 'wallet_proof_invalid'
    | 'wallet_not_active'
    | 'wallet_not_proved'
    | 'wallet_cooling_off'
    | 'travel_rule_data_required'
    | 'end_user_not_active'
    | 'refund_exceeds_deposit'
    | 'resource_not_found'
    | 'payee_name_mismatch'
    | 'corridor_unavailable'
    | 'country_restricted'
    | 'scheduling_not_supported'
    | 'sandbox_unavailable'
    | 'currency_mismatch'
    | 'rate_limited'
    | 'internal_error'
    | 'service_unavailable'
    | 'rate_unavailable';
  /** A sentence for developers; it may change. */
  readonly message: string;
  readonly details: readonly {
    /** JSON pointer into the body, or /query/<name>, /path/<name>, /header/<name>. */
    readonly path: string;
    /**
     * The code of this one problem: an error's, or required, not_allowed, unexpected,
     * unknown_field, one_unit_needed, one_amount_needed, network_with_asset, same_currency,
     * source_mismatch, format, not_positive, too_large, too_many, invalid_date, masked_value,
     * repeated_key, country_mismatch, end_user_not_closed, payments_not_final, retention_not_over,
     * invalid_phone, invalid_iban, invalid_bic, invalid_routing_number, invalid_account_number,
     * invalid_account_type, invalid_sort_code, invalid_bank_code, invalid_branch_code, invalid_bsb,
     * invalid_cbu, invalid_cci, invalid_clabe, invalid_clearing_code, invalid_cnaps_code,
     * invalid_email, invalid_ifsc, invalid_institution_number, invalid_operator, invalid_pix_key,
     * invalid_proxy, invalid_proxy_type, invalid_tax_id, invalid_transit_number, invalid_vpa. More
     * may come.
     */
    readonly code: string;
    readonly message: string;
    readonly meta?: Readonly<Record<string, unknown>> | undefined;
  }[];
  readonly requestId: string;
}
