import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { ContentDamagedError } from './content-error.ts';

/** What a content folder says of itself. */
const Manifest = z.strictObject({
  name: z.string().min(1),
  version: z.string().min(1),
  date: z.iso.date(),
  /** The confidence words whose taxability rows are applied; others are taxed in full and flagged. */
  confidence: z.array(z.string()).min(1),
});
export type Manifest = z.output<typeof Manifest>;

/** @throws {ContentDamagedError} when the folder has no readable manifest */
export const readManifest = (folder: string): Manifest => {
  try {
    return Manifest.parse(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')));
  } catch (cause) {
    throw new ContentDamagedError('manifest.json', 'the manifest cannot be read', cause);
  }
};
