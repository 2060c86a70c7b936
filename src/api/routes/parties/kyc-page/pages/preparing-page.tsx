import { Gate } from '../../../../../web/kit/parts/gate.tsx';
import { LiveRegion } from '../../../../../web/kit/parts/live-region.tsx';

const EVERY_MS = 2_000;

/** The check is not open at the provider yet, which takes a second. */
export const PreparingPage = ({ path }: { readonly path: string }) => (
  <Gate home={null}>
    <h1>One moment</h1>
    <LiveRegion id="preparing" everyMs={EVERY_MS} says="Your page is ready">
      <p class="muted">Your check is being prepared.</p>
      <p>
        <a href={path}>Look again</a>
      </p>
    </LiveRegion>
  </Gate>
);
