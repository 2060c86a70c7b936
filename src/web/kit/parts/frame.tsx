import { FORM_FIELD } from '../forms/form-token.ts';
import { Brand } from './brand.tsx';
import type { Children } from './types.ts';

interface NavItem {
  readonly href: string;
  readonly text: string;
  /** How many items there wait for a decision. */
  readonly count?: number;
}

export interface NavGroup {
  readonly title: string;
  readonly items: readonly NavItem[];
}

interface FrameProps {
  /** Whom the page is about: the customer, or the operator. */
  readonly who: string;
  readonly nav: readonly NavGroup[];
  /** The href of the item that this page belongs to. */
  readonly current: string;
  /** Left out in the console, which shows both. */
  readonly environment?: {
    readonly now: 'test' | 'live';
    readonly hrefs: Readonly<Record<'test' | 'live', string>>;
  };
  /** After so long without use the session ends, and the page goes with it. */
  readonly idleMinutes: number;
  /** Logging out is a form. */
  readonly logOut: { readonly action: string; readonly token: string };
  readonly children: Children;
}

const MINUTE_MS = 60_000;

/** The frame of every page for a person who is logged in. */
export const Frame = (props: FrameProps) => (
  <div class="frame" data-idle={props.idleMinutes * MINUTE_MS}>
    <a class="skip" href="#content">
      Skip to content
    </a>
    <header class="top">
      <div class="sidebar">
        <Brand href="/" />
        <button type="button" class="button button-plain menu-button" popovertarget="menu">
          Menu
        </button>
        <nav id="menu" class="menu" popover="auto" aria-label="Pages">
          {props.nav.map((group) => (
            <div key={group.title}>
              <p class="menu-title">{group.title}</p>
              <ul>
                {group.items.map((item) => (
                  <li key={item.href}>
                    <NavLink item={item} isCurrent={item.href === props.current} />
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
      </div>
      <div class="bar">
        <p>{props.who}</p>
        {props.environment === undefined ? null : <EnvironmentSwitch {...props.environment} />}
        <LogOut {...props.logOut} />
      </div>
      {props.environment?.now === 'test' ? (
        <p class="test-band">Test environment: no real money moves here.</p>
      ) : null}
    </header>
    <main id="content" class="content" tabIndex={-1}>
      {props.children}
    </main>
  </div>
);

const NavLink = ({ item, isCurrent }: { readonly item: NavItem; readonly isCurrent: boolean }) => (
  <a href={item.href} aria-current={isCurrent ? 'page' : undefined}>
    {item.text}
    {item.count === undefined || item.count === 0 ? null : (
      <span class="count">
        {item.count}
        <span class="spoken"> waiting</span>
      </span>
    )}
  </a>
);

const EnvironmentSwitch = ({ now, hrefs }: NonNullable<FrameProps['environment']>) => (
  <nav class="switch" aria-label="Environment">
    <a href={hrefs.test} aria-current={now === 'test' ? 'true' : undefined}>
      Test
    </a>
    <a href={hrefs.live} aria-current={now === 'live' ? 'true' : undefined}>
      Live
    </a>
  </nav>
);

const LogOut = ({ action, token }: FrameProps['logOut']) => (
  <form method="post" action={action} class="log-out">
    <input type="hidden" name={FORM_FIELD} value={token} />
    <button type="submit" class="button button-plain">
      Log out
    </button>
  </form>
);
