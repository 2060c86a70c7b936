/** Digits and capitals without I, L, O and U, which are mistaken for others. */
export const REFERENCE_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Of ours, between check digits and end: 70 bits, so that none is hit by chance. */
export const REFERENCE_BODY_CHARS = 14;

/** What stands first in every reference, and what stands for it in the sum: R is 27, F is 15. */
const PREFIX = 'RF';
const REFERENCE = new RegExp(`RF[0-9]{2}[${REFERENCE_ALPHABET}]{${String(REFERENCE_BODY_CHARS)}}`);
const REFERENCE_CHARS = 4 + REFERENCE_BODY_CHARS;
const WHOLE_REFERENCE = new RegExp(`^${REFERENCE.source}$`);

/** References that one line may bear. More are no reference but an attempt to be found by. */
export const REFERENCES_MAX = 8;

/**
 * A creditor reference: ISO 11649 with the check digits of ISO 7064 MOD 97-10, 18 characters, which the
 * narrowest remittance fields hold (FPS: 18). Throws RangeError for another body than ours.
 */
export function creditorReference(body: string): string {
  const check = 98n - remainder(`${body}${PREFIX}00`);
  const reference = `${PREFIX}${String(check).padStart(2, '0')}${body}`;
  if (!WHOLE_REFERENCE.test(reference)) throw new RangeError('no body of a reference');
  return reference;
}

/** Has it the form of our references, and the right check digits? Says nothing of whose it is. */
export function isCreditorReference(text: string): boolean {
  if (!WHOLE_REFERENCE.test(text)) return false;
  return remainder(text.slice(4) + text.slice(0, 4)) === 1n;
}

/**
 * The references in what payers and their banks wrote, each once: whatever blanks, dashes and line
 * breaks there are in them, in capitals or not. Each text is looked through by itself. At most one more
 * than `REFERENCES_MAX`, which says that there are too many.
 */
export function findCreditorReferences(texts: readonly string[]): string[] {
  const found = new Set<string>();
  for (const text of texts) {
    const packed = text
      .normalize('NFKC')
      .toUpperCase()
      .replace(/[^A-Z0-9]/g, '');
    for (let at = packed.indexOf(PREFIX); at >= 0; at = packed.indexOf(PREFIX, at + 1)) {
      const candidate = packed.slice(at, at + REFERENCE_CHARS);
      if (isCreditorReference(candidate)) found.add(candidate);
      if (found.size > REFERENCES_MAX) return [...found];
    }
  }
  return [...found];
}

/** A reference as people read it: in groups of four. */
export function printedReference(reference: string): string {
  return reference.replace(/(.{4})(?=.)/g, '$1 ');
}

/** ISO 7064: letters count as 10 to 35, and the whole as one number modulo 97. */
function remainder(text: string): bigint {
  const digits = text.replace(/[A-Z]/g, (letter) => String(parseInt(letter, 36)));
  return BigInt(digits) % 97n;
}
