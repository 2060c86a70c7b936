import type { ApiDocument, Schema } from './api-document.ts';
import type { Choice } from './choice.ts';
import { placesIn, withValue, type Place } from './places.ts';

/** A body with one thing wrong. */
export interface BrokenBody {
  readonly what: string;
  readonly bytes: Buffer;
  /** Refused whatever its schema says: it is no JSON text, or not one that can be told. */
  readonly isNoJson: boolean;
}

const DEEP = 2_000;
const ODD_TEXTS = [
  ...['\0', '\u0007bell', 'a\u0000b', '\ud800', '\u202egnirts', '\ufeff', '\u0000'.repeat(5)],
  ...[
    '',
    ' ',
    '\n',
    '\u{1f4b8}'.repeat(40),
    'e\u0301'.repeat(30),
    '../../etc',
    "' OR 1=1 --",
    '${7*7}',
  ],
  ...['__proto__', 'NaN', '-0', '1e9', '0x10', '１２', 'null', '%00', '\u2028'],
];
const ODD_NUMBERS = [
  ...['1e400', '-1e400', '99999999999999999999999999', '1e-400', '-0', '0.1e1', '1E2', '-1'],
  ...['9007199254740993', '0.30000000000000004', '1.000000000000000000001'],
];
const ODD_NAMES = [
  'colour',
  '__proto__',
  'constructor',
  'toString',
  '',
  '\u0000',
  'Amount',
  'é',
  'id',
];
/** Stands for bytes that JSON.stringify does not write. */
const MARK = '@@as-it-is@@';

/** Breaks a body in one place. */
export function breakBody(
  document: ApiDocument,
  schema: Schema,
  json: unknown,
  choice: Choice,
): BrokenBody {
  const places = placesIn(document, schema, json);
  for (const _try of BREAKERS) {
    const broken = choice.pick(BREAKERS)({ json, places, choice });
    if (broken !== null) return broken;
  }
  return asText('the body is cut off', JSON.stringify(json).slice(0, -1), true);
}

interface Whole {
  readonly json: unknown;
  readonly places: readonly Place[];
  readonly choice: Choice;
}
type Breaker = (whole: Whole) => BrokenBody | null;

const asText = (what: string, text: string, isNoJson = false): BrokenBody => {
  return { what, bytes: Buffer.from(text), isNoJson };
};
const asJson = (what: string, json: unknown): BrokenBody =>
  asText(what, JSON.stringify(json) ?? '');
const at = ({ steps }: Place): string => `/${steps.join('/')}`;

/** A breaker of one place that is of the right kind. */
const inPlace =
  (isOf: (place: Place) => boolean, change: (place: Place, whole: Whole) => BrokenBody): Breaker =>
  (whole) => {
    const fitting = whole.places.filter(isOf);
    return fitting.length === 0 ? null : change(whole.choice.pick(fitting), whole);
  };

const isMember = ({ steps }: Place) => typeof steps.at(-1) === 'string';
const isObject = ({ value }: Place) =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = ({ value }: Place) => typeof value === 'string';

function exactly(whole: Whole, place: Place, text: string, what: string): BrokenBody {
  const marked = JSON.stringify(withValue(whole.json, place.steps, MARK));
  return asText(
    what,
    marked.replace(JSON.stringify(MARK), () => text),
  );
}

const BREAKERS: readonly Breaker[] = [
  inPlace(
    (place) => isMember(place) && place.isRequired,
    (place, { json }) =>
      asJson(`${at(place)} is left out`, withValue(json, place.steps, undefined)),
  ),
  inPlace(isObject, (place, { json, choice }) => {
    const name = choice.pick(ODD_NAMES);
    const own = Object.entries(place.value as object);
    // Not by assignment: __proto__ must be a member.
    const more = Object.fromEntries([...own, [name, choice.pick<unknown>(['x', 1, null, {}])]]);
    return asJson(`${at(place)} has a member more`, withValue(json, place.steps, more));
  }),
  inPlace(isMember, (place, { json, choice }) => {
    const values: unknown[] = ['text', 7, true, null, [], {}, [place.value], { x: place.value }];
    const others = values.filter((value) => kindOf(value) !== kindOf(place.value));
    const put = choice.pick(others);
    return asJson(`${at(place)} is of another type`, withValue(json, place.steps, put));
  }),
  inPlace(
    (place) => isText(place) && place.schema.maxLength !== undefined,
    (place, { json }) => {
      const long = 'a'.repeat((place.schema.maxLength ?? 0) + 1);
      return asJson(`${at(place)} is one too long`, withValue(json, place.steps, long));
    },
  ),
  inPlace(
    (place) => isText(place) && (place.schema.minLength ?? 0) > 0,
    (place, { json }) => {
      const short = String(place.value).slice(0, (place.schema.minLength ?? 1) - 1);
      return asJson(`${at(place)} is one too short`, withValue(json, place.steps, short));
    },
  ),
  inPlace(
    ({ schema }) => schema.enum !== undefined,
    (place, { json, choice }) => {
      const put = choice.pick(['NONE_OF_THEM', String(place.value).toLowerCase(), '']);
      return asJson(`${at(place)} is none of its values`, withValue(json, place.steps, put));
    },
  ),
  inPlace(
    ({ schema }) => schema.minimum !== undefined || schema.maximum !== undefined,
    (place, { json, choice }) => {
      const { minimum = 0, maximum = minimum } = place.schema;
      const put = choice.pick([minimum - 1, maximum + 1]);
      return asJson(`${at(place)} is one beyond its bound`, withValue(json, place.steps, put));
    },
  ),
  inPlace(
    ({ value, schema }) => Array.isArray(value) && schema.maxItems !== undefined,
    (place, { json, choice }) => {
      const [item] = place.value as unknown[];
      const put = choice.chance(0.5)
        ? []
        : Array(Math.min(place.schema.maxItems ?? 0, 60) + 1).fill(item ?? 'a');
      return asJson(`${at(place)} has another count`, withValue(json, place.steps, put));
    },
  ),
  inPlace(isText, (place, { json, choice }) =>
    asJson(`${at(place)} is an odd text`, withValue(json, place.steps, choice.pick(ODD_TEXTS))),
  ),
  inPlace(isText, (place, { json }) =>
    asJson(`${at(place)} is very long`, withValue(json, place.steps, 'x'.repeat(40_000))),
  ),
  inPlace(isMember, (place, whole) =>
    exactly(whole, place, whole.choice.pick(ODD_NUMBERS), `${at(place)} is an odd number`),
  ),
  inPlace(isMember, (place, whole) => {
    const name = JSON.stringify(place.steps.at(-1));
    const value = JSON.stringify(place.value);
    return {
      ...exactly(whole, place, `${value},${name}:${value}`, `${at(place)} is there twice`),
      isNoJson: true,
    };
  }),
  inPlace(isMember, (place, whole) =>
    exactly(whole, place, '['.repeat(DEEP) + ']'.repeat(DEEP), `${at(place)} is nested deeply`),
  ),
  inPlace(isText, (place, { json }) => {
    const marked = JSON.stringify(withValue(json, place.steps, MARK));
    const [before = '', after = ''] = marked.split(MARK);
    const bytes = Buffer.concat([
      Buffer.from(before),
      Buffer.from([0xc3, 0x28, 0xff]),
      Buffer.from(after),
    ]);
    return { what: `${at(place)} is not UTF-8`, bytes, isNoJson: true };
  }),
  ({ json }) => asText('the body is cut off', JSON.stringify(json).slice(0, -1), true),
  ({ choice }) => {
    const text = choice.pick([
      '{',
      '[1,',
      '{"a":}',
      "{'a':1}",
      '{"a":01}',
      '\u0000',
      'NaN',
      '{}{}',
    ]);
    return asText('the body is no JSON', text, true);
  },
  ({ choice }) =>
    asText('the body is another kind of JSON', choice.pick(['[]', '"x"', '7', 'true', '[{}]'])),
  () => asText('the body is larger than any may be', `{"x":"${'x'.repeat(2_200_000)}"}`),
];

const kindOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
