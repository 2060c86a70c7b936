import type { Children } from './types.ts';

/** A surface with a heading, and beside it what belongs to the whole: a link, a number, a button. */
export const Card = (props: {
  readonly title: string;
  readonly aside?: Children;
  /** The content reaches the card's edges, as a table's rows do. */
  readonly isFlush?: boolean;
  readonly children: Children;
}) => (
  <section class={props.isFlush === true ? 'card card-flush' : 'card'}>
    <header class="card-head">
      <h2>{props.title}</h2>
      {props.aside === undefined ? null : <div class="card-aside">{props.aside}</div>}
    </header>
    {props.children}
  </section>
);
