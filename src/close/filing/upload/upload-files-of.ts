import type { TaxReturn } from '../return/tax-return.ts';
import { nyCsv } from './ny-csv.ts';
import { ohCsv } from './oh-csv.ts';
import { paCsv } from './pa-csv.ts';
import { sstSer } from './sst-ser.ts';
import type { UploadFile } from './upload-file.ts';
import { waTagged } from './wa-tagged.ts';
import { wiXml } from './wi-xml.ts';

const WRITERS = {
  'wa-tagged': waTagged,
  'ny-csv': nyCsv,
  'pa-csv': paCsv,
  'oh-csv': ohCsv,
  'wi-xml': wiXml,
} as const;

/** The files in which a return can be handed in: the state's own, and the Streamlined one where the seller uses it. */
export const uploadFilesOf = (filed: TaxReturn, seller: string): readonly UploadFile[] => {
  const { upload } = filed.form;
  const own = upload === undefined ? [] : [WRITERS[upload](filed, seller)];
  return filed.registration.streamlinedId === undefined ? own : [...own, sstSer(filed, seller)];
};
