import type { Children } from './types.ts';

/** A page's heading, what it is about, and the one thing to do here. */
export const PageHead = (props: {
  readonly title: Children;
  readonly about?: Children;
  /** The way back to the list that this page is of. */
  readonly trail?: { readonly href: string; readonly text: string; readonly here: string };
  readonly children?: Children;
}) => (
  <header class="page-head">
    <div>
      {props.trail === undefined ? null : (
        <p class="trail">
          <a href={props.trail.href}>{props.trail.text}</a> / <code>{props.trail.here}</code>
        </p>
      )}
      <h1>{props.title}</h1>
      {props.about === undefined ? null : <p class="muted">{props.about}</p>}
    </div>
    {props.children}
  </header>
);
