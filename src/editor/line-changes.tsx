import type { LineHunk } from './changes.ts';

export function LineChanges({ lines }: { lines: readonly LineHunk[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section class="line-changes" tabIndex={0} aria-label="Lines">
      {lines.map(({ oldLine, newLine, removed, added }) => (
        <div key={`${oldLine} ${newLine}`}>
          {removed.map((text, index) => (
            <Line key={oldLine + index} kind="removed" number={oldLine + index} text={text} />
          ))}
          {added.map((text, index) => (
            <Line key={newLine + index} kind="added" number={newLine + index} text={text} />
          ))}
        </div>
      ))}
    </section>
  );
}

type LineProps = { readonly kind: 'removed' | 'added'; readonly number: number; readonly text: string };

function Line({ kind, number, text }: LineProps) {
  return (
    <pre class={`line-change ${kind}`}>
      <span class="line-number">{number}</span>
      <span class="line-sign">{kind === 'added' ? '+' : '−'}</span>
      <span class="unseen">{kind}: </span>
      {text}
    </pre>
  );
}
