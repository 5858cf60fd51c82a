import { execFileSync } from 'node:child_process';
import { cp, mkdir, rename, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { flip, forge, KEYS, LOGS, OUTPUTS, REJECTS, type Tampering, UPLOADS } from './pack.ts';

/** Flipped bytes: the digest of the file alone shows them. */
export const FLIPS: readonly Tampering[] = [...LOGS, KEYS, ...OUTPUTS].flatMap((path): Tampering[] =>
  [0.2, 0.4, 0.6, 0.8].map((share) => [
    `a flipped byte in ${path} at ${share}`,
    (pack) => flip(pack, path, share),
    path,
  ]),
);

const deletions = [...LOGS, KEYS, ...OUTPUTS, 'evidence/manifest.json'].map(
  (path): Tampering => [
    `${path} is deleted`,
    (pack) => unlink(join(pack, path)),
    path.endsWith('manifest.json') ? 'E_EVIDENCE_MISSING' : `${path} is missing`,
  ],
);

const swap = async (pack: string, one: string, other: string): Promise<void> => {
  await rename(join(pack, one), join(pack, 'kept'));
  await rename(join(pack, other), join(pack, one));
  await rename(join(pack, 'kept'), join(pack, other));
};
const PAIRS = [
  ['variance.xlsx', 'filing-summary.xlsx'],
  [UPLOADS[0], REJECTS],
  [LOGS[0], LOGS[1]],
  [LOGS[2], LOGS[3]],
] as readonly (readonly [string, string])[];
const swaps = PAIRS.flatMap(([one, other]): Tampering[] => [
  [`${one} and ${other} are swapped`, (pack) => swap(pack, one, other), 'bytes'],
]);
const rehashedSwaps = PAIRS.slice(0, 4).map(
  ([one, other]): Tampering => [
    `${one} and ${other} are swapped, and everything fits`,
    async (pack) => {
      await swap(pack, one, other);
      await forge(pack);
    },
    '',
  ],
);

const link =
  (path: string) =>
  async (pack: string): Promise<void> => {
    const aside = join(pack, '..', 'aside');
    await rename(join(pack, path), aside);
    await symlink(aside, join(pack, path));
  };
const odd: readonly Tampering[] = [
  ['a link in the place of a workbook', link('variance.xlsx'), 'variance.xlsx is a link or a device'],
  ['a link in the place of a log', link(LOGS[0] ?? ''), 'entries.ndjson.gz is a link or a device'],
  ['a link in the place of the manifest', link('evidence/manifest.json'), 'manifest.json is not a file'],
  ['a link in the place of a folder', link('upload'), 'upload is a link or a device'],
  ['a link in the place of the evidence', link('evidence'), 'evidence is a link or a device'],
  ['a link more', (pack) => symlink('/etc/hostname', join(pack, 'notes')), 'notes is a link or a device'],
  [
    'a link to nothing',
    (pack) => symlink('nowhere', join(pack, 'upload/x')),
    'upload/x is a link or a device',
  ],
  ['a link to the folder itself', (pack) => symlink('.', join(pack, 'again')), 'again is a link or a device'],
  ['a named pipe more', (pack) => execFileSync('mkfifo', [join(pack, 'pipe')]), 'pipe is a link or a device'],
  [
    'a named pipe in the place of a log',
    async (pack) => {
      await unlink(join(pack, LOGS[1] ?? ''));
      execFileSync('mkfifo', [join(pack, LOGS[1] ?? '')]);
    },
    'strays.ndjson.gz is a link or a device',
  ],
  [
    'a named pipe in the place of the manifest',
    async (pack) => {
      await unlink(join(pack, 'evidence/manifest.json'));
      execFileSync('mkfifo', [join(pack, 'evidence/manifest.json')]);
    },
    'manifest.json is not a file',
  ],
  ['an empty folder', (pack) => mkdir(join(pack, 'empty')), 'empty is an empty folder'],
  [
    'an empty folder inside',
    (pack) => mkdir(join(pack, 'upload/a/b'), { recursive: true }),
    'an empty folder',
  ],
  [
    'a flipped byte in evidence/keys.bin, and everything fits',
    async (pack) => {
      await flip(pack, KEYS, 0.5);
      await forge(pack);
    },
    KEYS,
  ],
  ['a file more', (pack) => writeFile(join(pack, 'notes.txt'), 'x'), 'notes.txt is not named'],
  ['a hidden file', (pack) => writeFile(join(pack, 'upload/.x'), 'x'), 'upload/.x is not named'],
  [
    'an older manifest beside',
    (pack) => cp(join(pack, 'evidence/manifest.json'), join(pack, 'evidence/manifest.old.json')),
    'is not named',
  ],
];

/** Files and folders that are gone, exchanged, or not what they should be. */
export const OF_FILES: readonly Tampering[] = [...deletions, ...swaps, ...rehashedSwaps, ...odd];
