import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { Profile } from './profile.ts';

const FOLDER = new URL('./profiles/', import.meta.url);

/** The profiles that come with Tieout, in file-name order, validated like a user's own. */
export const data = (): readonly Profile[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => Profile.parse(parse(readFileSync(new URL(file, FOLDER), 'utf8'))));
