import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { circleApplyType, circleAuthStatus, circleJoinMode } from '../../../contract/core/codes/programme.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import type { circleApplyApi } from '../../../contract/programme/circles/applications.calls.ts'
import { audit } from '../../core/audit/audit.ts'
import { dayOf } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { newId } from '../../core/base/ids.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { useFiles } from '../../platform/files/file-use.service.ts'
import { applicationContent, differencesOf } from './application-content.queries.ts'
import { isStudent, peopleOf } from './circle-checks.ts'
import { enterMembers, livingCircle, assertRoom } from './members.service.ts'

interface Opening {
  caType: string
  ciId: string
  ciName: string
  cpiPersonId: string
  applyReason: string
  materials?: string[]
  crYear?: number | undefined
  crResult?: string | undefined
  crStar?: string | undefined
}

/**
 * Puts something asked for a circle before those who decide; the circle is locked. One open application for a circle
 * and a person.
 */
export async function openApplication(
  ctx: Context,
  { ciName, materials = [], crYear, crResult, crStar, ...about }: Opening,
): Promise<string> {
  const { db, actor, clock } = ctx
  const open = await from({ db, actor }, 'circleApply')
    .select('caType')
    .where('ciId', '=', about.ciId)
    .where('cpiPersonId', '=', about.cpiPersonId)
    .where('ciAuthStatus', '=', circleAuthStatus.pending)
    .executeTakeFirst()
  if (open) throw new Failure('circle-apply-open', { name: ciName, what: labelOf('circle_apply_type', open.caType) })
  const caId = newId()
  const asked = { ...about, materials, crYear: crYear ?? null, crResult: crResult ?? null, crStar: crStar ?? null }
  const content = await applicationContent(ctx, asked)
  await db
    .insertInto('circleApply')
    .values({
      ...asked,
      schoolId: actor.schoolId,
      caId,
      content: JSON.stringify(content),
      differences: JSON.stringify(await differencesOf(ctx, asked, content)),
      applyBy: actor.suId,
      applyName: actor.suNickname,
      applyTime: clock.now(),
    })
    .execute()
  await useFiles(ctx, materials)
  await audit(ctx, {
    action: `申请${labelOf('circle_apply_type', about.caType)}`,
    bizType: 'circle',
    bizId: about.ciId,
    bizName: ciName,
    after: {
      caType: about.caType,
      cpiPersonId: about.cpiPersonId,
      applyReason: about.applyReason,
      ...(crYear && { crYear, crResult, crStar }),
    },
  })
  return caId
}

/**
 * Asks for something in a circle's name: that a student joins, that somebody else takes charge, for the yearly review,
 * for closing. Into circles anybody may join, joining needs no decision.
 */
export const apply = (ctx: Context, { ciId, caType, cpiPersonId, ...given }: Checked<typeof circleApplyApi.apply>) =>
  inTransaction(ctx, async (tx) => {
    const circle = await livingCircle(tx, ciId, '申请')
    const about =
      caType === circleApplyType.joining || caType === circleApplyType.handOver ? cpiPersonId! : circle.cpiPersonId
    if (caType === circleApplyType.joining || caType === circleApplyType.handOver) await assertStudying(tx, about)
    if (caType === circleApplyType.joining) await refuseMember(tx, ciId, about, circle.ciName)
    if (caType === circleApplyType.handOver && about === circle.cpiPersonId)
      throw new Failure('circle-leader-same', { name: circle.ciName })
    if (caType === circleApplyType.yearlyReview && given.crYear! > Number(dayOf(tx.clock.now()).slice(0, 4)))
      throw invalidInput([{ field: 'crYear', msg: '年审年度不能晚于今年' }])
    if (caType === circleApplyType.yearlyReview) await refuseReviewed(tx, ciId, given.crYear!, circle.ciName)
    const { crYear, crResult, crStar } = given
    const review = caType === circleApplyType.yearlyReview ? { crYear, crResult, crStar } : {}
    const caId = await openApplication(tx, {
      caType,
      ciId,
      ciName: circle.ciName,
      cpiPersonId: about,
      applyReason: given.applyReason,
      materials: given.materials,
      ...review,
    })
    if (caType === circleApplyType.joining && circle.joinMode === circleJoinMode.open) {
      await enterMembers(tx, [{ ciId, suId: about }])
      await assertRoom(tx, [ciId])
      await tx.db
        .updateTable('circleApply')
        .set({ ciAuthStatus: circleAuthStatus.passed, auditName: '自由加入', auditTime: tx.clock.now() })
        .where('schoolId', '=', tx.actor.schoolId)
        .where('caId', '=', caId)
        .execute()
    }
    return { caId }
  })

/** Takes back what one has applied for and nobody has decided yet. */
export const withdraw = (ctx: Context, { caId }: Checked<typeof circleApplyApi.withdraw>) =>
  inTransaction(ctx, async (tx) => {
    const { schoolId, suId } = tx.actor
    const row = await from(tx, 'circleApply as a')
      .innerJoin('circle', withinSchool('circle.ciId', 'a.ciId'))
      .select(['a.ciId', 'a.caType', 'a.ciAuthStatus', 'circle.ciName'])
      .where('a.caId', '=', caId)
      .where('a.applyBy', '=', suId)
      .where('circle.delFlag', '=', sql.lit(yesNo.no))
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw new Failure('not-found')
    if (row.ciAuthStatus !== circleAuthStatus.pending) throw new Failure('circle-apply-gone')
    await tx.db
      .updateTable('circleApply')
      .set({ ciAuthStatus: circleAuthStatus.withdrawn })
      .where('schoolId', '=', schoolId)
      .where('caId', '=', caId)
      .execute()
    if (row.caType === circleApplyType.founding)
      await tx.db
        .updateTable('circle')
        .set({ ciAuthStatus: circleAuthStatus.withdrawn })
        .where('schoolId', '=', schoolId)
        .where('ciId', '=', row.ciId)
        .execute()
    await audit(tx, {
      action: '撤回圈子申请',
      bizType: 'circle',
      bizId: row.ciId,
      bizName: row.ciName,
      before: { caType: row.caType },
    })
    return { affected: 1 }
  })

/** Refuses somebody who does not study here now. */
async function assertStudying(ctx: Context, suId: string): Promise<void> {
  const people = await peopleOf(ctx, [suId])
  if (!people.has(suId)) throw new Failure('not-found')
  if (!isStudent(people, suId)) throw new Failure('not-a-student', { name: people.get(suId)!.suiName })
}

async function refuseMember(ctx: Context, ciId: string, suId: string, name: string): Promise<void> {
  const member = await from(ctx, 'circleMember')
    .select('cpiId')
    .where('ciId', '=', ciId)
    .where('suId', '=', suId)
    .where('quitTime', 'is', null)
    .executeTakeFirst()
  if (member) throw new Failure('circle-already-member', { name })
}

async function refuseReviewed(ctx: Context, ciId: string, crYear: number, name: string): Promise<void> {
  const review = await from(ctx, 'circleReview')
    .select('crYear')
    .where('ciId', '=', ciId)
    .where('crYear', '=', crYear)
    .executeTakeFirst()
  if (review) throw new Failure('circle-reviewed', { name, year: String(crYear) })
}
