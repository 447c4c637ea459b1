import { beforeAll, expect, test } from 'vitest'
import { schoolApi } from '../../../contract/school/school/school.calls.ts'
import { schoolInfoApi } from '../../../contract/school/school/school-info.calls.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'

let school: TestSchool
beforeAll(async () => void (school = await newSchool()))
const entriesOf = (sdtType: string) => school.admin.send(schoolApi.dictByType, { sdtType, schoolId: school.schoolId })

test.each([
  ['circle_star', 4, ['5', '五星']],
  ['nation', 58, ['01', '汉族']],
  ['study_years', 7, ['2', '2 年']],
  ['import_type', 18, ['college', '学院']],
  ['export_type', 5, ['xlsx', '工作簿']],
  ['lesson_level', 8, ['1', '国际级']],
])('%s is answered with its %i entries', async (type, count, [value, label]) => {
  const entries = await entriesOf(type)
  expect(entries).toHaveLength(count)
  expect(entries[0]).toEqual({ value, label, sort: 0 })
})

test('terms and campuses are the school’s own', async () => {
  const terms = (await school.admin.send(schoolInfoApi.terms, { current: 1, pageSize: 50 })).records
  expect((await entriesOf('term')).map(({ value, label }) => [value, label])).toEqual(
    terms.map(({ tmId, tmName }) => [tmId, tmName]),
  )
  const [student] = await school.students(1, await place())
  await school.ctx.db
    .updateTable('person')
    .set({ suiCampus: '南校区' })
    .where('schoolId', '=', school.schoolId)
    .where('suId', '=', student!.suId)
    .execute()
  expect(await entriesOf('campus')).toEqual([{ value: '南校区', label: '南校区', sort: 0 }])
  // whoever holds a token means their own school, anybody else none
  expect(await school.admin.send(schoolApi.dictByType, { sdtType: 'campus' })).toHaveLength(1)
  expect(await school.nobody.send(schoolApi.dictByType, { sdtType: 'campus' })).toEqual([])
})
async function place() {
  const scId = await school.college()
  const majorId = await school.major(scId)
  return { suiCollegeId: scId, majorId, scClassId: await school.schoolClass(majorId, scId) }
}

test('a type that is none is told to who wants to be told, and has no entries for a client of the specification', async () => {
  for (const sdtType of ['no_such', 'constructor', '__proto__'])
    expect(await school.admin.ask(schoolApi.dictByType, { sdtType })).toMatchObject({
      code: 300,
      msg: `没有字典类型“${sdtType}”，请核对 sdtType`,
    })
  for (const sdtType of ['no_such', 'constructor', '__proto__']) {
    const plain = await fetch(
      `${school.nobody.address}/api/platformbase/sysDictCode/getDictValueByType?sdtType=${sdtType}`,
    )
    expect(await plain.json()).toMatchObject({ code: 200, data: [] })
  }
})
