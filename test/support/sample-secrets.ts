import { createHash } from 'node:crypto';

/** 32 bytes in base64, the same for a name at every run: a key that a program starts with. */
export function sampleKey(name: string): string {
  return createHash('sha256').update(name).digest('base64');
}

/** A secret of Standard Webhooks. */
export function sampleSecret(name: string): string {
  return `whsec_${sampleKey(name)}`;
}

/** What API and worker need beside a database. */
export const SAMPLE_KEYS = {
  ENCRYPTION_KEYS: `1:${sampleKey('encryption')}`,
  PEPPER: sampleKey('pepper'),
};
