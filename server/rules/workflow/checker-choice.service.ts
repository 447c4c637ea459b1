import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { flowCheckerType, flowStepType } from '../../../contract/core/codes/rules.ts'
import { personType } from '../../../contract/core/codes/school.ts'
import { checkerModes, type CheckerType } from '../../../contract/rules/workflow/workflow.schema.ts'
import type { workflowApi } from '../../../contract/rules/workflow/workflow.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { likeText } from '../../core/database/paging.ts'
import { mayAct } from '../../school/people/may-act.ts'

const maxOptions = 50
type Option = { id: string; name: string; note: string }

/**
 * Who may be chosen as checkers of a type: at most 50 people by name or number, or all roles or departments; those
 * already chosen come first.
 */
export async function checkerOptions(
  ctx: Context,
  { wfsCheckerType, search = '', chosen = [] }: Checked<(typeof workflowApi)['choiceChecker']>,
) {
  const mode = checkerModes[wfsCheckerType]
  const options =
    mode === 'user'
      ? await people(ctx, search, chosen)
      : mode === 'role'
        ? await roles(ctx, search)
        : mode === 'dept'
          ? await departments(ctx, search)
          : []
  return { type: wfsCheckerType, mode, options }
}

/** Staff, and students who hold a role; only working accounts. */
async function people({ db, actor }: Context, search: string, chosen: string[]): Promise<Option[]> {
  const like = likeText(search)
  const fits =
    search === ''
      ? sql<boolean>`true`
      : sql<boolean>`(
          (chars(p."suiName") @> chars(${search}) and p."suiName" like ${like})
          or (chars(p."suiNumber") @> chars(${search}) and p."suiNumber" like ${like})
        )`
  const rows = await sql<Option>`
      select p."suId" as id, p."suiName" as name, concat_ws(' · ', p."suiNumber", k."scName") as note
      from "person" p
      join "account" a on a."schoolId" = p."schoolId" and a."suId" = p."suId" and ${mayAct('p', 'a')}
      left join "college" k on k."schoolId" = p."schoolId" and k."scId" = p."suiCollegeId"
      where p."schoolId" = ${actor.schoolId}
        and p."delFlag" = '0'
        and (
          p."suId" = any(${chosen}::uuid[])
          or (
            ${fits}
            and (
              p."suiType" <> ${sql.lit(personType.student)}
              or exists (select 1 from "roleUser" u where u."schoolId" = p."schoolId" and u."suId" = p."suId")
            )
          )
        )
      order by p."suId" = any(${chosen}::uuid[]) desc, p."suiNumber"
      limit ${maxOptions + chosen.length}`.execute(db)
  return rows.rows
}

async function roles({ db, actor }: Context, search: string): Promise<Option[]> {
  const rows = await sql<Option>`
      select r."srId" as id, r."srName" as name,
        (select count(*) from "roleUser" u where u."schoolId" = r."schoolId" and u."srId" = r."srId")::text || ' 名成员'
        as note
      from "role" r
      where r."schoolId" = ${actor.schoolId} and r."enable" = '1' and r."srName" like ${likeText(search)}
      order by r."srSort", r."srName"`.execute(db)
  return rows.rows
}

async function departments({ db, actor }: Context, search: string): Promise<Option[]> {
  const rows = await sql<Option>`
      select d."sdId" as id, d."sdName" as name,
        (select count(*) from "departmentUser" u where u."schoolId" = d."schoolId" and u."sdId" = d."sdId")::text ||
        ' 名成员' as note
      from "department" d
      where d."schoolId" = ${actor.schoolId} and d."sdName" like ${likeText(search)}
      order by d."sdSort", d."sdName"`.execute(db)
  return rows.rows
}

/** A step as far as its checkers are concerned. */
interface StepCheckers {
  wfsNodeName: string
  wfsStepName: string
  wfsStepType: string
  wfsCheckerType: CheckerType
  checkers: string[]
  noApproverPolicy: 'block' | 'admin' | 'skip'
}

/**
 * The steps nobody in the school could decide today, each with its place in the list and the reason. Who it will be for
 * one matter depends on the matter.
 */
export async function emptyCheckersOf(
  ctx: Context,
  steps: readonly StepCheckers[],
): Promise<{ at: number; blocks: boolean; wfsNodeName: string; wfsStepName: string; reason: string }[]> {
  const deciding = steps
    .map((step, at) => ({ ...step, at }))
    .filter(({ wfsStepType }) => wfsStepType !== flowStepType.autoPass)
  if (deciding.length === 0) return []
  const facts = await staffing(
    ctx,
    deciding.flatMap(({ checkers }) => checkers),
  )
  return deciding.flatMap((step) => {
    const reason = lacking(step, facts)
    if (!reason) return []
    const { at, wfsNodeName, wfsStepName, wfsStepType, noApproverPolicy } = step
    const then =
      wfsStepType === flowStepType.copy
        ? '，暂不抄送'
        : { block: '', admin: '，将转校级管理员', skip: '，将跳过该步骤' }[noApproverPolicy]
    return [{ at, blocks: then === '', wfsNodeName, wfsStepName, reason: reason + then }]
  })
}

interface Staffing {
  people: string[]
  roles: string[]
  departments: string[]
  leagues: boolean
  leaders: boolean
  secretaries: boolean
  counselors: boolean
  owners: boolean
}

function lacking({ wfsCheckerType, checkers }: StepCheckers, facts: Staffing): string | undefined {
  const none = (known: string[]) => !checkers.some((id) => known.includes(id))
  switch (wfsCheckerType) {
    case flowCheckerType.people:
      return none(facts.people) ? '所选人员均不在岗或账号已停用' : undefined
    case flowCheckerType.role:
      return none(facts.roles) ? '所选角色没有在岗成员' : undefined
    case flowCheckerType.department:
      return none(facts.departments) ? '所选部门没有在岗成员' : undefined
    case flowCheckerType.startersCollege:
      return facts.leagues ? undefined : '全校尚无院系团委成员'
    case flowCheckerType.startersDepartmentHead:
      return facts.leaders ? undefined : '尚无部门设置负责人'
    case flowCheckerType.classSecretary:
      return facts.secretaries ? undefined : '全校尚无团支书'
    case flowCheckerType.counsellor:
      return facts.counselors ? undefined : '全校尚无辅导员'
    case flowCheckerType.moduleOwner:
      return facts.owners ? undefined : '尚无模块负责人'
    case flowCheckerType.principal:
    case flowCheckerType.teacher:
    case flowCheckerType.circleTeacher:
    case flowCheckerType.namedByLastStep:
      return undefined
  }
}

/**
 * Which of the chosen have somebody in service, and whether the school has anybody for the roles a matter asks for: one
 * statement.
 */
async function staffing({ db, actor }: Context, ids: string[]): Promise<Staffing> {
  const holders = (code: string) =>
    sql<boolean>`exists (
        select 1
        from serving s
        join "role" r on r."schoolId" = ${actor.schoolId}
          and r."srId" = s."srId"
          and r."enable" = '1'
          and r."srCode" = ${code}
      )`
  const rows = await sql<Staffing>`
    with active as (
      select p."suId"
      from "person" p
      join "account" a on a."schoolId" = p."schoolId" and a."suId" = p."suId" and ${mayAct('p', 'a')}
      where p."schoolId" = ${actor.schoolId}
        and p."delFlag" = '0'
        and (
          p."suId" = any(${ids}::uuid[])
          or p."suiType" <> ${sql.lit(personType.student)}
          or exists (select 1 from "roleUser" u where u."schoolId" = p."schoolId" and u."suId" = p."suId")
        )
    ),
      serving as (
        select distinct u."srId"
        from "roleUser" u
        join active a on a."suId" = u."suId"
        where u."schoolId" = ${actor.schoolId}
      )
    select array(select "suId"::text from active where "suId" = any(${ids}::uuid[])) as people,
      array(
        select s."srId"::text
        from serving s
        join "role" r on r."schoolId" = ${actor.schoolId} and r."srId" = s."srId" and r."enable" = '1'
        where s."srId" = any(${ids}::uuid[])
      ) as roles,
      array(
        select distinct d."sdId"::text
        from "departmentUser" d
        join active a on a."suId" = d."suId"
        where d."schoolId" = ${actor.schoolId} and d."sdId" = any(${ids}::uuid[])
      ) as departments, ${holders('COLLEGE_LEAGUE')} as leagues, ${holders('LEAGUE_SEC')} as secretaries,
      ${holders('COUNSELOR')} as counselors,
      exists (
        select 1
        from "department" d
        join active a on a."suId" = d."sdLeaderId"
        where d."schoolId" = ${actor.schoolId}
      ) as leaders, ${holders('MODULE_OWNER')}
      or exists (
        select 1
        from "curriculum" c
        join serving s on s."srId" = c."ownerRoleId"
        where c."schoolId" = ${actor.schoolId}
      ) as owners`.execute(db)
  return rows.rows[0]!
}
