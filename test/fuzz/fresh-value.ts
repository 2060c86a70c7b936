import { randomUUID } from 'node:crypto';
import { resolve, type ApiDocument, type Schema } from './api-document.ts';
import type { Choice } from './choice.ts';
import type { Fact, Facts } from './facts.ts';

/** What values are made of. */
export interface ValueSource {
  readonly document: ApiDocument;
  readonly facts: Facts;
  readonly choice: Choice;
  /** The moment around which dates lie. */
  readonly now: Date;
  /** The share of optional members that are given, 0 to 1. */
  readonly optional: number;
  /** What a document cannot say: values that this installation can do something with, by name. */
  readonly handed: Readonly<Record<string, readonly string[]>>;
}

const DECIMAL = '^(0|[1-9][0-9]*)(\\.[0-9]+)?$';
const DAY = '^[0-9]{4}-[0-9]{2}-[0-9]{2}$';
const DAY_MS = 86_400_000;
const DEPTH_MAX = 8;
const TEXT_LENGTH_MAX = 60;
/** Names of which each is used once: a second one would be refused or mean the first. */
export const ONCE = new Set(['idempotencyKey', 'externalId']);

/** A value that fits a schema; of a name that is known, often one that an answer had. */
export function freshValue(
  source: ValueSource,
  given: Schema,
  name: string,
  bound: Fact = {},
  depth = 0,
): unknown {
  const { document, facts, choice, handed } = source;
  const schema = resolve(document, given);
  const known = bound[name];
  if (known !== undefined && choice.chance(0.95)) return known;
  if (ONCE.has(name)) return `fuzz-${randomUUID()}`;
  const hand = handed[name];
  if (hand !== undefined && choice.chance(0.8)) return choice.pick(hand);
  if (schema.enum !== undefined) return choice.pick(schema.enum);
  if (schema.const !== undefined) return schema.const;
  const isText = typeof schema.examples?.[0] === 'string' || schema.type === 'string';
  const isSwitch = schema.type === 'boolean';
  if (schema.examples !== undefined && !isSwitch && choice.chance(isText ? 0.6 : 0.8)) {
    return choice.pick(schema.examples);
  }
  const seen = isText && choice.chance(0.3) ? facts.seen(name, choice) : null;
  if (seen !== null) return seen;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) {
    return freshValue(source, choice.pick(choices), name, bound, depth);
  }
  return ofType(source, schema, name, bound, depth);
}

function ofType(
  source: ValueSource,
  schema: Schema,
  name: string,
  bound: Fact,
  depth: number,
): unknown {
  const { choice } = source;
  switch (typeof schema.type === 'string' ? schema.type : schema.type?.[0]) {
    case 'object':
      return freshObject(source, schema, bound, depth + 1);
    case 'array': {
      const min = schema.minItems ?? 0;
      const count = Math.min(schema.maxItems ?? 3, min + choice.below(3));
      return Array.from({ length: count }, () =>
        freshValue(source, schema.items ?? {}, name, {}, depth + 1),
      );
    }
    case 'boolean':
      return choice.chance(0.5);
    case 'integer': {
      const min = schema.minimum ?? 0;
      return min + choice.below((schema.maximum ?? min + 100) - min + 1);
    }
    case 'number':
      return Number(decimal(choice));
    case 'null':
      return null;
    case 'string':
      return freshText(source, schema);
    default:
      return choice.pick<unknown>(['sample', 1, true, null]);
  }
}

/** An object: what is required, and a share of what is optional. */
export function freshObject(
  source: ValueSource,
  schema: Schema,
  given: Fact,
  depth = 0,
): Record<string, unknown> {
  const { choice, facts } = source;
  const required = new Set(schema.required ?? []);
  const optional = depth > DEPTH_MAX ? 0 : source.optional;
  const names = Object.keys(schema.properties ?? {}).filter(
    (name) => required.has(name) || choice.chance(optional),
  );
  // Of things that belong together: an account and its end-user.
  const together = names.filter((name) => /Id$|^(currency|asset|network|signature)$/.test(name));
  // A new wallet is at an address of its own, a deposit at one that was answered.
  if (names.includes('address') && choice.chance(0.5)) together.push('address');
  // What is given back of a thing is at most what it said of itself.
  if (names.includes('amount') && choice.chance(0.4)) together.push('amount');
  const bound = facts.bind(together, given, choice);
  const members = names.map((name) => {
    const property = schema.properties?.[name] ?? {};
    return [name, freshValue(source, property, name, bound, depth)] as const;
  });
  const extra = schema.additionalProperties;
  if (members.length === 0 && typeof extra === 'object' && choice.chance(0.7)) {
    return { note: freshValue(source, extra, 'note', {}, depth + 1) };
  }
  return Object.fromEntries(members);
}

function freshText({ choice, now }: ValueSource, schema: Schema): string {
  if (schema.format === 'date-time') return around(now, choice, 30).toISOString();
  if (schema.format === 'date' || schema.pattern === DAY) {
    return around(now, choice, 200).toISOString().slice(0, 10);
  }
  if (schema.pattern === DECIMAL) return decimal(choice);
  const min = schema.minLength ?? 0;
  const max = Math.min(schema.maxLength ?? TEXT_LENGTH_MAX, Math.max(min, TEXT_LENGTH_MAX));
  const matching = schema.pattern === undefined ? null : choice.matching(schema.pattern, max);
  if (matching !== null && matching.length >= min) return matching;
  const letters = 'abc XYZ 019 \u00e9\u4e2d-_.';
  const length = min + choice.below(max - min + 1);
  return Array.from({ length }, () => letters[choice.below(letters.length)] ?? 'a').join('');
}

const around = (now: Date, choice: Choice, days: number): Date =>
  new Date(now.getTime() + (choice.below(2 * days) - days) * DAY_MS);

/** Small, and of every kind of cents: the sandbox does what the cents say. */
const decimal = (choice: Choice): string =>
  `${String(choice.below(400))}.${String(choice.below(100)).padStart(2, '0')}`;
