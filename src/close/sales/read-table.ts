export type { TableRow } from './files/table-row.ts';
