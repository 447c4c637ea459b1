import { beforeAll, describe, expect, test } from 'vitest'
import { importStatus, yesNo } from '../../../contract/core/codes/platform.ts'
import { testApp } from '../../testing/app.ts'
import type { Client } from '../../testing/client.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'
import { tryApi as api, tryRoutes } from '../../testing/trial-college.ts'

beforeAll(async () => void (await testApp(tryRoutes)))

const kind = 'college' as const
const file = (...lines: string[]) => ({ name: '院系.csv', bytes: Buffer.from(lines.join('\n')) })
const upload = async (client: Client, lines: string[], more: Record<string, string> = { match: '1' }) =>
  (await client.upload(api.upload, file(...lines), { kind, ...more })).data
const exported = ['院系一览', '代号,全称,负责人', 'M1,甲院,张', 'M2,乙院,李']
const match = (columns: [number, string][], headerNo = 2) => ({
  kind,
  headNo: headerNo,
  columns: columns.map(([at, key]) => ({ at, key })),
})
const colleges = ({ ctx, schoolId }: TestSchool) =>
  ctx.db
    .selectFrom('college')
    .select(['scCode', 'scName', 'scShort'])
    .where('schoolId', '=', schoolId)
    .orderBy('scCode')
    .execute()

describe('a file whose headers are not those of the template', () => {
  test('waits for its columns to be matched, and remembers how for the next one', async () => {
    const school = await newSchool()
    const { admin } = school
    const batch = await upload(admin, exported)
    expect(batch).toMatchObject({ ibStatus: importStatus.awaitingColumns, rowCount: 0, can: ['match', 'discard'] })
    const seen = await admin.send(api.columns, { kind, ibId: batch.ibId })
    expect(seen).toMatchObject({
      headNo: 2,
      columns: [
        { letter: 'A', head: '代号', samples: ['M1', 'M2'] },
        { letter: 'B', head: '全称' },
        { letter: 'C', head: '负责人', key: '' },
      ],
    })
    expect(seen.fields[0]).toMatchObject({ key: 'scCode', label: '学院编码', required: true, hint: '必填；最多 20 字' })

    expect(await admin.ask(api.match, { ...match([[0, 'scCode']]), ibId: batch.ibId })).toMatchObject({
      reason: 'import-columns-missing',
      msg: '还有必填字段没有匹配：“学院名称”',
    })
    const checked = await admin.send(api.match, {
      ...match([
        [0, 'scCode'],
        [1, 'scName'],
      ]),
      ibId: batch.ibId,
    })
    expect(checked).toMatchObject({
      ibStatus: importStatus.ready,
      newCount: 2,
      rowCount: 2,
      matched: true,
      can: ['commit', 'match', 'discard'],
    })
    const { records, columns } = await admin.send(api.preview, { kind, ibId: batch.ibId })
    expect(columns.map(({ label }) => label)).toEqual(['学院编码', '学院名称'])
    expect(records.map(({ rowNo, cells }) => [rowNo, cells['scCode'], cells['scName']])).toEqual([
      [3, 'M1', '甲院'],
      [4, 'M2', '乙院'],
    ])
    await admin.send(api.commit, { kind, ibId: batch.ibId })
    expect(await colleges(school)).toHaveLength(2)

    const next = await upload(admin, ['另一份名单', ' 代 号,全称：,负责人', 'M3,丙院,王'])
    expect(next).toMatchObject({ ibStatus: importStatus.ready, newCount: 1, matched: true })
    const colleague = await school.person('SCHOOL_ADMIN')
    expect(await upload(colleague.client, exported)).toMatchObject({ ibStatus: importStatus.awaitingColumns })
  })

  test('can be matched again as long as it waits', async () => {
    const { admin } = await newSchool()
    const { ibId } = await upload(admin, exported)
    await admin.send(api.match, {
      ...match([
        [0, 'scCode'],
        [1, 'scName'],
        [2, 'scShort'],
      ]),
      ibId,
    })
    const seen = await admin.send(api.columns, { kind, ibId })
    expect(seen.columns.map(({ key }) => key)).toEqual(['scCode', 'scName', 'scShort'])
    expect(
      await admin.send(api.match, {
        ...match([
          [0, 'scCode'],
          [2, 'scName'],
        ]),
        ibId,
      }),
    ).toMatchObject({ newCount: 2 })
    expect((await admin.send(api.preview, { kind, ibId })).records.map(({ cells }) => cells['scName'])).toEqual([
      '张',
      '李',
    ])
    await admin.send(api.commit, { kind, ibId })
    expect(
      await admin.ask(api.match, {
        ...match([
          [0, 'scCode'],
          [1, 'scName'],
        ]),
        ibId,
      }),
    ).toMatchObject({ reason: 'import-finished' })
    expect(await admin.ask(api.columns, { kind, ibId })).toMatchObject({ reason: 'import-finished' })
  })

  test('is refused as before where nobody offers to match it', async () => {
    const { admin } = await newSchool()
    expect(await admin.upload(api.upload, file(...exported), { kind })).toMatchObject({
      code: 300,
      reason: 'sheet-heads-wrong',
    })
    expect(await admin.upload(api.upload, file('', ''), { kind, match: '1' })).toMatchObject({ code: 300 })
    expect((await admin.send(api.batches, { kind })).total).toBe(0)
  })

  test.each<[what: string, columns: [number, string][], headNo?: number]>([
    [
      'a field twice',
      [
        [0, 'scCode'],
        [1, 'scCode'],
        [2, 'scName'],
      ],
    ],
    [
      'a column twice',
      [
        [0, 'scCode'],
        [0, 'scName'],
      ],
    ],
    [
      'an unknown field',
      [
        [0, 'scCode'],
        [1, 'scName'],
        [2, 'createBy'],
      ],
    ],
    [
      'a row far below',
      [
        [0, 'scCode'],
        [1, 'scName'],
      ],
      999,
    ],
  ])('a match with %s is refused', async (_, columns, headerNo) => {
    const { admin } = await newSchool()
    const { ibId } = await upload(admin, exported)
    expect((await admin.ask(api.match, { ...match(columns, headerNo), ibId })).code).toBe(400)
    expect((await admin.send(api.batch, { kind, ibId })).ibStatus).toBe(importStatus.awaitingColumns)
  })

  test('is nobody else’s to match', async () => {
    const school = await newSchool()
    const other = await newSchool()
    const colleague = await school.person('SCHOOL_ADMIN')
    const { ibId } = await upload(school.admin, exported)
    for (const client of [other.admin, colleague.client]) {
      expect(await client.ask(api.columns, { kind, ibId })).toMatchObject({ status: 404 })
      expect(
        await client.ask(api.match, {
          ...match([
            [0, 'scCode'],
            [1, 'scName'],
          ]),
          ibId,
        }),
      ).toMatchObject({ status: 404 })
    }
    const kept = await school.ctx.db
      .selectFrom('importBatch')
      .select('top')
      .where('schoolId', '=', school.schoolId)
      .executeTakeFirstOrThrow()
    const { content } = await school.ctx.db
      .selectFrom('importFile')
      .select('content')
      .where('schoolId', '=', school.schoolId)
      .executeTakeFirstOrThrow()
    for (const bytes of [kept.top!, content]) expect(bytes.includes('甲院')).toBe(false)
  })
})

describe('what is written', () => {
  const rows = ['学院编码,学院名称,简称', 'N1,甲院,甲', 'N2,乙院,乙', 'N2,丙院,丙']

  test('a row that is left out frees those it repeated, and may be taken in again', async () => {
    const school = await newSchool()
    const { admin } = school
    const { ibId } = await upload(admin, rows)
    expect(await admin.send(api.skipRow, { kind, ibId, rowNo: 4 })).toMatchObject({
      row: { verdict: 'skip', faults: [], cells: { scName: '丙院' } },
      batch: { newCount: 2, skipCount: 1, conflictCount: 0 },
    })
    expect((await admin.send(api.preview, { kind, ibId, verdict: 'skip' })).records).toHaveLength(1)
    expect(await admin.send(api.skipRow, { kind, ibId, rowNo: 4, skip: false })).toMatchObject({
      row: { verdict: 'conflict' },
      batch: { newCount: 1, skipCount: 0, conflictCount: 2 },
    })
    await admin.send(api.skipRow, { kind, ibId, rowNo: 3 })
    expect(await admin.send(api.commit, { kind, ibId })).toMatchObject({
      ibStatus: importStatus.imported,
      successCount: 2,
      skipCount: 1,
    })
    expect((await colleges(school)).map(({ scName }) => scName)).toEqual(['甲院', '丙院'])
    expect(await admin.ask(api.skipRow, { kind, ibId, rowNo: 4 })).toMatchObject({ reason: 'import-finished' })
  })

  test('records that exist already stay as they are where only new ones are wanted', async () => {
    const school = await newSchool()
    const { admin } = school
    await admin.send(api.commit, { kind, ibId: (await upload(admin, rows.slice(0, 2))).ibId })
    const { ibId } = await upload(admin, ['学院编码,学院名称,简称', 'N1,甲甲院,甲甲', 'N9,新院,新'])
    expect(await admin.send(api.commit, { kind, ibId, newOnly: yesNo.yes })).toMatchObject({
      newOnly: true,
      newCount: 1,
      updateCount: 1,
      successCount: 1,
      failCount: 0,
    })
    expect((await colleges(school)).map(({ scName }) => scName)).toEqual(['甲院', '新院'])
    expect(await admin.send(api.undo, { kind, ibId })).toMatchObject({ ibStatus: importStatus.undone })
    expect((await colleges(school)).map(({ scName }) => scName)).toEqual(['甲院'])
  })

  test('can no longer be taken back after thirty days', async () => {
    const school = await newSchool()
    const { admin, ctx, schoolId } = school
    const { ibId } = await upload(admin, rows.slice(0, 2))
    await admin.send(api.commit, { kind, ibId })
    await ctx.db
      .updateTable('importBatch')
      .set({ createTime: '2020-01-01 08:00:00' })
      .where('schoolId', '=', schoolId)
      .execute()
    expect(await admin.send(api.batch, { kind, ibId })).toMatchObject({ ibStatus: importStatus.imported, can: [] })
    expect(await admin.ask(api.undo, { kind, ibId })).toMatchObject({ reason: 'import-finished' })
  })
})
