import type { MigrationSet } from '../../database/migrate.ts';
import { initial } from './migrations/0001-initial.ts';
import { approvals } from './migrations/0006-approvals.ts';

export const WORKSPACE_MIGRATIONS: MigrationSet = {
  name: 'workspace',
  steps: [
    { name: '0001-initial', up: initial },
    { name: '0006-approvals', up: approvals },
  ],
};
