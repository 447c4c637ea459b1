import type { Input } from '../../contract/core/call.ts'
import { approvalApi } from '../../contract/programme/approvals/approvals.calls.ts'
import { creditType, signStatus } from '../../contract/core/codes/programme.ts'
import { lessonApi } from '../../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../../contract/programme/lessons/registration.calls.ts'
import { disputeApi } from '../../contract/programme/disputes/disputes.calls.ts'
import { addDays, dayEnd, dayOf, dayStart } from '../core/base/clock.ts'
import { completeLessons } from '../programme/lessons/credit/completion.service.ts'
import { makeFlow } from './flows.ts'
import { lessonWorld } from './lessons.ts'
import type { TestPerson } from './school.ts'

/** A school in which disputes are decided by `a`, a reviewer of the whole school. */
export async function disputeWorld() {
  const made = await lessonWorld()
  const { school, teacher, leader } = made
  const { db } = school.ctx
  const { schoolId } = school
  const a = await school.person('SCHOOL_AUDIT')
  await db.deleteFrom('workflow').where('schoolId', '=', schoolId).execute()
  await makeFlow(school, [{ node: 'PUBLICITY', checkers: [a.suId] }])

  let count = 0
  /**
   * A course of the teacher, over since yesterday, with these participants rated as told, in public notice since
   * yesterday.
   */
  async function noticed(
    people: { suId: string; result?: '1' | '2' | '3'; adId?: string; absent?: boolean }[],
    more: Parameters<typeof made.form>[0] = {},
    days = 1,
  ) {
    // no two of them at the same time, so that everybody may take part in all
    const liId = await made.published(more, 24 + 4 * count++)
    const laIds = await made.enrol(liId, people)
    const now = school.clock.now()
    await db
      .updateTable('lesson')
      .set({ startTime: addDays(now, -days), endTime: addDays(now, -days + 1 / 12) })
      .where('schoolId', '=', schoolId)
      .where('liId', '=', liId)
      .execute()
    for (const [at, { result = '1', adId, absent }] of people.entries()) {
      if (absent) continue
      await teacher.client.send(registrationApi.sign, { laIds: [laIds[at]!], laSignStatus: signStatus.signedIn })
      await teacher.client.send(registrationApi.setAward, {
        laIds: [laIds[at]!],
        laResult: result,
        ...(adId && { adId }),
      })
    }
    await teacher.client.send(lessonApi.resultAudit, { liId })
    const today = dayOf(now)
    await leader.client.send(lessonApi.publicty, {
      liId,
      liPublictySdate: dayStart(today),
      liPublictyEdate: dayEnd(addDays(today, 4)),
    })
    return liId
  }
  /** Lets the public notice end, so many days ago. */
  const endNotice = (liId: string, days = 1) =>
    db
      .updateTable('lesson')
      .set({
        liPublictySdate: addDays(school.clock.now(), -days - 5),
        liPublictyEdate: addDays(school.clock.now(), -days),
      })
      .where('schoolId', '=', schoolId)
      .where('liId', '=', liId)
      .execute()

  return {
    ...made,
    a,
    noticed,
    endNotice,
    complete: () => completeLessons(school.services, schoolId),
    async completed(liId: string) {
      await endNotice(liId)
      await completeLessons(school.services, schoolId)
    },
    stateOf: async (liId: string) =>
      (
        await db
          .selectFrom('lesson')
          .select('liStatus')
          .where('schoolId', '=', schoolId)
          .where('liId', '=', liId)
          .executeTakeFirstOrThrow()
      ).liStatus,
    entries: (suId: string, liId?: string) =>
      db
        .selectFrom('creditLedger')
        .selectAll()
        .where('schoolId', '=', schoolId)
        .where('suId', '=', suId)
        .where((or) => (liId ? or('bizId', '=', liId) : or.val(true)))
        .orderBy('grantedAt')
        .orderBy('clId')
        .execute(),
    /** The student's hours in hundredths, in a course or altogether. */
    async hours(suId: string, liId?: string) {
      return (await this.entries(suId, liId))
        .filter(({ clType }) => clType === creditType.hours)
        .reduce((sum, { clValue }) => sum + clValue, 0)
    },
    ask: (by: TestPerson, input: Input<typeof disputeApi.add>) => by.client.ask(disputeApi.add, input),
    async asked(input: Input<typeof disputeApi.add>) {
      return (await leader.client.send(disputeApi.add, input)).qId
    },
    taskFor: async (qId: string, person: TestPerson = a) =>
      (await person.client.send(approvalApi.questionQueue, { pageSize: 200 })).records.find(
        ({ bizId }) => bizId === qId,
      )?.taskId,
    /** Accepted and found justified. */
    async upheld(input: Input<typeof disputeApi.add>) {
      const qId = await this.asked(input)
      await leader.client.send(disputeApi.accept, { qIds: [qId] })
      await a.client.send(approvalApi.questionPass, { taskIds: [(await this.taskFor(qId))!] })
      return qId
    },
    questionOf: (qId: string) => school.admin.send(disputeApi.detail, { qId }),
  }
}
export type DisputeWorld = Awaited<ReturnType<typeof disputeWorld>>
