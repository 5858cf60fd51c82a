import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Remove folders that killed imports have left: their names have the number of a process that has ended. */
export const removeLeftovers = (parent: string, prefix: string): void => {
  for (const name of readdirSync(parent)) {
    const id = name.startsWith(prefix) ? Number(name.slice(prefix.length).split('-')[0]) : Number.NaN;
    if (Number.isInteger(id) && !isAlive(id)) rmSync(join(parent, name), { recursive: true, force: true });
  }
};

const isAlive = (id: number): boolean => {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};
