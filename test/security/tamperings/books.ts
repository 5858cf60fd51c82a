import { cp, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import {
  at,
  forge,
  forgeFile,
  inWorkbook,
  OUTPUTS,
  REJECTS,
  SHEETS,
  type Tampering,
  UPLOADS,
} from './pack.ts';

/** Outputs that say something else, with digests that fit. */
export const OF_BOOKS: readonly Tampering[] = [
  [
    'a state’s collected tax in variance.xlsx',
    (pack) => forgeFile(pack, 'variance.xlsx', inWorkbook(SHEETS, '<v>1037.27</v>', '<v>9037.27</v>')),
    'found 9037.27 of ',
  ],
  [
    'a return in filing-summary.xlsx',
    (pack) => forgeFile(pack, 'filing-summary.xlsx', inWorkbook(SHEETS, '<v>345.86</v>', '<v>45.86</v>')),
    'filing-summary.xlsx, sheet',
  ],
  [
    'a sale in Detail',
    (pack) => forgeFile(pack, 'variance.xlsx', inWorkbook(SHEETS, '<v>242.18</v>', '<v>142.18</v>')),
    'variance.xlsx, sheet',
  ],
  [
    'a formula',
    (pack) => forgeFile(pack, 'variance.xlsx', inWorkbook(SHEETS, /<f>ROUND\(/, '<f>ROUND(2*')),
    'variance.xlsx, sheet',
  ],
  [
    'a text',
    (pack) => forgeFile(pack, 'variance.xlsx', inWorkbook(SHEETS, 'orders_export.csv', 'orders_expert.csv')),
    'variance.xlsx, sheet',
  ],
  [
    'the name of a sheet',
    (pack) => forgeFile(pack, 'filing-summary.xlsx', inWorkbook(/workbook\.xml$/, '"Journal"', '"Journals"')),
    'filing-summary.xlsx, sheet Journal',
  ],
  [
    'who a workbook says made it',
    (pack) => forgeFile(pack, 'variance.xlsx', inWorkbook(/core\.xml$/, 'Tieout', 'Tieouts')),
    'variance.xlsx is not what the logs give',
  ],
  ...['variance.xlsx', 'filing-summary.xlsx'].flatMap((path): Tampering[] => [
    [
      `garbage as ${path}`,
      (pack) => forgeFile(pack, path, () => Buffer.from('x')),
      `${path}, which is not a workbook`,
    ],
    [
      `nothing as ${path}`,
      (pack) => forgeFile(pack, path, () => Buffer.alloc(0)),
      `${path}, which is not a workbook`,
    ],
  ]),
  [
    'a figure of the page',
    (pack) =>
      forgeFile(pack, 'report.html', (bytes) =>
        Buffer.from(bytes.toString().replaceAll('1,037.27', '9,037.27')),
      ),
    'report.html is not what the logs give',
  ],
  ...[...UPLOADS, REJECTS].map(
    (path): Tampering => [
      `a figure in ${path}`,
      (pack) => forgeFile(pack, path, (bytes) => Buffer.from(bytes.toString().replace(/\d(?=\D*$)/, 'x'))),
      `${path} is not what the logs give`,
    ],
  ),
  ...OUTPUTS.map(
    (path): Tampering => [
      `${path} is taken off the manifest, too`,
      async (pack) => {
        // A folder that is left empty would be found first.
        await rm(join(pack, /^(rejects|upload)(?=\/)/.exec(path)?.[0] ?? path), { recursive: true });
        await forge(pack, ({ content }) => {
          content.outputs = content.outputs.filter((file) => file.path !== path);
        });
      },
      `${path} follows from the logs, and is missing`,
    ],
  ),
  [
    'all outputs are taken off the manifest, too',
    async (pack) => {
      for (const path of OUTPUTS) await unlink(join(pack, path));
      await rm(join(pack, 'upload'), { recursive: true });
      await rm(join(pack, 'rejects'), { recursive: true });
      await forge(pack, ({ content }) => {
        content.outputs = [];
      });
    },
    'is not named by the manifest',
  ],
  [
    'one more upload, named',
    async (pack) => {
      await cp(join(pack, UPLOADS[0] ?? ''), join(pack, 'upload/TX.csv'));
      await forge(pack, ({ content }) =>
        content.outputs.push({ ...at(content.outputs, 0), path: 'upload/TX.csv' }),
      );
      await forge(pack);
    },
    'upload/TX.csv does not follow from the logs',
  ],
];
