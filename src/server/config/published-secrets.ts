import type { TObject } from 'typebox';
import { listSettings, settingOf, textOf, type Env, type Report } from './settings.ts';

/** What the samples of this repository have carried, in plain or within base64. */
const MARK = 'development-only';

/** The sample of the Standard Webhooks specification. */
const SPECIFICATION_SAMPLE = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** 24 random bytes have fewer distinct ones less than once in 10^20 times; a key of one repeated byte has one. */
const DISTINCT_BYTES_MIN = 8;

/**
 * Reports secrets that are in a public repository: samples of its files and tests. An engine that
 * starts with one pays for every reader of that repository.
 */
export function checkPublishedSecrets(schema: TObject, env: Env, report: Report): void {
  for (const { env: name, isSecret } of listSettings(schema).map(settingOf)) {
    if (isSecret === true && textOf(env, name).split(',').some(isPublished)) {
      report([name], `${name} must not be a published sample: make one (docs/how-to/deploy.md)`);
    }
  }
}

function isPublished(text: string): boolean {
  const encoded = text.trim().replace(/^(whsec_|[0-9]{1,3}:)|:retired$/g, '');
  if (text.includes(MARK) || encoded.replace(/=+$/, '') === SPECIFICATION_SAMPLE) return true;
  const isBase64 = /^[A-Za-z0-9+/]{32,}={0,2}$/.test(encoded);
  if (!isBase64) return false;
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.includes(MARK) || new Set(bytes).size < DISTINCT_BYTES_MIN;
}
