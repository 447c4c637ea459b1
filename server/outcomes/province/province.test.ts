import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import type { Output } from '../../../contract/core/call.ts'
import { abilityStatApi } from '../../../contract/outcomes/statistics/ability-statistics.calls.ts'
import { circleStatApi } from '../../../contract/outcomes/statistics/circle-statistics.calls.ts'
import { lessonStatApi } from '../../../contract/outcomes/statistics/lesson-statistics.calls.ts'
import { loginStatApi } from '../../../contract/outcomes/statistics/login-statistics.calls.ts'
import { studentStatApi } from '../../../contract/outcomes/statistics/student-statistics.calls.ts'
import { supplementStatApi } from '../../../contract/outcomes/statistics/supplement-statistics.calls.ts'
import { teacherStatApi } from '../../../contract/outcomes/statistics/teacher-statistics.calls.ts'
import { wholeSchool } from '../../../contract/core/scope.ts'
import { thresholdApi } from '../../../contract/outcomes/thresholds/thresholds.calls.ts'
import type { Card } from '../../../contract/outcomes/statistics/statistics.schema.ts'
import { provinceApi, roundedTo, smallGroup } from '../../../contract/outcomes/province/province.calls.ts'
import {
  lengthOf,
  monthsBefore,
  provincePeriods,
  schoolYearAt,
} from '../../../contract/outcomes/province/province-periods.ts'
import { provinceScreens, type ProvinceScreen } from '../../../contract/outcomes/province/province-tables.ts'
import { operatorApi } from '../../../contract/school/runtime/schools.calls.ts'
import { schoolInfoApi } from '../../../contract/school/school/school-info.calls.ts'
import { systemContext } from '../../core/request/system.ts'
import { actorLifetime } from '../../core/request/actor-cache.ts'
import { useOwnDatabase } from '../../testing/database.ts'
import { atFileEnd } from '../../testing/file-end.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'
import { statisticsWorld } from '../../testing/statistics-world.ts'
import { recording } from '../../testing/recorded-statements.ts'
import { studentGroups } from '../statistics/student-figures.ts'
import { supplementParts } from '../statistics/supplement-statistics.queries.ts'
import { refreshSchool } from '../statistics/refresh.service.ts'

await useOwnDatabase()

/** The operator's own school, which has no students, and two with some. */
let home: TestSchool
let schools: TestSchool[]
let period: { startTime: string; endTime: string }

beforeAll(async () => {
  home = await newSchool()
  const size = { students: 170, staff: 80, lessons: 160, supplements: 420, logins: 900, circles: 12 }
  schools = [(await statisticsWorld(11, size)).school, (await statisticsWorld(12, size)).school]
  for (const school of schools) await refreshSchool(school.ctx, school.schoolId)
  const { config } = home.services
  const { operators } = config
  config.operators = [`${home.schoolId}/admin`]
  atFileEnd(async () => void (config.operators = operators))
  await sleep(actorLifetime)
  // the school year that holds the most of the last five hundred days: the one before until March
  const now = home.ctx.clock.now()
  const year = schoolYearAt(now)
  period = now < monthsBefore(year, -6).startTime ? monthsBefore(year, 12) : year
})

/** What the own screens of a school tell of all of it. */
const ownCards: Record<ProvinceScreen, (school: TestSchool) => Promise<readonly Card[]>> = {
  login: async ({ admin }) => (await admin.send(loginStatApi.college, period)).cards,
  lesson: async ({ admin }) => (await admin.send(lessonStatApi.info, period)).cards,
  supplement: async ({ admin }) => (await admin.send(supplementStatApi.info, period)).cards,
  ability: async ({ admin }) => (await admin.send(abilityStatApi.colleges, period)).cards,
  circle: async ({ admin }) => (await admin.send(circleStatApi.total, period)).cards,
  student: async ({ admin }) => (await admin.send(studentStatApi.total, period)).cards,
  teacher: async ({ admin }) => (await admin.send(teacherStatApi.total, period)).cards,
  threshold: async ({ admin }) => (await admin.send(thresholdApi.overview, {})).cards,
}
/** Cards that count or add up: the total is the sum of the schools. The others are shares and means. */
const sums: Record<ProvinceScreen, readonly string[]> = {
  login: ['people', 'students', 'staff', 'times', 'week', 'month', 'never'],
  lesson: ['applied', 'hours', 'granted'],
  supplement: ['apply', 'pass', 'refuse', 'pending', 'publicty', 'hours', 'twice'],
  ability: ['covered'],
  circle: ['members', 'persons', 'teachers'],
  student: ['people', 'recorded', 'zero', 'black'],
  teacher: ['people', 'hours', 'times'],
  threshold: ['level0', 'level1', 'level2', 'level3', 'finalShort'],
}
/** Of these what counts courses and circles is told as it is; everything else is rounded. */
const exact: Partial<Record<ProvinceScreen, readonly string[]>> = {
  lesson: ['count', 'running', 'done', 'stopped'],
  circle: ['count', 'active', 'disabled', 'added', 'closed', 'lessons', 'idle'],
}

/** The two parts of a rounded number that is the difference of two are each up to two away. */
const isRoundedOf = (told: number, own: number): boolean => told % roundedTo === 0 && Math.abs(told - own) < roundedTo

test.each(provinceScreens)(
  '%s (%s): each school is told as it tells itself, rounded, and totals are the sums of it',
  async (screen) => {
    const info = await home.admin.send(provinceApi.info, { screen, ...period })
    expect(info).toMatchObject({ asked: 3, counted: 2 })
    let told = 0
    for (const school of schools) {
      const row = info.schools.find(({ schoolId }) => schoolId === school.schoolId)!
      expect(row.state).toBe('told')
      for (const { key, value } of await ownCards[screen](school)) {
        if (row.small.includes(key)) expect(row.figures[key], key).toBeNull()
        else if (exact[screen]?.includes(key)) expect(row.figures[key], key).toBe(value)
        else if (sums[screen].includes(key))
          expect(isRoundedOf(row.figures[key]!, value!), `${key} ${row.figures[key]} ${value}`).toBe(true)
        else continue
        told++
      }
    }
    expect(told).toBeGreaterThan(1)
    for (const key of [...sums[screen], ...(exact[screen] ?? [])]) {
      const shown = info.schools.flatMap(({ figures }) => figures[key] ?? [])
      const total = info.cards.find((card) => card.key === key)!.value
      expect(total, key).toBe(shown.length === 0 ? null : shown.reduce((sum, value) => sum + value, 0))
    }
  },
)

test('shares are those of the rounded numbers that are told', async () => {
  for (const [screen, share, part, rest] of [
    ['student', 'coverage', ['recorded'], ['people']],
    ['supplement', 'passRate', ['pass'], ['pass', 'refuse']],
  ] as const) {
    const { cards } = await home.admin.send(provinceApi.info, {
      screen,
      ...period,
      schoolIds: [schools[0]!.schoolId],
    })
    const sumOf = (keys: readonly string[]) =>
      keys.reduce((sum, key) => sum + cards.find((card) => card.key === key)!.value!, 0)
    expect(cards.find(({ key }) => key === share)!.value, share).toBe(
      Math.round((sumOf(part) / sumOf(rest)) * 10_000) / 100,
    )
  }
})

/** A school as its own screens see it, for what the true numbers are. */
const ofSchool = ({ schoolId }: TestSchool) => ({ ...systemContext(home.services, schoolId), scope: wholeSchool })
/** Every period of two years that may be asked for. */
const periodsOf = () =>
  provincePeriods(home.ctx.clock.now(), 2).map(({ startTime, endTime }) => ({ startTime, endTime }))
const ofOne = (screen: ProvinceScreen, school: TestSchool, span: { startTime: string; endTime: string } = period) =>
  home.admin.send(provinceApi.info, { screen, ...span, schoolIds: [school.schoolId] })

test('periods that differ by some months cannot be asked for, and those that can tell multiples of five', async () => {
  const ask = (startTime: string, endTime: string) =>
    home.admin.ask(provinceApi.info, {
      screen: 'supplement',
      startTime: `${startTime} 00:00:00`,
      endTime: `${endTime} 23:59:59`,
    })
  expect(await ask('2025-09-01', '2026-03-31')).toMatchObject({ code: 300 })
  expect(await ask('2025-09-01', '2026-04-30')).toMatchObject({ code: 300 })
  expect(await ask('2025-09-01', '2026-02-28')).toMatchObject({ code: 200 })
  let told = 0
  for (const span of periodsOf()) {
    const { cards, tables } = await ofOne('supplement', schools[0]!, span)
    const counts = [
      ...cards
        .filter(({ key }) => sums.supplement.includes(key))
        .flatMap(({ value, prev, lastYear }) => [value, prev, lastYear]),
      ...tables.flatMap(({ rows }) => rows.flatMap(({ values }) => Object.values(values))),
    ]
    for (const count of counts) if (count !== null) expect(count % roundedTo, `${span.startTime} ${count}`).toBe(0)
    told += counts.filter((count) => count !== null && count > 0).length
  }
  expect(told).toBeGreaterThan(20)
})

test('a period is compared with a whole one before it, and not while it runs', async () => {
  for (const span of periodsOf()) {
    const { previous, lastYear, cards } = await ofOne('login', schools[0]!, span)
    const isOver = span.endTime < home.ctx.clock.now()
    for (const [compared, months] of [
      [previous, lengthOf(span)],
      [lastYear, 12],
    ] as const)
      expect(compared, span.startTime).toEqual(isOver ? { ...monthsBefore(span, months), part: false } : null)
    if (!isOver)
      for (const { prev, changeRate, lastYear: year, lastYearRate } of cards)
        expect([prev, changeRate, year, lastYearRate]).toEqual([null, null, null, null])
  }
})

test('the same students are hidden on every screen, so that no two screens together tell of a few', async () => {
  let hidden = 0
  for (const school of schools) {
    const people = new Map<string, string[]>()
    for (const [screen, column] of [
      ['student', 'people'],
      ['login', 'total'],
      ['ability', 'students'],
    ] as const) {
      const { rows } = (await ofOne(screen, school)).tables.find(({ key }) => key === 'grade')!
      people.set(screen, rows.flatMap(({ id, values }) => (values[column] === null ? [id] : [])).toSorted())
    }
    expect(people.get('login')).toEqual(people.get('student'))
    expect(people.get('ability')).toEqual(people.get('student'))
    hidden += people.get('student')!.length
  }
  expect(hidden).toBeGreaterThan(0)
})

test('the funnel and the cards tell the same steps, and no few between two of them', async () => {
  let [told, hidden] = [0, 0]
  for (const school of schools)
    for (const span of periodsOf()) {
      const { cards, tables } = await ofOne('lesson', school, span)
      const own = (await school.admin.send(lessonStatApi.info, span)).funnel
      const steps = tables.find(({ key }) => key === 'funnel')!.rows
      for (const key of ['applied', 'granted'])
        expect(steps.find(({ id }) => id === key)!.values['times'], `${span.startTime} ${key}`).toBe(
          cards.find((card) => card.key === key)!.value,
        )
      const shown = steps
        .filter(({ values }) => values['times'] !== null)
        .map(({ id }) => own.find(({ key }) => key === id)!.value)
      for (const [at, one] of shown.entries())
        for (const other of shown.slice(at + 1)) {
          const few = Math.abs(one - other)
          expect(few === 0 || few >= smallGroup, `${span.startTime} ${one} ${other}`).toBe(true)
        }
      told += shown.length
      hidden += steps.length - shown.length
    }
  expect(told).toBeGreaterThan(0)
  expect(hidden).toBeGreaterThan(0)
})

test('hours are not told where few records gave them, however many were handed in', async () => {
  let hidden = 0
  for (const school of schools)
    for (const span of periodsOf()) {
      const own = await supplementParts(ofSchool(school), span)
      const { tables } = await ofOne('supplement', school, span)
      for (const key of ['type', 'module', 'level'] as const)
        for (const { name, granted } of own[key]) {
          const { values } = tables.find((table) => table.key === key)!.rows.find((row) => row.name === name)!
          if (granted === 0 || granted >= smallGroup) continue
          expect(values['hours'], `${span.startTime} ${name}`).toBeNull()
          if (values['count'] !== null) hidden++
        }
    }
  expect(hidden).toBeGreaterThan(0)
})

test('a second look sends no statement for each school', async () => {
  const look = () => home.admin.send(provinceApi.info, { screen: 'teacher', ...period })
  await look()
  const sent = await recording(async () => void (await look()))
  const ofSchools = sent.filter(({ values }) => schools.some(({ schoolId }) => values.includes(schoolId)))
  expect(ofSchools.map(({ text }) => text)).toEqual([])
})

test('no number of people below ten leaves a school, alone or by subtraction from what else is told', async () => {
  const people: Partial<Record<ProvinceScreen, readonly string[]>> = {
    login: ['people', 'students', 'staff', 'week', 'month', 'never'],
    supplement: ['apply', 'pass', 'refuse', 'pending', 'publicty'],
    student: ['people', 'recorded', 'zero', 'black'],
    teacher: ['people'],
    threshold: ['level0', 'level1', 'level2', 'level3', 'finalShort'],
  }
  let hidden = 0
  for (const [screen, keys] of Object.entries(people) as [ProvinceScreen, string[]][]) {
    const { schools: rows } = await home.admin.send(provinceApi.info, { screen, ...period })
    for (const { figures, small } of rows) {
      hidden += small.length
      for (const key of keys) {
        const value = figures[key] ?? 0
        expect(value === 0 || value >= 10, `${screen} ${key} ${value}`).toBe(true)
      }
    }
  }
  expect(hidden).toBeGreaterThan(0)
  const school = schools[0]!
  const { tables } = await ofOne('student', school)
  const groups = await studentGroups(ofSchool(school), period)
  for (const { key, rows } of tables) {
    const own = groups[key as keyof typeof groups]
    // what is hidden is found by subtraction, but for what rounding leaves open: all of it together is not few
    const rest = rows
      .filter(({ values }) => values['people'] === null)
      .reduce((sum, { id }) => sum + own.get(id)!.people, 0)
    expect(rest === 0 || rest >= smallGroup, `${key} ${rest}`).toBe(true)
    for (const { id, values } of rows) {
      if (values['people'] === null) continue
      expect(own.get(id)!.people >= smallGroup, key).toBe(true)
      expect(isRoundedOf(values['people']!, own.get(id)!.people), key).toBe(true)
    }
  }
})

test('what is told of several schools is what is told of each, whichever are chosen', async () => {
  const of = async (...schoolIds: string[]) =>
    home.admin.send(provinceApi.info, { screen: 'student', ...period, schoolIds })
  const [a, b] = schools.map(({ schoolId }) => schoolId) as [string, string]
  const [one, other, both] = [await of(a), await of(b), await of(a, b)]
  const valuesOf = ({ tables }: Output<typeof provinceApi.info>, table: string, column: string) =>
    new Map(tables.find(({ key }) => key === table)!.rows.map(({ id, values }) => [id, values[column] ?? 0]))
  for (const table of ['grade', 'sex', 'credit', 'credibility']) {
    const [x, y, sum] = [one, other, both].map((info) => valuesOf(info, table, 'people')) as [
      Map<string, number>,
      Map<string, number>,
      Map<string, number>,
    ]
    for (const [id, value] of sum) expect(value, `${table} ${id}`).toBe((x.get(id) ?? 0) + (y.get(id) ?? 0))
  }
})

test('the groups of a school are those of its own screens', async () => {
  const school = schools[0]!
  const { tables } = await home.admin.send(provinceApi.info, {
    screen: 'lesson',
    ...period,
    schoolIds: [school.schoolId],
  })
  const own = await school.admin.send(lessonStatApi.info, period)
  const modules = tables.find(({ key }) => key === 'module')!.rows.filter(({ small }) => small === 0)
  expect(modules.length).toBeGreaterThan(0)
  for (const { name, values } of modules) {
    const { count, times, hours } = own.modules.find((one) => one.name === name)!
    expect(values['count'], name).toBe(count)
    expect(isRoundedOf(values['times']!, times), name).toBe(true)
    if (values['hours'] !== null) expect(isRoundedOf(values['hours']!, hours), name).toBe(true)
  }
  const trend = tables.find(({ key }) => key === 'trend')!.rows.filter(({ small }) => small === 0)
  for (const { id, values } of trend) {
    const { count, times } = own.trend.find(({ date }) => date === id)!
    expect(values['count'], id).toBe(count)
    expect(isRoundedOf(values['times']!, times), id).toBe(true)
  }
})

test('a school with few students and one that does not take part are told nothing of; its administrator sees what is', async () => {
  const [taking, leaving] = schools as [TestSchool, TestSchool]
  const rowOf = async (schoolId: string) =>
    (await home.admin.send(provinceApi.schools, { screen: 'student', ...period, pageSize: 20 })).records.find(
      (row) => row.schoolId === schoolId,
    )!
  expect(await rowOf(home.schoolId)).toMatchObject({ state: 'few', figures: { people: null } })
  const shown = await leaving.admin.send(provinceApi.own, period)
  expect(shown).toMatchObject({ state: 'told', isSeen: true })
  expect(shown.screens).toHaveLength(8)
  const ofStudents = shown.screens.find(({ screen }) => screen === 'student')!
  const row = await rowOf(leaving.schoolId)
  expect(ofStudents.figures).toEqual(row.figures)
  expect(ofStudents.small).toEqual(row.small)

  const share = async (provinceShare: '0' | '1') => {
    const { version } = await leaving.admin.send(schoolInfoApi.settings, {})
    await leaving.admin.send(schoolInfoApi.saveSettings, { version, values: { provinceShare } })
  }
  await share('0')
  expect(await rowOf(leaving.schoolId)).toMatchObject({ state: 'withheld', figures: { people: null } })
  expect((await home.admin.send(provinceApi.options, {})).filter(({ isWithheld }) => isWithheld)).toHaveLength(1)
  const info = await home.admin.send(provinceApi.info, { screen: 'student', ...period })
  const own = await taking.admin.send(studentStatApi.total, period)
  expect(info.counted).toBe(1)
  expect(isRoundedOf(info.cards.find(({ key }) => key === 'people')!.value!, own.people!)).toBe(true)
  expect((await leaving.admin.send(provinceApi.own, period)).state).toBe('withheld')
  await share('1')
  expect((await rowOf(leaving.schoolId)).state).toBe('told')
})

test('nobody else sees across schools, and no look of whoever may is without trace', async () => {
  const input = { screen: 'login' as const, ...period }
  const stranger = schools[0]!
  for (const call of [provinceApi.info, provinceApi.schools, provinceApi.options, provinceApi.exportSchools])
    expect(await stranger.admin.ask(call as typeof provinceApi.info, input)).toMatchObject({ status: 403 })
  const { db } = home.ctx
  const looks = () =>
    db
      .selectFrom('auditLog')
      .select(['logId', 'bizName', 'after', 'actorName'])
      .where('schoolId', '=', home.schoolId)
      .where('action', '=', '查看全省统计')
      .execute()
  const before = await looks()
  await home.admin.send(provinceApi.info, { ...input, schoolIds: [stranger.schoolId] })
  const added = (await looks()).filter(({ logId }) => !before.some((look) => look.logId === logId))
  expect(added).toMatchObject([{ bizName: '登录统计', after: { schools: stranger.schoolId } }])
})

test('who is named for the statistics alone sees them and not the schools, as long as they see their own', async () => {
  const { config } = home.services
  const suiNumber = `${Date.now()}`
  const viewer = await home.person('DATA_VIEWER', [], { suiNumber })
  config.statisticsViewers = [`${home.schoolId}/${suiNumber}`]
  atFileEnd(async () => void (config.statisticsViewers = []))
  await sleep(actorLifetime)
  expect(await viewer.client.ask(provinceApi.options, {})).toMatchObject({ status: 200 })
  expect(await viewer.client.ask(operatorApi.schools, {})).toMatchObject({ status: 403 })
  await home.ctx.db.deleteFrom('roleUser').where('suId', '=', viewer.suId).execute()
  await sleep(actorLifetime)
  expect(await viewer.client.ask(provinceApi.options, {})).toMatchObject({ status: 403 })
})

test('the schools leave as a workbook or text, with their sums, and an unknown or bad wish is refused', async () => {
  const wish = { screen: 'student', ...period }
  const { bytes } = await home.admin.download(provinceApi.exportSchools, wish, 'text/csv')
  const lines = bytes.toString('utf8').trim().split('\r\n')
  expect(lines).toHaveLength(1 + 3 + 1)
  expect(lines.at(-1)).toContain('合计')
  for (const { schoolId } of schools) expect(lines.some((line) => line.includes(schoolId))).toBe(true)
  const book = await home.admin.download(provinceApi.exportSchools, wish)
  expect(book.name).toMatch(/^全省统计_学生统计_.*\.xlsx$/)
  const ask = (more: object) => home.admin.ask(provinceApi.info, { screen: 'student', ...period, ...more } as never)
  expect(await ask({ schoolIds: ['nowhere'] })).toMatchObject({ code: 300 })
  // the longest codes there are: so many fit into an address, of more it is told
  const codes = (count: number) => Array.from({ length: count }, (_, at) => String(at).padStart(32, 's'))
  expect(await ask({ schoolIds: codes(200) })).toMatchObject({ reason: 'no-such-school' })
  expect((await ask({ schoolIds: codes(201) })).errors).toEqual([
    { field: 'schoolIds', msg: '一次最多选择 200 所学校；要看全部学校请不选择' },
  ])
  expect(await ask({ schoolIds: codes(1000) })).toMatchObject({
    status: 431,
    reason: 'address-too-long',
    msg: '请求的地址与请求头合计超过 16 KB，无法处理，请减少一次选择的条目或缩短查询内容后重试',
  })
  expect(await ask({ startTime: period.startTime.replace('-01 ', '-02 ') })).toMatchObject({ code: 300 })
  expect(await ask({ endTime: period.startTime.replace('00:00:00', '23:59:59') })).toMatchObject({ code: 300 })
  expect(await ask({ screen: 'political' })).toMatchObject({ code: 300 })
  expect(await home.admin.ask(provinceApi.schools, { screen: 'student', ...period, sort: 'suiName' })).toMatchObject({
    code: 300,
  })
})
