/** As much of an AbortSignal as is used where a program has no types of one. */
interface SignalLike {
  readonly aborted: boolean;
  readonly reason?: unknown;
}

/** The AbortSignal of the platform that the program is compiled for. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer S } }
  ? S
  : SignalLike;

/** What every method takes. */
export interface RequestOptions {
  /** Ends the call, retries included. What was sent by then may still take effect. */
  readonly signal?: Signal | undefined;
  /** For each attempt, its answer included. */
  readonly timeoutMs?: number | undefined;
  /** How often it is sent again at most. 0: never. */
  readonly maxRetries?: number | undefined;
}

/** What a method takes that the API does once for each key. */
export interface KeyedOptions extends RequestOptions {
  /**
   * Your own name for this one act, 1 to 255 printable ASCII characters: the API does it once, however
   * often it is sent. Give one that you keep beside the order that it is for, so that your program can
   * send it again after a crash. Left out, the client makes one for this call and its retries.
   */
  readonly idempotencyKey?: string | undefined;
}

/** What a method takes that changes a resource which has versions. */
export interface VersionedOptions extends RequestOptions {
  /** Only if the resource is at this `version`: else 412 `precondition_failed`, and nothing is changed. */
  readonly ifVersion?: number | undefined;
}

/** What a method takes that has both. */
export interface KeyedVersionedOptions extends KeyedOptions, VersionedOptions {}
