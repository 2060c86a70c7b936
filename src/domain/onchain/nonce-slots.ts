/** Nonces of a signer account that no block holds at a time, at the most: more would wait for the lowest of them. */
export const UNMINED_MAX = 16;

/**
 * Nonces of a signer account that are not final at a time, at the most, where its network's settings say nothing: 2,048
 * an hour, times the 20 minutes that blocks take to be final at worst, and half as many again.
 */
export const NOT_FINAL_MAX = 1_024;

/** The least and the most that settings may say. */
export const NOT_FINAL_LIMITS = { minimum: 64, maximum: 4_096 } as const;

/** Nonces that are under way. */
interface HeldSlots {
  /** In no block. */
  readonly unmined: number;
  /** In no block, or in one that is not final. */
  readonly notFinal: number;
}

/** The nonces of a signer account that are under way, and those of each customer among them. */
export interface NonceSlots extends HeldSlots {
  readonly ofCustomers: ReadonlyMap<string, HeldSlots>;
}

/** A nonce as far as it takes a slot. */
interface SlottedNonce {
  readonly nonce: bigint;
  /** Whose payment it carries; null where it carries none. */
  readonly customerId: string | null;
}

const NONE: HeldSlots = { unmined: 0, notFinal: 0 };

/** What the nonces take that are not over, by the address's next nonce at the newest block and in the database. */
export function slotsOf(
  nonces: readonly SlottedNonce[],
  { nextOnChain, nextNonce }: { readonly nextOnChain: bigint; readonly nextNonce: bigint },
): NonceSlots {
  const ofCustomers = new Map<string, HeldSlots>();
  for (const { nonce, customerId } of nonces) {
    if (customerId === null) continue;
    const { unmined, notFinal } = ofCustomers.get(customerId) ?? NONE;
    const isUnmined = nonce >= nextOnChain;
    ofCustomers.set(customerId, {
      unmined: unmined + (isUnmined ? 1 : 0),
      notFinal: notFinal + 1,
    });
  }
  const unmined = nextNonce > nextOnChain ? Number(nextNonce - nextOnChain) : 0;
  return { unmined, notFinal: nonces.length, ofCustomers };
}

/** Whether a signer account may take another nonce. */
export const isRoom = ({ unmined, notFinal }: HeldSlots, notFinalMax: number): boolean =>
  unmined < UNMINED_MAX && notFinal < notFinalMax;

/** The same for a payment of a customer: none takes more than three quarters, so that there is room for the next one. */
export function isRoomFor(slots: NonceSlots, customerId: string, notFinalMax: number): boolean {
  const own = slots.ofCustomers.get(customerId) ?? NONE;
  const isOwnRoom =
    own.unmined < threeQuarters(UNMINED_MAX) && own.notFinal < threeQuarters(notFinalMax);
  return isOwnRoom && isRoom(slots, notFinalMax);
}

/** The slots with one more nonce, for a payment of that customer. */
export function withOneMore(
  { unmined, notFinal, ofCustomers }: NonceSlots,
  customerId: string,
): NonceSlots {
  const own = ofCustomers.get(customerId) ?? NONE;
  const more = { unmined: own.unmined + 1, notFinal: own.notFinal + 1 };
  return {
    ...{ unmined: unmined + 1, notFinal: notFinal + 1 },
    ofCustomers: new Map(ofCustomers).set(customerId, more),
  };
}

const threeQuarters = (all: number): number => Math.floor((all * 3) / 4);
