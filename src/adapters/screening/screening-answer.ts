import {
  ADDRESS_VERDICTS,
  type AddressFinding,
} from '../../domain/parties/screening/address-screening.ts';
import {
  ScreeningError,
  type ScreeningHit,
  type ScreeningResult,
  type ScreeningSubject,
} from '../../domain/parties/screening/screening-provider.ts';

const VERSION = /^[\x21-\x7e]{1,200}$/;
const ENTRY_ID = /^[\x21-\x7e]{1,200}$/;
const NAME_CHARACTERS_MAX = 300;
const HITS_MAX = 1_000;

/** The list's version, from the answer to `GET /list`. Throws SCREENING_GARBLED. */
export function readListVersion(bytes: Uint8Array): string {
  return versionOf(readObject(bytes)['version']);
}

/** The hits, from the answer to a screening. Throws SCREENING_GARBLED. */
export function readScreening(
  bytes: Uint8Array,
  subjects: readonly ScreeningSubject[],
): ScreeningResult {
  const { listVersion, hits } = readObject(bytes);
  if (!Array.isArray(hits) || hits.length > HITS_MAX) throw garbled();
  const references = new Set(subjects.map(({ reference }) => reference));
  return {
    listVersion: versionOf(listVersion),
    hits: hits.map((hit) => readHit(hit, references)),
  };
}

/** What an address is, from the answer to a look-up. Throws SCREENING_GARBLED. */
export function readAddressFinding(bytes: Uint8Array): AddressFinding {
  const { listVersion, verdict, match } = readObject(bytes);
  const known = ADDRESS_VERDICTS.find((one) => one === verdict);
  if (known === undefined) throw garbled();
  const finding = { verdict: known, listVersion: versionOf(listVersion) };
  if (match === undefined) return finding;
  if (typeof match !== 'string' || !ENTRY_ID.test(match)) throw garbled();
  return { ...finding, match };
}

function readHit(value: unknown, references: ReadonlySet<string>): ScreeningHit {
  if (typeof value !== 'object' || value === null) throw garbled();
  const { reference, entryId, score, name } = value as Record<string, unknown>;
  // An answer about another party must neither clear nor hit one of these.
  if (typeof reference !== 'string' || !references.has(reference)) throw garbled();
  if (typeof entryId !== 'string' || !ENTRY_ID.test(entryId)) throw garbled();
  if (typeof score !== 'number' || !Number.isInteger(score) || score < 0 || score > 100) {
    throw garbled();
  }
  if (name === undefined) return { reference, entryId, score };
  if (typeof name !== 'string' || name.length > NAME_CHARACTERS_MAX) throw garbled();
  return { reference, entryId, score, name };
}

function versionOf(value: unknown): string {
  if (typeof value !== 'string' || !VERSION.test(value)) throw garbled();
  return value;
}

function readObject(bytes: Uint8Array): Record<string, unknown> {
  try {
    const answer: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof answer === 'object' && answer !== null && !Array.isArray(answer)) {
      return answer as Record<string, unknown>;
    }
  } catch {
    throw garbled();
  }
  throw garbled();
}

const garbled = () => new ScreeningError('SCREENING_GARBLED');
