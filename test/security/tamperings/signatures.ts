import { readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  at,
  type Forged,
  forge,
  forgeFile,
  inWorkbook,
  readManifest,
  SHEETS,
  SIGNED,
  type Tampering,
  writeManifest,
} from './pack.ts';

const forgeApproval = async (pack: string, change: (manifest: Forged) => void): Promise<void> => {
  const manifest = (await readManifest(pack)) as Forged;
  change(manifest);
  await writeManifest(pack, manifest);
};
const inStatement = async (pack: string, from: string, to: string): Promise<void> => {
  const path = join(pack, 'evidence/signed-by-preparer.txt');
  await writeFile(path, (await readFile(path, 'utf8')).replace(from, to));
};
/** Signatures that somebody without the key has changed. */
export const OF_SIGNATURES: readonly Tampering[] = [
  [
    'another name over the same signature',
    async (pack) => {
      await inStatement(pack, 'dana@', 'eve@');
      await forgeApproval(pack, ({ approvals }) =>
        Object.assign(at(approvals, 0), { name: 'eve@shop.example' }),
      );
    },
    'its key has not signed this',
  ],
  [
    'another time over the same signature',
    async (pack) => {
      const time = at((await readManifest(pack)).approvals, 0).at;
      await inStatement(pack, time, '2020-01-01T00:00:00Z');
      await forgeApproval(pack, ({ approvals }) =>
        Object.assign(at(approvals, 0), { at: '2020-01-01T00:00:00Z' }),
      );
    },
    'its key has not signed this',
  ],
  [
    'the two signatures in each other’s role',
    (pack) =>
      forgeApproval(pack, ({ approvals }) => {
        const [one, other] = [at(approvals, 0), at(approvals, 1)];
        const kept = one.signature;
        Object.assign(one, { signature: other.signature });
        Object.assign(other, { signature: kept });
      }),
    'is not what the manifest says of the signature',
  ],
  [
    'one role twice',
    (pack) => forgeApproval(pack, ({ approvals }) => approvals.push(at(approvals, 0))),
    'signed twice',
  ],
  [
    'content changed under the signatures',
    (pack) => forgeApproval(pack, ({ content }) => Object.assign(content, { configuration: 'a'.repeat(64) })),
    'the content of the manifest was changed',
  ],
  [
    'the statement',
    (pack) => inStatement(pack, 'preparer', 'reviewer'),
    'signed-by-preparer.txt is not what',
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
  [
    'a pack without its signatures',
    async (pack) => {
      for (const path of SIGNED) await unlink(join(pack, path));
      await forgeApproval(pack, (manifest) => {
        manifest.approvals = [];
      });
    },
    'no one has signed it',
  ],
];
