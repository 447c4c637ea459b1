import { approvalApi } from '../../contract/programme/approvals/approvals.calls.ts'
import { yesNo } from '../../contract/core/codes/platform.ts'
import { partakeMode, questionType, supplementType, type ResultStatus } from '../../contract/core/codes/programme.ts'
import { flowType } from '../../contract/core/codes/rules.ts'
import { disputeApi } from '../../contract/programme/disputes/disputes.calls.ts'
import { supplementApi } from '../../contract/programme/supplements/supplements.calls.ts'
import { addDays, dayOf } from '../core/base/clock.ts'
import { newId } from '../core/base/ids.ts'
import { completeSupplements } from '../programme/supplements/completion.service.ts'
import { disputeWorld } from './disputes.ts'
import { makeFlow } from './flows.ts'
import { unique } from './school.ts'
import { supplementRule } from './supplements.ts'

/**
 * A school in which courses and supplement records are credited, disputed, corrected and taken back: courses give 2
 * hours, with 一等奖 3; records 3, with 一等奖 4, at half share (mode 团队成员) 1.5.
 */
export async function creditWorld() {
  const world = await disputeWorld()
  const { school } = world
  const { schoolId, curriculum, ctx, admin } = school
  await school.rules({ supMonths: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] })
  await makeFlow(school, [{ node: 'PUBLICITY', checkers: [world.a.suId] }], { wfType: flowType.supplement })
  const supplementEsId = newId()
  await ctx.db.insertInto('evaluation').values(supplementRule(school, supplementEsId)).execute()

  return {
    ...world,
    supplementRule: supplementEsId,
    /** Makes a course (`world.esId`) and records compete: of one group only the best counts. '' for no group. */
    group: (bestOnlyGroup: string, esIds: string[] = [world.esId, supplementEsId]) =>
      ctx.db
        .updateTable('evaluation')
        .set({ bestOnlyGroup })
        .where('schoolId', '=', schoolId)
        .where('esId', 'in', esIds)
        .execute(),
    /** A credited course of the student's. */
    async course(student: { suId: string }, more: { result?: ResultStatus; adId?: string } = {}): Promise<string> {
      const liId = await world.noticed([{ ...student, ...more } as { suId: string }])
      await world.completed(liId)
      return liId
    },
    /** A credited record of the student's. */
    async supplement(student: { suId: string }, more: object = {}): Promise<string> {
      const lisId = await this.noticedSupplement(student, more)
      await this.creditSupplements([lisId])
      return lisId
    },
    /** A record of the student's in public notice. */
    async noticedSupplement({ suId }: { suId: string }, more: object = {}): Promise<string> {
      const today = dayOf(school.clock.now())
      const form = {
        suId,
        lisName: `证书${unique()}`,
        lsId: curriculum['JNTC/语言证书']!,
        lisType: supplementType.certificate,
        lisLevel: '2',
        lisObtainDate: addDays(today, -1),
        lisOrg: '考试中心',
        ...more,
      }
      const { lisId } = await admin.send(supplementApi.save, { ...form, submit: '1' } as never)
      await admin.send(supplementApi.publicise, {
        lisId,
        lisPublictySdate: today,
        lisPublictyEdate: addDays(today, 4),
      })
      return lisId
    },
    /** Lets the notices of records end, and credits them as the job does. */
    async creditSupplements(lisIds: readonly string[]): Promise<void> {
      if (lisIds.length > 0)
        await ctx.db
          .updateTable('supplement')
          .set({ lisPublictyEdate: addDays(school.clock.now(), -1) })
          .where('schoolId', '=', schoolId)
          .where('lisId', 'in', [...lisIds])
          .execute()
      await completeSupplements(school.services, schoolId)
    },
    removeSupplement: (lisId: string) =>
      admin.send(supplementApi.remove, { lisId, delFlag: yesNo.yes, reverse: '1', reason: '证书系伪造' }),
    async correctSupplement(lisId: string, more: object) {
      const { version } = await admin.send(supplementApi.detail, { lisId })
      await admin.send(supplementApi.correct, {
        lisId,
        version,
        lisLevel: '2',
        lisPartakeMode: partakeMode.participant,
        reason: '核对原件后更正',
        ...more,
      } as never)
    },
    /**
     * A question about what a student has of a course, or about the course where `qType` says so, accepted and before
     * its reviewer; the school may ask it when the notice is over, too.
     */
    async questioned(liId: string, suId: string, qType: string = questionType.wrong): Promise<string> {
      return this.questionedAbout({ liId }, suId, qType)
    },
    /** The same about a course or a supplement record. */
    async questionedAbout(
      matter: { liId: string } | { lisId: string },
      suId: string,
      qType: string = questionType.wrong,
    ): Promise<string> {
      const { qId } = await admin.send(disputeApi.add, {
        ...matter,
        qType,
        reporterSuId: suId,
        qContent: '认定的学时与实际不符',
      } as never)
      await admin.send(disputeApi.accept, { qIds: [qId] })
      return qId
    },
    uphold: async (qId: string) =>
      world.a.client.send(approvalApi.questionPass, { taskIds: [(await world.taskFor(qId))!] }),
    refute: async (qId: string) =>
      world.a.client.send(approvalApi.questionRefuse, {
        taskIds: [(await world.taskFor(qId))!],
        opinion: '经核实与记录相符',
      }),
    settle: (qId: string, more: object) =>
      world.leader.client.send(disputeApi.setQAward, { qId, opinion: '经核实予以处理', ...more } as never),
  }
}
export type CreditWorld = Awaited<ReturnType<typeof creditWorld>>
