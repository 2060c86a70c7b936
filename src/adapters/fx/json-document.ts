import { isLosslessNumber, parse } from 'lossless-json';

import { plainRateText } from '../../domain/payments/fx/rate.ts';
import { FxSourceError } from '../../domain/payments/fx/fx-source.ts';

/** A JSON value whose numbers are kept as they were written. */
type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);

/**
 * Parses a document of rates. Throws FxSourceError for what is no JSON, for a member that is given
 * twice and for one nested so deeply that the parser gives up.
 */
export function parseJsonDocument(text: string, source: string): unknown {
  try {
    return parse(text, undefined, {
      onDuplicateKey: ({ key }) => {
        throw new SyntaxError(`a member is given twice: ${key}`);
      },
    });
  } catch (error) {
    throw new FxSourceError(source, 'the document is no JSON', { cause: error });
  }
}

/** A JSON number as the plain positive decimal that it says; null for anything else. */
export function rateOf(value: unknown): string | null {
  return isLosslessNumber(value) ? plainRateText(value.value) : null;
}
