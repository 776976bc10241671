// Runs in every page that the development server sends: loads the page anew when the catalogue changed, and shows what
// is wrong with the content while something is. No library, no inline style, no HTML from text: it has to work under
// the page's own Content-Security-Policy.

/** What the page is of. */
const shown = new URL(import.meta.url).searchParams.get('of');
let source;

/** Listens while somebody looks: browsers have few connections for all tabs together. */
function listen() {
  source?.close();
  source = undefined;
  if (document.hidden) return;
  source = new EventSource('/_dev/events');
  source.addEventListener('state', ({ data }) => {
    const { generation, trouble } = JSON.parse(data);
    if (generation !== shown) location.reload();
    else if (trouble) show(trouble);
    else hide();
  });
}

document.addEventListener('visibilitychange', listen);
listen();

const STYLE = `
:host { all: initial; color-scheme: light dark; }
section {
  --code: light-dark(#f1e9e8, #2a2a30); --button: light-dark(#fff, #3a3a42); --line: light-dark(#8a7d7b, #777);
  --wrong: light-dark(#a3131b, #ff9a9a); --advice: light-dark(#0b5286, #9fd8ff);
  position: fixed; inset: auto 0 0 0; z-index: 2147483647; max-height: 80vh; overflow: auto; box-sizing: border-box;
  padding: 1rem 1.25rem; border-top: 4px solid light-dark(#c22, #e44);
  background: light-dark(#fdf7f6, #1b1b1f); color: light-dark(#1d1a1a, #f2f2f2);
  box-shadow: 0 -0.5rem 2rem rgb(0 0 0 / 25%); font: 1rem/1.5 system-ui, sans-serif;
}
.head { display: flex; align-items: baseline; gap: 1rem; }
h2 { flex: 1; margin: 0; font-size: 1.1rem; }
h3 { margin: 1rem 0 0; font: 600 0.95rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
p { margin: 0.25rem 0; overflow-wrap: anywhere; }
pre {
  margin: 0.5rem 0; padding: 0.5rem 0.75rem; overflow-x: auto; background: var(--code); border-radius: 4px;
  font: 0.9rem/1.5 ui-monospace, monospace;
}
mark { background: none; color: var(--wrong); text-decoration: underline wavy; text-underline-offset: 0.2em; }
.help { color: var(--advice); }
button {
  font: inherit; padding: 0.25rem 0.75rem; color: inherit; background: var(--button); border: 1px solid var(--line);
  border-radius: 4px;
}
button:focus-visible, pre:focus-visible { outline: 2px solid var(--advice); }
`;

let host;

function hide() {
  host?.remove();
  host = undefined;
}

function show({ title, findings }) {
  hide();
  host = document.createElement('catalogue-errors');
  const root = host.attachShadow({ mode: 'open' });
  const style = new CSSStyleSheet();
  style.replaceSync(STYLE);
  root.adoptedStyleSheets = [style];
  const close = element('button', 'Hide');
  close.type = 'button';
  close.addEventListener('click', hide);
  const head = element('div');
  head.className = 'head';
  head.append(element('h2', title), close);
  const section = element('section');
  section.lang = 'en';
  section.append(head, ...findings.flatMap(finding));
  root.append(section);
  document.body.append(host);
  // A screen reader tells of an alert when it is filled after it is there.
  section.setAttribute('role', 'alert');
}

function finding({ place, code, message, help, frame }) {
  const parts = [element('h3', [place, code].filter(Boolean).join('  ')), element('p', message)];
  if (frame) {
    const block = element('pre');
    block.tabIndex = 0;
    block.append(`${frame.line} | ${frame.before}`, element('mark', frame.marked), frame.after);
    parts.push(block);
  }
  if (help) {
    const advice = element('p', `→ ${help}`);
    advice.className = 'help';
    parts.push(advice);
  }
  return parts;
}

function element(name, text = '') {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
