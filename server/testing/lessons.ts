import type { Input } from '../../contract/core/call.ts'
import { yesNo } from '../../contract/core/codes/platform.ts'
import { applyStatus, applyWay, partakeMode, resultStatus } from '../../contract/core/codes/programme.ts'
import { quotaType } from '../../contract/core/codes/rules.ts'
import { lessonApi } from '../../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../../contract/programme/lessons/registration.calls.ts'
import { addMinutes } from '../core/base/clock.ts'
import { newId } from '../core/base/ids.ts'
import { makeFlow, type TestStep } from './flows.ts'
import { newSchool, unique, type TestPerson, type TestSchool } from './school.ts'

type Form = Input<typeof lessonApi.save>

/**
 * A school with one college in which courses can be held: a teacher who makes them, a college committee that looks
 * after them.
 */
export interface LessonWorld {
  school: TestSchool
  scId: string
  place: { suiCollegeId: string; majorId: string; scClassId: string }
  /** Guide teacher of the college: no area of their own, only what they made. */
  teacher: TestPerson
  /** League committee of the college. */
  leader: TestPerson
  /**
   * Rule of module SXCL at level 6: 2 hours (at most 4), 0.2 credit, 1 point x 0.8; organisers (mode 2) count 1.5
   * times; 一等奖 adds 1 hour, 0.1 credit, 0.5 points.
   */
  esId: string
  atId: string
  /** 一等奖 one person · 二等奖 any number · 优秀 20 per cent. */
  awards: { first: string; second: string; share: string }
  /** A whole form, of a course that takes place tomorrow; `hours` moves it relative to now. */
  form: (more?: Partial<Form>, hours?: number) => Form
  /** A published course. */
  published(more?: Partial<Form>, hours?: number): Promise<string>
  students(count: number): Promise<{ suId: string; suiName: string; suiNumber: string }[]>
  /** Enters students through the call and returns their registrations in that order. */
  enrol(liId: string, students: { suId: string }[]): Promise<string[]>
}

/** @param steps of the school's default flow; none: everything passes at once */
export async function lessonWorld(
  steps: (people: { teacher: TestPerson; leader: TestPerson; school: TestSchool }) => TestStep[] = () => [],
): Promise<LessonWorld> {
  const school = await newSchool()
  // a day of public notice is enough for tests
  await school.rules({ publictyMin: 1 })
  const { schoolId, curriculum, labels, ctx } = school
  const scId = await school.college()
  const majorId = await school.major(scId)
  const scClassId = await school.schoolClass(majorId, scId)
  const teacher = await school.person('GUIDE_TEACHER', [], { suiCollegeId: scId })
  const leader = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: scId }], { suiCollegeId: scId })
  await makeFlow(school, steps({ teacher, leader, school }))
  const [esId, atId] = [newId(), newId()]
  const awards = { first: newId(), second: newId(), share: newId() }
  await ctx.db
    .insertInto('evaluation')
    .values({
      schoolId,
      esId,
      lsId: curriculum['SXCL']!,
      esLessonLevel: '6',
      baseHours: 200,
      hourCap: 400,
      credit: 20,
      points: 100,
      effectFrom: '2020-01-01',
      modeRules: JSON.stringify([{ partakeMode: partakeMode.organiser, factor: 150 }]),
      awardRules: JSON.stringify([{ adName: '一等奖', hours: 100, credit: 10, points: 50 }]),
      abilityRules: JSON.stringify([
        { sqlId: labels['理想信念'], weight: 60 },
        { sqlId: labels['家国情怀'], weight: 40 },
      ]),
    })
    .execute()
  await ctx.db
    .insertInto('awardTemplate')
    .values({ schoolId, atId, atName: `模板${unique()}` })
    .execute()
  const detail = (adId: string, adName: string, quotaType: string, quota: number | null, adSort: number) => ({
    schoolId,
    adId,
    atId,
    adName,
    hours: 50,
    credit: 5,
    points: 10,
    quotaType,
    quota,
    adSort,
  })
  await ctx.db
    .insertInto('awardDetail')
    .values([
      detail(awards.first, '一等奖', quotaType.count, 1, 0),
      detail(awards.second, '二等奖', quotaType.unlimited, null, 1),
      detail(awards.share, '优秀', quotaType.percent, 20, 2),
    ])
    .execute()
  const place = { suiCollegeId: scId, majorId, scClassId }

  const form = (more: Partial<Form> = {}, hours = 24): Form => {
    const startTime = addMinutes(school.clock.now(), hours * 60)
    return {
      liName: `课程${unique()}`,
      lsId: curriculum['SXCL/主题教育']!,
      liLevel: '6',
      liIntro: '活动简介',
      liPrincipalId: teacher.suId,
      placeText: '礼堂',
      applyWay: applyWay.importedList,
      quota: 10,
      startTime,
      endTime: addMinutes(startTime, 120),
      atId,
      publictyDays: 1,
      ...more,
    }
  }
  return {
    school,
    scId,
    place,
    teacher,
    leader,
    esId,
    atId,
    awards,
    form,
    async published(more, hours) {
      const { liId } = await teacher.client.send(lessonApi.save, { ...form(more, hours), submit: '1' })
      await teacher.client.send(lessonApi.publish, { liId })
      return liId
    },
    students: (count) => school.students(count, place),
    async enrol(liId, students) {
      await teacher.client.send(registrationApi.add, { liId, suIds: students.map(({ suId }) => suId) })
      const rows = await ctx.db
        .selectFrom('registration')
        .select(['laId', 'suId'])
        .where('schoolId', '=', schoolId)
        .where('liId', '=', liId)
        .where('delFlag', '=', yesNo.no)
        .execute()
      return students.map(({ suId }) => rows.find((row) => row.suId === suId)!.laId)
    },
  }
}

/** The counters of a course as stored, and as its participants give them. They must be equal at any moment. */
export async function countersOf({ ctx, schoolId }: TestSchool, liId: string) {
  const names = ['applyCount', 'pendingCount', 'passCount', 'signCount', 'resultCount'] as const
  const stored = await ctx.db
    .selectFrom('lesson')
    .select(names)
    .where('schoolId', '=', schoolId)
    .where('liId', '=', liId)
    .executeTakeFirstOrThrow()
  const rows = await ctx.db
    .selectFrom('registration')
    .select(['laStatus', 'laSignStatus', 'laResult'])
    .where('schoolId', '=', schoolId)
    .where('liId', '=', liId)
    .where('delFlag', '=', yesNo.no)
    .execute()
  const passed = rows.filter(({ laStatus }) => laStatus === applyStatus.accepted)
  const counted = {
    applyCount: rows.length,
    pendingCount: rows.filter(({ laStatus }) => laStatus === applyStatus.pending).length,
    passCount: passed.length,
    signCount: passed.filter(({ laSignStatus }) => '12347'.includes(laSignStatus)).length,
    resultCount: passed.filter(({ laResult }) => laResult !== resultStatus.unrated).length,
  }
  return { stored, counted }
}

/**
 * Hours from now until noon of the day after tomorrow: an activity then begins and ends on one day, whenever the test
 * runs.
 */
export const untilNoon = (now: string): number => 60 - Number(now.slice(11, 13))
