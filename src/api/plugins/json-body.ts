import type { FastifyRequest } from 'fastify';
import { isLosslessNumber, parse as parseLossless } from 'lossless-json';
import { Refusal } from '../../domain/errors/refusal.ts';
import type { App } from '../../web/kit/http/app-type.ts';
import { valueAt } from '../../web/kit/http/json-pointer.ts';
import { findUnstorableText } from '../../web/kit/http/storable-text.ts';
import { JsonProblem, parseStrictJson } from '../strict-json.ts';

/** RFC 7396 section 4. */
export const MERGE_PATCH_TYPE = 'application/merge-patch+json';

/** 64 KiB. */
export const BODY_BYTES_MAX = 65_536;

// Typed by the request, so that nothing outlives it.
const texts = new WeakMap<FastifyRequest, string>();
const losslessBodies = new WeakMap<FastifyRequest, unknown>();

/**
 * Reads JSON bodies: `request.body` holds plain values for the schema, `request.losslessBody` the
 * same with numbers as they were written. Anything but application/json in UTF-8 is 415 (a PATCH takes
 * application/merge-patch+json as well), anything but strict JSON 400 invalid_json. Must be installed
 * on the root, so that every route shares it.
 */
export function installJsonBody(app: App): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(
    ['application/json', MERGE_PATCH_TYPE],
    { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX },
    (request, bytes, done) => {
      try {
        done(null, readBody(request, bytes));
      } catch (error) {
        done(error as Error);
      }
    },
  );
  app.decorateRequest('rawBody', undefined);
  app.decorateRequest('losslessBody', {
    getter(this: FastifyRequest) {
      const text = texts.get(this);
      if (text === undefined) return undefined;
      if (!losslessBodies.has(this)) losslessBodies.set(this, parseLossless(text));
      return losslessBodies.get(this);
    },
  });
  app.decorateRequest('decimalText', function decimalText(this: FastifyRequest, pointer: string) {
    const value = valueAt(this.losslessBody, pointer);
    if (typeof value === 'string') return value;
    return isLosslessNumber(value) ? value.value : undefined;
  });
}

function readBody(request: FastifyRequest, bytes: Buffer): unknown {
  refuseOtherEncodings(request);
  if (bytes.length === 0) return undefined;
  request.rawBody = bytes;
  let parsed: ReturnType<typeof parseStrictJson>;
  try {
    parsed = parseStrictJson(bytes);
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    throw new Refusal('invalid_json', error.message);
  }
  const judged = request.routeOptions.config.judgesItems
    ? withoutItems(parsed.value)
    : parsed.value;
  const problems = findUnstorableText(judged, '', 'validation_failed');
  if (problems.length > 0) {
    throw new Refusal(
      'validation_failed',
      'The body contains characters that cannot be stored. `details` lists the fields.',
      problems,
    );
  }
  texts.set(request, parsed.text);
  return parsed.value;
}

/** The body without the entries of `items`. */
function withoutItems(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('items' in body)) return body;
  return Array.isArray(body.items) ? { ...body, items: [] } : body;
}

const MERGE_PATCH = /^\s*application\/merge-patch\+json\b/i;
const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i;

function refuseOtherEncodings(request: FastifyRequest): void {
  const charset = CHARSET.exec(request.headers['content-type'] ?? '')?.[1]?.toLowerCase();
  const isUtf8 = charset === undefined || charset === 'utf-8' || charset === 'utf8';
  const coding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  // Node undoes chunks and nothing else, whatever the list before them says.
  const transfer = request.headers['transfer-encoding']?.toLowerCase() ?? 'chunked';
  const isPatch = MERGE_PATCH.test(request.headers['content-type'] ?? '');
  const isMisplaced = isPatch && request.method !== 'PATCH';
  if (!isUtf8 || coding !== 'identity' || transfer !== 'chunked' || isMisplaced) {
    throw new Refusal(
      'unsupported_media_type',
      'The body must be application/json in UTF-8, without compression.',
    );
  }
}
