import { Brand } from './brand.tsx';
import type { Children } from './types.ts';

/** One card in the middle: for who is not logged in, and for what went wrong. */
export const Gate = (props: {
  readonly isWide?: boolean;
  /** The first page of the site; null where it has none. */
  readonly home?: string | null;
  readonly children: Children;
}) => (
  <main class={props.isWide === true ? 'gate gate-wide' : 'gate'}>
    <Brand href={props.home === undefined ? '/' : props.home} />
    {props.children}
  </main>
);
