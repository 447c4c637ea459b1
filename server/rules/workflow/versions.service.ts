import { sql } from 'kysely'
import { approvalStatus } from '../../../contract/core/codes/programme.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { FlowStep } from '../../../contract/rules/workflow/workflow.schema.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { diffFlows, type FlowContent } from './flow-diff.ts'
import { flowRows, flowSteps, visibleFlows } from './workflow.queries.ts'

type Content = Omit<FlowContent, 'steps'> & { steps: (FlowStep & { checkerNames: string[]; timeoutRole: string })[] }

/** How many versions are shown; older ones are kept. */
const maxVersions = 50

/** The flow as it now stands, with the names of all it refers to. */
async function contentOf(ctx: Context, wfId: string): Promise<Content> {
  const { wfName, wfDesc, wfcName, isDefault, selfPass, needCreditOnly, roles, classes, levelNames } = await flowRows(
    ctx,
  )
    .where('w.wfId', '=', wfId)
    .executeTakeFirstOrThrow()
  return {
    wfName,
    wfDesc,
    wfcName,
    isDefault,
    selfPass,
    needCreditOnly,
    roles,
    classes,
    levelNames,
    steps: await flowSteps(ctx, wfId),
  }
}

/**
 * Keeps the flow's present version as it is. Called before a flow is changed and after; a version that is kept already
 * stays.
 */
export async function keepVersion(ctx: Context, wfId: string): Promise<void> {
  const { wfVersion, updateBy, updateName, updateTime } = await visibleFlows(ctx)
    .select(['w.wfVersion', 'w.updateBy', 'w.updateTime'])
    .select(
      sql<string>`coalesce(
          (select p."suiName" from "person" p where p."schoolId" = w."schoolId" and p."suId" = w."updateBy"), ''
        )`.as('updateName'),
    )
    .where('w.wfId', '=', wfId)
    .executeTakeFirstOrThrow()
  const content = JSON.stringify(await contentOf(ctx, wfId))
  await ctx.db
    .insertInto('workflowVersion')
    .values({
      schoolId: ctx.actor.schoolId,
      wfId,
      wfVersion,
      content,
      createBy: updateBy,
      createName: updateName,
      createTime: updateTime,
    })
    .onConflict((on) => on.doNothing())
    .execute()
}

/** A version of a flow as it is kept; undefined where it never was, because nothing has changed the flow since. */
export const keptContent = async (ctx: Context, wfId: string, wfVersion: number): Promise<Content | undefined> =>
  (
    await from(ctx, 'workflowVersion')
      .select('content')
      .where('wfId', '=', wfId)
      .where('wfVersion', '=', wfVersion)
      .executeTakeFirst()
  )?.content as Content | undefined

/** The versions of a flow, newest first, each with what it changed and how many approvals still run by it. */
export async function listVersions(ctx: Context, { wfId }: { wfId: string }) {
  const flow = await visibleFlows(ctx)
    .select(['w.wfVersion', 'w.updateTime'])
    .where('w.wfId', '=', wfId)
    .executeTakeFirst()
  if (!flow) throw new Failure('not-found')
  const kept = await from(ctx, 'workflowVersion')
    .select(['wfVersion', 'content', 'createName', 'createTime'])
    .where('wfId', '=', wfId)
    .orderBy('wfVersion', 'desc')
    .limit(maxVersions + 1)
    .execute()
  const running = await from(ctx, 'approval')
    .select(['wfVersion', sql<number>`count(*)::int`.as('count')])
    .where('wfId', '=', wfId)
    .where('insStatus', '=', approvalStatus.running)
    .groupBy('wfVersion')
    .execute()
  const rows = kept.some(({ wfVersion }) => wfVersion === flow.wfVersion)
    ? kept
    : [
        { wfVersion: flow.wfVersion, content: await contentOf(ctx, wfId), createName: '', createTime: flow.updateTime },
        ...kept,
      ]
  return rows.slice(0, maxVersions).map(({ wfVersion, content, createName, createTime }, at) => {
    const [own, before] = [content as unknown as Content, rows[at + 1]?.content as unknown as Content | undefined]
    return {
      wfVersion,
      createName,
      createTime,
      isCurrent: wfVersion === flow.wfVersion,
      runningCount: running.find((one) => one.wfVersion === wfVersion)?.count ?? 0,
      changes: before ? diffFlows(before, own) : [],
      steps: own.steps.map(({ timeoutRole: _, ...step }) => step),
    }
  })
}
