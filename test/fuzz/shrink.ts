import { randomUUID } from 'node:crypto';
import type { FuzzRequest } from './fuzz-request.ts';

const TRIES_MAX = 80;
const KEY = 'idempotency-key';

/**
 * Makes a request smaller as long as it still brings the same to light. A key is new at each try: the one before
 * may have been used up.
 */
export async function shrink(
  request: FuzzRequest,
  isStill: (request: FuzzRequest) => Promise<boolean>,
): Promise<FuzzRequest> {
  let smallest = request;
  let tries = 0;
  for (let isSmaller = true; isSmaller && tries < TRIES_MAX;) {
    isSmaller = false;
    for (const candidate of smallerThan(smallest)) {
      tries += 1;
      if (tries > TRIES_MAX) break;
      if (!(await isStill(withNewKey(candidate)))) continue;
      smallest = candidate;
      isSmaller = true;
      break;
    }
  }
  return smallest;
}

/** The same request under a key of its own, where its key is one that the fuzzer made. */
export const withNewKey = (request: FuzzRequest): FuzzRequest =>
  request.headers[KEY]?.startsWith('fuzz-') === true
    ? { ...request, headers: { ...request.headers, [KEY]: `fuzz-${randomUUID()}` } }
    : request;

/** Everything that is one step smaller. */
function* smallerThan(request: FuzzRequest): Generator<FuzzRequest> {
  for (const name of Object.keys(request.headers)) {
    const { [name]: _left, ...headers } = request.headers;
    yield { ...request, headers };
  }
  for (const left of request.query) {
    yield { ...request, query: request.query.filter((one) => one !== left) };
  }
  if (request.body === null) return;
  const json = parse(request.body);
  if (json === undefined) {
    const half = Math.floor(request.body.length / 2);
    if (half > 0) yield { ...request, body: request.body.subarray(0, half) };
    if (half > 0) yield { ...request, body: request.body.subarray(half) };
    return;
  }
  for (const smaller of smallerValues(json)) {
    yield { ...request, body: Buffer.from(JSON.stringify(smaller)) };
  }
}

function* smallerValues(value: unknown): Generator {
  if (Array.isArray(value)) {
    const items = value as unknown[];
    if (items.length > 1) yield items.slice(0, 1);
    for (const [nth, item] of items.entries()) {
      for (const smaller of smallerValues(item)) {
        yield items.map((one, place) => (place === nth ? smaller : one));
      }
    }
  } else if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value) as [string, unknown][];
    for (const [name] of entries) yield Object.fromEntries(entries.filter(([one]) => one !== name));
    for (const [name, member] of entries) {
      for (const smaller of smallerValues(member)) {
        yield Object.fromEntries(entries.map((one) => (one[0] === name ? [name, smaller] : one)));
      }
    }
  } else if (typeof value === 'string' && value.length > 20) {
    yield value.slice(0, Math.floor(value.length / 2));
  }
}

function parse(body: Buffer): unknown {
  try {
    const json: unknown = JSON.parse(body.toString('utf8'));
    // What a parser would not write again (numbers beyond doubles, names twice) stays as it is.
    return JSON.stringify(json) === body.toString('utf8') ? json : undefined;
  } catch {
    return undefined;
  }
}
