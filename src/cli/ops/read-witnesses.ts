import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { ClosedKeyWitness } from '../../modules/payments/closed-key-witness.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';

/** In every witness and in no other line: what is not JSON, or not of the API, is left out unread. */
const MARK = '"sealedKey"';

const Witness = Type.Object({
  customerId: Type.String(),
  environment: Type.Enum(['test', 'live'] as const),
  keyHash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  sealedKey: Type.String({ minLength: 1 }),
});

/**
 * The witnesses of closed keys in a log, each once, in their order. Throws PlainError with the number of a line that
 * has a witness which cannot be read.
 */
export function readWitnesses(log: string): readonly ClosedKeyWitness[] {
  const witnesses = new Map<string, ClosedKeyWitness>();
  for (const [index, line] of log.split(/\r?\n/).entries()) {
    if (!line.includes(MARK)) continue;
    const witness = readWitness(line);
    if (witness === null) {
      throw new PlainError(`Line ${String(index + 1)} has a closed key that cannot be read.`);
    }
    witnesses.set(witness.keyHash, witness);
  }
  return [...witnesses.values()];
}

function readWitness(line: string): ClosedKeyWitness | null {
  try {
    const value: unknown = JSON.parse(line);
    if (!Value.Check(Witness, value)) return null;
    const { customerId, environment, keyHash, sealedKey } = value;
    return { customerId, environment, keyHash, sealedKey };
  } catch {
    return null;
  }
}
