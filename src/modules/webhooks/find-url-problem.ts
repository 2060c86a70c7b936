import { setTimeout as pause } from 'node:timers/promises';
import { refuseField, type Refusal } from '../../domain/errors/refusal.ts';
import { isIP } from 'node:net';
import { resolveName, type ResolveName } from './resolve-name.ts';
import { areAllowedAddresses, hostOf, judgeUrl, type UrlPolicy } from './url-rules.ts';

const RESOLVE_MS_MAX = 5_000;

/**
 * What is wrong with the URL of a new endpoint, null where nothing is. Asks DNS, so it must not run
 * within a transaction. Saying so at save is a courtesy: what counts is the socket at every send.
 */
export async function findUrlProblem(
  text: string,
  policy: UrlPolicy,
  resolve: ResolveName = resolveName,
): Promise<Refusal | null> {
  const verdict = judgeUrl(text, policy);
  if (!verdict.ok) return problem(verdict.message);
  const host = hostOf(verdict.url);
  if (isIP(host) !== 0) return null;
  const addresses = await Promise.race([
    resolve(host).catch(() => []),
    pause(RESOLVE_MS_MAX, [], { ref: false }),
  ]);
  if (addresses.length === 0) return problem('The host name of the URL cannot be resolved.');
  return areAllowedAddresses(addresses, policy)
    ? null
    : problem('The URL must resolve to public addresses only.');
}

function problem(message: string): Refusal {
  return refuseField('validation_failed', '/url', message);
}
