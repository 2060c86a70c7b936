/** How long a code is good, in ms. */
export const CODE_LIFE_MS = 5 * 60_000;

export const CODE_DIGITS = 8;

/** What a person typed as a code: digits, in halves or not. Null where it is none. */
export function readCode(typed: string): string | null {
  const digits = typed.replace(/[\s-]/g, '');
  return /^[0-9]{8}$/.test(digits) ? digits : null;
}

/** Who asks for a code or types one, for the budgets. */
export type CodeAsker =
  | { readonly kind: 'KNOWN_DEVICE'; readonly device: string }
  | {
      readonly kind: 'STRANGER';
      readonly address: string;
      /** A /24, or a /64 of IPv6. */
      readonly network: string;
      /** The /48 around it; of IPv4 the same /24. */
      readonly wideNetwork: string;
    };

/** A limit, who it is counted for, and over how many hours. */
export interface AccessBudget {
  readonly countedFor: string;
  readonly most: number;
  readonly hours: number;
}

const HOUR = 1;
const DAY = 24;

const ofNetworks = (
  { network, wideNetwork }: Extract<CodeAsker, { kind: 'STRANGER' }>,
  named: string,
  limits: { readonly most: number; readonly wideMost: number; readonly hours: number },
): readonly AccessBudget[] => {
  const { most, wideMost, hours } = limits;
  const own = { countedFor: `${named}network:${network}`, most, hours };
  if (wideNetwork === network) return [own];
  return [own, { countedFor: `${named}wide-network:${wideNetwork}`, most: wideMost, hours }];
};

/**
 * The budgets that one code is taken from. A known device has one of its own, so that a stranger who has
 * spent an address's locks no one out. One network gets a quarter of what all strangers get for an address.
 */
export function codeBudgets(asker: CodeAsker): readonly AccessBudget[] {
  if (asker.kind === 'KNOWN_DEVICE') {
    return [{ countedFor: `device:${asker.device}`, most: 10, hours: HOUR }];
  }
  const { address, network } = asker;
  return [
    // The networks first: one that is refused does not spend the address's.
    ...ofNetworks(asker, '', { most: 20, wideMost: 80, hours: HOUR }),
    { countedFor: `address-from:${address}|${network}`, most: 5, hours: HOUR },
    { countedFor: `address:${address}`, most: 20, hours: HOUR },
  ];
}

/**
 * The budgets of a day that a wrong code is taken from: 30 for an address from all strangers together, of 10^8 codes.
 * One network gets a third of them. A known device has its own.
 */
export function guessBudgets(asker: CodeAsker): readonly AccessBudget[] {
  if (asker.kind === 'KNOWN_DEVICE') {
    return [{ countedFor: `wrong:device:${asker.device}`, most: 30, hours: DAY }];
  }
  const { address, network } = asker;
  return [
    ...ofNetworks(asker, 'wrong:', { most: 60, wideMost: 120, hours: DAY }),
    { countedFor: `wrong:address-from:${address}|${network}`, most: 10, hours: DAY },
    { countedFor: `wrong:address:${address}`, most: 30, hours: DAY },
  ];
}
