import type { Schema } from '../../../database/schema.ts';
import { createTable } from './create-table.ts';

/** The register of exemption certificates, file by file. */
export const certificates = (schema: Schema): Promise<void> =>
  createTable(schema, 'certificate_file', {
    columns: {
      entity: 'text',
      path: 'text',
      position: 'integer',
      sha256: 'text',
      bytes: 'integer',
      rows: 'integer',
      used: 'integer',
      ignored: 'integer',
      rejected: 'integer',
      body: 'text',
    },
    key: ['entity', 'path'],
  });
