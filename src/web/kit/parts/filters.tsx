import type { Children } from './types.ts';

/** Filters of a list: a plain GET, so that what it shows can be linked to and gone back to. */
export const Filters = (props: { readonly action: string; readonly children: Children }) => (
  <form method="get" action={props.action} class="filters" role="search">
    {props.children}
    <button type="submit" class="button button-plain">
      Filter
    </button>
  </form>
);
