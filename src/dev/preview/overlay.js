// Runs in every page of the development server: reloads after changes, marks drafts, and shows findings. It has to work
// under the page's Content-Security-Policy: no library, no inline style, no HTML from text.

const shown = new URL(import.meta.url).searchParams.get('of');
let source;

let drafts = [];
let marked = '';
const badges = new CSSStyleSheet();
document.adoptedStyleSheets.push(badges);

const BADGE = `
  content: 'Draft'; content: 'Draft' / 'Draft: '; display: inline-block; margin-inline-end: 0.5em; padding: 0.05em 0.55em;
  vertical-align: 0.1em; border-radius: 1em; background: light-dark(#fdefd3, #43300f);
  color: light-dark(#6b4300, #ffd48a); font: 600 max(0.75rem, 0.5em)/1.5 system-ui, sans-serif; letter-spacing: 0;
`;

/** Listens only while the page is visible: browsers allow few connections for all tabs together. */
function listen() {
  source?.close();
  source = undefined;
  if (document.hidden) return;
  source = new EventSource('/_dev/events');
  source.addEventListener('state', ({ data }) => {
    const { generation, notice, ...state } = JSON.parse(data);
    drafts = state.drafts;
    if (generation !== shown) return location.reload();
    markDrafts();
    showCorner();
    if (notice) showIfNew(notice);
    else {
      sessionStorage.removeItem('catalogue-dev-errors');
      hide();
    }
  });
}

document.addEventListener('visibilitychange', listen);
listen();

const STYLE = `
:host { all: initial; color-scheme: light dark; }
* { box-sizing: border-box; }
.corner {
  --code: light-dark(#f1e9e8, #2a2a30); --button: light-dark(#fff, #3a3a42); --line: light-dark(#8a7d7b, #777);
  --wrong: light-dark(#a3131b, #ff9a9a); --doubt: light-dark(#7a4a00, #ffc879); --advice: light-dark(#0b5286, #9fd8ff);
  --back: light-dark(#fdf7f6, #1b1b1f);
  position: fixed; inset: auto 0.75rem 0.75rem auto; z-index: 2147483647; display: flex; flex-direction: column;
  align-items: flex-end; gap: 0.5rem; width: min(26rem, 100vw - 1.5rem); pointer-events: none;
  color: light-dark(#1d1a1a, #f2f2f2); font: 0.875rem/1.45 system-ui, sans-serif;
}
section, button, a { pointer-events: auto; }
nav p { padding: 0.35rem 0.9rem; background: light-dark(#fdefd3, #43300f); color: light-dark(#6b4300, #ffd48a); border-radius: 1.2rem; font-weight: 600; }
.start { inset: auto auto 0.75rem 0.75rem; align-items: flex-start; width: auto; }
/* Above the bar with which guests call. */
@media (max-width: 58rem) { .start { bottom: 4.75rem; } }
a {
  padding: 0.45rem 1rem; color: inherit; background: var(--button); border: 1px solid var(--line); border-radius: 1.2rem;
  box-shadow: 0 0.15rem 0.6rem rgb(0 0 0 / 25%); font-weight: 600; text-decoration: none;
}
section {
  width: 100%; max-height: min(40vh, 22rem); overflow: auto; padding: 0.75rem 1rem; background: var(--back);
  border: 1px solid var(--line); border-top: 3px solid var(--mark); border-radius: 6px;
  box-shadow: 0 0.25rem 1.25rem rgb(0 0 0 / 25%);
}
.errors { --mark: light-dark(#c22, #e44); }
.warnings { --mark: light-dark(#b26a00, #e0a030); }
.head { display: flex; align-items: baseline; gap: 0.75rem; }
h2 { flex: 1; margin: 0; font-size: 0.95rem; }
h3 { margin: 0.75rem 0 0; font: 600 0.8125rem/1.45 ui-monospace, monospace; overflow-wrap: anywhere; }
p { margin: 0.2rem 0; overflow-wrap: anywhere; }
pre {
  margin: 0.35rem 0; padding: 0.35rem 0.6rem; overflow-x: auto; background: var(--code); border-radius: 4px;
  font: 0.8125rem/1.45 ui-monospace, monospace;
}
mark { background: none; color: var(--wrong); text-decoration: underline wavy; text-underline-offset: 0.2em; }
.warning mark { color: var(--doubt); }
.help { color: var(--advice); }
button {
  font: inherit; padding: 0.2rem 0.75rem; color: inherit; background: var(--button); border: 1px solid var(--line);
  border-radius: 4px;
}
.count { border-radius: 1rem; border: 2px solid var(--mark); box-shadow: 0 0.15rem 0.6rem rgb(0 0 0 / 25%); }
button:focus-visible, a:focus-visible, pre:focus-visible, section:focus-visible { outline: 2px solid var(--advice); outline-offset: 1px; }
`;

let host;
let shownNotice = '';

const wish = {
  get: (kind) => sessionStorage.getItem(`catalogue-dev-${kind}`),
  set: (kind, open) => sessionStorage.setItem(`catalogue-dev-${kind}`, open ? 'open' : 'closed'),
};

function hide() {
  host?.remove();
  host = undefined;
  shownNotice = '';
}

/** Each event repeats the state. If the notice is unchanged, the panel keeps its scroll position and focus. */
function showIfNew(notice) {
  const text = JSON.stringify(notice);
  if (text === shownNotice) return;
  show(notice);
  shownNotice = text;
}

/**
 * Shows a count in the corner. The panel above it is open for errors until the reader closes it, and closed for
 * warnings until the reader opens it.
 */
function show(notice) {
  hide();
  host = document.createElement('catalogue-errors');
  const root = host.attachShadow({ mode: 'open' });
  const style = new CSSStyleSheet();
  style.replaceSync(STYLE);
  root.adoptedStyleSheets = [style];
  const corner = element('div');
  corner.className = `corner ${notice.kind}`;
  corner.lang = 'en';
  const count = element('button', notice.label);
  count.type = 'button';
  count.className = 'count';
  corner.append(count);
  root.append(corner);
  document.body.append(host);
  let panel;
  const turn = (open) => {
    panel?.remove();
    panel = open ? panelOf(notice, () => decide(false)) : undefined;
    count.setAttribute('aria-expanded', String(open));
    if (!panel) return;
    corner.prepend(panel);
    panel.setAttribute('role', notice.kind === 'errors' ? 'alert' : 'region');
  };
  const decide = (open) => {
    wish.set(notice.kind, open);
    turn(open);
    if (!open) count.focus();
  };
  count.addEventListener('click', () => decide(!panel));
  // A panel of errors that the reader has closed stays closed until all errors are fixed.
  if (notice.kind === 'warnings') sessionStorage.removeItem('catalogue-dev-errors');
  turn(notice.kind === 'errors' ? wish.get('errors') !== 'closed' : wish.get('warnings') === 'open');
}

function panelOf({ title, findings }, close) {
  const button = element('button', 'Hide');
  button.type = 'button';
  button.addEventListener('click', close);
  const head = element('div');
  head.className = 'head';
  head.append(element('h2', title), button);
  const section = element('section');
  section.setAttribute('aria-label', title);
  section.tabIndex = 0;
  section.append(head, ...findings.map(finding));
  return section;
}

function finding({ severity, place, code, message, help, frame }) {
  const made = element('div');
  made.className = severity ?? 'error';
  if (place) made.append(element('h3', [place, code].filter(Boolean).join('  ')));
  made.append(element('p', message));
  if (frame) {
    const block = element('pre');
    block.tabIndex = 0;
    block.append(`${frame.line} | ${frame.before}`, element('mark', frame.marked), frame.after);
    made.append(block);
  }
  if (help) {
    const advice = element('p', `→ ${help}`);
    advice.className = 'help';
    made.append(advice);
  }
  return made;
}

/** Contents of the other corner: a note about drafts, and on a property's page a link to its form. */
let corner;

function showCorner() {
  const id = new URLSearchParams(location.search).get('property');
  const isDraft = id ? drafts.includes(id) : drafts.length > 0;
  const words = !isDraft
    ? ''
    : id
      ? 'A draft: guests do not see it.'
      : 'Drafts are shown to you only: guests do not see them.';
  if (corner?.id === id && corner.words === words) return;
  const isGone = corner?.id === id && corner.isGone;
  corner?.host.remove();
  corner = { id, words, isGone, host: document.createElement('catalogue-editor') };
  if (!id && !words) return;
  const root = corner.host.attachShadow({ mode: 'open' });
  const style = new CSSStyleSheet();
  style.replaceSync(STYLE);
  root.adoptedStyleSheets = [style];
  const nav = element('nav');
  nav.className = 'corner start';
  nav.lang = 'en';
  nav.setAttribute('aria-label', 'Editor');
  if (words) nav.append(element('p', words));
  if (id && !isGone) {
    const link = element('a', 'Edit this property');
    link.href = `/_edit/?${new URLSearchParams({ id })}`;
    nav.append(link);
  }
  root.append(nav);
  document.body.append(corner.host);
}

/** Removes the link if the property is gone. A property with an error is not shown either, but has a form. */
async function withdrawEditor() {
  const { id } = corner;
  if (!id || !document.querySelector('.property [role="alert"]')) return;
  const { status } = await fetch(`/_edit/api/property?${new URLSearchParams({ id })}`);
  if (status !== 404 || corner.id !== id) return;
  corner.isGone = true;
  corner.host.remove();
}

/** Marks drafts in the list and on their pages, by a style: it stays when the explorer renders again. */
function markDrafts() {
  const open = new URLSearchParams(location.search).get('property');
  const titles = drafts.map((id) => `#property-${id}::before`);
  if (drafts.includes(open)) titles.push('.property h1::before');
  const text = titles.length > 0 ? `${titles.join()} { ${BADGE} }` : '';
  if (text !== marked) badges.replaceSync(text);
  marked = text;
}

// The explorer changes views without loading a page, but each view has its own title.
const arrive = () => {
  showCorner();
  withdrawEditor().catch(() => {});
  markDrafts();
};
new MutationObserver(arrive).observe(document.head, { childList: true, subtree: true, characterData: true });
arrive();

function element(name, text = '') {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
