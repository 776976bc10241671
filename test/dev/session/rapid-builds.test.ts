/** Answers while builds follow each other: each is of one build, and none is a failure. */
import { expect, it } from 'vitest';
import { idOf, sound, yaml } from '../../compile/workspace.ts';
import { startEditing } from '../editing.ts';

const LIST = '/api/v1/public/properties?page[size]=25';

it('a list and a detail are whole although builds replace what they are cut from', async () => {
  const { workspace, server, session } = await startEditing((workspace) => {
    for (let n = 2; n < 40; n++) workspace.write(`p${n}.yaml`, yaml({ ...sound(n), title: `House ${n}` }));
  });
  await expect.poll(() => fetch(server.url + LIST).then(({ status }) => status)).toBe(200);
  let isOver = false;
  const edits = async () => {
    for (let edit = 0; edit < 60; edit++) {
      for (const n of [2, 20, 39])
        workspace.write(`p${n}.yaml`, yaml({ ...sound(n), title: `House ${edit} of ${n}` }));
      session.notify('p2.yaml');
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
    isOver = true;
  };
  const statuses = new Map<number, number>();
  const requests = async (path: string) => {
    while (!isOver) {
      const { status } = await fetch(server.url + path);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all([
    edits(),
    ...[LIST, `${LIST}&filter[city]=Galway`, `/api/v1/public/properties/${idOf(20)}`, '/'].map(requests),
  ]);
  expect([...statuses.keys()]).toEqual([200]);
});
