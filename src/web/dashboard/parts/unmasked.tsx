import { Card } from '../../kit/parts/card.tsx';
import { Facts } from '../../kit/parts/facts.tsx';
import { PageHead } from '../../kit/parts/page-head.tsx';

/** Personal data as it is, shown once: the page cannot be loaded again. */
export const Unmasked = (props: {
  readonly of: { readonly href: string; readonly text: string; readonly here: string };
  readonly at: string;
  /** Null where it was erased. */
  readonly data: object | null;
}) => (
  <>
    <PageHead
      title="Personal data"
      about={`Shown once. The audit log says that you saw it at ${props.at}.`}
      trail={props.of}
    />
    <Card title="Personal data">
      {props.data === null ? (
        <p>The data was erased.</p>
      ) : (
        <Facts facts={flatten(props.data, [])} />
      )}
    </Card>
  </>
);

/** "individual, firstName" becomes "first name": a line for each text, whatever it is in. */
function flatten(value: unknown, path: readonly string[]): (readonly [string, string])[] {
  if (value === null || value === '') return [];
  if (typeof value === 'string') return [[nameOf(path), value]];
  if (typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, inner]) => flatten(inner, [...path, name]));
}

/** Where it stands among the things of one kind, counted from 1. */
const nameOf = (path: readonly string[]): string =>
  // Its names are the customer's own.
  path[0] === 'metadata' ? path.join(' ') : wordsOf(path.slice(-3));

const wordsOf = (path: readonly string[]): string =>
  path.map((name) => (/^\d+$/.test(name) ? String(Number(name) + 1) : inWords(name))).join(' ');

const inWords = (name: string): string =>
  name.replaceAll(/([a-z])([A-Z0-9])/g, '$1 $2').toLowerCase();
