import { readMoment as momentOf } from '../../domain/moments.ts';
import { KYC_ASKS, type KycAsk } from '../../domain/parties/kyc/document-asks.ts';
import { KYC_STATUSES } from '../../domain/parties/kyc/kyc-states.ts';
import type { KycStatus } from '../../domain/parties/kyc/kyc-states.ts';
import { KycProviderError } from '../../domain/parties/kyc/kyc-provider.ts';
import type { OpenedCheck, ProviderCheck } from '../../domain/parties/kyc/kyc-provider.ts';

// RFC 3339, section 5.6, without the leap second, which a Date cannot hold.
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

const URL_CHARACTERS_MAX = 2048;
const REASONS_MAX = 20;
const VERSION_MAX = 1_000_000;

/** A check from the answer to its opening. Throws KYC_PROVIDER_GARBLED. */
export function readOpenedCheck(bytes: Uint8Array, reference: string): OpenedCheck {
  const { url, documents = [] } = readAnswer(bytes, reference);
  if (typeof url !== 'string' || !isPageUrl(url)) throw garbled();
  if (!Array.isArray(documents) || !documents.every(isAsk)) throw garbled();
  if (new Set(documents).size !== documents.length) throw garbled();
  return { url, documents };
}

/** The status of a check, from the answer to a question. Throws KYC_PROVIDER_GARBLED. */
export function readProviderCheck(bytes: Uint8Array, reference: string): ProviderCheck {
  const { status, reasons, version, expiresAt } = readAnswer(bytes, reference);
  if (!isProviderStatus(status)) throw garbled();
  if (!Number.isInteger(version) || Number(version) < 1 || Number(version) > VERSION_MAX) {
    throw garbled();
  }
  if (!Array.isArray(reasons) || reasons.length > REASONS_MAX) throw garbled();
  const until = readMoment(expiresAt);
  // An end that cannot be read must not become none.
  if (until === null && expiresAt !== undefined && expiresAt !== null) throw garbled();
  return {
    ...{ status, version: Number(version), expiresAt: until },
    reasonCodes: reasons.map(readReasonCode),
  };
}

function readAnswer(bytes: Uint8Array, reference: string): Record<string, unknown> {
  let answer: unknown;
  try {
    answer = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw garbled();
  }
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) throw garbled();
  const fields = answer as Record<string, unknown>;
  // An answer about another check must not approve this one.
  if (fields['reference'] !== reference) throw garbled();
  return fields;
}

function readReasonCode(reason: unknown): string {
  const code =
    typeof reason === 'object' && reason !== null ? (reason as { code?: unknown }).code : undefined;
  if (typeof code !== 'string' || !/^[A-Za-z0-9_.-]{1,64}$/.test(code)) throw garbled();
  return code;
}

function isAsk(value: unknown): value is KycAsk {
  return (KYC_ASKS as readonly unknown[]).includes(value);
}

function isProviderStatus(value: unknown): value is KycStatus {
  return value !== 'NOT_STARTED' && (KYC_STATUSES as readonly unknown[]).includes(value);
}

function isPageUrl(text: string): boolean {
  if (text.length > URL_CHARACTERS_MAX || !URL.canParse(text)) return false;
  return ['https:', 'http:'].includes(new URL(text).protocol);
}

const garbled = () => new KycProviderError('KYC_PROVIDER_GARBLED');

/** A moment that a provider wrote; null where it is none. */
function readMoment(value: unknown): Date | null {
  if (typeof value !== 'string' || !MOMENT.test(value)) return null;
  return momentOf(value);
}
