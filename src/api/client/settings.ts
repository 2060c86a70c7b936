import { setTimeout as pause } from 'node:timers/promises';
import type { Attempt, CausewayOptions, ClientClock, FetchAnswer, FetchInit } from './options.ts';

/** The options with everything that was left out. */
export interface Settings {
  readonly apiKey: string;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly fetch: (url: string, init: FetchInit) => Promise<FetchAnswer>;
  readonly onAttempt: (attempt: Attempt) => void;
  readonly clock: ClientClock;
  readonly random: () => number;
}

const API_KEY = /^cw_(test|live)_[!-~]{1,200}$/;
const LOOPBACK = /^(localhost|127(\.[0-9]{1,3}){3}|\[::1\])$/;
const TIMEOUT_MS = 30_000;
const MAX_RETRIES = 3;

const MACHINE_CLOCK: ClientClock = {
  now: () => Date.now(),
  wait: (ms, signal) => pause(ms, undefined, { signal }),
};

/**
 * Checks the options. Throws TypeError where they cannot be right, and where a live key would be sent
 * in the clear, or is in a page, where every visitor can read it.
 */
export function readSettings(options: CausewayOptions): Settings {
  const { apiKey, fetch: given } = options;
  const environment = API_KEY.exec(apiKey)?.[1];
  if (environment === undefined) {
    throw new TypeError('apiKey must be the text of an API key: "cw_test_..." or "cw_live_..."');
  }
  const url = readBaseUrl(options.baseUrl);
  if (environment === 'live') {
    refusePage();
    if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname) && options.allowHttp !== true) {
      throw new TypeError('a live key is sent over https alone; allowHttp lifts this');
    }
  }
  return {
    apiKey,
    baseUrl: `${url.origin}${url.pathname.replace(/\/+$/, '')}`,
    timeoutMs: readCount('timeoutMs', options.timeoutMs ?? TIMEOUT_MS, 1),
    maxRetries: readCount('maxRetries', options.maxRetries ?? MAX_RETRIES, 0),
    // Looked up at every call: what a program puts in its place later is used.
    fetch: given ?? ((requestUrl, init) => fetch(requestUrl, init)),
    onAttempt: options.onAttempt ?? (() => undefined),
    clock: options.clock ?? MACHINE_CLOCK,
    random: options.random ?? (() => Math.random()),
  };
}

/** The number of an option. Throws TypeError where it is not whole, or smaller than `min`. */
export function readCount(name: string, value: number, min: number): number {
  if (Number.isSafeInteger(value) && value >= min) return value;
  throw new TypeError(`${name} must be a whole number, ${String(min)} or more`);
}

function readBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new TypeError('baseUrl must be an address such as "https://pay.example.com"');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError('baseUrl must be an address alone: no user, password, query or fragment');
  }
  if (/\/api(\/v1)?\/*$/.test(url.pathname)) {
    throw new TypeError('baseUrl is the address of the installation, without /api/v1');
  }
  return url;
}

/** Throws where the program runs in a page or in a worker of one. */
function refusePage(): void {
  const platform = globalThis as { document?: unknown; window?: unknown; importScripts?: unknown };
  const isPage = platform.window !== undefined && platform.document !== undefined;
  if (isPage || typeof platform.importScripts === 'function') {
    throw new TypeError(
      'a live key must stay on your servers: in a page every visitor can read it',
    );
  }
}
