import { Brand } from '../../kit/parts/brand.tsx';
import type { Children } from '../../kit/parts/types.ts';
import type { DocsAssets } from '../docs-assets.ts';
import { GUIDE_GROUPS } from '../guides/guide-list.ts';
import type { Paths } from '../paths.ts';
import type { ShownTag } from '../reference/reference.ts';

/** What stands around every page: the bar with the search, and the navigation. */
export const Shell = (props: {
  readonly paths: Paths;
  readonly tags: readonly ShownTag[];
  readonly assets: DocsAssets;
  /** The path of this page. */
  readonly current: string;
  readonly children: Children;
}) => (
  <div class="docs">
    <a class="skip" href="#content">
      Skip to content
    </a>
    <header class="docs-top">
      <Brand href={props.paths.home} />
      <span class="docs-word">Docs</span>
      <SearchBox assets={props.assets} />
      <button type="button" class="button button-plain menu-button" popovertarget="menu">
        Menu
      </button>
    </header>
    <nav id="menu" class="menu docs-nav" popover="auto" aria-label="Pages">
      <Navigation {...props} />
    </nav>
    <main id="content" class="docs-content" tabIndex={-1}>
      {props.children}
    </main>
  </div>
);

/** Shown by the script, which alone can search. */
const SearchBox = ({ assets }: { readonly assets: DocsAssets }) => (
  <div
    class="search"
    role="search"
    data-engine={assets.engine.url}
    data-index={assets.index.url}
    hidden
  >
    <input
      id="search"
      class="input"
      type="text"
      placeholder="Search the docs"
      aria-label="Search the docs"
      role="combobox"
      aria-expanded="false"
      aria-controls="found"
      aria-autocomplete="list"
      autocomplete="off"
      spellcheck={false}
    />
    <kbd aria-hidden="true">/</kbd>
    <ul id="found" class="found" role="listbox" aria-label="What was found" hidden />
  </div>
);

const Navigation = (props: {
  readonly paths: Paths;
  readonly tags: readonly ShownTag[];
  readonly current: string;
}) => {
  const { paths, tags, current } = props;
  return (
    <>
      {GUIDE_GROUPS.map(({ title, guides }) => (
        <div key={title}>
          <p class="menu-title">{title}</p>
          <ul>
            {guides.map(({ slug, title: text }) => (
              <NavItem key={slug} href={paths.guide(slug)} {...{ text, current }} />
            ))}
          </ul>
        </div>
      ))}
      <p class="menu-title">Reference</p>
      <ul>
        {tags.map((tag) => (
          <NavItem key={tag.slug} href={paths.tag(tag.name)} text={tag.name} current={current}>
            <ul class="nav-operations">
              {tag.operations.map((operation) => (
                <li key={operation.id}>
                  <a href={paths.operation(operation)} data-section={operation.id}>
                    {operation.summary}
                  </a>
                </li>
              ))}
            </ul>
          </NavItem>
        ))}
      </ul>
      <p class="menu-title">Look up</p>
      <ul>
        <NavItem href={paths.events} text="Events" current={current} />
        <NavItem href={paths.errors} text="Errors" current={current} />
        <NavItem href={paths.openApi} text="OpenAPI document" current={current} />
      </ul>
    </>
  );
};

/** Its children are what the page has, and shown only on that page. */
const NavItem = (props: {
  readonly href: string;
  readonly text: string;
  readonly current: string;
  readonly children?: Children;
}) => {
  const isCurrent = props.href === props.current;
  return (
    <li>
      <a href={props.href} aria-current={isCurrent ? 'page' : undefined}>
        {props.text}
      </a>
      {isCurrent ? props.children : null}
    </li>
  );
};
