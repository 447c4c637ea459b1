import type { Checked } from '../../../contract/core/call.ts'
import { messageType } from '../../../contract/core/codes/platform.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import type { RefusedItem } from '../../../contract/core/batch-result.ts'
import type { credibilityApi } from '../../../contract/school/people/credibility.calls.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { auditMany } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'
import { notify } from '../../platform/notifications/notify.service.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import {
  lockCredibility,
  setBlackUntil,
  writeChanges,
  type CredibilityChange,
  type CredibilityStatus,
} from './credibility-log.service.ts'
import { credibilityRulesOf, moved, type CredibilityRules } from './credibility-rules.ts'
import { visibleStudents } from './students.service.ts'

/**
 * What the floors above lend to actions on credibility: what courses are called, and whether the person may open them.
 */
export interface CredibilityProviders {
  courses: (ctx: Context, liIds: readonly string[]) => Promise<Map<string, { liName: string; opens: boolean }>>
}

export interface Named {
  suId: string
  suiName: string
  suiNumber: string
}

/** These students; `not-found` where one of them is out of reach. */
async function reachStudents(ctx: Context, suIds: readonly string[]): Promise<Named[]> {
  const people = await visibleStudents(ctx)
    .select(['person.suId', 'suiName', 'suiNumber'])
    .where(anyOf('person.suId', suIds))
    .orderBy('suiNumber')
    .execute()
  if (people.length !== suIds.length) throw new Failure('not-found')
  return people
}

/** Who changes something, as the columns of the credibility log. */
export const operatorOf = ({ actor }: Pick<Context, 'actor'>) => ({
  operatorId: actor.suId,
  operatorName: actor.suNickname,
})
/** Name and number as people read them: `张三（20240001）`. */
export const fullName = ({ suiName, suiNumber }: Named): string => `${suiName}（${suiNumber}）`

/**
 * Changes the credibility of students by hand: by so many points or to so many, within the bounds. Whom it would change
 * nothing for is told by name.
 */
export const updateCredibility =
  ({ courses }: CredibilityProviders) =>
  async (ctx: Context, input: Checked<typeof credibilityApi.update>) => {
    const { suId, suIds = [suId!], reasonCode, reason, liId } = input
    const { schoolId } = ctx.actor
    const rules = await credibilityRulesOf(ctx, schoolId)
    assertInBounds(input.value, rules)
    if (liId && !(await courses(ctx, [liId])).has(liId))
      throw invalidInput([{ field: 'liId', msg: '所选课程不存在，请重新选择' }])
    return inTransaction(ctx, async (tx) => {
      const people = await reachStudents(tx, suIds)
      const statuses = await lockCredibility(tx, schoolId, suIds)
      const failed: RefusedItem[] = []
      const changes: (CredibilityChange & { person: Named })[] = []
      for (const person of people) {
        const { suiCredibility: before } = statuses.get(person.suId)!
        const after = input.value ?? moved(before, input.change!, rules)
        if (after !== before)
          changes.push({ person, suId: person.suId, before, after, reasonCode, reason, liId: liId ?? null })
        else if (people.length === 1) throw new Failure('credibility-same', { name: person.suiName, points: before })
        else failed.push({ id: person.suId, name: person.suiName, msg: `诚信分已是 ${before} 分` })
      }
      await writeChanges(
        tx,
        schoolId,
        changes.map(({ person: _, ...change }) => change),
        operatorOf(tx),
      )
      await auditMany(
        tx,
        changes.map(({ person, before, after }) => ({
          action: '调整诚信分',
          bizType: 'person',
          bizId: person.suId,
          bizName: fullName(person),
          before: { suiCredibility: before },
          after: { suiCredibility: after },
          reason,
        })),
      )
      await notifyChanges(tx, changes, `${labelOf('credibility_reason', reasonCode)}：${reason}`)
      return { affected: changes.length, failed }
    })
  }

function assertInBounds(value: number | undefined, { credibilityMin, credibilityMax }: CredibilityRules): void {
  if (value !== undefined && (value < credibilityMin || value > credibilityMax))
    throw invalidInput([{ field: 'value', msg: `诚信分须在 ${credibilityMin} 至 ${credibilityMax} 之间` }])
}

/** Tells students how many points they lost or gained and why: one message for all who lost or gained the same. */
export async function notifyChanges(
  tx: Context,
  changes: readonly { suId: string; before: number; after: number }[],
  why: string,
): Promise<void> {
  const byPoints = new Map<number, string[]>()
  for (const { suId, before, after } of changes)
    byPoints.set(after - before, [...(byPoints.get(after - before) ?? []), suId])
  for (const [points, suIds] of byPoints) {
    if (points === 0) continue
    const what = `${points > 0 ? '增加' : '减少'} ${Math.abs(points)} 分`
    await notify(tx, {
      suIds,
      type: messageType.reminder,
      title: `诚信分${what}`,
      content: `您的诚信分${what}。${why}`,
      bizType: 'credibility',
      ...(suIds.length === 1 && { bizId: suIds[0]!, link: `/personnelAdmin/studentAdmin/detail?suId=${suIds[0]!}` }),
    })
  }
}

/** Lets students register again before their time; those who may are left out, and nobody left is refused. */
export async function liftBlacklist(ctx: Context, { suIds, reason }: Checked<typeof credibilityApi.lift>) {
  const { schoolId } = ctx.actor
  return inTransaction(ctx, async (tx) => {
    const people = await reachStudents(tx, suIds)
    const statuses = await lockCredibility(tx, schoolId, suIds)
    const closed = people.filter(({ suId }) => isClosed(statuses.get(suId)!, tx.clock.now()))
    if (closed.length === 0) throw new Failure('not-blacklisted')
    await setBlackUntil(
      tx,
      schoolId,
      closed.map(({ suId }) => suId),
      null,
    )
    await auditMany(
      tx,
      closed.map((person) => ({
        action: '解除报名限制',
        bizType: 'person',
        bizId: person.suId,
        bizName: fullName(person),
        before: { blackUntil: statuses.get(person.suId)!.blackUntil },
        after: { blackUntil: null },
        reason,
      })),
    )
    await notify(tx, {
      suIds: closed.map(({ suId }) => suId),
      type: messageType.reminder,
      title: '报名限制已解除',
      content: `您可以重新报名课程。解除原因：${reason}`,
      bizType: 'credibility',
    })
    return { affected: closed.length }
  })
}

/** Whether somebody may not register now. */
export const isClosed = ({ blackUntil }: Pick<CredibilityStatus, 'blackUntil'>, now: string): boolean =>
  blackUntil !== null && blackUntil > now
