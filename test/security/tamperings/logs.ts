import { at, forgeLog, type Tampering } from './pack.ts';

const log = (
  name: string,
  file: string,
  change: (lines: readonly string[]) => readonly string[],
  problem: string,
): Tampering => [`the log of ${file}: ${name}`, (pack) => forgeLog(pack, file, change), problem];

/** The first line that has the text, with another text in its place. */
const replaced =
  (from: string | RegExp, to: string) =>
  (lines: readonly string[]): readonly string[] => {
    const index = lines.findIndex((line) => line.replace(from, to) !== line);
    return lines.map((line, number) => (number === index ? line.replace(from, to) : line));
  };
const without =
  (text: string) =>
  (lines: readonly string[]): readonly string[] => {
    const index = lines.findIndex((line) => line.includes(text));
    return lines.filter((_, number) => number !== index);
  };

/** Logs that say something else, with digests and counts that fit. */
export const OF_LOGS: readonly Tampering[] = [
  log(
    'the tax of a sale',
    'sales',
    replaced(/"salesTax":(\d+)/, '"salesTax":1$1'),
    'its reasons do not add up',
  ),
  log(
    'the ZIP of a sale',
    'sales',
    replaced('"zip":"94607"', '"zip":"94601"'),
    'asked for another sale: to_zip',
  ),
  log('the city of a sale', 'sales', replaced('"city":"Oakland"', '"city":"Fresno"'), 'to_city'),
  log(
    'the day of a sale',
    'sales',
    replaced('"taxDate":"2026-10-01"', '"taxDate":"2026-10-02"'),
    'calculation_date',
  ),
  log('the amount of a sale', 'sales', replaced('"amount":10094', '"amount":20094'), 'what was sent of it'),
  log('the price of a line', 'sales', replaced('"unitPrice":749900', '"unitPrice":649900'), 'line_items'),
  log(
    'the business day',
    'sales',
    replaced('"businessDate":"2026-10-01"', '"businessDate":"2026-10-03"'),
    'Completeness',
  ),
  log('the posting of a sale', 'sales', replaced('"posting":"posted"', '"posting":"foreign"'), ''),
  log('the reason of a sale', 'sales', replaced('"code":"R11"', '"code":"R99"'), 'reasons'),
  log('the proof of a reason', 'sales', replaced(/"proof":"/, '"proof":"x '), 'exception'),
  log('a level of tax', 'sales', replaced('"tax":581', '"tax":582'), 'its jurisdictions do not add up'),
  log('the recorded tax', 'sales', replaced('"recorded":1000', '"recorded":1001'), 'not what was read back'),
  log('no calculation', 'sales', replaced(/"calculation":"[0-9a-f]{64}"/, '"calculation":null'), ''),
  log('no submission', 'sales', replaced(/"submission":"[0-9a-f]{64}"/, '"submission":null'), ''),
  log('a sale less', 'sales', without('order/5045'), ''),
  log('a sale twice', 'sales', (lines) => [...lines, at(lines, 0)], ''),
  log(
    'the answer',
    'calculations',
    replaced(/"amount_to_collect":(\d+)/, '"amount_to_collect":1$1'),
    'its expected tax',
  ),
  log(
    'the question',
    'calculations',
    replaced('"to_zip":"94607"', '"to_zip":"94601"'),
    'the request of its calculation',
  ),
  log('an answer less', 'calculations', (lines) => lines.slice(1), 'not in the log of calculations'),
  log('the last answer less', 'calculations', without('order/5045'), 'not in the log of calculations'),
  log('a question twice', 'calculations', (lines) => [...lines, at(lines, 0)], 'is in the log'),
  log('the ZIP sent', 'submissions', replaced('"to_zip":"94607"', '"to_zip":"94601"'), 'to_zip'),
  log('the tax sent', 'submissions', replaced('"sales_tax":"10.00"', '"sales_tax":"11.00"'), 'sales_tax'),
  log('a submission less', 'submissions', (lines) => lines.slice(0, -1), 'not in the log of submissions'),
  log('the first submission less', 'submissions', (lines) => lines.slice(1), 'not in the log of submissions'),
  log('all submissions', 'submissions', () => [], 'not in the log of submissions'),
  log(
    'the tax read back',
    'pull-back',
    replaced(/"sales_tax":(\d+)/, '"sales_tax":1$1'),
    'not what was read back',
  ),
  log(
    'the amount read back',
    'pull-back',
    replaced('"amount":645000', '"amount":745000'),
    ', sheet Completeness',
  ),
  log('a record less', 'pull-back', (lines) => lines.slice(1), 'not what was read back'),
  log(
    'a record more',
    'pull-back',
    (lines) => [...lines, at(lines, 0).replace('D-501', 'D-999')],
    '1 records that',
  ),
  log('a row less', 'set-aside', (lines) => lines.slice(1), 'follows from no other log'),
  log('all rows', 'set-aside', () => [], 'follows from no other log'),
  log('a cause', 'set-aside', replaced(/"message":"/, '"message":"x '), 'exception'),
  log('a cell', 'set-aside', replaced(/(rejected.*)"cells":\["/, '$1"cells":["x'), ', line'),
  log('an exception less', 'report', without('"name":"exceptions","item"'), 'clusters'),
  log('an exception accepted', 'report', replaced(/"accepted":""/, '"accepted":"fine"'), 'comes to'),
  log('the rows of a file', 'report', replaced(/("name":"inputs".*"rows":)(\d+)/, '$11$2'), 'inputs'),
  log('the seller', 'report', replaced('Harbor & Pine Supply Co.', 'Harbor'), 'seller comes to'),
  log('an account number', 'report', replaced(/("of":"registrations".*"account":")/, '$1x'), ''),
  log('a registration less', 'report', without('"of":"registrations","name":"","item"'), ''),
  log('the seed of the sample', 'report', replaced('"seed":"harbor-and-pine', '"seed":"x'), ''),
  log('the trend', 'report', replaced(/("name":"trend".*"gross":)(\d+)/, '$11$2'), 'trend'),
  log('a certificate', 'report', replaced('"RES-0207"', '"RES-0208"'), ''),
  log(
    'of something else',
    'sales',
    (lines) => lines.map((line) => line.replace('"sale":', '"sold":')),
    'cannot be read',
  ),
];
