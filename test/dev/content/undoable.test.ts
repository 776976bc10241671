import { expect, it } from 'vitest';
import { rememberForUndo } from '../../../src/dev/content/undoable.ts';
import { contextOf } from '../context-of.ts';

it('keeps the files of the last 50 removals, so that a long session does not keep every photo', () => {
  const context = contextOf('.');
  const remove = (path: string) => rememberForUndo(context, path, [{ path, bytes: Buffer.from(path) }]);
  for (let number = 0; number < 60; number++) remove(`${number}.yaml`);
  remove('10.yaml');
  remove('60.yaml');
  const kept = [...context.undoable.keys()];
  expect(kept).toHaveLength(50);
  expect([kept[0], ...kept.slice(-2)]).toEqual(['12.yaml', '10.yaml', '60.yaml']);
});
