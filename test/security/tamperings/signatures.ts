import type { LockLine } from '../../../src/evidence/lock-line.ts';
import {
  at,
  forge,
  forgeFile,
  forgeLines,
  inWorkbook,
  readManifest,
  SHEETS,
  type Tampering,
  writeManifest,
} from './pack.ts';

/** Change the first line by somebody who has no key. */
const forgeFirst = (change: (line: LockLine) => object) => (pack: string) =>
  forgeLines(pack, ([first, ...others]) => (first ? [{ ...first, ...change(first) }, ...others] : []));

/** Signatures that somebody without the key has changed. */
export const OF_SIGNATURES: readonly Tampering[] = [
  [
    'another name over the same signature',
    forgeFirst(({ by }) => ({ by: { ...by, name: 'eve@shop.example' } })),
    'its key has not signed this',
  ],
  [
    'another time over the same signature',
    forgeFirst(() => ({ at: '2020-01-01T00:00:00.000Z' })),
    'its key has not signed this',
  ],
  [
    'another reason over the same signature',
    forgeFirst(() => ({ why: 'asked the shop' })),
    'its key has not signed this',
  ],
  [
    'the two signatures in each other’s role',
    (pack) =>
      forgeLines(pack, (lines) => {
        const one = at(lines, 0);
        const other = at(lines, 1);
        return [
          { ...one, by: { ...one.by, signature: other.by.signature } },
          { ...other, by: { ...other.by, signature: one.by.signature } },
        ];
      }),
    'its key has not signed this',
  ],
  [
    'a signature of another manifest',
    forgeFirst(() => ({ manifest: 'a'.repeat(64) })),
    'is not the one that',
  ],
  ['a signature of another month', forgeFirst(() => ({ period: '2026-09' })), 'has a line of'],
  [
    'content changed under the signatures',
    async (pack) => {
      const manifest = await readManifest(pack);
      const content = { ...manifest.content, configuration: 'a'.repeat(64) };
      await writeManifest(pack, { ...manifest, content });
    },
    'the content of the manifest was changed',
  ],
];

/** What no digest can show to somebody who has the folder alone: docs/auditors.md names the same. */
export const BEYOND: readonly Tampering[] = [
  [
    'the digest of the configuration',
    (pack) => forge(pack, ({ content }) => Object.assign(content, { configuration: 'a'.repeat(64) })),
    'a name only',
  ],
  [
    'the period before, when its folder is not there',
    (pack) =>
      forge(pack, ({ content }) =>
        Object.assign(content, { previous: { period: '2026-09', contentDigest: 'a'.repeat(64) } }),
      ),
    'a name only',
  ],
  [
    'a pack built again and signed by names',
    (pack) => forge(pack, ({ content }) => Object.assign(content, { configuration: 'b'.repeat(64) })),
    'a name only',
  ],
  [
    'a sheet that no one files from, in a pack that names another build',
    async (pack) => {
      await forgeFile(pack, 'variance.xlsx', inWorkbook(SHEETS, '<v>242.18</v>', '<v>142.18</v>'));
      await forge(pack, ({ content }) => Object.assign(content, { build: 'a'.repeat(64) }));
    },
    'a name only',
  ],
  ['a pack without its signatures', (pack) => forgeLines(pack, () => []), 'no one has signed it'],
];
