export type PublishEvent =
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'stage'; readonly stage: PublishStage }
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  | { readonly kind: 'write'; readonly key: string; readonly isNew: boolean; readonly size: number }
  | { readonly kind: 'remove'; readonly key: string };

export type PublishStage = 'compare' | 'check' | 'write' | 'remove' | 'purge';

export type PublishListener = (event: PublishEvent) => void;
