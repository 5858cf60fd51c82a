/** Published files without those that a lock adds to them: they have the time at which it was set. */
export const withoutLock = (files: ReadonlyMap<string, Buffer>): ReadonlyMap<string, Buffer> =>
  new Map([...files].filter(([path]) => !/evidence\/lock[-.]/.test(path)));
