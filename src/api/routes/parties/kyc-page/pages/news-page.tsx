import { Gate } from '../../../../../web/kit/parts/gate.tsx';
import { LiveRegion } from '../../../../../web/kit/parts/live-region.tsx';

const EVERY_MS = 10_000;

/**
 * What a page that looks again by itself is answered once there is another page to be shown: the way there,
 * in the place of whichever region waits.
 */
export const NewsPage = ({ path }: { readonly path: string }) => (
  <Gate home={null}>
    <h1>Your check has moved on</h1>
    {['preparing', 'standing'].map((id) => (
      <LiveRegion key={id} id={id} everyMs={EVERY_MS} says="Your check has moved on">
        <a class="button" href={path}>
          Continue
        </a>
      </LiveRegion>
    ))}
  </Gate>
);
