import type { Children } from './types.ts';

/**
 * A part of a page that is asked for again every `everyMs` and replaced where it has changed; what has
 * focus keeps it. `says` is read out after a change. It holds no form: the new token would be a change.
 */
export const LiveRegion = (props: {
  readonly id: string;
  readonly everyMs: number;
  readonly says: string;
  readonly children: Children;
}) => (
  <div id={props.id} data-refresh={props.everyMs} data-says={props.says}>
    {props.children}
  </div>
);
