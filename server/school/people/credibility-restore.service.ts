import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { wholeSchool } from '../../../contract/core/scope.ts'
import type { credibilityApi } from '../../../contract/school/people/credibility.calls.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { audit, auditMany } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'
import { withinSchool } from '../../core/database/tenant.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { schoolSettings } from '../school/settings.service.ts'
import {
  countedReasons,
  lockCredibility,
  reasonOf,
  setBlackUntil,
  writeChanges,
  type CredibilityChange,
  type CredibilityStatus,
} from './credibility-log.service.ts'
import { credibilityRulesOf, moved, opensRegistration } from './credibility-rules.ts'
import {
  fullName,
  isClosed,
  operatorOf,
  notifyChanges,
  type CredibilityProviders,
  type Named,
} from './credibility.service.ts'
import { visibleStudents } from './students.service.ts'

/** An entry of the log that takes points or counts as an absence or removal, and was not made good; `g` is the row. */
export const restorable = sql<boolean>`(g."change" < 0 or g."reasonCode" = any(${countedReasons}::text[]))
  and g."restoreOf" is null
  and not exists (select from "credibilityLog" u where u."schoolId" = g."schoolId" and u."restoreOf" = g."cgId")`

/**
 * Gives back what an absence from a course, having left it early, or having been removed from it, took from a student
 * who is found to have been there; once. Whether an absence is given back the school says.
 * @param ctx of whoever found it, whatever students they see
 * @returns the points given back
 */
export const makeLossGood = (
  ctx: Context,
  {
    suId,
    liId,
    reasonCode,
    reason,
  }: { suId: string; liId: string; reasonCode: (typeof reasonOf)['absence' | 'left' | 'removed']; reason: string },
): Promise<number> =>
  inTransaction({ ...ctx, scope: wholeSchool }, async (tx) => {
    const { schoolId } = tx.actor
    if (reasonCode === reasonOf.absence && !(await schoolSettings(tx, schoolId)).restoreOnSign) return 0
    const statuses = await lockCredibility(tx, schoolId, [suId])
    const open = await losses(tx, { liId })
      .select(lossColumns)
      .where('person.suId', '=', suId)
      .where('g.reasonCode', '=', reasonCode)
      .where(restorable)
      .execute()
    return open.length === 0 ? 0 : (await giveBack(tx, open, statuses, reason)).points
  })

/** What a course takes by itself when it is completed; not what was taken for feigned participation. */
const takenByCourse: readonly string[] = [reasonOf.absence, reasonOf.left, reasonOf.removed]

/**
 * Gives back what a course that does not count any more took for absence, leaving early and removal, each once.
 * @param ctx of whoever ends the course, whatever students they see
 * @returns how many students got something back
 */
export const makeCourseLossesGood = (ctx: Context, liId: string, reason: string): Promise<number> =>
  inTransaction({ ...ctx, scope: wholeSchool }, async (tx) => {
    const open = () => losses(tx, { liId }).where('g.reasonCode', 'in', takenByCourse).where(restorable)
    const people = await open().select('person.suId').distinct().execute()
    if (people.length === 0) return 0
    const statuses = await lockCredibility(
      tx,
      tx.actor.schoolId,
      people.map(({ suId }) => suId),
    )
    // looked at again now that nobody else can restore them
    const left = await open().select(lossColumns).orderBy('g.createTime').execute()
    const known = left.filter(({ suId }) => statuses.has(suId))
    return known.length === 0 ? 0 : (await giveBack(tx, known, statuses, reason)).people
  })

type Loss = Named & { cgId: string; change: number; reasonCode: string; reason: string; liId: string | null }

/** Losses of visible students, by their own ids or all that a course caused. */
const losses = (ctx: Context, of: { cgIds: readonly string[] } | { liId: string }) => {
  const query = visibleStudents(ctx).innerJoin('credibilityLog as g', withinSchool('g.suId', 'person.suId'))
  return 'liId' in of ? query.where('g.liId', '=', of.liId) : query.where(anyOf('g.cgId', of.cgIds))
}
const lossColumns = [
  'person.suId',
  'suiName',
  'suiNumber',
  'g.cgId',
  'g.change',
  'g.reasonCode',
  'g.reason',
  'g.liId',
] as const

/**
 * Gives back what single entries took, each once. Of one entry a refusal is told as such, of several each tells what
 * came of it.
 */
export const restoreCredibility = (ctx: Context, { cgIds, reason }: Checked<typeof credibilityApi.restore>) =>
  inTransaction(ctx, async (tx) => {
    const named: Loss[] = await losses(tx, { cgIds }).select(lossColumns).execute()
    if (named.length !== cgIds.length) throw new Failure('not-found')
    const statuses = await lockCredibility(tx, tx.actor.schoolId, [...new Set(named.map(({ suId }) => suId))])
    // looked at again now that nobody else can restore them
    const open = await losses(tx, { cgIds }).select(lossColumns).where(restorable).execute()
    const failed = named
      .filter(({ cgId }) => !open.some((loss) => loss.cgId === cgId))
      .map(({ cgId, suiName, reason: text }) => ({
        id: cgId,
        name: `${suiName}：${text}`,
        msg: '不是扣分记录，或已恢复过',
      }))
    if (open.length === 0) throw new Failure('not-restorable')
    const { points } = await giveBack(tx, open, statuses, reason)
    return { affected: open.length, points, failed }
  })

/** Gives back everything a course took from the students in reach. What was counted in the preview must still be so. */
export const restoreByLesson =
  (providers: CredibilityProviders) =>
  async (ctx: Context, { liId, entries, reason }: Checked<typeof credibilityApi.restoreByLesson>) =>
    inTransaction(ctx, async (tx) => {
      const course = (await providers.courses(tx, [liId])).get(liId)
      if (!course) throw new Failure('not-found')
      const suIds = (await losses(tx, { liId }).select('person.suId').distinct().where(restorable).execute()).map(
        ({ suId }) => suId,
      )
      const statuses = await lockCredibility(tx, tx.actor.schoolId, suIds)
      const open = await losses(tx, { liId }).select(lossColumns).where(restorable).orderBy('g.createTime').execute()
      if (open.length === 0) {
        // what another part of the school holds is not named to whoever has nothing to do with it
        const isKnown = course.opens || (await losses(tx, { liId }).select('person.suId').limit(1).execute()).length > 0
        throw isKnown ? new Failure('nothing-to-restore', { name: course.liName }) : new Failure('not-found')
      }
      if (open.length !== entries || open.some(({ suId }) => !statuses.has(suId)))
        throw new Failure('losses-changed', { n: open.length })
      const done = await giveBack(tx, open, statuses, reason)
      await audit(tx, {
        action: '按课程恢复诚信分',
        bizType: 'lesson',
        bizId: liId,
        bizName: course.liName,
        after: { restoredPeople: done.people, restoredPoints: done.points },
        reason,
      })
      return { affected: open.length, ...done }
    })

/**
 * Writes the opposite of losses, up to the most one may have, and opens registration to those whose closure rested on
 * them.
 */
async function giveBack(tx: Context, open: readonly Loss[], statuses: Map<string, CredibilityStatus>, reason: string) {
  const { schoolId } = tx.actor
  const rules = await credibilityRulesOf(tx, schoolId)
  const changes: CredibilityChange[] = []
  const opened: Named[] = []
  const people = new Map<string, Loss[]>()
  for (const loss of open) people.set(loss.suId, [...(people.get(loss.suId) ?? []), loss])
  const ends: { person: Named; before: number; after: number }[] = []
  for (const own of people.values()) {
    const person = own[0]!
    const status = statuses.get(person.suId)!
    let now = status.suiCredibility
    for (const { cgId, change, liId } of own) {
      const after = moved(now, -change, rules)
      changes.push({
        suId: person.suId,
        before: now,
        after,
        reasonCode: reasonOf.restored,
        reason,
        liId,
        restoreOf: cgId,
      })
      now = after
    }
    ends.push({ person, before: status.suiCredibility, after: now })
    const left = status.absences - own.filter(({ reasonCode }) => countedReasons.includes(reasonCode)).length
    if (isClosed(status, tx.clock.now()) && opensRegistration(status.absences, left, rules)) opened.push(person)
  }
  await writeChanges(tx, schoolId, changes, operatorOf(tx))
  await setBlackUntil(
    tx,
    schoolId,
    opened.map(({ suId }) => suId),
    null,
  )
  await auditMany(
    tx,
    ends.map(({ person, before, after }) => ({
      action: '恢复诚信分',
      bizType: 'person',
      bizId: person.suId,
      bizName: fullName(person),
      reason,
      before: { suiCredibility: before },
      after: { suiCredibility: after, ...(opened.includes(person) && { blackUntil: null }) },
    })),
  )
  await notifyChanges(
    tx,
    ends.map(({ person: { suId }, before, after }) => ({ suId, before, after })),
    `恢复原因：${reason}`,
  )
  return {
    people: people.size,
    points: ends.reduce((sum, { before, after }) => sum + after - before, 0),
    opened: opened.length,
  }
}
