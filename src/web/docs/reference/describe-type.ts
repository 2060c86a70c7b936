import { follow, nameOfReference, type OpenApi, type Schema } from './open-api.ts';

/** What a value is, in words: "text", "whole number", "array of objects", "text or null". */
export function describeType(document: OpenApi, schema: Schema): string {
  const known = follow<Schema>(document, schema);
  const variants = known.anyOf ?? known.oneOf;
  if (variants !== undefined) {
    const words = variants.map((one) => describeType(document, one));
    return [...new Set(words)].join(' or ');
  }
  if (Array.isArray(known.type)) {
    const types = known.type as readonly string[];
    return types.map((type) => describeType(document, { ...known, type })).join(' or ');
  }
  if (known.type === 'array') {
    const item = known.items === undefined ? 'anything' : describeType(document, known.items);
    return `array of ${item === 'text' ? 'texts' : item}`;
  }
  if (known.type === 'object' || known.properties !== undefined || known.allOf !== undefined) {
    return nameOfReference(schema) ?? known.title ?? 'object';
  }
  return describePlain(known);
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  null: 'null',
};

function describePlain({ type, format, const: constant }: Schema): string {
  if (format === 'date-time') return 'moment (ISO 8601, UTC)';
  if (format === 'date') return 'day (YYYY-MM-DD)';
  if (constant !== undefined) return JSON.stringify(constant);
  return typeof type === 'string' ? (WORDS[type] ?? type) : 'anything';
}

/** The limits of a value, each a phrase: "1 to 140 characters", "at least 0", "matches ^[A-Z]{3}$". */
export function describeLimits(document: OpenApi, schema: Schema): string[] {
  const known = follow<Schema>(document, schema);
  const variants = known.anyOf ?? known.oneOf;
  if (variants !== undefined) {
    return [...new Set(variants.flatMap((one) => describeLimits(document, one)))];
  }
  const limits = [
    span(known.minLength, known.maxLength, 'characters'),
    span(known.minItems, known.maxItems, 'entries'),
    span(undefined, known.maxProperties, 'members'),
    span(known.minimum, known.maximum, ''),
    known.pattern === undefined ? null : describePattern(known.pattern),
    known.default === undefined ? null : `${JSON.stringify(known.default)} where it is left out`,
    known.deprecated === true ? 'deprecated' : null,
  ];
  return limits.filter((limit) => limit !== null);
}

const describePattern = (pattern: string): string =>
  pattern === '^[^\\x00-\\x1f\\x7f]*$' ? 'no control characters' : `matches ${pattern}`;

function span(min: number | undefined, max: number | undefined, unit: string): string | null {
  const tail = unit === '' ? '' : ` ${unit}`;
  if (min !== undefined && max !== undefined) {
    return min === max ? `${String(min)}${tail}` : `${String(min)} to ${String(max)}${tail}`;
  }
  if (max !== undefined) return `at most ${String(max)}${tail}`;
  // At least one character is what every text is that is there.
  if (min === undefined || (min === 0 && unit !== '')) return null;
  return `at least ${String(min)}${tail}`;
}

/** The values that a field may have, itself or its entries; empty where they are not listed. */
export function listValues(document: OpenApi, schema: Schema): readonly string[] {
  const known = follow<Schema>(document, schema);
  if (known.enum !== undefined) return known.enum.map((value) => JSON.stringify(value));
  if (known.items !== undefined) return listValues(document, known.items);
  return (known.anyOf ?? known.oneOf ?? []).flatMap((one) => listValues(document, one));
}
