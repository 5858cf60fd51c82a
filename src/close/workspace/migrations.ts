import type { MigrationSet } from '../../database/migrate.ts';
import { initial } from './migrations/0001-initial.ts';

export const WORKSPACE_MIGRATIONS: MigrationSet = {
  name: 'workspace',
  steps: [{ name: '0001-initial', up: initial }],
};
