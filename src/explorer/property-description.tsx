/** Shows the first six lines of a description until the reader unfolds it. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { languageProps, useTexts } from './property-texts.tsx';

export function PropertyDescription() {
  const { summary, description } = useTexts().attributes;
  if (!summary && !description) return null;
  return (
    <section class="section stack" aria-label="Description">
      {summary && (
        <p class="summary" {...languageProps(summary)}>
          {summary.text}
        </p>
      )}
      {description && (
        <CutText key={description.text} text={description.text} {...languageProps(description)} />
      )}
    </section>
  );
}

type CutTextProps = { readonly text: string; readonly lang: string | undefined; readonly dir: 'auto' };

function CutText({ text, ...attributes }: CutTextProps) {
  const place = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [isLong, setLong] = useState(false);
  useLayoutEffect(() => {
    const element = place.current!;
    const measure = () => isOpen || setLong(element.scrollHeight > element.clientHeight + 1);
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    measure();
    return () => watch.disconnect();
  }, [isOpen]);
  return (
    <>
      <div class={`description${isOpen ? ' open' : ''}`} ref={place} {...attributes}>
        {text.split(/\n{2,}/).map((paragraph, index) => (
          <p key={index} dir="auto">
            {paragraph}
          </p>
        ))}
      </div>
      {(isLong || isOpen) && (
        <Button look="small show-more" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show less' : 'Show more'}
        </Button>
      )}
    </>
  );
}
