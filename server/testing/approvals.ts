import { approvalApi, lessonCaseApi } from '../../contract/programme/approvals/approvals.calls.ts'
import { lessonApi } from '../../contract/programme/lessons/lessons.calls.ts'
import { messageApi } from '../../contract/school/messages/messages.calls.ts'
import { makeFlow, type TestStep } from './flows.ts'
import { lessonWorld } from './lessons.ts'
import type { TestPerson } from './school.ts'

type Name = 'a' | 'b' | 'c' | 'd'
type Reviewers = Record<Name, TestPerson>

/**
 * A school whose courses are published through the given steps by reviewers of the school: as many as are named, `ab`
 * for two.
 */
export async function approvalWorld(
  names: string,
  steps: (people: Reviewers, roles: Record<string, string>) => TestStep[],
) {
  const made = await lessonWorld()
  const { school, teacher } = made
  const reviewers = Object.fromEntries(
    await Promise.all([...names].map(async (name) => [name, await school.person('SCHOOL_AUDIT')] as const)),
  ) as Reviewers
  await school.ctx.db.deleteFrom('workflow').where('schoolId', '=', school.schoolId).execute()
  const wfId = await makeFlow(school, steps(reviewers, school.roles))
  return {
    ...made,
    ...reviewers,
    wfId,
    form: (...args: Parameters<typeof made.form>) => made.form(...args),
    /** A course of the teacher before its reviewers. */
    submitted: async () => (await teacher.client.send(lessonApi.save, { ...made.form(), submit: '1' })).liId,
    stateOf: async (liId: string) => (await school.admin.send(lessonApi.details, { liId })).liStatus,
    flowOf: async (liId: string) => (await teacher.client.send(lessonApi.details, { liId })).flows[0]!,
  }
}

/** A step of the publication that one reviewer decides. */
export const one = (person: TestPerson, more: TestStep['more'] = {}): TestStep => ({
  node: 'PUBLISH',
  checkers: [person.suId],
  more,
})

/** The open task of a person for a course. */
export const taskIn = async ({ client }: TestPerson, liId: string) =>
  (await client.send(approvalApi.publishQueue, { pageSize: 200 })).records.find(({ bizId }) => bizId === liId)
export const idOf = async (person: TestPerson, liId: string) => (await taskIn(person, liId))!.taskId
export const caseOf = async ({ client }: TestPerson, liId: string) =>
  (await client.send(lessonCaseApi.lessonResult, { liId })).task!
export const pass = async (person: TestPerson, liId: string, more: { nextCheckerIds?: string[] } = {}) =>
  person.client.ask(approvalApi.publishPass, { taskIds: [await idOf(person, liId)], ...more })
export const refuse = async (person: TestPerson, liId: string, backTo?: number) =>
  person.client.ask(approvalApi.publishRefuse, {
    taskIds: [await idOf(person, liId)],
    opinion: '材料不够完整',
    ...(backTo && { backTo }),
  })
/** The titles of a person's messages, newest first. */
export const letters = async ({ client }: TestPerson) =>
  (await client.send(messageApi.inbox, { pageSize: 50 })).records.map(({ iiTitle }) => iiTitle)
