import { describe, expect, test } from 'vitest';
import { checkPasses } from '../../src/filing/tax-return.ts';
import { uploadFilesOf } from '../../src/filing/upload-files.ts';
import { add, formatMoney } from '../../src/kernel/money.ts';
import { dollars } from './figures-of.ts';
import { fill, sold } from './filed.ts';

const only = (...given: Parameters<typeof fill>) => {
  const [file, ...others] = uploadFilesOf(fill(...given), 'Harbor & Pine');
  expect(others).toEqual([]);
  if (!file) throw new Error('there is no file');
  expect(file.checks.filter((check) => !checkPasses(check))).toEqual([]);
  return file;
};

describe('upload files', () => {
  test('Washington: tagged lines, and what is not known yet behind a #', () => {
    const file = only(sold('WA', { state: '0.065', city: '0.0405' }), {
      locationCodes: { PITTSBURGH: '1726' },
    });
    expect(file.text.split('\r\n')).toEqual([
      'ACCOUNT,12345678,102026,Harbor & Pine,,',
      'TAX,2,0,11800.65',
      'TAX,1,0,11800.65',
      'TAX,45,1726,10000.40',
      '# DED,1,deduction code,1800.25,explanation',
      '',
    ]);
  });

  test('Washington: a place without a location code is not sent as if it had one', () => {
    const file = only(sold('WA', { state: '0.065', city: '0.0405' }));
    expect(file.text).toContain('# TAX,45,location code of ALLEGHENY / PITTSBURGH,10000.40');
    expect(file.toComplete).toEqual([
      'add the location code of 1 of 1 rows',
      'add the deduction codes in the lines that begin with #',
      'enter the deductions of the retailing line, if there are any; food is not deducted there',
      'add e-mail address and telephone number to the ACCOUNT line',
    ]);
  });

  test('Washington: the upload takes one rate of a location, so a location with two is entered by hand', () => {
    const at = (city: string, rate: string, taxable: string) => ({
      ...{ county: 'KING', city, taxable, rates: { state: '0.065', city: rate } },
    });
    const places = [
      at('AUBURN', '0.038', '-20.00'),
      at('AUBURN', '0.039', '100.00'),
      at('KENT', '0.037', '50.00'),
    ];
    const locationCodes = { AUBURN: '1702', KENT: '1715' };
    const file = only({ state: 'WA', places }, { locationCodes });
    const local = file.text.split('\r\n').filter((line) => line.includes('TAX,45'));
    expect(local).toEqual([
      'TAX,45,1715,50.00',
      '# TAX,45,1702 at 3.8%,-20.00',
      '# TAX,45,1702 at 3.9%,100.00',
    ]);
    expect(file.toComplete[0]).toBe(
      'enter by hand on the return line 45 of the locations with several rows, which begin with #: 1702',
    );
  });

  const CREDITS = { credits: { opening: dollars('50.00'), added: dollars('0') } };

  test('what the file lacks of the amount due is said', () => {
    const rates = { state: '0.065', city: '0.0405' };
    const { computed } = fill(sold('WA', rates)).values;
    const collected = formatMoney(add(computed, dollars('5.00')));
    const file = only(sold('WA', rates, { collected }), CREDITS);
    expect(file.toComplete).toContain(
      'enter by hand what the file has no place for: it comes to 1,055.05, the return to 1,010.05',
    );
  });

  test('Washington: use tax of the state is in the file, and that of the place waits for its code', () => {
    const file = only(sold('WA', { state: '0.065', city: '0.0405' }), { purchases: dollars('310.00') });
    expect(file.text).toContain('TAX,5,0,310.00\r\n');
    expect(file.text).toContain('# TAX,46,location code of the place of use,310.00\r\n');
    expect(file.toComplete.filter((what) => what.startsWith('enter by hand'))).toEqual([]);
  });
});
