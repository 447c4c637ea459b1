import type { Input } from '../../contract/core/call.ts'
import { approvalApi } from '../../contract/programme/approvals/approvals.calls.ts'
import { partakeMode, supplementType } from '../../contract/core/codes/programme.ts'
import { flowType } from '../../contract/core/codes/rules.ts'
import { personType } from '../../contract/core/codes/school.ts'
import { supplementApi } from '../../contract/programme/supplements/supplements.calls.ts'
import { addDays, dayOf } from '../core/base/clock.ts'
import { newId } from '../core/base/ids.ts'
import { completeSupplements } from '../programme/supplements/completion.service.ts'
import { makeFlow, type TestStep } from './flows.ts'
import { newSchool, unique, type TestPerson, type TestSchool } from './school.ts'

type Form = Input<typeof supplementApi.save>
export type SupplementPeople = { secretary: TestPerson; leader: TestPerson; auditor: TestPerson }

/**
 * The rule of module JNTC at level 2: 3 hours (at most 6), 0.3 credit, 3 points; half of it for members of a team; 一等奖
 * adds 1 hour, 0.1 credit, 1 point.
 */
export const supplementRule = (
  { schoolId, curriculum }: Pick<TestSchool, 'schoolId' | 'curriculum'>,
  esId: string,
) => ({
  schoolId,
  esId,
  lsId: curriculum['JNTC']!,
  esLessonLevel: '2',
  baseHours: 300,
  hourCap: 600,
  credit: 30,
  points: 300,
  effectFrom: '2020-01-01',
  modeRules: JSON.stringify([{ partakeMode: partakeMode.teamMember, factor: 50 }]),
  awardRules: JSON.stringify([{ adName: '一等奖', hours: 100, credit: 10, points: 100 }]),
})

/** A school with one college whose records are approved in two steps: the college, then the school. */
export interface SupplementWorldOfTests extends SupplementPeople {
  school: TestSchool
  scId: string
  scClassId: string
  /**
   * Rule of module JNTC at level 2: 3 hours, 0.3 credit, 3 points; 一等奖 adds 1 hour, 0.1 credit, 1 point; participants
   * of mode 9 count half.
   */
  esId: string
  students(count: number): Promise<{ suId: string; suiName: string; suiNumber: string }[]>
  form(suId: string, more?: Partial<Form>): Form
  /** Enters a record as the secretary of the class and submits it. */
  submitted(suId: string, more?: Partial<Form>): Promise<string>
  /** Takes a record through both steps. */
  approved(suId: string, more?: Partial<Form>): Promise<string>
  /** Puts it into public notice for a day. */
  inNotice(suId: string, more?: Partial<Form>): Promise<string>
  /** Credits it as the job does once the notice is over. */
  credited(suId: string, more?: Partial<Form>): Promise<string>
  statusOf(lisId: string): Promise<string>
  ledger(lisId: string): Promise<{ clType: string; clValue: number; source: string; reverseOf: string | null }[]>
}

export const taskOf = async ({ client }: TestPerson, lisId: string) =>
  (await client.send(approvalApi.supQueue, { pageSize: 200 })).records.find(({ bizId }) => bizId === lisId)
export const passSupplement = async (person: TestPerson, lisId: string) =>
  person.client.ask(approvalApi.supPass, { taskIds: [(await taskOf(person, lisId))!.taskId] })
export const refuseSupplement = async (person: TestPerson, lisId: string, opinion = '证明材料不清晰') =>
  person.client.ask(approvalApi.supRefuse, { taskIds: [(await taskOf(person, lisId))!.taskId], opinion })

/** @param steps of the school's flow for supplements */
export async function supplementWorldOfTests(
  steps: (people: SupplementPeople) => TestStep[] = ({ leader, auditor }) => [
    { node: 'SUPPLEMENT', checkers: [leader.suId] },
    { node: 'SUPPLEMENT', checkers: [auditor.suId] },
  ],
): Promise<SupplementWorldOfTests> {
  const school = await newSchool()
  // a day of public notice is enough for tests, and records are taken all year
  await school.rules({ publictyMin: 1, supMonths: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] })
  const { schoolId, curriculum, labels, ctx } = school
  const { db } = ctx
  const scId = await school.college()
  const majorId = await school.major(scId)
  const scClassId = await school.schoolClass(majorId, scId)
  const secretary = await school.person('LEAGUE_SEC', [{ caType: 'class', caTarget: scClassId }], {
    suiType: personType.teacher,
    suiCollegeId: scId,
  })
  const leader = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: scId }], { suiCollegeId: scId })
  const auditor = await school.person('SCHOOL_AUDIT')
  await makeFlow(school, steps({ secretary, leader, auditor }), { wfType: flowType.supplement })
  const esId = newId()
  await db
    .insertInto('evaluation')
    .values({
      ...supplementRule(school, esId),
      abilityRules: JSON.stringify([{ sqlId: labels['理想信念'], weight: 100 }]),
    })
    .execute()
  const form = (suId: string, more: Partial<Form> = {}): Form => ({
    suId,
    lisName: `证书${unique()}`,
    lsId: curriculum['JNTC/语言证书']!,
    lisType: supplementType.certificate,
    lisLevel: '2',
    lisObtainDate: addDays(dayOf(school.clock.now()), -30),
    lisOrg: '考试中心',
    ...more,
  })
  const world: SupplementWorldOfTests = {
    school,
    scId,
    scClassId,
    secretary,
    leader,
    auditor,
    esId,
    form,
    students: (count) => school.students(count, { suiCollegeId: scId, majorId, scClassId }),
    submitted: async (suId, more) =>
      (await secretary.client.send(supplementApi.save, { ...form(suId, more), submit: '1' })).lisId,
    async approved(suId, more) {
      const lisId = await world.submitted(suId, more)
      for (const person of [leader, auditor]) await passSupplement(person, lisId)
      return lisId
    },
    async inNotice(suId, more) {
      const lisId = await world.approved(suId, more)
      const today = dayOf(school.clock.now())
      await auditor.client.send(supplementApi.publicise, {
        lisId,
        lisPublictySdate: today,
        lisPublictyEdate: addDays(today, 4),
      })
      return lisId
    },
    async credited(suId, more) {
      const lisId = await world.inNotice(suId, more)
      await db
        .updateTable('supplement')
        .set({ lisPublictyEdate: addDays(school.clock.now(), -1) })
        .where('schoolId', '=', schoolId)
        .where('lisId', '=', lisId)
        .execute()
      await completeSupplements(school.services, schoolId)
      return lisId
    },
    statusOf: async (lisId) =>
      (
        await db
          .selectFrom('supplement')
          .select('lisStatus')
          .where('schoolId', '=', schoolId)
          .where('lisId', '=', lisId)
          .executeTakeFirstOrThrow()
      ).lisStatus,
    ledger: (lisId) =>
      db
        .selectFrom('creditLedger')
        .select(['clType', 'clValue', 'source', 'reverseOf'])
        .where('schoolId', '=', schoolId)
        .where('bizId', '=', lisId)
        .orderBy('clType')
        .orderBy('grantedAt')
        .orderBy('clId')
        .execute(),
  }
  return world
}
