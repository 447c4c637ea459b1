import { sql } from 'kysely'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { approvalStatus } from '../../../contract/core/codes/programme.ts'
import { flowCheckerType } from '../../../contract/core/codes/rules.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { FlowStep } from '../../../contract/rules/workflow/workflow.schema.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'

/** The flows of a school, and their categories: known to whoever may see flows at all. */
export const visibleFlows = (ctx: Context) => from(ctx, 'workflow as w')
/** The categories of flows of a school. */
export const visibleCategories = (ctx: Context) => from(ctx, 'workflowCategory as k')

/** Categories in their order, each with the number of its flows. */
export const categoryRows = (ctx: Context) =>
  visibleCategories(ctx)
    .select(['k.wfcId', 'k.wfcName', 'k.wfcSort', 'k.version'])
    .select(
      sql<number>`(select count(*)::int from "workflow" w where w."schoolId" = k."schoolId" and w."wfcId" = k."wfcId")`.as(
        'flowCount',
      ),
    )
    .orderBy('k.wfcSort')
    .orderBy('k.wfcName')
    .execute()

const running = sql<number>`(
      select count(*)::int
      from "approval" a
      where a."schoolId" = w."schoolId" and a."wfId" = w."wfId" and a."insStatus" = ${sql.lit(approvalStatus.running)}
    )`.as('runningCount')
const named = (table: string, id: string, name: string, order: string, range: string) => sql<
  string[]
>`array(select x.${sql.ref(name)} from ${sql.table(table)} x
  where x."schoolId" = w."schoolId" and x.${sql.ref(id)} = any(w.${sql.ref(range)}) order by x.${sql.ref(order)})`

/** What a flow is for: its type, state and ranges. */
const rangedColumns = [
  'w.wfId',
  'w.wfName',
  'w.wfType',
  'w.wfStatus',
  'w.wfVersion',
  'w.isDefault',
  'w.selfPass',
  'w.needCreditOnly',
  'w.roleIds',
  'w.lsIds',
  'w.levels',
] as const
const shownColumns = [...rangedColumns, 'w.version', 'w.wfIcon', 'w.wfDesc', 'w.wfcId'] as const

/** The columns of a flow in the list, its ranges in words. */
export const flowRows = (ctx: Context) =>
  visibleFlows(ctx)
    .innerJoin('workflowCategory as k', withinSchool('k.wfcId', 'w.wfcId'))
    .select([...shownColumns, 'k.wfcName', 'w.updateTime'])
    .select([
      named('role', 'srId', 'srName', 'srSort', 'roleIds').as('roles'),
      named('curriculum', 'lsId', 'lsName', 'lsPath', 'lsIds').as('classes'),
      named('lessonLevel', 'llId', 'llName', 'llSort', 'levels').as('levelNames'),
      sql<number>`(
          select count(*)::int
          from "workflowStep" s
          where s."schoolId" = w."schoolId" and s."wfId" = w."wfId"
        )`.as('stepCount'),
      running,
    ])

/** One flow as it is stored, with the number of approvals that run by it. */
export const flowById = (ctx: Context, wfId: string) =>
  visibleFlows(ctx)
    .select([...shownColumns, running])
    .where('w.wfId', '=', wfId)
    .executeTakeFirst()

/** All flows of a type with their ranges, drafts and disabled ones too. A school has tens of them, not thousands. */
export const rangedFlows = (ctx: Context, wfType: string) =>
  visibleFlows(ctx).select(rangedColumns).where('w.wfType', '=', wfType).orderBy('w.wfName').execute()

/**
 * A step of a flow as it is stored, with the names of the chosen people, roles or departments. Amounts are whole
 * hundredths.
 */
export type StoredStep = Omit<FlowStep, 'minCredit'> & {
  wfId: string
  minCredit: number | null
  checkerNames: string[]
  timeoutRole: string
}

/** The steps of flows, stage by stage in their order: one statement. */
export async function storedSteps(ctx: Context, wfIds: string[]): Promise<StoredStep[]> {
  const rows = await from(ctx, 'workflowStep as s')
    .leftJoin('role as t', withinSchool('t.srId', 's.timeoutRoleId'))
    .select([
      's.wfId',
      's.wfsId',
      's.wfsNodeName',
      's.wfsStepName',
      's.wfsStepType',
      's.wfsCheckerType',
      's.wfsSort',
      's.noApproverPolicy',
      's.timeoutHours',
      's.timeoutDays',
      's.timeoutAction',
      's.timeoutRoleId',
      's.canReject',
      's.allowTransfer',
      's.allowAdd',
      's.minCredit',
    ])
    .select(sql<string>`coalesce(t."srName", '')`.as('timeoutRole'))
    .select(
      sql<{ id: string; name: string }[]>`coalesce(
          (
            select json_agg(
              json_build_object('id', c."wfcCheckerId", 'name', coalesce(p."suiName", r."srName", d."sdName", '已删除'))
              order by c."wfcSort"
            )
            from "workflowChecker" c
            left join "person" p on p."schoolId" = c."schoolId"
              and p."suId" = c."wfcCheckerId"
              and s."wfsCheckerType" = ${sql.lit(flowCheckerType.people)}
              and p."delFlag" = '0'
            left join "role" r on r."schoolId" = c."schoolId"
              and r."srId" = c."wfcCheckerId"
              and s."wfsCheckerType" = ${sql.lit(flowCheckerType.role)}
            left join "department" d on d."schoolId" = c."schoolId"
              and d."sdId" = c."wfcCheckerId"
              and s."wfsCheckerType" = ${sql.lit(flowCheckerType.department)}
            where c."schoolId" = s."schoolId" and c."wfsId" = s."wfsId"
          ), '[]'
        )`.as('chosen'),
    )
    .where(anyOf('s.wfId', wfIds))
    .orderBy('s.wfId')
    .orderBy(
      sql`array_position(array['PUBLISH', 'SIGNUP', 'SIGNIN', 'RESULT', 'SUPPLEMENT', 'PUBLICITY'], s."wfsNodeName")`,
    )
    .orderBy('s.wfsSort')
    .execute()
  return rows.map(({ chosen, ...step }) => ({
    ...(step as Omit<StoredStep, 'checkers' | 'checkerNames'>),
    checkers: chosen.map(({ id }) => id),
    checkerNames: chosen.map(({ name }) => name),
  }))
}

/** The steps of one flow as the console sees them. */
export const flowSteps = async (ctx: Context, wfId: string) => (await storedSteps(ctx, [wfId])).map(shownStep)

/** A step as the console sees it. */
export const shownStep = ({ wfId: _, minCredit, ...step }: StoredStep) => ({
  ...step,
  minCredit: minCredit === null ? null : fromHundredths(minCredit),
})

/**
 * What ranges choose from: enabled roles (`starts`: may start a course), open nodes with parents first, open levels.
 */
export async function rangeChoices({ db, actor }: Context) {
  const { schoolId } = actor
  const roles = await from({ db, schoolId }, 'role')
    .select(['srId as id', 'srName as name', sql<boolean>`'lesson:edit' = any("permits")`.as('starts')])
    .where('enable', '=', enableStatus.enabled)
    .orderBy('srSort')
    .orderBy('srName')
    .execute()
  const classes = await from({ db, schoolId }, 'curriculum')
    .select(['lsId', 'lsPid', 'lsName', 'lsPath', 'lsType'])
    .where('enable', '=', enableStatus.enabled)
    .orderBy(sql`cardinality("lsPath")`)
    .orderBy('lsSort')
    .execute()
  const levels = await from({ db, schoolId }, 'lessonLevel')
    .select(['llId as id', 'llName as name'])
    .where('enable', '=', enableStatus.enabled)
    .orderBy('llSort')
    .execute()
  return { roles, classes, levels }
}

/** Which of the ids a form names do not exist in this school, by field. */
export async function unknownIds(
  { db, actor }: Context,
  named: {
    roleIds: string[]
    lsIds: string[]
    levels: string[]
    people: string[]
    roles: string[]
    departments: string[]
  },
) {
  const missing = (ids: string[], table: string, column: string, cast: 'uuid' | 'text') =>
    sql<boolean>`exists (
        select 1
        from unnest(${ids}::${sql.raw(cast)}[]) as n(id)
        where not exists (
          select 1
          from ${sql.table(table)} x
          where x."schoolId" = ${actor.schoolId} and x.${sql.ref(column)} = n.id
        )
      )`
  const found = await sql<{
    roleIds: boolean
    lsIds: boolean
    levels: boolean
    checkers: boolean
  }>`select ${missing(named.roleIds, 'role', 'srId', 'uuid')} as "roleIds",
      ${missing(named.lsIds, 'curriculum', 'lsId', 'uuid')} as "lsIds",
      ${missing(named.levels, 'lessonLevel', 'llId', 'text')} as "levels",
      ${missing(named.people, 'person', 'suId', 'uuid')}
      or ${missing(named.roles, 'role', 'srId', 'uuid')}
      or ${missing(named.departments, 'department', 'sdId', 'uuid')} as "checkers"`.execute(db)
  return found.rows[0]!
}
