import { generateKeyPairSync } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import {
  LOCK_FILE,
  type LockLine,
  lineText,
  lockFileText,
  lockLinesIn,
  signerOfLine,
  statementOf,
} from '../../../src/evidence/lock-line.ts';
import { MANIFEST_PATH } from '../../../src/evidence/manifest.ts';
import {
  KEY_TYPE,
  NAMESPACE,
  readAllowedSigners,
  refusedBy,
  signerOf,
  signText,
  wireString,
} from '../../../src/evidence/ssh-signature.ts';
import { checkSignatures } from '../../../src/evidence/verify-evidence.ts';
import { readManifest } from '../../../src/evidence/verify-files.ts';
import { month } from '../../support/month.ts';
import { damagedText } from '../damaged-text.ts';
import { type FuzzTarget, fuzzRun, inFolder } from '../fuzz-target.ts';

const NAME = 'dana@shop.example';

const newKey = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const point = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  return { key: privateKey, publicKey: Buffer.concat([wireString(KEY_TYPE), wireString(point)]) };
};

/** The texts of a small month that was locked, and of a signature of it by a key. */
const wholeTexts = async (folder: string) => {
  const shop = await month({ orders: [{ name: '#1' }] }, join(folder, 'shop'));
  await shop.run('close', '2026-10');
  await shop.run('lock', '2026-10');
  const [locked] = lockLinesIn(await readFile(join(shop.out(), LOCK_FILE), 'utf8')) ?? [];
  const manifest = await readManifest(shop.out());
  if (typeof manifest === 'string' || !locked) throw new Error('it is not locked');
  const key = newKey();
  const unsigned: LockLine = {
    ...locked.line,
    what: 'signed',
    by: { name: NAME, role: 'preparer', signature: null },
  };
  const statement = statementOf(unsigned);
  const signature = signText(key, statement);
  const line: LockLine = { ...unsigned, by: { ...unsigned.by, signature } };
  const lock = lockFileText([{ line, text: lineText(line) }]);
  const allowed = `# who may sign\n${NAME} namespaces="${NAMESPACE}" ${KEY_TYPE} ${key.publicKey.toString('base64')} Dana\n`;
  return { lock, manifest, statement, allowed, publicKey: key.publicKey, line, signature };
};

/** A line without what its signature does not cover, and the signature without blanks, which say nothing. */
const signed = ({ folder: _, before: __, by, ...line }: LockLine) => [
  line,
  by.name,
  by.role,
  by.signature?.replace(/\s/g, ''),
];

/**
 * Texts of a published folder, each damaged by itself and read by itself. A damaged text is refused, or says what it
 * said before: a signature is then still of the same key, and a manifest of the same content.
 */
export const packTexts: FuzzTarget = {
  name: 'pack texts',
  share: 7_690,
  open: () =>
    inFolder(async (folder) => {
      await mkdir(join(folder, 'evidence'));
      const { lock, manifest, statement, allowed, publicKey, line, signature } = await wholeTexts(folder);
      const judges = {
        manifest: async (bytes: Buffer) => {
          await writeFile(join(folder, MANIFEST_PATH), bytes);
          const read = await readManifest(folder);
          if (typeof read === 'string') return;
          const isSame = isDeepStrictEqual(read.content, manifest.content);
          if (!isSame && (await checkSignatures(folder, read, [], undefined)) === undefined)
            throw new Error('another content is signed');
        },
        lock: async (bytes: Buffer) => {
          const [read] = lockLinesIn(bytes.toString()) ?? [];
          if (!read || isDeepStrictEqual(signed(read.line), signed(line))) return;
          if (Buffer.isBuffer(signerOfLine(read.line))) throw new Error('another line is signed');
        },
        signature: async (bytes: Buffer) => {
          const signer = signerOf(bytes.toString(), statement);
          if (Buffer.isBuffer(signer) && !signer.equals(publicKey)) throw new Error('another key has signed');
        },
        statement: async (bytes: Buffer) => {
          const isSame = bytes.toString() === statement;
          if (!isSame && Buffer.isBuffer(signerOf(signature, bytes.toString())))
            throw new Error('another statement is signed');
        },
        allowed: async (bytes: Buffer) => {
          const signers = readAllowedSigners(bytes.toString());
          if (!Array.isArray(signers)) return;
          refusedBy(signers, { publicKey, name: NAME, namespace: NAMESPACE });
        },
      };
      const texts = { manifest: JSON.stringify(manifest), lock, signature, statement, allowed };
      type Kind = keyof typeof texts;
      const given = fc.oneof(
        ...(Object.keys(texts) as Kind[]).map((kind) =>
          damagedText(texts[kind]).map((bytes) => ({ kind, bytes })),
        ),
      );
      return fuzzRun(given, ({ kind, bytes }) => judges[kind](bytes));
    }),
};
