/** A payment as a bank is told of it. */
export interface TransferOrder {
  /** Ours, [A-Z0-9], at most 35 (ISO 20022 EndToEndId). */
  readonly reference: string;
  /** Decimal text in major units, exactly the currency's decimals. */
  readonly amount: string;
  readonly currency: string;
  readonly rail: string;
  readonly creditor: {
    readonly name: string;
    readonly account: Readonly<Record<string, string>>;
    readonly country: string;
  };
  readonly remittance: string;
}
