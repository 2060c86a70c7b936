import type { Guide } from '../guides/guide-list.ts';
import type { RenderedPage } from '../markdown.ts';
import { Html } from '../parts/html.tsx';
import type { Page } from '../site-model.ts';

/** A guide, with its headings beside it. */
export const guidePage = (guide: Guide, page: RenderedPage): Page => ({
  title: guide.title,
  description: guide.says,
  body: (
    <div class="guide">
      <article class="guide-text">
        <h1>{page.title}</h1>
        <Html class="markdown" html={page.html} />
      </article>
      <nav class="toc" aria-label="On this page">
        <p class="menu-title">On this page</p>
        <ul>
          {page.headings
            .filter(({ level }) => level === 2)
            .map(({ anchor, text }) => (
              <li key={anchor}>
                <a href={`#${anchor}`} data-section={anchor}>
                  {text}
                </a>
              </li>
            ))}
        </ul>
      </nav>
    </div>
  ),
});
