const NAME_LENGTH_MAX = 100;

// Characters that an answer should not carry: controls, lone surrogates (category Cs).
const UNSAFE = /[\p{Cc}\p{Cs}]/gu;

/** One step of a JSON pointer (RFC 6901), cut where a caller made up an endless name. */
export function pointerStep(name: string): string {
  const short = name.length <= NAME_LENGTH_MAX ? name : `${name.slice(0, NAME_LENGTH_MAX)}…`;
  return `/${short.replaceAll('~', '~0').replaceAll('/', '~1').replace(UNSAFE, '\ufffd')}`;
}

/** The value that a JSON pointer names; undefined where there is none. */
export function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const step of pointer.split('/').slice(1)) {
    if (typeof value !== 'object' || value === null) return undefined;
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
