import { expect, test } from 'vitest'
import { yesNo } from '../../contract/core/codes/platform.ts'
import { importApi } from '../../contract/platform/imports/imports.calls.ts'
import { lessonApi } from '../../contract/programme/lessons/lessons.calls.ts'
import { classApi } from '../../contract/school/organisation/classes.calls.ts'
import { timetableSheet, weekdayLabels } from '../../contract/school/organisation/timetable.sheets.ts'
import { planCalendarApi } from '../../contract/school/school/plan-calendar.calls.ts'
import { ownActivityApi } from '../../contract/student/activities.calls.ts'
import { applyWay } from '../../contract/core/codes/programme.ts'
import { clientHash } from '../core/secrets/passwords.ts'
import { dayParts, mondayOf, timeIn, weeksIn, weeksText } from '../school/organisation/class-times.ts'
import { setPassword } from '../school/people/accounts.service.ts'
import { signIn } from '../testing/client.ts'
import { csvOf } from '../testing/csv.ts'
import { lessonWorld } from '../testing/lessons.ts'
import { applying } from '../testing/participants.ts'
import { testPassword, unique } from '../testing/school.ts'

test.each<[string, string | null]>([
  ['1-16', '1-16'],
  ['第1-16周', '1-16'],
  ['1-7(单)', '1,3,5,7'],
  ['2-6双周', '2,4,6'],
  ['3、5,7-9', '3,5,7-9'],
  ['8,1-3', '1-3,8'],
  ['', null],
  ['0-3', null],
  ['5-3', null],
  ['1-31', null],
  ['每周', null],
])('weeks %s are %s', (text, weeks) => {
  const found = weeksIn(text)
  expect(found && weeksText(found)).toBe(weeks)
})

test('times, weeks and stretches of days are read as people write them', () => {
  expect(['8:05', '08：05', '23:59:00', '24:00', '8点', ''].map(timeIn)).toEqual([
    '08:05',
    '08:05',
    '23:59',
    null,
    null,
    null,
  ])
  expect(['2026-09-07', '2026-09-13', '2026-03-01'].map(mondayOf)).toEqual(['2026-09-07', '2026-09-07', '2026-02-23'])
  expect(dayParts([{ startTime: '2026-09-09 22:00:00', endTime: '2026-09-11 00:00:00' }])).toEqual([
    { day: '2026-09-09', from: '22:00', to: '24:00' },
    { day: '2026-09-10', from: '00:00', to: '24:00' },
  ])
  expect(dayParts([{ startTime: '2026-01-01 08:00:00', endTime: '2026-12-31 08:00:00' }])).toHaveLength(14)
})

test('a timetable is checked, written and undone like other sheets, and who has class then is told, refusing nothing', async () => {
  const world = await lessonWorld()
  const { school, scId } = world
  const { admin } = school
  const scClassName = `数学${unique()}`
  const smId = await school.major(scId)
  const scClassId = await school.schoolClass(smId, scId, { scClassName })
  const [student] = await school.students(1, { suiCollegeId: scId, majorId: smId, scClassId })
  await setPassword(school.ctx, school.schoolId, student!.suId, clientHash(testPassword))
  const client = await signIn(school.address, school.schoolId, student!.suiNumber, testPassword)

  const liId = await applying(world, { applyWay: applyWay.firstCome })
  const look = () => client.send(ownActivityApi.detail, { liId })
  const { startTime, clashes, can } = await look()
  expect([clashes, can]).toEqual([[], ['join']])
  const day = startTime.slice(0, 10)
  const weekday = weekdayLabels[(new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7]!

  const row = {
    scClassName,
    ctName: '高等数学',
    weekday,
    startAt: '0:01',
    endAt: '23:59',
    weeks: '1-30',
    placeText: 'A101',
  }
  const upload = async (rows: Record<string, string>[]) => {
    const { data } = await admin.upload(importApi.upload, csvOf(timetableSheet, rows), { kind: 'timetable' })
    const { records } = await admin.send(importApi.preview, { kind: 'timetable', ibId: data.ibId, pageSize: 50 })
    return { ibId: data.ibId, verdicts: records.map(({ verdict }) => verdict), records }
  }
  const faulty = await upload([
    row,
    { ...row, ctName: '线性代数', weeks: '每周' },
    { ...row, scClassName: '没有的班' },
    { ...row, ctName: '体育', startAt: '10:00', endAt: '9:00' },
    { ...row, tmName: '没有的学期' },
  ])
  expect(faulty.verdicts).toEqual(['new', 'fault', 'fault', 'fault', 'fault'])
  await admin.send(importApi.commit, { kind: 'timetable', ibId: faulty.ibId, skipFaults: yesNo.yes })
  expect((await upload([row])).verdicts).toEqual(['same'])
  expect((await upload([{ ...row, placeText: 'B202' }])).verdicts).toEqual(['update'])
  const [kept] = await admin.send(classApi.times, { scClassId })
  expect(kept).toMatchObject({ ctName: '高等数学', startAt: '00:01', weeks: '1-30', placeText: 'A101' })

  // the student is told and may register all the same
  await admin.send(planCalendarApi.saveExamWeek, { ewName: '期中考试周', ewStart: day, ewEnd: day })
  const told = await look()
  expect(told.clashes).toEqual([
    `与课表冲突：${day}（${weekday}）00:01–23:59 高等数学`,
    `在期中考试周内（${day} 至 ${day}）`,
  ])
  expect(told.can).toEqual(['join'])
  expect(await client.ask(ownActivityApi.join, { liId })).toMatchObject({ code: 200 })
  // so is whoever plans, with how many of those who may register
  const { submit: _, ...plan } = world.form({ rangeColleges: [scId] })
  const texts = (await admin.send(lessonApi.conflicts, plan as never)).map(({ text }) => text)
  expect(texts.filter((text) => text.includes('届时有课'))).toEqual([
    expect.stringMatching(/^按课表，可报名的学生中有 1 人届时有课，如 .*高等数学$/),
  ])

  // a counsellor of another college sees and removes nothing of it
  const { client: stranger } = await school.person('COLLEGE_LEAGUE', [
    { caType: 'college', caTarget: await school.college() },
  ])
  expect(await stranger.send(classApi.times, { scClassId })).toEqual([])
  expect((await stranger.ask(classApi.removeTimes, { ids: [kept!.ctId] })).status).not.toBe(200)

  expect(await admin.ask(importApi.undo, { kind: 'timetable', ibId: faulty.ibId })).toMatchObject({ code: 200 })
  expect((await look()).clashes).toEqual([`在期中考试周内（${day} 至 ${day}）`])
  const again = await upload([row])
  await admin.send(importApi.commit, { kind: 'timetable', ibId: again.ibId })
  const [written] = await admin.send(classApi.times, { scClassId })
  await admin.send(classApi.removeTimes, { ids: [written!.ctId] })
  expect(await admin.send(classApi.times, { scClassId })).toEqual([])
})
