import { beforeAll, describe, expect, test } from 'vitest'
import { importApi } from '../../../contract/platform/imports/imports.calls.ts'
import { collegeApi } from '../../../contract/school/organisation/colleges.calls.ts'
import { parts, sheetOf, zipOf } from '../../core/sheets/fixtures/craft.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'

/** Files that are not quite what they should be: what is not read is told, and no name is stored that nobody meant. */

const kind = 'college' as const
let school: TestSchool
beforeAll(async () => {
  school = await newSchool()
})

const headers = ['学院编码', '学院名称']
const upload = (bytes: Buffer | string, name = '学院.csv') =>
  school.admin.upload(importApi.upload, { name, bytes: Buffer.from(bytes) }, { kind })
const rowsOf = (ibId: string) => school.admin.send(importApi.preview, { kind, ibId, pageSize: 200 })
const checked = async (...lines: string[]) => {
  const { data, msg } = await upload([headers.join(), ...lines].join('\n'))
  expect(msg).toBe('操作成功')
  return { batch: data, rows: (await rowsOf(data.ibId)).records }
}

const cells = (...texts: string[]) => texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')
const row = (no: number, texts: string[], more = '') => `<row r="${no}"${more}>${cells(...texts)}</row>`
/** A workbook of these sheets, the first of which is the one that is read. */
async function workbook(...sheets: [name: string, xml: string][]): Promise<Buffer> {
  const files = parts('')
  const rel = files['xl/_rels/workbook.xml.rels']!
  files['xl/workbook.xml'] = files['xl/workbook.xml']!.replace(
    /<sheets>.*<\/sheets>/,
    `<sheets>${sheets.map(([name], at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="s${at}"/>`).join('')}</sheets>`,
  )
  files['xl/_rels/workbook.xml.rels'] = rel.replace(
    '<Relationship Id="s"',
    `${sheets.map((_, at) => `<Relationship Id="s${at}" Type="x/worksheet" Target="worksheets/own${at}.xml"/>`).join('')}<Relationship Id="s"`,
  )
  for (const [at, [, xml]] of sheets.entries()) files[`xl/worksheets/own${at}.xml`] = xml
  return zipOf(files)
}

describe('what is not read, and what is although nobody sees it', () => {
  test('cells under no header are told with the row', async () => {
    const { rows } = await checked('K1,文学院', 'K2,理,学院,理')
    expect(rows.map(({ verdict, hints }) => [verdict, hints.map(({ msg }) => msg)])).toEqual([
      ['new', []],
      ['new', ['表头以外还有 2 格内容（学院），没有读取，请核对各列是否错位']],
    ])
  })
  test('other sheets with content, hidden and filtered rows are told with the file', async () => {
    const bytes = await workbook(
      ['数据', sheetOf(row(1, headers), row(2, ['K1', '文学院']), row(3, ['K2', '理学院'], ' hidden="1"'))],
      ['空的', sheetOf()],
      ['续', sheetOf(row(1, ['K3', '工学院']))],
    )
    const { data } = await upload(bytes, '学院.xlsx')
    expect(data).toMatchObject({
      newCount: 2,
      notes: [
        '只读取了第一张工作表“数据”，“续”也有内容，没有读取',
        '有 1 行在表格中被隐藏或筛选掉了（如第 3 行），也会导入；不需要的请跳过',
      ],
    })
    expect((await rowsOf(data.ibId)).batch.notes).toHaveLength(2)
    expect((await checked('K1,文学院')).batch.notes).toEqual([])
  })
  test('the headers once more and the totals below are one fault each', async () => {
    const { rows } = await checked('K1,文学院', '学院编码,学院名称', '合计,')
    expect(rows.map(({ verdict, faults }) => [verdict, faults.map(({ msg }) => msg)])).toEqual([
      ['new', []],
      ['fault', ['这一行是重复的表头，不会导入，请跳过']],
      ['fault', ['这一行是合计，不是记录，不会导入，请跳过']],
    ])
  })
})

describe('values', () => {
  test('a line end within a name is refused, in a sheet and in a form', async () => {
    const { rows } = await checked('K1,"文\n学院"')
    expect(rows[0]!.faults).toEqual([{ key: 'scName', msg: '学院名称不能换行，请删除单元格内的换行' }])
    for (const end of ['\n', '\r\n', '\u2028'])
      expect(
        await school.admin.ask(collegeApi.save, { scCode: 'K9', scName: `文${end}学院` }),
        JSON.stringify(end),
      ).toMatchObject({ code: 300, errors: [{ field: 'scName', msg: '学院名称不能换行' }] })
  })
  test('a number that a program kept as a decimal is the whole number; one in scientific notation is refused', async () => {
    const { rows, batch } = await checked('2385775090.0,文学院', '2.02E+09,理学院')
    expect(rows.map(({ faults }) => faults.map(({ msg }) => msg))).toEqual([
      [],
      ['学院编码“2.02E+09”是科学计数法，已丢失原来的号码，请设为文本格式后重填'],
    ])
    await school.admin.send(importApi.commit, { kind, ibId: batch.ibId, skipFaults: '1' as never })
    const { records } = await school.admin.send(collegeApi.list, {})
    expect(records.map(({ scCode }) => scCode)).toEqual(['2385775090'])
  })
  test('a text longer than a cell is called too long', async () => {
    const bytes = await workbook(['数据', sheetOf(row(1, headers), row(2, ['K1', '长'.repeat(40_000)]))])
    const { data } = await upload(bytes, '学院.xlsx')
    expect((await rowsOf(data.ibId)).records[0]!.faults).toEqual([{ key: 'scName', msg: '学院名称内容过长' }])
  })
})

test.each<[string, () => Promise<Buffer> | Buffer, string]>([
  ['an empty file', () => Buffer.alloc(0), '文件是空的，没有任何内容，请检查后重新上传'],
  [
    'an unbalanced quote',
    () => Buffer.from('学院编码,学院名称\nK1,文学院\nK2,"理学院\n'),
    '第 3 行的双引号没有成对，请检查该行后重试',
  ],
  ...(
    [
      ['UTF-16 without its mark', Buffer.from('学院编码,学院名称\nK1,文学院', 'utf16le')],
      ['NUL bytes', Buffer.from('学院编码,学院名称\nK1,文\u0000学院')],
      [
        'two encodings',
        Buffer.concat([Buffer.from('学院编码,学院名称\nK1,文学院\n'), Buffer.from('cbaed1a7ff', 'hex')]),
      ],
    ] as const
  ).map(
    ([what, bytes]) =>
      [what, () => bytes, '文件的文字编码无法识别，请在表格软件中另存为“CSV UTF-8”或 .xlsx 后重试'] as [
        string,
        () => Buffer,
        string,
      ],
  ),
  [
    'a workbook whose first sheet is empty',
    () => workbook(['说明', sheetOf()], ['数据', sheetOf(row(1, headers), row(2, ['K1', '文学院']))]),
    '工作表“说明”没有内容，请把数据放在第一张工作表后重试',
  ],
])('%s is told by what it is', async (_, bytes, msg) => {
  const content = await bytes()
  expect(await upload(content, content.subarray(0, 2).toString() === 'PK' ? '学院.xlsx' : '学院.csv')).toMatchObject({
    code: 300,
    msg,
  })
})
