/** What a customer says of a new deposit address. */
export interface DepositAddressOrder {
  /** Null: the customer's own. */
  readonly endUserId: string | null;
  /** Where each deposit is paid on to: one of the two, or neither. */
  readonly bankAccountId: string | null;
  readonly walletId: string | null;
  /** Minor units of whatever asset comes. */
  readonly minAmount: bigint;
}
