import { isIP } from 'node:net';
import type { Environment } from '../../domain/scope.ts';
import { classifyAddress } from './address-rules.ts';

const URL_LENGTH_MAX = 2_048;

/** Where webhooks may go. */
export interface UrlPolicy {
  /** https on port 443 only. */
  readonly isLive: boolean;
  /** Also plain http, and this machine (127.0.0.0/8, ::1). Never in live. */
  readonly allowLoopback: boolean;
}

export function urlPolicyFor(environment: Environment, allowLoopbackInTest: boolean): UrlPolicy {
  const isLive = environment === 'live';
  return { isLive, allowLoopback: !isLive && allowLoopbackInTest };
}

export type UrlVerdict =
  { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly message: string };

/**
 * Judges the text of an endpoint's URL, at save and again at every send. The host counts in the form
 * that the WHATWG parser gives it, where decimal, octal and hexadecimal spellings are one address.
 * A name says nothing yet: `areAllowedAddresses` judges what it leads to.
 */
export function judgeUrl(text: string, policy: UrlPolicy): UrlVerdict {
  if (text.length > URL_LENGTH_MAX) return refused('The URL is longer than 2,048 characters.');
  // The parser would drop or turn these silently, and the URL would not be the one that was read.
  if (/[\s\\\p{Cc}]/u.test(text)) return refused('The URL must not contain spaces or backslashes.');
  if (!URL.canParse(text)) return refused('The value is not an absolute URL.');
  const url = new URL(text);
  const schemes = policy.allowLoopback ? ['https:', 'http:'] : ['https:'];
  if (!schemes.includes(url.protocol)) return refused('The URL must begin with https://.');
  // It reads one slash, or three, as if they were two.
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined) return refused('The URL must have a host after two slashes.');
  if (authority.includes('@')) {
    return refused('The URL must not contain a user name or password.');
  }
  if (text.includes('#')) return refused('The URL must not have a fragment.');
  if (policy.isLive && url.port !== '') return refused('The URL must use port 443.');
  const host = hostOf(url);
  if (isIP(host) !== 0 && !isAllowedAddress(host, policy)) {
    return refused('The URL must resolve to public addresses only.');
  }
  return { ok: true, url };
}

/** Whether webhooks may be sent to this very address. */
export function isAllowedAddress(address: string, policy: UrlPolicy): boolean {
  return areAllowedAddresses([address], policy);
}

/**
 * Whether webhooks may be sent to a name with these addresses. One forbidden address among several
 * refuses them all, and so do this machine and others beside each other: no honest name mixes them.
 */
export function areAllowedAddresses(addresses: readonly string[], policy: UrlPolicy): boolean {
  const kinds = new Set(addresses.map(classifyAddress));
  if (kinds.size !== 1) return false;
  return kinds.has('public') || (kinds.has('loopback') && policy.allowLoopback);
}

/** The host of a URL without the brackets that an IPv6 address has there. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

function refused(message: string): UrlVerdict {
  return { ok: false, message };
}
