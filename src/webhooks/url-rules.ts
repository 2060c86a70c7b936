import { isIP } from 'node:net';
import type { Environment } from '../domain/scope.ts';
import { classifyAddress } from './address-rules.ts';

const URL_LENGTH_MAX = 2_048;

/** Where webhooks may go. */
export interface UrlPolicy {
  /** https on port 443 only. */
  readonly isLive: boolean;
  /** Also plain http, this machine and its own network. Never in live. */
  readonly allowPrivate: boolean;
}

export function urlPolicyFor(environment: Environment, allowPrivateInTest: boolean): UrlPolicy {
  const isLive = environment === 'live';
  return { isLive, allowPrivate: !isLive && allowPrivateInTest };
}

export type UrlVerdict =
  { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly message: string };

/**
 * Judges the text of an endpoint's URL, at save and again at every send. The host counts in the form
 * that the WHATWG parser gives it, where decimal, octal and hexadecimal spellings are one address.
 * A name says nothing yet: `isAllowedAddress` judges what it leads to.
 */
export function judgeUrl(text: string, policy: UrlPolicy): UrlVerdict {
  if (text.length > URL_LENGTH_MAX) return refused('The URL is longer than 2,048 characters.');
  // The parser would drop or turn these silently, and the URL would not be the one that was read.
  if (/[\s\\\p{Cc}]/u.test(text)) return refused('The URL holds blanks or backslashes.');
  if (!URL.canParse(text)) return refused('This is not an absolute URL.');
  const url = new URL(text);
  const schemes = policy.allowPrivate ? ['https:', 'http:'] : ['https:'];
  if (!schemes.includes(url.protocol)) return refused('The URL must begin with https://.');
  // It reads one slash, or three, as if they were two.
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined) return refused('The URL must name a host behind two slashes.');
  if (authority.includes('@')) {
    return refused('The URL must not carry a user name or password.');
  }
  if (text.includes('#')) return refused('The URL must not have a fragment.');
  if (policy.isLive && url.port !== '') return refused('The URL must use port 443.');
  const host = hostOf(url);
  if (isIP(host) !== 0 && !isAllowedAddress(host, policy)) {
    return refused('The URL must lead to a public address.');
  }
  return { ok: true, url };
}

/** Whether webhooks may be sent to this very address. */
export function isAllowedAddress(address: string, policy: UrlPolicy): boolean {
  const kind = classifyAddress(address);
  return kind === 'public' || (kind === 'private' && policy.allowPrivate);
}

/** The host of a URL without the brackets that an IPv6 address has there. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

function refused(message: string): UrlVerdict {
  return { ok: false, message };
}
