import type { Signal } from './call-options.ts';
import type { OperationId } from './operation-types.ts';

/** As much of an answer of `fetch` as is used. */
export interface FetchAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/** What `fetch` is called with. */
export interface FetchInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly redirect: 'manual';
  readonly signal: Signal;
  readonly body?: string;
}

/** The `fetch` of the platform that the program is compiled for, or one that does the same. */
export type Fetch = typeof globalThis extends { fetch: infer F }
  ? F
  : (url: string, init: FetchInit) => Promise<FetchAnswer>;

/** One attempt of a call, for logs and metrics. It holds neither key nor body. */
export interface Attempt {
  readonly operation: OperationId;
  /** 1 for the first. */
  readonly number: number;
  /** Null where there was no answer. */
  readonly status: number | null;
  readonly requestId: string | null;
  /** Whether the API told again what it answered to the same key before. */
  readonly isReplayed: boolean;
  readonly durationMs: number;
}

/** Where time comes from; tests give their own. */
export interface ClientClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after so long; rejects once the signal ends it. */
  wait(ms: number, signal: Signal | undefined): Promise<void>;
}

export interface CausewayOptions {
  /** `cw_test_...` or `cw_live_...`. */
  readonly apiKey: string;
  /** Where the installation is, without `/api/v1`: `https://pay.example.com`. */
  readonly baseUrl: string;
  /** For each attempt of a call, its answer included. 30,000 unless given. */
  readonly timeoutMs?: number | undefined;
  /** How often a call is sent again at most, where that is safe. 3 unless given. */
  readonly maxRetries?: number | undefined;
  /** Lets a live key be sent over plain http to another machine, in a network that is yours alone. */
  readonly allowHttp?: boolean | undefined;
  /** The platform's unless given. */
  readonly fetch?: Fetch | undefined;
  /** Called after every attempt. What it throws is dropped: it must not hide an answer. */
  readonly onAttempt?: ((attempt: Attempt) => void) | undefined;
  /** For tests: the machine's clock unless given. */
  readonly clock?: ClientClock | undefined;
  /** For tests: numbers from 0 to below 1, by which retries are spread. */
  readonly random?: (() => number) | undefined;
}
