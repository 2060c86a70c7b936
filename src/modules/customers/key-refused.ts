/** Why a key or its list of addresses cannot be changed so: a sentence for who asked. */
export class KeyRefused extends Error {
  override readonly name = 'KeyRefused';
  /** What of the order is wrong; null where it is not the order's fault. */
  readonly field: 'name' | 'scopes' | 'expiry' | 'range' | 'label' | null;

  constructor(message: string, field: KeyRefused['field'] = null) {
    super(message);
    this.field = field;
  }
}

const BY_CONSTRAINT: Readonly<Record<string, string>> = {
  ten_keys_at_most: '10 keys work already in this environment. Revoke one first.',
  ten_replaced_keys_at_most:
    '10 keys that were rotated work still. Wait until one has ended, or revoke one.',
  live_keys_expire: 'A live key ends after 1 to 730 days.',
  live_keys_take_live_access: 'Live keys come with live access, which is not granted.',
};

/** What the database refused, as a sentence; throws again what is none of its refusals about keys. */
export function sayKeyRefusal(error: unknown): never {
  const constraint = error instanceof Error && 'constraint' in error ? error.constraint : null;
  const sentence = typeof constraint === 'string' ? BY_CONSTRAINT[constraint] : undefined;
  throw sentence === undefined ? error : new KeyRefused(sentence);
}
