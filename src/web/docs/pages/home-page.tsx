import { GUIDE_GROUPS } from '../guides/guide-list.ts';
import type { Page, Site } from '../site-model.ts';
import { Code } from '../parts/code.tsx';

/** The first page: one request, and the ways in. */
export const homePage = (site: Site): Page => ({
  title: 'Payouts by API',
  description: 'Guides and reference of the Causeway partner API.',
  body: (
    <>
      <div class="hero">
        <h1>Payouts by API</h1>
        <p class="lead">
          Register whom you pay, have them checked, pay to banks in 46 currencies and to wallets,
          and be told by signed webhooks what became of it.
        </p>
        <div class="actions">
          <a class="button" href={site.paths.guide('quickstart')}>
            Quickstart
          </a>
          <a class="button button-plain" href={site.paths.tag('Payments')}>
            Make a payment
          </a>
        </div>
        <Code
          id="first-request"
          language="bash"
          text={`curl ${site.apiUrl}/api/v1/balances \\\n  -H "Authorization: Bearer $CAUSEWAY_API_KEY"`}
        />
        <p class="muted">
          A key that begins with <code>cw_test_</code> moves no real money. Every request takes the
          same way with either kind of key.
        </p>
      </div>
      {GUIDE_GROUPS.map(({ title, guides }) => (
        <section key={title} class="tiles">
          <h2>{title}</h2>
          <ul>
            {guides.map((guide) => (
              <Tile
                key={guide.slug}
                href={site.paths.guide(guide.slug)}
                title={guide.title}
                says={guide.says}
              />
            ))}
          </ul>
        </section>
      ))}
      <section class="tiles">
        <h2>Reference</h2>
        <ul>
          {site.tags.map((tag) => (
            <Tile
              key={tag.slug}
              href={site.paths.tag(tag.name)}
              title={tag.name}
              says={tag.description}
            />
          ))}
          <Tile
            href={site.paths.events}
            title="Events"
            says="What webhooks carry, each with an example."
          />
          <Tile
            href={site.paths.errors}
            title="Errors"
            says="Every code, its status, and what to do."
          />
        </ul>
      </section>
    </>
  ),
});

const Tile = (props: { readonly href: string; readonly title: string; readonly says: string }) => (
  <li>
    <a href={props.href}>
      <b>{props.title}</b>
      <span class="muted">{props.says}</span>
    </a>
  </li>
);
