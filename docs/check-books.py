"""Recomputes the books of a period without Tieout: python3 check-books.py FOLDER EXPORTS [RATES.csv]

FOLDER is the folder of a period, such as output/harbor-and-pine/2026-10; EXPORTS the seller's folder with the exports.
RATES.csv is a table of rates of your own, with the columns State, Level, Jurisdiction and Rate: 0.0725 is 7.25 %.
It needs Python 3.8 and nothing else. It prints each difference, amounts in cents, and ends with 1 if there is one.

  exports   each file is the one that the manifest names; each sale has the amounts, the tax and the state of its row
  entries   each level's tax is its taxable amount times its rate; levels and reasons add up; one rate a place and day
  books     By state, By jurisdiction and Returns are the sums of the entries, and returns pay what they say
"""

import csv
import gzip
import hashlib
import json
import os
import re
import sys
import zipfile
from collections import defaultdict
from decimal import Decimal
from xml.etree import ElementTree

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
RATE_ONE = 10_000_000

# How the columns of an export are called: of tax, of shipping, of the total, and of the state.
TAXES = ("Taxes", "Tax", "Platform tax")
SHIPPING = ("Shipping",)
STATE = ("Shipping Province", "State")
PAID = ("Total", "Amount")
ITEM = ("Qty", "Unit price", "Discount")

found = []


def differs(what, computed, stated):
    if computed != stated:
        found.append(f"{what}: computed {computed}, stated {stated}")


def cents(text):
    return int((Decimal(text or "0") * 100).to_integral_value())


def rows_at_lines(path):
    """The rows of a CSV file by the line at which each begins, as dictionaries."""
    with open(path, newline="", encoding="utf-8-sig") as file:
        reader = csv.reader(file)
        header, begin, rows = next(reader), reader.line_num + 1, {}
        for cells in reader:
            rows[begin] = dict(zip(header, cells))
            begin = reader.line_num + 1
    return rows


def sheet(path, name):
    """The cells of a sheet, row by row, as texts."""
    book = zipfile.ZipFile(path)
    part = lambda of: ElementTree.fromstring(book.read(f"xl/{of}.xml"))
    shared = ["".join(text.itertext()) for text in part("sharedStrings")]
    names = [each.get("name") for each in part("workbook").iter(MAIN + "sheet")]
    for row in part(f"worksheets/sheet{names.index(name) + 1}").iter(MAIN + "row"):
        cells = []
        for cell in row:
            letters = re.match("[A-Z]*", cell.get("r", "")).group()
            column = sum((ord(c) - 64) * 26**i for i, c in enumerate(letters[::-1])) or len(cells) + 1
            cells += [""] * (column - len(cells) - 1)
            text = "".join(cell.itertext()) if cell.get("t") == "inlineStr" else cell.findtext(MAIN + "v", "")
            cells.append(shared[int(text)] if cell.get("t") == "s" else text)
        yield cells


def table(path, name, first):
    """The rows of the table whose header begins with `first`, to the first row that is not as wide."""
    rows = sheet(path, name)
    header = next(cells for cells in rows if cells[: len(first)] == first)
    for cells in rows:
        if len(cells) < len(header) or cells[0] == "" or cells[1] == "":
            return
        yield dict(zip(header, cells))


def check_exports(manifest, entries, exports):
    files = {}
    for each in manifest["content"]["inputs"]:
        path = os.path.join(exports, each["path"])
        with open(path, "rb") as file:
            differs(f"SHA-256 of {each['path']}", hashlib.sha256(file.read()).hexdigest(), each["sha256"])
        files[each["path"]] = rows_at_lines(path) if path.endswith(".csv") else {}
        differs(f"rows of {each['path']}", each["used"] + each["ignored"] + each["rejected"], each["rows"])
    for entry in entries:
        sale = entry["sale"]
        origin = sale["origin"]
        row = files.get(origin["file"], {}).get(origin["line"])
        if row is None:
            found.append(f"{sale['key']}: {origin['file']} has no row at line {origin['line']}")
            continue
        stated = sale.get("asRead", sale)
        tax = stated["salesTax"] + stated["marketplaceTax"] + sum(fee["amount"] for fee in sale.get("stateFees", []))
        whole = sale["amount"] + tax
        of = lambda names: [cents(row[name]) for name in names if name in row]
        if of(TAXES):
            differs(f"{sale['key']}: tax of its row", abs(sum(of(TAXES))), tax)
            differs(f"{sale['key']}: shipping of its row", abs(sum(of(SHIPPING))), sale["shipping"])
            # A sale in person has no state to ship to.
            for state in [row[name] for name in STATE if row.get(name)]:
                differs(f"{sale['key']}: state of its row", state, sale["shipTo"]["state"])
        if of(PAID):
            differs(f"{sale['key']}: total of its row", abs(of(PAID)[0]), whole + sale.get("notSold", 0))
        elif all(name in row for name in ITEM):
            lines = [files[origin["file"]].get(origin["line"] + number, {}) for number in range(sale["rows"])]
            goods = sum(abs(Decimal(line["Qty"])) * cents(line["Unit price"]) - cents(line["Discount"]) for line in lines)
            differs(f"{sale['key']}: items of its rows", abs(goods), sale["amount"] - sale["shipping"])


def check_entries(entries, own):
    known = {}
    for entry in entries:
        sale, figures = entry["sale"], entry.get("figures")
        if not figures or figures["expected"] is None:
            continue
        key, state, sign = sale["key"], sale["shipTo"]["state"], -1 if sale["kind"] == "refund" else 1
        levels = figures["levels"]
        collected = sign * sale["salesTax"]
        if levels:
            differs(f"{key}: tax of its levels", sum(level["tax"] for level in levels), figures["expected"])
            differs(f"{key}: collected of its levels", sum(level["collected"] for level in levels), collected)
        reasons = sum(reason["amount"] for reason in figures["reasons"])
        differs(f"{key}: its reasons", reasons, collected - figures["expected"])
        for level in levels:
            place = (state, level["level"], level["name"])
            exact = Decimal(level["taxable"]) * level["rate"] / RATE_ONE
            if abs(exact - level["tax"]) > 1 and level["taxable"] != 0:
                found.append(f"{key}: {' '.join(place)} has {level['tax']} of tax, and its rate gives {exact:.2f}")
            if level["taxable"] == 0:
                continue
            day = (*place, sale["shipTo"]["zip"], sale["taxDate"])
            differs(f"{key}: rate of {' '.join(day)}", level["rate"], known.setdefault(day, level["rate"]))
            if own is not None and level["rate"] not in own.get(place, ()):
                found.append(f"{key}: {' '.join(place)} has a rate of {level['rate'] / RATE_ONE}, and RATES.csv does not")


def check_books(entries, folder):
    variance, filing = (os.path.join(folder, name) for name in ("variance.xlsx", "filing-summary.xlsx"))
    states, places = defaultdict(lambda: [0] * 5), defaultdict(lambda: [0] * 3)
    for entry in entries:
        sale, figures = entry["sale"], entry.get("figures")
        if "figures" not in entry:
            continue
        sign = -1 if sale["kind"] == "refund" else 1
        figures = figures or {}
        amounts = [sign * sale["amount"], figures.get("taxable") or 0, sign * sale["salesTax"]]
        amounts += [figures.get("expected") or 0, figures.get("recorded") or 0]
        state = sale["shipTo"]["state"]
        states[state] = [one + other for one, other in zip(states[state], amounts)]
        for level in figures.get("levels", ()):
            place = (state, level["level"], level["name"], level["rate"])
            parts = [level["taxable"], level["tax"], level["collected"]]
            places[place] = [one + other for one, other in zip(places[place], parts)]

    titles = ("Gross", "Taxable", "Collected", "Expected", "Recorded")
    stated = {row["State"]: [cents(row[title]) for title in titles] for row in table(variance, "By state", ["State"])}
    for state in sorted({*states, *stated}):
        for title, one, other in zip(titles, states[state], stated.get(state, [0] * 5)):
            differs(f"By state, {state}: {title}", one, other)

    titles = ("Taxable", "Expected", "Collected")
    stated = {}
    for row in table(variance, "By state", ["State", "Level"]):
        rate = int((Decimal(row["Rate"]) * RATE_ONE).to_integral_value())
        stated[row["State"], row["Level"], row["Jurisdiction"], rate] = [cents(row[title]) for title in titles]
    for place in sorted({*places, *stated}):
        for title, one, other in zip(titles, places[place], stated.get(place, [0] * 3)):
            differs(f"By jurisdiction, {' '.join(map(str, place))}: {title}", one, other)

    check_returns(states, places, list(table(filing, "Returns", ["State", "Return"])))


def check_returns(states, places, returns):
    # A city or county that collects its own tax has a return beside that of its state: `CO Denver` beside `CO`.
    of_places = defaultdict(lambda: [0, 0])
    for row in returns:
        state, _, name = row["State"].partition(" ")
        for (at, level, of, _), (_, tax, collected) in places.items():
            if name and at == state and level in ("county", "city") and of.upper() == name.upper():
                for key, sign in ((row["State"], 1), (state, -1)):
                    of_places[key][0] += sign * tax
                    of_places[key][1] += sign * collected
    for row in returns:
        state, _, name = row["State"].partition(" ")
        amount = lambda title: cents(row[title])
        gross, taxable, collected, expected, _ = states[state]
        if name:
            expected = collected = 0
        else:
            differs(f"Return {row['State']}: Gross sales", gross, amount("Gross sales"))
            differs(f"Return {row['State']}: Taxable", taxable, amount("Taxable"))
        expected += of_places[row["State"]][0]
        collected += of_places[row["State"]][1]
        differs(f"Return {row['State']}: Expected", expected, amount("Expected"))
        differs(f"Return {row['State']}: Collected", collected, amount("Collected"))
        differs(f"Return {row['State']}: Deductions", amount("Gross sales") - amount("Taxable"), amount("Deductions"))
        parts = [amount(title) for title in ("Missing rates", "Remittance rule", "Use tax", "Form rounding")]
        differs(f"Return {row['State']}: On the return", expected + sum(parts), amount("On the return"))
        if parts[1] and parts[1] != collected - expected - parts[0]:
            found.append(f"Return {row['State']}: the rule adds {parts[1]}, and {collected - expected} was collected above")
        if abs(parts[3]) > amount("At most"):
            found.append(f"Return {row['State']}: Form rounding of {parts[3]} is above {amount('At most')}")
        due = sum(amount(title) for title in ("On the return", "Fees, penalty", "Discount", "Prepaid, credits"))
        differs(f"Return {row['State']}: Amount due", due, amount("Amount due"))


def main(folder, exports, rates=None):
    with open(os.path.join(folder, "evidence", "manifest.json"), encoding="utf-8") as file:
        manifest = json.load(file)
    with gzip.open(os.path.join(folder, "evidence", "entries.ndjson.gz"), "rt", encoding="utf-8") as lines:
        entries = [json.loads(line) for line in lines]
    own = None
    if rates is not None:
        own = defaultdict(set)
        with open(rates, newline="", encoding="utf-8-sig") as file:
            for row in csv.DictReader(file):
                rate = int((Decimal(row["Rate"]) * RATE_ONE).to_integral_value())
                own[row["State"], row["Level"], row["Jurisdiction"]].add(rate)
    check_exports(manifest, entries, exports)
    check_entries(entries, own)
    check_books(entries, folder)
    for difference in found:
        print(difference)
    print(f"{len(entries)} entries, {len(found)} differences")
    return 1 if found else 0


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
