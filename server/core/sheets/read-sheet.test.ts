import { readFileSync } from 'node:fs'
import { deflateRawSync } from 'node:zlib'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Failure } from '../../../contract/core/failure.ts'
import { bookOf, fileOf, parts, sheetOf, zipOf } from './fixtures/craft.ts'
import type { SheetLimits } from './limits.ts'
import { readSheet } from './read-sheet.ts'

const fixture = (name: string) => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url))
const row = (no: number | '', ...cells: string[]) => `<row${no === '' ? '' : ` r="${no}"`}>${cells.join('')}</row>`
const refusal = async (path: string, limits?: Partial<SheetLimits>) =>
  (
    (await readSheet(path, limits).then(
      () => undefined,
      (error: unknown) => error,
    )) as Failure | undefined
  )?.reason

describe('cells seen in the wild', () => {
  const styles = `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="[$-804]yyyy&quot;年&quot;m&quot;月&quot;"/><numFmt numFmtId="201" formatCode="00000000"/><numFmt numFmtId="202" formatCode="0.00&quot;days&quot;"/></numFmts>
    <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="31"/><xf numFmtId="58"/><xf numFmtId="200"/><xf numFmtId="201"/><xf numFmtId="202"/><xf numFmtId="22"/></cellXfs></styleSheet>`
  const strings =
    '<x:sst xmlns:x="m"><x:si><x:t>共享</x:t></x:si><x:si><x:r><x:t>富</x:t></x:r><x:r><x:rPr/><x:t xml:space="preserve">文 本</x:t></x:r><x:rPh sb="0" eb="1"><x:t>fu</x:t></x:rPh></x:si><x:si/><x:si><x:t>甲_x000D_乙_x005F_x0041_</x:t></x:si></x:sst>'
  const cases: [what: string, cell: string, text: string, mark?: string][] = [
    ['shared', '<c t="s"><v>0</v></c>', '共享'],
    ['rich, without its phonetic reading', '<c t="s"><v>1</v></c>', '富文 本'],
    ['escapes', '<c t="s"><v>3</v></c>', '甲\r乙_x0041_'],
    ['inline', '<c t="inlineStr"><is><t>内</t></is></c>', '内'],
    ['rich inline', '<c t="inlineStr"><is><r><t>内</t></r><r><t>联</t></r></is></c>', '内联'],
    ['CDATA', '<c t="str"><v><![CDATA[<b>]]></v></c>', '<b>'],
    ['date', '<c s="1"><v>38415</v></c>', '2005-03-04'],
    ['Chinese built-in date 31', '<c s="2"><v>38415</v></c>', '2005-03-04'],
    ['Chinese built-in date 58', '<c s="3"><v>38415</v></c>', '2005-03-04'],
    ['date of an own format', '<c s="4"><v>38415</v></c>', '2005-03-04'],
    ['the day before the one that never was', '<c s="1"><v>59</v></c>', '1900-02-28'],
    ['a moment', '<c s="7"><v>46148.29732638889</v></c>', '2026-05-06 07:08:09'],
    ['a time', '<c s="7"><v>0.5</v></c>', '12:00:00'],
    ['ISO date', '<c t="d"><v>2005-03-04T00:00:00Z</v></c>', '2005-03-04'],
    ['number filled up with zeros', '<c s="5"><v>12345</v></c>', '00012345'],
    ['number whose format only quotes a d', '<c s="6"><v>3</v></c>', '3'],
    ['number with a binary tail', '<c><v>0.30000000000000004</v></c>', '0.3'],
    ['phone as a number with exponent', '<c><v>1.38001380E10</v></c>', '13800138000'],
    ['number beyond its precision', '<c><v>1.1010119900307E+17</v></c>', '110101199003070000', 'precision'],
    ['yes', '<c t="b"><v>1</v></c>', '是'],
    ['formula', '<c><f>A1+1</f><v>2</v></c>', '2', 'formula'],
    ['formula of a text', '<c t="str"><f>A1</f><v>甲</v></c>', '甲', 'formula'],
    ['error', '<c t="e"><v>#N/A</v></c>', '#N/A', 'error'],
    ['a character nothing can store', '<c t="inlineStr"><is><t>a_x0000_b</t></is></c>', 'a\ufffdb', 'unreadable'],
  ]
  test.each(cases)('%s', async (_, cell, text, mark) => {
    const more = { 'xl/styles.xml': styles, 'xl/sharedStrings.xml': strings }
    const { lines } = await readSheet(await bookOf(sheetOf(row('', cell)), more))
    expect(lines).toEqual([mark ? { no: 1, cells: [text], marks: { 0: mark } } : { no: 1, cells: [text] }])
  })

  test('prefixed names, cells and rows without places, gaps, and blank rows that only have a style', async () => {
    const xml =
      '<x:worksheet xmlns:x="m"><x:sheetData><x:row><x:c t="str"><x:v>a</x:v></x:c><x:c r="D1" t="str"><x:v>d</x:v></x:c><x:c t="str"><x:v>e</x:v></x:c></x:row><x:row r="9"><x:c r="A9" s="1"/></x:row><x:row r="1048576"><x:c r="B1048576" t="str"><x:v>z</x:v></x:c></x:row></x:sheetData></x:worksheet>'
    const { lines } = await readSheet(await bookOf(xml))
    expect(lines).toEqual([
      { no: 1, cells: ['a', '', '', 'd', 'e'] },
      { no: 1_048_576, cells: ['', 'z'] },
    ])
  })

  test('the 1904 calendar', async () => {
    const files = parts(sheetOf(row(1, '<c s="1"><v>36953</v></c>')), { 'xl/styles.xml': styles })
    files['xl/workbook.xml'] = files['xl/workbook.xml']!.replace('<sheets>', '<workbookPr date1904="1"/><sheets>')
    expect((await readSheet(fileOf(await zipOf(files)))).lines[0]!.cells).toEqual(['2005-03-04'])
  })

  test('a sheet saved by LibreOffice', async () => {
    const { lines, merges } = await readSheet(fixture('wild.xlsx'))
    expect(merges).toEqual(['A1:F1', 'A2:B2', 'C2:F2'])
    expect(lines.slice(3)).toEqual([
      { no: 4, cells: ['0000012345', '０１全角', '男', '2005-03-04', '4', '2.5'] },
      { no: 5, cells: ['0000012346', ' 前后空格　', '女', '2005-03-04 08:30:00', '４', '0.10'] },
      { no: 6, cells: ['20240101003', '=1+1', '男', '2008年7月8日', '4', '0.3'], marks: { 4: 'formula' } },
      { no: 8, cells: ['A0004', '多行\n文字', '', '20080506'] },
    ])
  })
})

describe('what other programs write', () => {
  test('WPS: its own name spaces and extensions, a picture formula, columns and rows that are only styled', async () => {
    const xml = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:etc="http://www.wps.cn/officeDocument/2017/etCustomData" xmlns:x14ac="http://schemas.microsoft.com/office/spreadsheetml/2009/9/ac">
      <sheetPr/><dimension ref="A1:C1048576"/><cols><col min="1" max="16384" width="9" style="1"/></cols><sheetData>
      <row r="1" spans="1:3" ht="14.25" x14ac:dyDescent="0.2"><c r="A1" s="1" t="s"><v>0</v></c><c r="B1" s="1" t="s"><v>1</v></c><c r="C1"/></row>
      <row r="2" spans="1:3"><c r="A2" s="1"><v>38415</v></c><c r="B2" t="str"><f>_xlfn.DISPIMG("ID_1",1)</f><v>=DISPIMG("ID_1",1)</v></c><c r="C2" t="b"><v>1</v></c></row>
      <row r="3"><c r="A3" s="1"/><c r="B3" s="1"/></row></sheetData><etc:dispBlanks/><extLst><ext uri="{x}"><etc:t>不是单元格</etc:t></ext></extLst></worksheet>`
    const strings =
      '<sst xmlns="m" count="2"><si><r><rPr><charset val="134"/></rPr><t>日</t></r><r><rPr/><t xml:space="preserve">期 </t></r></si><si><t>照片</t><phoneticPr fontId="1"/></si></sst>'
    const { lines } = await readSheet(
      await bookOf(xml, {
        'xl/sharedStrings.xml': strings,
        'xl/styles.xml': '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="31"/></cellXfs></styleSheet>',
      }),
    )
    expect(lines).toEqual([
      { no: 1, cells: ['日期 ', '照片'] },
      { no: 2, cells: ['2005-03-04', '=DISPIMG("ID_1",1)', '是'], marks: { 1: 'formula' } },
    ])
  })

  test('Excel: the strict form of the format, a chart sheet and a hidden sheet before the visible one', async () => {
    const strict = 'http://purl.oclc.org/ooxml/officeDocument/relationships'
    const files = parts(
      sheetOf(row(1, '<c r="A1" t="d"><v>2005-03-04T00:00:00</v></c><c r="B1" t="inlineStr"><is><t>甲</t></is></c>')),
    )
    files['_rels/.rels'] =
      `<Relationships><Relationship Id="a" Type="${strict}/officeDocument" Target="/xl/workbook.xml"/></Relationships>`
    files['xl/workbook.xml'] =
      `<workbook xmlns:r="${strict}" conformance="strict"><sheets><sheet name="图" sheetId="1" r:id="c"/><sheet name="隐" sheetId="2" state="veryHidden" r:id="h"/><sheet name="数据" sheetId="3" r:id="s"/></sheets></workbook>`
    files['xl/_rels/workbook.xml.rels'] =
      `<Relationships><Relationship Id="c" Type="${strict}/chartsheet" Target="chartsheets/sheet1.xml"/><Relationship Id="h" Type="${strict}/worksheet" Target="worksheets/sheet2.xml"/><Relationship Id="s" Type="${strict}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`
    files['xl/worksheets/sheet2.xml'] = sheetOf(row(1, '<c t="str"><v>隐藏的</v></c>'))
    expect((await readSheet(fileOf(await zipOf(files)))).lines).toEqual([{ no: 1, cells: ['2005-03-04', '甲'] }])
  })
})

describe('text files', () => {
  test('GB18030 as a Chinese program saves it', async () => {
    const { type, lines } = await readSheet(fixture('gb18030.csv'))
    expect(readFileSync(fixture('gb18030.csv')).includes('赵一鸣')).toBe(false)
    expect(type).toBe('csv')
    expect(lines[1]!.cells).toEqual(['2024010001', '赵一鸣', '组织者'])
  })

  const table: [what: string, bytes: Buffer | string, cells: string[][]][] = [
    [
      'UTF-8 with a mark',
      '\ufeff学号,姓名\r\n01,甲\r\n',
      [
        ['学号', '姓名'],
        ['01', '甲'],
      ],
    ],
    [
      'UTF-16 with tabs',
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('学号\t姓名\r\n01\t甲', 'utf16le')]),
      [
        ['学号', '姓名'],
        ['01', '甲'],
      ],
    ],
    [
      'quotes, line breaks and a blank line',
      '"a,""b""","c\nd"\n\n1,2',
      [
        ['a,"b"', 'c\nd'],
        ['1', '2'],
      ],
    ],
    ['guards against formulas', `'=1+1,="007",'x`, [['=1+1', '007', "'x"]]],
    [
      'UTF-16 the other way round',
      Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from('学号\t姓名', 'utf16le').swap16()]),
      [['学号', '姓名']],
    ],
    [
      'GB18030 with semicolons',
      Buffer.from([0xd1, 0xa7, 0xba, 0xc5, 0x3b, 0xd0, 0xd5, 0xc3, 0xfb, 0x0d, 0x0a, 0x30, 0x31, 0x3b, 0xbc, 0xd7]),
      [
        ['学号', '姓名'],
        ['01', '甲'],
      ],
    ],
    [
      'tabs',
      '学号\t姓名\n01\t甲,乙',
      [
        ['学号', '姓名'],
        ['01', '甲,乙'],
      ],
    ],
    ['semicolons', 'a;b,c;d', [['a', 'b,c', 'd']]],
    ...['\r\n', '\n', '\r'].flatMap((first) =>
      ['\r\n', '\n', '\r'].map((rest): [string, string, string[][]] => [
        `a first line that ends in ${JSON.stringify(first)}, others in ${JSON.stringify(rest)}`,
        `学号,姓名${first}01,甲${rest}02,"乙${rest}丙"${rest}03,丁`,
        [
          ['学号', '姓名'],
          ['01', '甲'],
          ['02', `乙${rest}丙`],
          ['03', '丁'],
        ],
      ]),
    ),
  ]
  test.each(table)('%s', async (_, bytes, cells) => {
    expect((await readSheet(fileOf(bytes))).lines.map((line) => line.cells)).toEqual(cells)
  })
})

describe('files that are refused', () => {
  const good = sheetOf(row(1, '<c t="str"><v>a</v></c>'))
  const entity = '<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>'
  const cases: [what: string, make: () => Promise<string> | string, reason: string][] = [
    ['the old binary format', () => fixture('old.xls'), 'sheet-old-format'],
    ['a picture', () => fileOf(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')), 'file-type-refused'],
    ['a web page called a sheet', () => fileOf('<html><table><tr><td>1</td></tr></table></html>'), 'file-type-refused'],
    [
      'a document of another kind',
      async () => fileOf(await zipOf({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': '<a/>' })),
      'file-type-refused',
    ],
    ['text in quotes that never end', () => fileOf('a,b\n"c,d\n1,2'), 'sheet-quote'],
    ['a truncated workbook', () => fileOf(readFileSync(fixture('wild.xlsx')).subarray(0, 9000)), 'file-broken'],
    [
      'a workbook with a damaged middle',
      () => {
        const bytes = readFileSync(fixture('wild.xlsx'))
        bytes.fill(0x55, 2000, 4500)
        return fileOf(bytes)
      },
      'file-broken',
    ],
    ['entities', () => bookOf(entity + good.replace('a<', '&c;<')), 'file-broken'],
    [
      'entities in the shared strings',
      () => bookOf(good, { 'xl/sharedStrings.xml': `${entity}<sst><si><t>&c;</t></si></sst>` }),
      'file-broken',
    ],
    ['XML that is none', () => bookOf('<worksheet><sheetData><row></sheetData>'), 'file-broken'],
    ['a shared string that is not there', () => bookOf(sheetOf(row(1, '<c t="s"><v>7</v></c>'))), 'file-broken'],
    ['an impossible place', () => bookOf(sheetOf(row(1, '<c r="ZZZZ1" t="str"><v>a</v></c>'))), 'file-broken'],
    ['an impossible row', () => bookOf(sheetOf('<row r="1e9"><c t="str"><v>a</v></c></row>')), 'file-broken'],
    [
      'a cell far to the right',
      () => bookOf(sheetOf(row(1, '<c r="XFD1" t="str"><v>a</v></c>'))),
      'sheet-too-many-columns',
    ],
    [
      'a way out of the archive',
      async () => {
        const bytes = await zipOf({ ...parts(good), 'xx/evil.txt': 'x' })
        for (let at = bytes.indexOf('xx/'); at >= 0; at = bytes.indexOf('xx/', at)) bytes.write('../', at)
        return fileOf(bytes)
      },
      'file-broken',
    ],
    [
      'more files than a workbook has',
      async () =>
        fileOf(
          await zipOf({
            ...parts(good),
            ...Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`xl/media/${at}`, 'x'])),
          }),
        ),
      'sheet-too-large',
    ],
    [
      'a bomb that says so',
      () => bookOf(good.replace('</sheetData>', `${' '.repeat(30_000_000)}</sheetData>`)),
      'sheet-too-large',
    ],
    [
      'one long string shown in many cells',
      () =>
        bookOf(sheetOf(...Array.from({ length: 2000 }, (_, at) => row(at + 1, '<c t="s"><v>0</v></c>'))), {
          'xl/sharedStrings.xml': `<sst><si><t>${'长'.repeat(30_000)}</t></si></sst>`,
        }),
      'sheet-too-large',
    ],
  ]
  test.each(cases)('%s', async (_, make, reason) => {
    const before = process.memoryUsage().rss
    expect(await refusal(await make())).toBe(reason)
    expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000)
  })

  test('a bomb that lies about its size', async () => {
    const files = parts(good)
    const bytes = await zipOf(files)
    const bomb = deflateRawSync(Buffer.from(good.replace('</sheetData>', `${'<row/>'.repeat(3_000_000)}</sheetData>`)))
    // the honest directory entry of the small sheet now points at data that unpacks to 18 MB
    const name = 'xl/worksheets/sheet1.xml'
    const local = bytes.indexOf(name) + name.length
    const listed = bytes.lastIndexOf(name) - 46
    const packed = bytes.readUInt32LE(listed + 20)
    const swapped = Buffer.concat([bytes.subarray(0, local), bomb, bytes.subarray(local + packed)])
    const moved = swapped.lastIndexOf(name) - 46
    swapped.writeUInt32LE(bomb.length, moved + 20)
    const end = swapped.lastIndexOf(Buffer.from('504b0506', 'hex'))
    swapped.writeUInt32LE(swapped.readUInt32LE(end + 16) + bomb.length - packed, end + 16)
    expect(await refusal(fileOf(swapped))).toBe('file-broken')
  })

  test('too many rows, but not too many blank ones', async () => {
    const blank = Array.from({ length: 60_000 }, (_, at) => `<row r="${at + 2}"><c r="A${at + 2}" s="0"/></row>`).join(
      '',
    )
    expect((await readSheet(await bookOf(sheetOf(row(1, '<c t="str"><v>a</v></c>'), blank)))).lines).toHaveLength(1)
    const rows = Array.from({ length: 40 }, (_, at) => row(at + 1, `<c t="str"><v>${at}</v></c>`))
    expect(await refusal(await bookOf(sheetOf(...rows)), { rows: 20 })).toBe('sheet-too-many-rows')
    expect(await refusal(fileOf(rows.map((_, at) => at).join('\n')), { rows: 20 })).toBe('sheet-too-many-rows')
  })

  test('a file that takes too long or too much memory ends its thread, not the service', async () => {
    const strings = Array.from(
      { length: 500_000 },
      (_, at) => `<si><t>${at}-${Math.random()}-${Math.random()}</t></si>`,
    ).join('')
    const path = await bookOf(good, { 'xl/sharedStrings.xml': `<sst>${strings}</sst>` })
    expect(await refusal(path, { seconds: 0.05 })).toBe('sheet-too-large')
    expect(await refusal(path, { megabytes: 24 })).toBe('sheet-too-large')
    expect(await refusal(path)).toBeUndefined()
    expect(await refusal(await bookOf(good), { megabytes: 24 })).toBeUndefined()
  })
})
