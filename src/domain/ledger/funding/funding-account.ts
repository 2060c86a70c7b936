/** An account of ours that customers have money sent to. */
export interface FundingAccount {
  /** ISO 4217. */
  readonly currency: string;
  readonly rail: string;
  /** As payers give it: `iban`, `bic`, `accountNumber`, ... by rail. */
  readonly account: Readonly<Record<string, string>>;
  readonly holderName: string;
  readonly bankName: string | null;
}
