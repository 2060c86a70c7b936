import type { DecidedAlike } from '../../../db/reconciliation/booking-twin-store.ts';

/** What operators are told before they decide a credit that may be the booking of another one. */
export const sayAlike = ({ said }: DecidedAlike): string =>
  `${said} Ask the bank. If both are one booking, dismiss this credit. If both came, state that.`;
