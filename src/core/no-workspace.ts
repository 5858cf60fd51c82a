import type { Workspace } from '../close/workspace/workspace.ts';
import { DefectError } from '../kernel/errors.ts';

/** Stands where stages of the old core expect a workspace: a call of it is a defect. */
export const NO_WORKSPACE = new Proxy({} as Workspace, {
  get: (_, name) => {
    throw new DefectError(`a close of days has no workspace, and was asked for its ${String(name)}`);
  },
});
