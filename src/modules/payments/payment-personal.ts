/** The part of a payment that only the API may show, sealed under its end-user's key. */
export interface PaymentPersonal {
  readonly reference: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** What it is sealed as. */
export const paymentRow = (id: string): string => `payments/${id}`;
