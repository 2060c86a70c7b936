/** How long a code is good, in ms. */
export const CODE_LIFE_MS = 5 * 60_000;

export const CODE_DIGITS = 8;

/** What a person typed as a code: digits, in halves or not. Null where it is none. */
export function readCode(typed: string): string | null {
  const digits = typed.replace(/[\s-]/g, '');
  return /^[0-9]{8}$/.test(digits) ? digits : null;
}

/** Who asks for a code, for the budgets of an hour. */
export type CodeAsker =
  | { readonly kind: 'KNOWN_DEVICE'; readonly device: string }
  | { readonly kind: 'STRANGER'; readonly address: string; readonly network: string };

/** A limit of codes an hour, and who it is counted for. */
interface CodeBudget {
  readonly countedFor: string;
  readonly most: number;
}

const OF_A_KNOWN_DEVICE = 10;
const OF_AN_ADDRESS = 5;
const OF_A_NETWORK = 20;

/**
 * The budgets that one code is taken from. A known device has one of its own, so that a stranger who has
 * spent an address's locks no one out. With five tries a code a stranger guesses 600 times a day, of 10^8.
 */
export function codeBudgets(asker: CodeAsker): readonly CodeBudget[] {
  if (asker.kind === 'KNOWN_DEVICE') {
    return [{ countedFor: `device:${asker.device}`, most: OF_A_KNOWN_DEVICE }];
  }
  return [
    // The network first: one that is refused does not spend the address's.
    { countedFor: `network:${asker.network}`, most: OF_A_NETWORK },
    { countedFor: `address:${asker.address}`, most: OF_AN_ADDRESS },
  ];
}
