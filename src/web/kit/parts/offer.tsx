import type { Children } from './types.ts';

/**
 * A part of a page that refreshes itself, with a form for one: it is taken away once the page that was asked
 * for again offers it no more. It is never replaced, so what was entered stays.
 */
export const Offer = ({ id, children }: { readonly id: string; readonly children: Children }) => (
  <div id={id} data-offer>
    {children}
  </div>
);
