"""The rival: a month closed by a plain Python script, as a careful seller writes one in a week-end.

    python3 bench/rival/close.py FOLDER

It reads the exports that `writeMonth` wrote, computes the tax at the rates of the states alone, keeps the orders in
SQLite, and writes variance.xlsx with every order and filing.xlsx with every line and the sums by state. Integer cents,
no floats. It prints what it cost as one line of JSON. XlsxWriter where it is installed, else the writer below.
"""

import csv
import json
import os
import resource
import sqlite3
import sys
import time
import zipfile

STATE_RATES = {  # hundred-thousandths; of the states in which the seller is registered
    "CA": 7250, "CO": 2900, "FL": 6000, "GA": 4000, "IL": 6250, "MA": 6250,
    "NJ": 6625, "NY": 4000, "PA": 6000, "TX": 6250, "WA": 6500,
}
DETAIL = ["Order", "Date", "City", "ZIP", "State", "Goods", "Shipping", "Total", "Collected", "Expected", "Variance"]
LINES = ["Order", "Date", "State", "SKU", "Quantity", "Price", "Discount", "Net"]
MONEY_FROM = 5


class PlainWorkbook:
    """One sheet of inline strings and numbers, for machines without XlsxWriter."""

    def __init__(self, path):
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.names = []
        self.sheet = None

    def add_sheet(self, name, header):
        self._end_sheet()
        self.names.append(name)
        self.sheet = self.zip.open("xl/worksheets/sheet%d.xml" % len(self.names), "w", force_zip64=True)
        self.sheet.write(b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>')
        self.add_row(header)

    def add_row(self, cells):
        xml = "".join(
            "<c><v>%s</v></c>" % cell
            if isinstance(cell, (int, float))
            else '<c t="inlineStr"><is><t>%s</t></is></c>' % cell.replace("&", "&amp;").replace("<", "&lt;")
            for cell in cells
        )
        self.sheet.write(("<row>%s</row>" % xml).encode())

    def _end_sheet(self):
        if self.sheet:
            self.sheet.write(b"</sheetData></worksheet>")
            self.sheet.close()

    def close(self):
        self._end_sheet()
        types = "".join(
            '<Override PartName="/xl/worksheets/sheet%d.xml" ContentType="application/vnd.openxmlformats-'
            'officedocument.spreadsheetml.worksheet+xml"/>' % (i + 1) for i in range(len(self.names)))
        sheets = "".join('<sheet name="%s" sheetId="%d" r:id="rId%d"/>' % (n, i + 1, i + 1) for i, n in enumerate(self.names))
        links = "".join(
            '<Relationship Id="rId%d" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/'
            'worksheet" Target="worksheets/sheet%d.xml"/>' % (i + 1, i + 1) for i in range(len(self.names)))
        head = "http://schemas.openxmlformats.org"
        self.zip.writestr("[Content_Types].xml", '<Types xmlns="%s/package/2006/content-types"><Default Extension="rels" '
                          'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override '
                          'PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.'
                          'spreadsheetml.sheet.main+xml"/>%s</Types>' % (head, types))
        self.zip.writestr("_rels/.rels", '<Relationships xmlns="%s/package/2006/relationships"><Relationship Id="rId1" '
                          'Type="%s/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/>'
                          '</Relationships>' % (head, head))
        self.zip.writestr("xl/_rels/workbook.xml.rels",
                          '<Relationships xmlns="%s/package/2006/relationships">%s</Relationships>' % (head, links))
        self.zip.writestr("xl/workbook.xml", '<workbook xmlns="%s/spreadsheetml/2006/main" xmlns:r="%s/officeDocument/'
                          '2006/relationships"><sheets>%s</sheets></workbook>' % (head, head, sheets))
        self.zip.close()


class FormattedWorkbook:
    def __init__(self, path):
        import xlsxwriter

        self.book = xlsxwriter.Workbook(path, {"constant_memory": True})
        self.money = self.book.add_format({"num_format": "#,##0.00"})
        self.bold = self.book.add_format({"bold": True})

    def add_sheet(self, name, header):
        self.sheet = self.book.add_worksheet(name)
        self.sheet.write_row(0, 0, header, self.bold)
        self.row = 1

    def add_row(self, cells):
        for column, cell in enumerate(cells):
            if isinstance(cell, str):
                self.sheet.write_string(self.row, column, cell)
            elif isinstance(cell, int):
                self.sheet.write_number(self.row, column, cell)
            else:
                self.sheet.write_number(self.row, column, cell, self.money)
        self.row += 1

    def close(self):
        self.book.close()


def workbook(path):
    try:
        return FormattedWorkbook(path)
    except ImportError:
        return PlainWorkbook(path)


def cents(text):
    if not text:
        return 0
    whole, _, fraction = text.partition(".")
    return int(whole) * 100 + int((fraction + "00")[:2])


def tax_on(amount, rate):
    return (amount * rate + 50_000) // 100_000


def orders(path):
    """One order after the other: its first row and its lines."""
    with open(path, newline="", encoding="utf-8") as file:
        reader = csv.reader(file)
        at = {name: index for index, name in enumerate(next(reader))}
        first, lines = None, []
        for row in reader:
            if row[at["Financial Status"]]:
                if first:
                    yield at, first, lines
                first, lines = row, []
            lines.append(row)
        if first:
            yield at, first, lines


def main(folder):
    database = sqlite3.connect(os.path.join(folder, "rival.db"))
    database.execute("create table if not exists orders (id text primary key, day text, state text, gross int, tax int, expected int)")
    variance = workbook(os.path.join(folder, "rival-variance.xlsx"))
    variance.add_sheet("Detail", DETAIL)
    filing = workbook(os.path.join(folder, "rival-filing.xlsx"))
    filing.add_sheet("Lines", LINES)
    states, batch, rows = {}, [], 0
    for at, head, lines in orders(os.path.join(folder, "orders.csv")):
        rows += len(lines)
        day = head[at["Created at"]][:10]
        if not day.startswith("2026-10"):
            continue
        name, state = head[at["Name"]], head[at["Shipping Province"]]
        goods, shipping = cents(head[at["Subtotal"]]), cents(head[at["Shipping"]])
        total, collected = cents(head[at["Total"]]), cents(head[at["Taxes"]])
        expected = tax_on(goods, STATE_RATES.get(state, 0))
        sums = states.setdefault(state, [0, 0, 0, 0])
        for index, amount in enumerate((1, goods + shipping, collected, expected)):
            sums[index] += amount
        variance.add_row([name, day, head[at["Shipping City"]], head[at["Shipping Zip"]].lstrip("'"), state]
                         + [amount / 100 for amount in (goods, shipping, total, collected, expected, collected - expected)])
        if state in STATE_RATES:
            for line in lines:
                quantity = int(line[at["Lineitem quantity"]])
                price, discount = cents(line[at["Lineitem price"]]), cents(line[at["Lineitem discount"]])
                filing.add_row([name, day, state, line[at["Lineitem sku"]], quantity,
                                price / 100, discount / 100, (quantity * price - discount) / 100])
        batch.append((name, day, state, goods + shipping, collected, expected))
        if len(batch) == 1000:
            keep(database, batch)
            batch = []
    keep(database, batch)
    filing.add_sheet("States", ["State", "Orders", "Gross", "Collected", "Expected"])
    for state in sorted(states):
        count, *amounts = states[state]
        filing.add_row([state, count] + [amount / 100 for amount in amounts])
    variance.close()
    filing.close()
    database.close()
    return rows


def keep(database, batch):
    with database:
        database.executemany("insert or replace into orders values (?, ?, ?, ?, ?, ?)", batch)


if __name__ == "__main__":
    start = time.monotonic()
    rows = main(sys.argv[1])
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps({
        "part": "rival: plain Python",
        "rows": rows,
        "unit": "rows",
        "wallMs": round(1000 * (time.monotonic() - start)),
        "cpuMs": round(1000 * (used.ru_utime + used.ru_stime)),
        "peakMb": round(used.ru_maxrss / 1024),
    }))
