"""Answers from the release tree: release.py DIST_PUBLIC COUNTRY CITY NUMBER SIZE, "" is no filter; or release.py DIST_PUBLIC ID."""
import bisect, hashlib, itertools, json, sys

def read(path, digest=None):
    with open(f'{folder}/_catalogue/{path}', 'rb') as file:
        data = file.read()
    if digest and hashlib.sha256(data).hexdigest()[:32] != digest:
        sys.exit(f'{path} is damaged')
    return data

def hash32(text):
    value = 0x811C9DC5
    for byte in text.encode():
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    for shift, factor in (16, 0x85EBCA6B), (13, 0xC2B2AE35), (16, 1):
        value = (value ^ value >> shift) * factor & 0xFFFFFFFF
    return value

def chunk(index):
    data = read(f'chunks/{root["chunks"][index][0]}.json', root['chunks'][index][0])
    line, entries = data.split(b'\n', 1)
    head = json.loads(line + b']}')
    return list(itertools.accumulate((length + 1 for length in head['lengths']), initial=0)), head['cities'], entries

folder = sys.argv[1]
release = json.loads(read('current.json'))['release']
root = json.loads(read(f'roots/{release}.json', release))
if len(sys.argv) == 3:
    part = bisect.bisect([first for _, first in root['details']], sys.argv[2]) - 1
    name = root['details'][max(part, 0)][0]
    line = b'{"id":"%s",' % sys.argv[2].encode()
    found = [text for text in read(f'parts/{name}.ndjson', name).splitlines() if text.startswith(line)]
    sys.exit(None if found and sys.stdout.buffer.write(b'{' + found[0][len(line):]) else 'There is none.')
country, city, number, size = *sys.argv[2:4], int(sys.argv[4]), int(sys.argv[5])
ends = list(itertools.accumulate(count for _, count, _, _ in root['chunks']))
borders = list(itertools.accumulate(count for _, count in root['countries']))
runs = [(end - count, count) for (code, count), end in zip(root['countries'], borders) if country in ('', code)]
if city:
    firsts = [(root['countries'][bisect.bisect(borders, end - count)][0], folded, name)
              for (_, count, folded, name), end in zip(root['chunks'], ends)]
    shard = bisect.bisect([least for least, _ in root['cities']], hash32(city)) - 1
    table = json.loads(read(f'cities/{root["cities"][shard][1]}.json', root['cities'][shard][1])) if shard >= 0 else []
    runs = []
    for name, folded, *pairs in (row for row in table if row[0] == city):
        for code, total in ((code, n) for code, n in zip(pairs[::2], pairs[1::2]) if country in ('', code)):
            before = bisect.bisect_left(firsts, (code, folded, city)) - 1
            inside = itertools.takewhile(lambda row: row[:2] != [code, city], chunk(before)[1]) if before >= 0 else []
            runs.append((ends[before] - root['chunks'][before][1] + sum(row[2] for row in inside) if before >= 0 else 0, total))
total, first, entries = sum(count for _, count in runs), (number - 1) * size, []
for start, count in runs:
    position, stop = start + max(first, 0), start + min(count, first + size)
    while position < stop:
        index = bisect.bisect(ends, position)
        base, last = ends[index] - root['chunks'][index][1], min(stop, ends[index])
        offsets, _, data = chunk(index)
        entries.append(data[offsets[position - base]:offsets[last - base] - 1])
        position = last
    first -= count
meta = f'],"meta":{{"pagination":{{"current_page":{number},"per_page":{size},"total_entries":{total}}}}}}}'
sys.stdout.buffer.write(b'{"data":[' + b','.join(entries) + meta.encode())
