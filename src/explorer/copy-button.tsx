import { useState } from 'preact/hooks';
import { CheckIcon, CopyIcon } from './icons.tsx';

export function CopyButton({ text, label, short }: { text: string; label: string; short?: string }) {
  const [result, setResult] = useState<'copied' | 'failed'>();
  const copy = async () => {
    setResult((await toClipboard(text)) ? 'copied' : 'failed');
    setTimeout(() => setResult(undefined), 2000);
  };
  return (
    <button type="button" class="button small" onClick={copy} aria-label={label}>
      {result === 'copied' ? <CheckIcon /> : <CopyIcon />}
      <span aria-hidden="true">{short ?? label}</span>
      <span class="unseen" role="status">
        {result === 'copied' && 'Copied'}
        {result === 'failed' && 'Could not be copied'}
      </span>
    </button>
  );
}

/** Pages without TLS have no clipboard API, so they use `execCommand`. */
async function toClipboard(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'unseen';
  document.activeElement?.after(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  return isCopied;
}
