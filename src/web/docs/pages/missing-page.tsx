import type { Paths } from '../paths.ts';
import type { Page } from '../site-model.ts';

/** In place of a page that there is not. It says nothing of the address that was asked for. */
export const missingPage = (paths: Paths): Page => ({
  title: 'There is no such page',
  description: 'Nothing is at this address.',
  body: (
    <div class="hero">
      <h1>There is no such page</h1>
      <p class="lead">Nothing is at this address. The search knows every page.</p>
      <div class="actions">
        <a class="button" href={paths.home}>
          To the first page
        </a>
      </div>
    </div>
  ),
});
