import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { supplementStatus, supplementType, supSource, supplementTab } from '../../../contract/core/codes/programme.ts'
import { countedRows } from '../../../contract/core/paging.ts'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import type { Input } from '../../../contract/core/call.ts'
import type { Client } from '../../testing/client.ts'
import { supplementWorldOfTests, type SupplementWorldOfTests } from '../../testing/supplements.ts'
import { recording } from '../../testing/recorded-statements.ts'
import { sumUpSupplementCounts } from './supplement-counts.queries.ts'
import { asOwner } from '../../testing/database.ts'

/** More records than a list counts by text, and than a page is walked to from the start. */
const size = 10_600

let world: SupplementWorldOfTests
let admin: Client
let leader: Client
beforeAll(async () => {
  world = await supplementWorldOfTests()
  const { school } = world
  admin = school.admin
  leader = world.leader.client
  const own = (await world.students(5)).map(({ suId }) => suId)
  const elsewhere = await Promise.all([1, 2, 3].map(async () => (await world.students(1))[0]!.suId))
  const otherCollege = await school.college()
  await school.ctx.db
    .updateTable('person')
    .set({ suiCollegeId: otherCollege, suiGrade: '2019' })
    .where('schoolId', '=', school.schoolId)
    .where('suId', 'in', elsewhere)
    .execute()
  const people = [...own, ...elsewhere]
  const lsId = school.curriculum['JNTC']!
  const node = await school.ctx.db
    .selectFrom('curriculum')
    .select('lsPath')
    .where('schoolId', '=', school.schoolId)
    .where('lsId', '=', lsId)
    .executeTakeFirstOrThrow()
  await sql`
    insert into "supplement" ("schoolId", "lisId", "lisName", "suId", "lsId", "lsPath", "lisType", "lisLevel", "lisAward",
      "lisObtainDate", "certNo", "lisHours", "lisStatus", "lisPublictyEdate", "source", "delFlag", "createBy", "createName",
      "createTime")
    select ${school.schoolId}, gen_random_uuid(),
      (array['全国大学生数学建模竞赛', '“互联网+”100%_创新\\竞赛', 'ABC英语竞赛'])[1 + n % 3] || n % 50,
      (${people}::uuid[])[1 + n % ${people.length}], ${lsId}::uuid, ${node.lsPath}::uuid[],
      (array['1', '2', '6'])[1 + n % 3], (array['2', '3', '5'])[1 + n / 7 % 3], case when n % 11 = 0 then '一等奖' else '' end,
      date '2025-01-01' + n % 400, 'ZS' || 10000000 + n, n * 37 % 5 * 100,
      case when n % 50 = 0 then ${supplementStatus.deleted}
        else (array['0', '2', '5', '6', '6'])[1 + n % 5]
      end,
      case when n % 4 = 0 then timestamptz '2025-06-01' + n % 9 * interval '1 day' end,
      case when n % 97 = 0 then '2' else '1' end,
      case when n % 50 = 0 then ${yesNo.yes} else ${yesNo.no} end,
      ${world.leader.suId}::uuid, '', timestamptz '2025-02-01' + n % 977 * interval '1 minute'
    from generate_series(1, ${size}::int) n`.execute(school.ctx.db)
}, 60_000)

type Filters = Omit<Input<typeof supplementApi.list>, 'current' | 'pageSize'>
interface Row {
  lisId: string
  suiName: string
  suiNumber: string
  suiGrade: string
  suiCollegeId: string
  lisName: string
  lisAward: string
  certNo: string
  lisType: string
  lisLevel: string
  lisStatus: string
  source: string
  delFlag: string
  lisObtainDate: string
  createTime: string
  lisHours: number
  lisPublictyEdate: string | null
}

/** Every record with its student, read plainly. */
const allRows = async () =>
  (await world.school.ctx.db
    .selectFrom('supplement')
    .innerJoin('person', (join) =>
      join.onRef('person.schoolId', '=', 'supplement.schoolId').onRef('person.suId', '=', 'supplement.suId'),
    )
    .selectAll('supplement')
    .select(['suiName', 'suiNumber', 'suiGrade', 'suiCollegeId'])
    .where('supplement.schoolId', '=', world.school.schoolId)
    .execute()) as unknown as Row[]

const states: Record<string, string> = {
  '1': supplementStatus.passed,
  '2': supplementStatus.inNotice,
  '3': supplementStatus.credited,
}

/** What the list should show of some rows, in its order. */
function expected(rows: Row[], { sort: asked, order: wished, ...filters }: Filters): string[] {
  const sort = asked ?? 'createTime'
  const order = wished ?? (asked ? 'asc' : 'desc')
  const holds = (text: string, part: unknown) => part === undefined || text.includes(String(part))
  const equals = (value: string, wanted: unknown) => wanted === undefined || value === String(wanted)
  const isDeleted = filters.flagType === '4' || filters.lisStatus === supplementStatus.deleted
  const wanted = rows.filter(
    (row) =>
      row.delFlag === (isDeleted ? yesNo.yes : yesNo.no) &&
      equals(row.lisStatus, states[String(filters.flagType)] ?? undefined) &&
      equals(row.lisStatus, filters.lisStatus) &&
      equals(row.lisType, filters.lisType) &&
      equals(row.lisLevel, filters.lisLevel) &&
      equals(row.source, filters.source) &&
      equals(row.suiGrade, filters.suiGrade) &&
      equals(row.suiCollegeId, filters.collegeId) &&
      holds(row.suiName, filters.suiName) &&
      holds(row.suiNumber, filters.suiNumber) &&
      holds(row.lisName, filters.lisName) &&
      holds(row.lisAward, filters.lisAward) &&
      holds(row.certNo, filters.certNo) &&
      (filters.obtainStart === undefined || row.lisObtainDate >= String(filters.obtainStart)) &&
      (filters.obtainEnd === undefined || row.lisObtainDate <= String(filters.obtainEnd)),
  )
  // nothing comes last in ascending order, as in the database
  const compare = (a: string | number | null, b: string | number | null) =>
    a === b ? 0 : a === null ? 1 : b === null ? -1 : a < b ? -1 : 1
  const direction = order === 'desc' ? -1 : 1
  return wanted
    .sort((a, b) => direction * (compare(a[sort], b[sort]) || compare(a.lisId, b.lisId)))
    .map(({ lisId }) => lisId)
}

const page = async (client: Client, filters: Filters, current: number, pageSize = 50) => {
  const { records, total, isCapped } = await client.send(supplementApi.list, { ...filters, current, pageSize })
  return { lisIds: records.map(({ lisId }) => lisId), total, isCapped }
}

const cases: Filters[] = [
  {},
  { order: 'asc' },
  { sort: 'lisObtainDate', order: 'desc' },
  { sort: 'lisName', order: 'asc' },
  { sort: 'suiNumber', order: 'asc' },
  { sort: 'suiNumber', lisType: supplementType.competitionAward },
  { sort: 'lisHours' },
  { sort: 'lisPublictyEdate' },
  { sort: 'lisPublictyEdate', order: 'asc' },
  { flagType: supplementTab.awaitingNotice },
  { flagType: supplementTab.credited, lisType: supplementType.competitionAward, lisLevel: '2' },
  { flagType: supplementTab.deleted },
  { flagType: supplementTab.awaitingNotice, lisStatus: supplementStatus.draft },
  { lisStatus: supplementStatus.deleted, source: supSource.imported },
  { source: supSource.imported },
  { source: supSource.imported, lisLevel: '3', sort: 'lisHours', order: 'asc' },
  { obtainStart: '2025-03-01', obtainEnd: '2025-05-31' },
  { obtainStart: '2025-03-01', sort: 'lisObtainDate', lisType: supplementType.volunteering },
  { suiGrade: '2019' },
  { suiGrade: '2019', lisName: '建模' },
  { lisName: '建模' },
  { lisName: '数学建模竞赛1', lisType: supplementType.competitionAward },
  { lisName: '%_创' },
  { lisName: '新\\竞' },
  { lisName: 'abc' },
  { lisName: 'ABC', obtainStart: '2025-03-01', obtainEnd: '2025-05-31' },
  { lisName: '模' },
  { lisName: '没有' },
  { lisName: '竞赛', sort: 'lisHours' },
  { lisAward: '一等' },
  { certNo: 'ZS10000077' },
  { certNo: '0077' },
  { certNo: '7', lisAward: '等奖', sort: 'lisName' },
]

describe('the list of records', () => {
  test.each(['the whole school', 'a college'])(
    'shows %s what a plain reading finds, on any page',
    async (who) => {
      const client = who === 'a college' ? leader : admin
      // whoever looks after the college entered them all, and sees nothing else
      const rows = await allRows()
      for (const filters of cases) {
        const wanted = expected(rows, filters)
        const last = Math.max(1, Math.ceil(wanted.length / 50))
        for (const current of new Set([1, Math.ceil(last * 0.7), last, last + 1]))
          expect(await page(client, filters, current), `${JSON.stringify(filters)} ${current}`).toEqual({
            lisIds: wanted.slice((current - 1) * 50, current * 50),
            total: wanted.length,
            isCapped: false,
          })
      }
    },
    120_000,
  )

  test('counts up to ten thousand what a frequent word finds, says so, and shows its pages', async () => {
    const rows = await allRows()
    const wanted = expected(rows, { lisName: '竞赛' })
    expect(wanted.length).toBeGreaterThan(countedRows)
    for (const current of [1, 3, countedRows / 50, countedRows / 50 + 1])
      expect(await page(admin, { lisName: '竞赛' }, current)).toEqual({
        lisIds: current * 50 > countedRows ? [] : wanted.slice((current - 1) * 50, current * 50),
        total: countedRows,
        isCapped: true,
      })
  })
})

/** The statements about records that the database is sent meanwhile. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  await work()
  const statements = await recording(async () => void (await work()))
  return statements.map(({ text }) => text).filter((text) => text.includes('"supplement'))
}

describe('the numbers of records in each state', () => {
  test.each(['the whole school', 'a college'])('are told %s of what the other filters find', async (who) => {
    const client = who === 'a college' ? leader : admin
    const rows = await allRows()
    for (const { lisStatus: _, flagType: __, sort: ___, order: ____, ...filters } of [...cases, { lisName: '竞赛' }]) {
      const found = new Set([
        ...expected(rows, filters),
        ...expected(rows, { ...filters, flagType: supplementTab.deleted }),
      ])
      const wanted = new Map<string, number>()
      for (const { lisId, lisStatus } of rows)
        if (found.has(lisId)) wanted.set(lisStatus, (wanted.get(lisStatus) ?? 0) + 1)
      expect(await client.send(supplementApi.count, filters), JSON.stringify(filters)).toEqual(
        Object.keys(filters).length === 0 || found.size <= countedRows
          ? [...wanted].toSorted().map(([lisStatus, count]) => ({ lisStatus, count }))
          : null,
      )
    }
  })
})

describe('the numbers of records by kind', () => {
  const byState = async () =>
    (
      await sql<{ lisStatus: string; count: number }>`
        select "lisStatus", count(*)::int "count"
        from "supplement"
        where "schoolId" = ${world.school.schoolId}
        group by 1
        order by 1`.execute(world.school.ctx.db)
    ).rows

  test('hold after records are added, changed, deleted and removed, before and after they are summed up', async () => {
    const { db } = world.school.ctx
    const { schoolId } = world.school
    const agree = async () => {
      const counted = await byState()
      expect(await admin.send(supplementApi.count, {})).toEqual(counted)
      expect((await page(admin, { flagType: supplementTab.credited }, 1)).total).toBe(
        counted.find(({ lisStatus }) => lisStatus === supplementStatus.credited)!.count,
      )
    }
    await agree()
    const [student] = await world.students(1)
    for (let at = 0; at < 3; at++) await world.secretary.client.send(supplementApi.save, world.form(student!.suId))
    const draft = await world.secretary.client.send(supplementApi.save, world.form(student!.suId))
    await world.secretary.client.send(supplementApi.remove, { lisId: draft.lisId, delFlag: yesNo.yes })
    await agree()
    // one statement a record, so that there is something to sum up
    const some = await db
      .selectFrom('supplement')
      .select('lisId')
      .where('schoolId', '=', schoolId)
      .where('lisStatus', '=', supplementStatus.passed)
      .limit(260)
      .execute()
    for (const { lisId } of some)
      await db
        .updateTable('supplement')
        .set({ lisStatus: supplementStatus.credited })
        .where('schoolId', '=', schoolId)
        .where('lisId', '=', lisId)
        .execute()
    await asOwner((all) =>
      all.deleteFrom('supplement').where('schoolId', '=', schoolId).where('lisId', '=', some[0]!.lisId).execute(),
    )
    await agree()
    const changes = async () =>
      (await db.selectFrom('supplementCount').select('countNo').where('schoolId', '=', schoolId).execute()).length
    const before = await changes()
    await Promise.all([sumUpSupplementCounts({ db }), sumUpSupplementCounts({ db })])
    expect(await changes()).toBeLessThan(before - 200)
    await agree()
  })

  test('are what the list and its tabs tell, without counting records', async () => {
    for (const filters of [
      {},
      { flagType: supplementTab.credited },
      { lisType: supplementType.competitionAward, lisLevel: '2', source: supSource.enteredForStudent },
    ] as const) {
      const texts = await statementsOf(() => admin.send(supplementApi.list, { ...filters, pageSize: 50 }))
      // but for the questions about each record that is shown
      expect(texts.filter((text) => text.replace(/count\(\*\)::int\s+from "question"/, '').includes('count('))).toEqual(
        [],
      )
      expect(texts.filter((text) => text.includes('sum("records")'))).toHaveLength(1)
      expect(texts).toHaveLength(3)
    }
    const [tabs, ...others] = await statementsOf(() => admin.send(supplementApi.count, {}))
    expect(tabs).toContain('from "supplementCount"')
    expect(others).toEqual([])
  })

  test('what a scope or a text narrows is found and counted by one statement', async () => {
    const finding = (texts: string[]) => texts.filter((text) => !text.includes('"lessonLevel"'))
    const ofCollege = finding(await statementsOf(() => leader.send(supplementApi.list, { pageSize: 50 })))
    expect(ofCollege).toHaveLength(1)
    expect(ofCollege[0]).toContain('union all')
    const [sample, ...ofWord] = finding(await statementsOf(() => admin.send(supplementApi.list, { lisName: '建模9' })))
    expect(sample).toContain('limit')
    expect(ofWord).toHaveLength(1)
  })
})
