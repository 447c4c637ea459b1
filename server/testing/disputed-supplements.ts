import type { Input } from '../../contract/core/call.ts'
import { approvalApi } from '../../contract/programme/approvals/approvals.calls.ts'
import { disputeApi } from '../../contract/programme/disputes/disputes.calls.ts'
import { supplementApi } from '../../contract/programme/supplements/supplements.calls.ts'
import { workflowApi } from '../../contract/rules/workflow/workflow.calls.ts'
import { creditType } from '../../contract/core/codes/programme.ts'
import { flowType } from '../../contract/core/codes/rules.ts'
import { addDays, dayOf } from '../core/base/clock.ts'
import { enforceDisputeDeadlines } from '../programme/disputes/dispute-deadlines.service.ts'
import { completeSupplements } from '../programme/supplements/completion.service.ts'
import type { TestStep } from './flows.ts'
import type { TestPerson } from './school.ts'
import { passSupplement, supplementWorldOfTests } from './supplements.ts'
import { storedForm } from './workflow.ts'
import type { Client } from './client.ts'

type Question = Input<typeof disputeApi.add>

/**
 * A school of supplement records whose questions are decided by the auditor, whom the flow's notice stage names; taken
 * up and settled by the league committee of the college. `stage` false: the flow has no notice stage.
 */
export async function disputedSupplements({ stage = true } = {}) {
  const made = await supplementWorldOfTests(({ leader, auditor }): TestStep[] => [
    { node: 'SUPPLEMENT', checkers: [leader.suId] },
    { node: 'SUPPLEMENT', checkers: [auditor.suId] },
    ...(stage ? [{ node: 'PUBLICITY' as const, checkers: [auditor.suId] }] : []),
  ])
  const { school, leader, auditor } = made
  const { schoolId } = school
  const { db } = school.ctx

  const setNotice = (lisId: string, set: { lisPublictySdate?: string; lisPublictyEdate?: string }) =>
    db.updateTable('supplement').set(set).where('schoolId', '=', schoolId).where('lisId', '=', lisId).execute()

  return {
    ...made,
    setNotice,
    /** Lets the public notice end, so many days ago. */
    endNotice: (lisId: string, days = 1) =>
      setNotice(lisId, {
        lisPublictySdate: addDays(school.clock.now(), -days - 5),
        lisPublictyEdate: addDays(school.clock.now(), -days),
      }),
    /** Gives the record a public notice from today on. */
    renew(lisId: string) {
      const today = dayOf(school.clock.now())
      return auditor.client.send(supplementApi.publicise, {
        lisId,
        lisPublictySdate: today,
        lisPublictyEdate: addDays(today, 4),
      })
    },
    complete: () => completeSupplements(school.services, schoolId),
    /** State and notice of a record. */
    async noticeOf(lisId: string) {
      const { lisStatus, lisPublictyStatus } = await school.admin.send(supplementApi.detail, { lisId })
      return [lisStatus, lisPublictyStatus]
    },
    /** Hours in hundredths that the ledger holds of a record. */
    hours: async (lisId: string) =>
      (await made.ledger(lisId))
        .filter(({ clType }) => clType === creditType.hours)
        .reduce((sum, { clValue }) => sum + clValue, 0),
    /** A record in notice that the league committee of the college has entered, whose own step passes by itself. */
    async enteredByLeader(suId: string) {
      const { lisId } = await leader.client.send(supplementApi.save, { ...made.form(suId), submit: '1' })
      await passSupplement(auditor, lisId)
      await this.renew(lisId)
      return lisId
    },
    ask: (input: Question) => leader.client.ask(disputeApi.add, input),
    asked: async (input: Question) => (await leader.client.send(disputeApi.add, input)).qId,
    taskFor: async (qId: string, person: TestPerson) =>
      (await person.client.send(approvalApi.questionQueue, { pageSize: 200 })).records.find(
        ({ bizId }) => bizId === qId,
      )?.taskId,
    async refute(qId: string) {
      await auditor.client.send(approvalApi.questionRefuse, {
        taskIds: [(await this.taskFor(qId, auditor))!],
        opinion: '与证书原件相符',
      })
    },
    /** Accepted and found justified. */
    async upheld(input: Question, by: Client = leader.client) {
      const { qId } = await by.send(disputeApi.add, input)
      await leader.client.send(disputeApi.accept, { qIds: [qId] })
      await auditor.client.send(approvalApi.questionPass, { taskIds: [(await this.taskFor(qId, auditor))!] })
      return qId
    },
    settle: (qId: string, more: object) =>
      leader.client.ask(disputeApi.setQAward, { qId, opinion: '经核实予以处理', ...more } as never),
    questionOf: (qId: string) => school.admin.send(disputeApi.detail, { qId }),
    /** The question was to be accepted long ago, and the job has been by. */
    async overdue(qId: string) {
      await db
        .updateTable('question')
        .set({ deadline: '2026-01-01 00:00:00' })
        .where('schoolId', '=', schoolId)
        .where('qId', '=', qId)
        .execute()
      await enforceDisputeDeadlines(school.services, schoolId)
    },
    /** Changes the flow so that somebody else decides questions from now on. */
    async decideBy({ suId }: TestPerson) {
      const { wfId } = await db
        .selectFrom('workflow')
        .select('wfId')
        .where('schoolId', '=', schoolId)
        .where('wfType', '=', flowType.supplement)
        .executeTakeFirstOrThrow()
      const flow = await storedForm(school, wfId)
      const steps = flow.steps.map(({ wfsSort: _, ...step }) =>
        step.wfsNodeName === 'PUBLICITY' ? { ...step, checkers: [suId] } : step,
      )
      await school.admin.send(workflowApi.save, { ...flow, steps } as never)
    },
    lettersOf: async (suId: string) =>
      (
        await db
          .selectFrom('informationReceiver as r')
          .innerJoin('information as i', (join) =>
            join.onRef('i.schoolId', '=', 'r.schoolId').onRef('i.iiId', '=', 'r.iiId'),
          )
          .select(['i.iiTitle', 'i.iiContent'])
          .where('r.schoolId', '=', schoolId)
          .where('r.suId', '=', suId)
          .execute()
      ).map(({ iiTitle, iiContent }) => `${iiTitle} ${iiContent}`),
  }
}
export type DisputedSupplements = Awaited<ReturnType<typeof disputedSupplements>>
