import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Output } from '../../../contract/core/call.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { importApi } from '../../../contract/platform/imports/imports.calls.ts'
import { piiApi } from '../../../contract/school/people/pii.calls.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { sheetIn } from '../../testing/sheet-in.ts'
import type { Client } from '../../testing/client.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'
import { faultyCases, faultyHeaders, faultyPlaces, rowOfCase, takenNumbers } from './fixtures/faulty-students.ts'

const kind = 'student' as const
const bytes = readFileSync(fileURLToPath(new URL('../../../e2e/fixtures/students-faults.xlsx', import.meta.url)))

let school: TestSchool
/** Who sees the first college only. */
let client: Client
let batch: Output<typeof importApi.upload>
let rows: Output<typeof importApi.preview>['records']

beforeAll(async () => {
  school = await newSchool()
  const scIds = new Map<string, string>()
  const smIds = new Map<string, string>()
  const classIds = new Map<string, string>()
  for (const name of faultyPlaces.colleges) scIds.set(name, await school.college(name))
  for (const [name, college] of faultyPlaces.majors) smIds.set(name, await school.major(scIds.get(college)!, name))
  for (const [scClassName, major, scClassGrade] of faultyPlaces.classes)
    classIds.set(
      scClassName,
      await school.schoolClass(smIds.get(major)!, scIds.get(faultyPlaces.majors.find(([one]) => one === major)![1])!, {
        scClassName,
        scClassGrade,
      }),
    )
  const place = {
    suiCollegeId: scIds.get('数智学院')!,
    majorId: smIds.get('智能科学')!,
    scClassId: classIds.get('智科2401')!,
  }
  const [known] = await school.students(1, place)
  await school.ctx.db
    .updateTable('person')
    .set({ suiNumber: takenNumbers.student, suiName: takenNumbers.studentName })
    .where('suId', '=', known!.suId)
    .execute()
  await school.person('GUIDE_TEACHER', [], { suiNumber: takenNumbers.teacher, suiCollegeId: place.suiCollegeId })
  client = (await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: place.suiCollegeId }])).client
  const reply = await client.upload(importApi.upload, { name: '学生.xlsx', bytes }, { kind })
  expect(reply.msg).toBe('操作成功')
  batch = reply.data
  rows = (await client.send(importApi.preview, { kind, ibId: batch.ibId, pageSize: 200 })).records
})

describe('a file saved by LibreOffice, with every kind of fault', () => {
  test.each(faultyCases.map((each, at) => [each.what, each, rowOfCase(at)] as const))(
    '%s',
    (_, { verdict, says = [] }, rowNo) => {
      const row = rows.find((one) => one.rowNo === rowNo)!
      expect(row.faults.map(({ key, msg }) => `${key}: ${msg}`)).toEqual(says)
      expect(row.verdict).toBe(verdict)
    },
  )

  test('is read to its last row and no further', () => expect(rows).toHaveLength(faultyCases.length))

  test('gives the faulty rows back as a workbook: the columns as they were, the row and all reasons, faulty cells marked', async () => {
    const { bytes: workbook } = await client.download(importApi.errors, { kind, errorId: batch.errorId })
    const { lines } = await sheetIn(workbook)
    const bad = faultyCases.flatMap((one, at) => (one.verdict === 'new' ? [] : [{ ...one, no: rowOfCase(at) }]))
    expect(lines[0]!.cells).toEqual(['行号', ...faultyHeaders, '错误原因'])
    expect(lines.slice(1).map(({ cells }) => [cells[0], cells[19]])).toEqual(
      bad.map(({ no, says }) => [String(no), says!.map((said) => said.slice(said.indexOf(' ') + 1)).join('；')]),
    )
    const again = await client.upload(importApi.upload, { name: '错误明细.xlsx', bytes: workbook }, { kind })
    // a formula comes back as its value, which is all that was wrong with it
    expect(again.data).toMatchObject({ newCount: 1, failCount: bad.length - 1 })
  })
})

test('good rows are kept as they were meant, faulty ones mended in place', async () => {
  const ibId = batch.ibId
  const bad = rows.find(({ faults }) => faults[0]?.msg.startsWith('没有名为“某某党”'))!
  const mended = await client.send(importApi.editRow, {
    kind,
    ibId,
    rowNo: bad.rowNo,
    cells: { ...bad.cells, suiPolitical: '群众' },
  })
  expect(mended.row).toMatchObject({ verdict: 'new', faults: [] })
  const good = faultyCases.flatMap((one, at) =>
    one.verdict === 'new' ? [{ ...one, row: rows.find(({ rowNo }) => rowNo === rowOfCase(at))! }] : [],
  )
  expect(await client.send(importApi.commit, { kind, ibId, skipFaults: yesNo.yes })).toMatchObject({
    newCount: good.length + 1,
    failCount: faultyCases.length - good.length - 1,
  })
  for (const { row, reads = {} } of good) {
    const number = String(reads['suiNumber'] ?? row.cells['suiNumber'])
    const [found] = (await client.send(studentApi.list, { current: 1, pageSize: 10, search: number })).records
    const detail = await client.send(studentApi.detail, { id: found!.suId })
    const opened =
      'birth' in reads
        ? (await client.send(piiApi.unmask, { suId: found!.suId, fields: ['birth'], reason: '核对导入的出生日期' }))
            .values
        : {}
    expect({
      ...detail,
      ...opened,
      suiNation: detail.suiNation ?? '',
      suiPolitical: detail.suiPolitical ?? '',
    }).toMatchObject({ suiNumber: number, ...reads })
  }
})

test('cells merged among the data are refused with the file, told where they are', async () => {
  const merged = readFileSync(fileURLToPath(new URL('../../core/sheets/fixtures/merged.xlsx', import.meta.url)))
  const { data } = await school.admin.upload(
    importApi.upload,
    { name: 'a.xlsx', bytes: merged },
    { kind: 'teacher', match: '1' },
  )
  const match = {
    headNo: 1,
    columns: [
      { at: 0, key: 'suiNumber' },
      { at: 1, key: 'suiName' },
    ],
  }
  expect(await school.admin.ask(importApi.match, { kind: 'teacher', ibId: data.ibId, ...match })).toMatchObject({
    reason: 'sheet-merged',
    msg: 'B3:C3 是合并单元格，请取消合并并补全内容后重试',
  })
})
