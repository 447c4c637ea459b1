import { planCalendarApi } from '../../../contract/school/school/plan-calendar.calls.ts'
import { beforeAll, expect, test } from 'vitest'
import { circleApplyApi } from '../../../contract/programme/circles/applications.calls.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { circleAuthStatus, lessonStatus } from '../../../contract/core/codes/programme.ts'
import { homeApi } from '../../../contract/programme/home/home.calls.ts'
import { newsApi } from '../../../contract/platform/news/news.calls.ts'
import type { Input } from '../../../contract/core/call.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { addDays, addMinutes, dayOf } from '../../core/base/clock.ts'
import { circleOf, newsOf } from '../../testing/matrix-life.ts'
import { newSchool, type TestPerson, type TestSchool } from '../../testing/school.ts'
import { storeLesson } from '../../testing/stored-lesson.ts'

let school: TestSchool
let own: string
let teacher: TestPerson
let league: TestPerson
let viewer: TestPerson
let today: string
let other: string

const lesson = (liName: string, more: Parameters<typeof storeLesson>[1] = {}) =>
  storeLesson(school, {
    liName,
    lsPath: [school.curriculum['SXCL']!, school.curriculum['SXCL/主题教育']!],
    startTime: `${today} 18:00:00`,
    endTime: `${today} 20:00:00`,
    liStatus: lessonStatus.published,
    ...more,
  })

beforeAll(async () => {
  school = await newSchool()
  today = dayOf(school.clock.now())
  own = await school.college()
  other = await school.college()
  teacher = await school.person('GUIDE_TEACHER')
  league = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: own }])
  viewer = await school.person('SIGN_MGR')
  await lesson('本院今晚', { liCollegeId: own, liPrincipalId: teacher.suId, pendingCount: 3 })
  await lesson('外院今晚', { liCollegeId: other })
  await lesson('三天后', {
    liCollegeId: own,
    startTime: `${addDays(today, 3)} 08:00:00`,
    endTime: `${addDays(today, 3)} 10:00:00`,
  })
  await lesson('一月后', {
    liCollegeId: own,
    startTime: `${addDays(today, 30)} 08:00:00`,
    endTime: `${addDays(today, 30)} 10:00:00`,
  })
  await lesson('草稿', { liCollegeId: own, liPrincipalId: teacher.suId, liStatus: lessonStatus.draft })
  await lesson('晚结束', {
    liCollegeId: own,
    liStatus: lessonStatus.inNotice,
    liPublictySdate: `${today} 00:00:00`,
    liPublictyEdate: `${addDays(today, 5)} 00:00:00`,
  })
  await lesson('早结束', {
    liCollegeId: own,
    liStatus: lessonStatus.inNotice,
    liPublictySdate: `${today} 00:00:00`,
    liPublictyEdate: `${addDays(today, 2)} 00:00:00`,
  })
})

const names = (rows: { liName: string }[]) => rows.map(({ liName }) => liName)

test('the calendar shows what one may see, today or some days, and what is one’s own', async () => {
  const days = async (person: TestPerson, input: Input<typeof homeApi.agenda> = {}) =>
    (await person.client.send(homeApi.agenda, input)).map(({ date, total, events }) => [date, total, ...names(events)])
  expect(await days(league)).toEqual([[today, 1, '本院今晚']])
  // an exam week is told on the days it covers
  await school.admin.send(planCalendarApi.saveExamWeek, {
    ewName: '期末考试周',
    ewStart: addDays(today, 2),
    ewEnd: addDays(today, 4),
  })
  const told = await league.client.send(homeApi.agenda, { startDate: today, endDate: addDays(today, 6) })
  expect(told.map(({ exam }) => exam)).toEqual(['', '期末考试周'])
  const week = [
    [today, 1, '本院今晚'],
    [addDays(today, 3), 1, '三天后'],
  ]
  expect(await days(league, { startDate: today, endDate: addDays(today, 6) })).toEqual(week)
  expect(await days(league, { startDate: today, endDate: addDays(today, 60) })).toEqual(week)
  expect(await teacher.client.send(homeApi.agenda, {})).toMatchObject([
    { events: [{ liName: '本院今晚', mine: true }] },
  ])
  const [day] = await school.admin.send(homeApi.agenda, {})
  expect(day!.events.map(({ liName, mine }) => [liName, mine]).toSorted()).toEqual(
    [
      ['外院今晚', true],
      ['本院今晚', false],
    ].toSorted(),
  )
  expect(await viewer.client.send(homeApi.agenda, {})).toEqual([])
  expect(await school.admin.ask(homeApi.agenda, { startDate: '2026-02-30' })).toMatchObject({
    code: 300,
    errors: [{ field: 'startDate' }],
  })
})

test('a calendar of hundreds of courses counts all of them and names the first, and the course list has as many', async () => {
  const crowded = await newSchool()
  const now = crowded.clock.now()
  const at = (minutes: number) => addMinutes(now, minutes)
  const store = (liName: string, startTime: string, endTime: string, more: Parameters<typeof storeLesson>[1] = {}) =>
    storeLesson(crowded, {
      liName,
      lsPath: [crowded.curriculum['SXCL']!, crowded.curriculum['SXCL/主题教育']!],
      liStatus: lessonStatus.published,
      startTime,
      endTime,
      ...more,
    })
  // five hundred tomorrow, one of which began days ago and one of which is the guide's
  const tomorrow = addDays(dayOf(now), 1)
  const guide = await crowded.person('GUIDE_TEACHER')
  for (let from = 0; from < 498; from += 83)
    await Promise.all(
      Array.from({ length: 83 }, (_, one) =>
        store(`活动 ${from + one}`, `${tomorrow} 09:00:00`, `${tomorrow} 10:00:00`),
      ),
    )
  await store('连日打卡', `${tomorrow} 00:00:00`, `${addDays(tomorrow, 9)} 23:00:00`)
  await store('下午的', `${tomorrow} 15:00:00`, `${tomorrow} 16:00:00`, { liPrincipalId: guide.suId })
  // on a day of its own: over, under way for days, under way, next
  await store('已结束', at(-3), at(-2))
  await store('正在进行', at(-1), at(1))
  const [first, second] = await crowded.admin.send(homeApi.agenda, {
    startDate: tomorrow,
    endDate: addDays(tomorrow, 1),
    perDay: 3,
  })
  expect(first).toMatchObject({ date: tomorrow, total: 500 })
  expect(first!.events).toHaveLength(3)
  expect(second).toMatchObject({ date: addDays(tomorrow, 1), total: 1, events: [{ liName: '连日打卡' }] })
  const listed = (day: string) =>
    crowded.admin.send(lessonApi.view, {
      liStatus: lessonStatus.published,
      startTime: `${day} 00:00:00`,
      endTime: `${day} 23:59:59`,
    })
  expect((await listed(tomorrow)).total).toBe(500)
  const [own] = await guide.client.send(homeApi.agenda, { startDate: tomorrow, perDay: 1 })
  expect(own!.events).toMatchObject([{ liName: '下午的', mine: true }])
  const days = await crowded.admin.send(homeApi.agenda, { startDate: dayOf(at(-1)), endDate: dayOf(at(1)) })
  const running = days.find(({ date }) => date === dayOf(at(-1)))!.events.map(({ liName }) => liName)
  expect(running[0]).toBe('正在进行')
  expect(days.some(({ events }) => names(events).includes('已结束'))).toBe(dayOf(at(-2)) >= dayOf(at(-1)))
})

test('own courses are counted by status, and one status can be asked for', async () => {
  expect(await teacher.client.send(homeApi.lessonsCount, {})).toEqual({
    total: 2,
    byStatus: [
      { liStatus: lessonStatus.draft, count: 1 },
      { liStatus: lessonStatus.published, count: 1 },
    ],
  })
  expect(await teacher.client.send(homeApi.lessonsCount, { liStatus: lessonStatus.published })).toEqual({
    total: 1,
    byStatus: [{ liStatus: lessonStatus.published, count: 1 }],
  })
  expect(await teacher.client.ask(homeApi.lessonsCount, { liStatus: "30' or 1=1" })).toMatchObject({
    code: 300,
    errors: [{ field: 'liStatus' }],
  })
  expect(names(await teacher.client.send(homeApi.lessons, {})).toSorted()).toEqual(['本院今晚', '草稿'].toSorted())
})

test('what waits is counted with registrations, and cards are those one has the right to', async () => {
  expect(await teacher.client.send(homeApi.auditCount, {})).toEqual({
    publish: 0,
    result: 0,
    supplement: 0,
    question: 0,
    registration: 3,
    circle: 0,
    transcript: 0,
    overdue: 0,
    total: 3,
  })
  expect(await teacher.client.send(homeApi.todos, {})).toEqual([
    {
      kind: 'registration',
      title: '报名待审核',
      count: 1,
      unit: '门课程',
      detail: '共 3 人待审核',
      overdue: 0,
      link: '/courseManagement/CurriculumList?myLesson=1&liStatus=30&pending=1&sort=pendingCount&order=desc',
    },
  ])
  expect((await league.client.send(homeApi.todos, {})).map(({ kind }) => kind)).toContain('publish')
  expect(await viewer.client.send(homeApi.todos, {})).toEqual([])
})

test('the public notice that ends first comes first, and stands among the notices', async () => {
  expect(names(await league.client.send(homeApi.publicty, {}))).toEqual(['早结束', '晚结束'])
  expect(
    (await league.client.send(homeApi.notices, {})).map(({ kind, title }) => [kind, title.slice(0, 5)]).toSorted(),
  ).toEqual(
    [
      ['publicty', '《早结束》'],
      ['publicty', '《晚结束》'],
    ].toSorted(),
  )
  expect(await viewer.client.send(homeApi.publicty, {})).toEqual([])
})

test('circles that wait are counted for who looks after them, in their part of the school; the card leads to them', async () => {
  const manager = await school.person('CLUB_MGR')
  const majorId = await school.major(own)
  const [student] = await school.students(1, {
    suiCollegeId: own,
    majorId,
    scClassId: await school.schoolClass(majorId, own),
  })
  const place = { student: student!.suId, teacher: teacher.suId }
  await circleOf(school, { ...place, canary: '本院', college: own })
  await circleOf(school, { ...place, canary: '外院', college: other })
  const circles = async (person: TestPerson) => [
    (await person.client.send(homeApi.auditCount, {})).circle,
    (await person.client.send(homeApi.todos, {})).find(({ kind }) => kind === 'circle'),
  ]
  const card = {
    kind: 'circle',
    title: '圈子审核',
    unit: '项',
    detail: '',
    overdue: 0,
    link: '/communityAdmin/CommunityAudit?ciAuthStatus=0',
  }
  expect(await circles(manager)).toEqual([2, { ...card, count: 2 }])
  expect(await circles(league)).toEqual([1, { ...card, count: 1 }])
  expect(await circles(viewer)).toEqual([0, undefined])
  await manager.client.send(circleApplyApi.refuse, {
    ciIds: (
      await manager.client.send(circleApplyApi.list, { ciAuthStatus: circleAuthStatus.pending, ciName: '本院' })
    ).records.map(({ ciId }) => ciId),
    cpiPersonIds: [student!.suId],
    reason: '材料不齐，请补充',
  })
  expect([await circles(manager), await circles(league)]).toEqual([
    [1, { ...card, count: 1 }],
    [0, { ...card, count: 0 }],
  ])
})

test('news that are published for the first screen stand among the notices of everybody, drafts and hidden ones do not', async () => {
  const shownTo = async (person: TestPerson) =>
    (await person.client.send(homeApi.notices, {}))
      .filter(({ kind }) => kind === 'news')
      .map(({ title, link }) => [title, link])
  const [draft, hidden] = [
    await newsOf(school, { canary: '首页', college: own }),
    await newsOf(school, { canary: '隐藏', college: own }),
  ]
  expect(await shownTo(viewer)).toEqual([])
  await school.admin.send(newsApi.publish, { niIds: [draft.news, hidden.news] })
  await school.admin.send(newsApi.show, { niIds: [hidden.news], niIsShow: yesNo.no })
  expect(await shownTo(viewer)).toEqual([['首页新闻', `/newsAdmin/newsList/detail?niId=${draft.news}`]])
  await school.admin.send(newsApi.cancel, { niIds: [draft.news] })
  expect(await shownTo(viewer)).toEqual([])
})

test('who may see warnings is told how many students of their own part of the school are warned; others are told nothing', async () => {
  const counselor = await school.person('COUNSELOR', [{ caType: 'college', caTarget: own }])
  expect(await counselor.client.send(homeApi.warnings, {})).toEqual({ calcTime: null, level1: 0, level2: 0, level3: 0 })
  const warned = async (college: string, level: string) => {
    const majorId = await school.major(college)
    const [student] = await school.students(1, {
      suiCollegeId: college,
      majorId,
      scClassId: await school.schoolClass(majorId, college),
    })
    const {
      schoolId,
      ctx: { db, clock },
    } = school
    await db
      .insertInto('studentWarning')
      .values({
        schoolId,
        suId: student!.suId,
        warnLevel: level,
        termNo: 3,
        have: '{}',
        gaps: '[]',
        totalHave: 0,
        totalNeed: 1600,
        totalGap: 1600,
        finalGap: 1600,
        ruleKey: '',
        calcTime: clock.now(),
        levelSince: clock.now(),
      })
      .execute()
  }
  for (const [college, level] of [
    [own, '3'],
    [own, '3'],
    [own, '1'],
    [own, '0'],
    [other, '2'],
  ] as const)
    await warned(college, level)
  expect(await counselor.client.send(homeApi.warnings, {})).toMatchObject({ level1: 1, level2: 0, level3: 2 })
  expect(await school.admin.send(homeApi.warnings, {})).toMatchObject({ level1: 1, level2: 1, level3: 2 })
  expect(await viewer.client.send(homeApi.warnings, {})).toBeNull()
})
