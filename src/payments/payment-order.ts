/** What a partner asks for, checked for form: every field is of the right type and length. */
export interface PaymentOrder {
  readonly endUserId: string;
  readonly bankAccountId: string;
  /** Minor units of `currency`: what the beneficiary receives. */
  readonly amount: bigint;
  readonly currency: string;
  /** The balance that pays; null where the order does not say: the quote's, or `currency`. */
  readonly sourceCurrency: string | null;
  readonly quoteId: string | null;
  readonly externalId: string | null;
  /** Goes to the beneficiary's statement. */
  readonly reference: string | null;
  readonly purpose: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}
