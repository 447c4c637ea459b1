import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Input } from '../../../contract/core/call.ts'
import { importStatus, yesNo } from '../../../contract/core/codes/platform.ts'
import { zipOf, parts, sheetOf } from '../../core/sheets/fixtures/craft.ts'
import { sheetIn } from '../../testing/sheet-in.ts'
import { testApp } from '../../testing/app.ts'
import type { Client } from '../../testing/client.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'
import { sweepImports } from './ending.service.ts'
import { tryApi as api, tryRoutes } from '../../testing/trial-college.ts'

beforeAll(async () => void (await testApp(tryRoutes)))

const kind = 'college' as const
const headers = '学院编码,学院名称,简称,电话'
const csv = (...rows: string[]) => ({ name: '学院.csv', bytes: Buffer.from([headers, ...rows].join('\n')) })

async function upload(client: Client, ...rows: string[]) {
  const reply = await client.upload(api.upload, csv(...rows), { kind })
  expect(reply.msg).toBe('操作成功')
  return reply.data
}
const preview = (client: Client, ibId: string, more: Partial<Input<typeof api.preview>> = {}) =>
  client.send(api.preview, { kind, ibId, pageSize: 200, ...more })
const colleges = ({ ctx, schoolId }: TestSchool) =>
  ctx.db
    .selectFrom('college')
    .select(['scCode', 'scName', 'scShort', 'scPhone'])
    .where('schoolId', '=', schoolId)
    .orderBy('scCode')
    .execute()

describe('an import from template to undo', () => {
  test('the template is known again, with hints and drop-downs; one of another version is refused', async () => {
    const { admin } = await newSchool()
    const template = await admin.download(api.template, { kind })
    expect(template.name).toBe('试验学院导入模板.xlsx')
    const read = await sheetIn(template.bytes)
    expect(read.template).toEqual({ kind: 'college', version: 1 })
    expect(read.lines[0]!.cells).toEqual(['学院编码*', '学院名称*', '简称', '排序', '电话', '类型'])
    expect(await admin.upload(api.upload, { name: 'a.xlsx', bytes: template.bytes }, { kind })).toMatchObject({
      reason: 'sheet-empty',
    })

    const files = parts(
      sheetOf(`<row>${['学院编码', '学院名称'].map((header) => `<c t="str"><v>${header}</v></c>`).join('')}</row>`),
    )
    files['xl/workbook.xml'] = files['xl/workbook.xml']!.replace(
      '</sheets>',
      '<sheet name="_template" state="hidden" sheetId="2" r:id="m"/></sheets>',
    )
    files['xl/_rels/workbook.xml.rels'] = files['xl/_rels/workbook.xml.rels']!.replace(
      '<Relationship Id="s"',
      '<Relationship Id="m" Type="x/worksheet" Target="worksheets/sheet2.xml"/><Relationship Id="s"',
    )
    files['xl/worksheets/sheet2.xml'] = sheetOf(
      '<row><c t="str"><v>second-classroom</v></c><c t="str"><v>college</v></c><c><v>2</v></c></row>',
    )
    expect(await admin.upload(api.upload, { name: 'a.xlsx', bytes: await zipOf(files) }, { kind })).toMatchObject({
      code: 300,
      reason: 'sheet-template-wrong',
    })
  })

  test('preview tells the verdict of every row and changes nothing; commit writes new and changed rows once; undo takes them back', async () => {
    const school = await newSchool()
    const { admin } = school
    await upload(admin, 'A1,文学院,文,010-1', 'A2,理学院,,').then(({ ibId }) => admin.send(api.commit, { kind, ibId }))
    const before = await colleges(school)

    const batch = await upload(
      admin,
      'A1,文学院,,',
      'A2,理工学院,理,0102',
      'A3,工学院,,',
      'A4,坏学院,,',
      ',无号学院,,',
      'A6,医学院,,',
      'A6,医学院二,,',
      'A7,文学院二,,',
      'A8,理学院,,',
    )
    expect(batch).toMatchObject({
      newCount: 2,
      updateCount: 1,
      sameCount: 1,
      conflictCount: 3,
      faultCount: 2,
      successCount: 3,
      failCount: 5,
      ibStatus: importStatus.ready,
      can: ['commit', 'match', 'discard'],
    })
    expect(await colleges(school)).toEqual(before)

    const { records, total, columns } = await preview(admin, batch.ibId)
    expect(total).toBe(9)
    expect(columns.map((column) => column.label)).toEqual(['学院编码', '学院名称', '简称', '电话'])
    const said = records.map(({ rowNo, verdict, faults }) => [rowNo, verdict, ...faults.map((fault) => fault.msg)])
    expect(said).toEqual([
      [2, 'same'],
      [3, 'update'],
      [4, 'new'],
      [5, 'fault', '学院名称不能含“坏”字'],
      [6, 'fault', '学院编码不能为空'],
      [7, 'conflict', '学院编码与第 8 行重复'],
      [8, 'conflict', '学院编码与第 7 行重复'],
      [9, 'new'],
      [10, 'conflict', '学院名称已属于 A2'],
    ])
    expect(records[1]!.changes).toEqual([
      { key: 'scName', label: '学院名称', from: '理学院', to: '理工学院' },
      { key: 'scShort', label: '简称', from: '', to: '理' },
      { key: 'scPhone', label: '电话', from: '', to: '****' },
    ])
    expect(
      (await preview(admin, batch.ibId, { verdict: 'conflict', pageSize: 2, current: 2 })).records.map(
        (row) => row.rowNo,
      ),
    ).toEqual([10])

    expect(await admin.ask(api.commit, { kind, ibId: batch.ibId })).toMatchObject({
      code: 300,
      reason: 'import-has-faults',
      msg: '仍有 5 行存在错误，请修正或选择跳过错误行',
    })
    expect(await colleges(school)).toEqual(before)
    expect(await admin.send(api.commit, { kind, ibId: batch.ibId, skipFaults: yesNo.yes })).toMatchObject({
      ibStatus: importStatus.imported,
      successCount: 3,
      failCount: 5,
      can: ['undo'],
    })
    expect(await colleges(school)).toEqual([
      before[0],
      { scCode: 'A2', scName: '理工学院', scShort: '理', scPhone: '0102' },
      { scCode: 'A3', scName: '工学院', scShort: '', scPhone: '' },
      { scCode: 'A7', scName: '文学院二', scShort: '', scPhone: '' },
    ])
    expect(await admin.ask(api.commit, { kind, ibId: batch.ibId })).toMatchObject({ reason: 'import-finished' })

    expect(await admin.send(api.undo, { kind, ibId: batch.ibId })).toMatchObject({
      ibStatus: importStatus.undone,
      can: [],
    })
    expect(await colleges(school)).toEqual(before)
    expect(await admin.ask(api.undo, { kind, ibId: batch.ibId })).toMatchObject({ reason: 'wrong-state' })
    const trail = await school.ctx.db
      .selectFrom('auditLog')
      .select(['action', 'after'])
      .where('schoolId', '=', school.schoolId)
      .where('bizId', '=', batch.ibId)
      .orderBy('logId')
      .execute()
    expect(trail).toMatchObject([
      { action: '确认导入', after: { new: 2, update: 1, skipped: 5 } },
      { action: '撤销导入' },
    ])
  })

  test('an edited row is checked again, and so are those it repeated or now repeats', async () => {
    const { admin } = await newSchool()
    const { ibId } = await upload(admin, 'B1,甲,,', 'B1,乙,,', 'B3,丙,,')
    const edit = (rowNo: number, scCode: string, scName: string) =>
      admin.send(api.editRow, { kind, ibId, rowNo, cells: { scCode, scName } })
    const verdicts = async () => (await preview(admin, ibId)).records.map((row) => row.verdict)
    expect(await verdicts()).toEqual(['conflict', 'conflict', 'new'])
    expect(await edit(3, 'B2', '乙')).toMatchObject({
      row: { rowNo: 3, verdict: 'new', faults: [], cells: { scCode: 'B2', scShort: '' } },
      batch: { newCount: 3, failCount: 0, errorId: '' },
    })
    expect(await verdicts()).toEqual(['new', 'new', 'new'])
    expect(await edit(4, 'b2', '甲')).toMatchObject({
      row: {
        faults: [
          { key: 'scCode', msg: '学院编码与第 3 行重复' },
          { key: 'scName', msg: '学院名称与第 2 行重复' },
        ],
      },
    })
    expect(await verdicts()).toEqual(['conflict', 'conflict', 'conflict'])
    expect(await edit(2, 'B1', '丁')).toMatchObject({ batch: { newCount: 1, conflictCount: 2 } })

    expect(await admin.ask(api.editRow, { kind, ibId, rowNo: 99, cells: {} })).toMatchObject({ status: 404 })
    expect(await admin.ask(api.editRow, { kind, ibId, rowNo: 2, cells: { createBy: 'x' } })).toMatchObject({
      code: 300,
      errors: [{ field: 'cells.createBy' }],
    })
    expect(await edit(2, 'B\u00001', '丁')).toMatchObject({
      row: { verdict: 'fault', faults: [{ key: 'scCode', msg: '学院编码含有无法保存的字符，请重新填写' }] },
    })
  })

  test('the error workbook has the faulty rows with their reasons, and can be corrected and uploaded again', async () => {
    const { admin } = await newSchool()
    const batch = await upload(admin, 'C1,好学院,,', "C2,坏学院,'=1+1,010", 'C3,,+2,')
    const file = await admin.download(api.errors, { kind, errorId: batch.errorId })
    expect(file.name).toBe('试验学院错误明细.xlsx')
    const { lines } = await sheetIn(file.bytes)
    expect(lines.map((line) => line.cells)).toEqual([
      ['行号', '学院编码*', '学院名称*', '简称', '电话', '错误原因'],
      ['3', 'C2', '坏学院', '=1+1', '010', '学院名称不能含“坏”字'],
      ['4', 'C3', '', '+2', '', '学院名称不能为空'],
    ])
    const again = await admin.upload(api.upload, { name: 'errors.xlsx', bytes: file.bytes }, { kind })
    expect(again.data).toMatchObject({ faultCount: 2, newCount: 0 })
    expect((await preview(admin, again.data.ibId)).records[0]!.cells).toEqual({
      scCode: 'C2',
      scName: '坏学院',
      scShort: '=1+1',
      scPhone: '010',
    })
  })

  test('with `commit` the good rows are imported at once', async () => {
    const school = await newSchool()
    const reply = await school.admin.upload(api.upload, csv('D1,甲,,', 'D2,坏,,'), { kind, commit: '1' })
    expect(reply.data).toMatchObject({ ibStatus: importStatus.imported, successCount: 1, failCount: 1 })
    expect(await colleges(school)).toHaveLength(1)
  })

  test('an undo is refused, and undoes nothing, once the records are used', async () => {
    const school = await newSchool()
    const { admin } = school
    const { ibId } = await upload(admin, 'E1,甲,,', 'E2,乙,,')
    await admin.send(api.commit, { kind, ibId })
    const { scId } = await school.ctx.db
      .selectFrom('college')
      .select('scId')
      .where('schoolId', '=', school.schoolId)
      .where('scCode', '=', 'E2')
      .executeTakeFirstOrThrow()
    await school.major(scId)
    expect(await admin.ask(api.undo, { kind, ibId })).toMatchObject({ code: 300, reason: 'import-undo-late' })
    expect(await colleges(school)).toHaveLength(2)
  })
})

describe('what happens between preview and commit', () => {
  test('rows that have become conflicts stop the commit, and the preview shows them', async () => {
    const { admin } = await newSchool()
    const first = await upload(admin, 'F1,甲,,', 'F2,乙,,')
    const second = await upload(admin, 'F9,甲,,')
    await admin.send(api.commit, { kind, ibId: second.ibId })
    expect(await admin.ask(api.commit, { kind, ibId: first.ibId })).toMatchObject({ reason: 'import-has-faults' })
    const { batch, records } = await preview(admin, first.ibId)
    expect(batch).toMatchObject({ newCount: 1, conflictCount: 1, ibStatus: importStatus.ready })
    expect(records[0]!.faults[0]!.msg).toBe('学院名称已属于 F9')
    expect(await admin.send(api.commit, { kind, ibId: first.ibId, skipFaults: 'true' })).toMatchObject({
      successCount: 1,
      failCount: 1,
    })
  })

  test('twenty commits at once import once', async () => {
    const school = await newSchool()
    const { ibId } = await upload(school.admin, 'G1,甲,,', 'G2,乙,,')
    const replies = await Promise.all(Array.from({ length: 20 }, () => school.admin.ask(api.commit, { kind, ibId })))
    expect(replies.filter((reply) => reply.code === 200)).toHaveLength(1)
    expect(replies.filter((reply) => reply.reason === 'import-finished')).toHaveLength(19)
    expect(await colleges(school)).toHaveLength(2)
  })
})

describe('whose import it is', () => {
  test('others see neither rows nor error workbook, and the right of the kind is asked for', async () => {
    const school = await newSchool()
    const other = await newSchool()
    const colleague = await school.person('SCHOOL_ADMIN')
    const counselor = await school.person('COUNSELOR')
    const { ibId, errorId } = await upload(school.admin, 'H1,坏,,', 'H2,好,,')
    expect(errorId).toMatch(/^[\w-]{32}$/)
    for (const client of [other.admin, colleague.client]) {
      expect(await client.ask(api.errors, { kind, errorId })).toMatchObject({ status: 404 })
      expect(await client.ask(api.preview, { kind, ibId })).toMatchObject({ status: 404 })
      expect(
        await client.ask(api.editRow, { kind, ibId, rowNo: 2, cells: { scCode: 'x', scName: 'y' } }),
      ).toMatchObject({ status: 404 })
      expect(await client.ask(api.commit, { kind, ibId, skipFaults: yesNo.yes })).toMatchObject({ status: 404 })
      expect(await client.ask(api.discard, { kind, ibId })).toMatchObject({ status: 404 })
    }
    expect((await other.admin.send(api.batches, { kind })).total).toBe(0)
    expect((await colleague.client.send(api.batches, { kind })).records).toMatchObject([{ ibId, errorId: '', can: [] }])
    for (const [call, input] of [
      [api.template, {}],
      [api.preview, { ibId }],
      [api.commit, { ibId }],
      [api.batches, {}],
    ] as const) {
      expect(await counselor.client.ask(call, { kind, ...input })).toMatchObject({ status: 403 })
      expect(await school.nobody.ask(call, { kind, ...input })).toMatchObject({ status: 401 })
    }
    expect(await counselor.client.upload(api.upload, csv('H3,x,,'), { kind })).toMatchObject({ status: 403 })
    const refused = await school.ctx.db
      .selectFrom('auditLog')
      .select('bizId')
      .where('schoolId', '=', school.schoolId)
      .where('result', '=', 'refused')
      .execute()
    expect(refused.map((row) => row.bizId)).toContain('college:edit')
  })

  test.each(['', 'x', '../../etc/passwd', "' or 1=1", 'A'.repeat(100)])(
    'error number %j gives no file',
    async (errorId) => {
      const { admin } = await newSchool()
      const reply = await admin.ask(api.errors, { kind, errorId })
      expect([300, 404]).toContain(reply.code)
    },
  )

  test('sensitive cells do not lie open in the database, and all texts are gone a day later', async () => {
    const school = await newSchool()
    const { admin, ctx, schoolId } = school
    const waiting = await upload(admin, 'J1,坏,,13800138000')
    const done = await upload(admin, 'J2,好,,13800138001', 'J3,坏,,13800138002')
    await admin.send(api.commit, { kind, ibId: done.ibId, skipFaults: yesNo.yes })
    const kept = () =>
      sql<{
        row: string
        rowNo: number
      }>`select "rowNo", "importRow"::text as row from "importRow" where "schoolId" = ${schoolId}`
        .execute(ctx.db)
        .then((result) => result.rows)
    expect(await kept()).toHaveLength(3)
    expect((await kept()).filter(({ row }) => row.includes('1380013800'))).toEqual([])
    expect((await preview(admin, waiting.ibId)).records[0]!.cells.scPhone).toBe('13800138000')

    await sql`
      update "importBatch"
      set "createTime" = "createTime" - interval '25 hours'
      where "schoolId" = ${schoolId}`.execute(ctx.db)
    expect(await admin.ask(api.errors, { kind, errorId: waiting.errorId })).toMatchObject({ status: 404 })
    expect(await admin.ask(api.commit, { kind, ibId: waiting.ibId, skipFaults: yesNo.yes })).toMatchObject({
      reason: 'import-finished',
    })
    await sweepImports(ctx)
    expect(await kept()).toEqual([])
    expect(await ctx.db.selectFrom('importFile').select('ibId').where('schoolId', '=', schoolId).execute()).toEqual([])
    expect(await admin.send(api.undo, { kind, ibId: done.ibId })).toMatchObject({ ibStatus: importStatus.undone })
  })
})

describe('what is refused', () => {
  test('kinds, targets and files that do not fit', async () => {
    const { admin } = await newSchool()
    expect(await admin.upload(api.upload, csv('K1,x,,'), { kind: 'nothing' })).toMatchObject({
      code: 300,
      errors: [{ field: 'kind' }],
    })
    expect(await admin.upload(api.upload, csv('K1,x,,'), { kind: 'lesson' })).toMatchObject({
      code: 300,
      errors: [{ field: 'liId', msg: '请选择课程' }],
    })
    expect(
      await admin.upload(api.upload, { name: 'x.xlsx', bytes: Buffer.from('PK\u0003\u0004garbage') }, { kind }),
    ).toMatchObject({ code: 300, reason: 'file-broken' })
    expect(
      await admin.upload(api.upload, { name: '学院.pdf', bytes: Buffer.from('学院编码,学院名称\n1,2') }, { kind }),
    ).toMatchObject({ code: 300, reason: 'sheet-wrong-ending', msg: expect.stringContaining('学院.pdf') as string })
    expect(
      await admin.upload(api.upload, { name: 'x.csv', bytes: Buffer.from('学院编码,名字\n1,2') }, { kind }),
    ).toMatchObject({
      reason: 'sheet-heads-wrong',
      msg: '表头与模板不符：缺少“学院名称”；无法识别“名字”。请下载模板对照后重试',
    })
    expect(await admin.ask(api.preview, { kind, ibId: 'x' })).toMatchObject({ code: 300, errors: [{ field: 'ibId' }] })
  })

  test('older waiting imports of a person give way to newer ones', async () => {
    const { admin } = await newSchool()
    for (let at = 0; at < 7; at++) await upload(admin, `L${at},学院${at},,`)
    const { records } = await admin.send(api.batches, { kind, pageSize: 20 })
    expect(records.map((batch) => batch.ibStatus)).toEqual([
      importStatus.ready,
      importStatus.ready,
      importStatus.ready,
      importStatus.ready,
      importStatus.ready,
      importStatus.discarded,
      importStatus.discarded,
    ])
    expect((await preview(admin, records[5]!.ibId)).records).toEqual([])
    await admin.send(api.discard, { kind, ibId: records[0]!.ibId })
    expect(await admin.ask(api.commit, { kind, ibId: records[0]!.ibId })).toMatchObject({ reason: 'import-finished' })
  })
})
