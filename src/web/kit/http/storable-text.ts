import type { Problem } from '../../../domain/errors/refusal.ts';
import type { ErrorCode } from '../../../domain/errors/registry.ts';
import { pointerStep } from './json-pointer.ts';

// With the u flag a surrogate that has its other half is no match.
const LONE_SURROGATE = /\p{Surrogate}/u;

/** PostgreSQL stores no U+0000, and a lone surrogate has no UTF-8 form. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0') && !LONE_SURROGATE.test(text);
}

/** How many problems of one request are told: enough to mend it, too few to be an amplifier. */
export const PROBLEMS_MAX = 100;

/**
 * The strings of a value that can be stored nowhere, and member names that are one. Also refused is a
 * member named `__proto__`: no field of ours, and code that copies an object by assignment changes its prototype.
 */
export function findUnstorableText(value: unknown, path: string, code: ErrorCode): Problem[] {
  const problems: Problem[] = [];
  visit(value, path);
  return problems;

  function note(where: string, message: string): void {
    if (problems.length < PROBLEMS_MAX) problems.push({ path: where, code, message });
  }
  function visit(item: unknown, where: string): void {
    if (typeof item === 'string') {
      if (!isStorableText(item))
        note(where, 'The text contains a NUL character or a lone surrogate. Remove it.');
    } else if (Array.isArray(item)) {
      item.forEach((entry, index) => visit(entry, `${where}/${index}`));
    } else if (typeof item === 'object' && item !== null) {
      for (const [name, entry] of Object.entries(item)) {
        if (name === '__proto__' || !isStorableText(name)) {
          note(
            where,
            'A key must not be __proto__ or contain a NUL character or a lone surrogate.',
          );
        } else visit(entry, `${where}${pointerStep(name)}`);
      }
    }
  }
}
