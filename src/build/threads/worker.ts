/** Entry of a thread of a build. */
import type { BuildTasks } from './pool.ts';
import { takeTasks } from './take-tasks.ts';

takeTasks<BuildTasks>({
  stamp: async () => (await import('../state/stamp-groups.ts')).stampGroups,
  read: async () => (await import('../read/files.ts')).readFiles,
  emit: async () => {
    const { writeFiles } = await import('../write/emit.ts');
    return (task) => writeFiles(task);
  },
});
