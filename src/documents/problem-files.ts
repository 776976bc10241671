/** Problem documents, and the page that explains them. Their number and size do not depend on the content. */

import { PROBLEMS_PAGE } from '../contract/document-keys.ts';
import { problemKey } from '../contract/object-keys.ts';
import { PROBLEMS, problemDocuments } from '../contract/problem.ts';
import type { RouteSettings } from '../contract/route.ts';
import { escapeMarkup } from '../text/markup.ts';

export function problemFiles(settings: RouteSettings): Map<string, string> {
  const documents = new Map<string, string>();
  const codes = new Set<string>();
  for (const [name, problem] of problemDocuments(settings)) {
    documents.set(problemKey(name), JSON.stringify(problem));
    codes.add(name.replace(/\..*/, ''));
  }
  documents.set(PROBLEMS_PAGE, problemsPage(codes));
  return documents;
}

function problemsPage(codes: ReadonlySet<string>): string {
  const explained = Object.entries(PROBLEMS).filter(([code]) => codes.has(code));
  const sections = explained.map(
    ([code, { status, title, explanation }]) =>
      `<section id="${code}"><h2>${title}</h2><p><code>${status}</code> <code>${code}</code></p><p>${escapeMarkup(explanation)}</p></section>`,
  );
  return page(
    'Problems of the API',
    `<p>Every error of the API is a problem document (RFC 9457). Its <code>type</code> leads to one of these sections.</p>
${sections.join('\n')}`,
  );
}

function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 42rem; margin: 2rem auto; padding: 0 1rem; }
code { font-size: .95em; }
section:target { outline: 2px solid; outline-offset: .75rem; }
</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;
}
