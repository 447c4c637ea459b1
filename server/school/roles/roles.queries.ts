import { sql, type RawBuilder } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { roleType } from '../../../contract/core/codes/school.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { maxFoundRoles, type roleApi } from '../../../contract/school/roles/roles.calls.ts'
import { rightsTree } from '../../../contract/school/roles/rights-tree.ts'
import type { OwnRightsTree, RoleRow } from '../../../contract/school/roles/roles.schema.ts'
import type { Context } from '../../core/request/context.ts'
import { asPage, contains, countOf, offsetOf } from '../../core/database/paging.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { listOrder } from '../../core/database/sorting.ts'
import { personColumns } from '../organisation/person-columns.ts'
import { pickPeople } from '../people/picker.ts'
import { figure } from '../../../contract/core/figure.ts'

/** All roles of the school: they belong to it as a whole, only their members have an area. */
export const visibleRoles = (ctx: Pick<Context, 'db' | 'actor'>) => from(ctx, 'role')

const userCount = sql<number>`(
    select count(*)::int
    from "roleUser" u
    where u."schoolId" = "role"."schoolId" and u."srId" = "role"."srId"
  )`

const columns = [
  'srId',
  'srName',
  'srCode',
  'srType',
  'srDesc',
  'srSort',
  'enable',
  'dataScope',
  'permits',
  'createTime',
  'updateTime',
  'version',
] as const

/** Roles are shaped by whoever may do so for the whole school; built-in ones are copied, never changed or removed. */
function roleActions({ actor }: Pick<Context, 'actor'>, role: { srType: string; permits: string[] }): RoleRow['can'] {
  const shapes = (permit: 'role:edit' | 'role:delete') => actor.permits.has(permit) && actor.scopeFor(permit).whole
  return [
    ...(shapes('role:edit') ? (['edit', 'copy'] as const) : []),
    ...(shapes('role:delete') && role.srType !== roleType.builtIn ? (['delete'] as const) : []),
    ...(actor.permits.has('role:grant') && role.permits.every((permit) => actor.permits.has(permit))
      ? (['grant'] as const)
      : []),
  ]
}

/** A page of roles: two statements. */
export async function listRoles(ctx: Context, input: Checked<typeof roleApi.list>) {
  const { srName, srType, enable, dataScope } = input
  let query = visibleRoles(ctx)
  if (srName) query = query.where(contains('role.srName', srName))
  if (srType) query = query.where('srType', '=', srType)
  if (enable) query = query.where('enable', '=', enable)
  if (dataScope) query = query.where('dataScope', '=', dataScope)
  const [rows, total] = await Promise.all([
    query
      .select(columns)
      .select(userCount.as('userCount'))
      .orderBy(listOrder(input, { srSort: 'role.srSort', srName: 'role.srName', createTime: 'role.createTime' }))
      .orderBy('srName')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
  ])
  return asPage(
    rows.map(({ permits, ...row }) => ({
      ...row,
      permitCount: permits.length,
      can: roleActions(ctx, { ...row, permits }),
    })),
    total,
    input,
  )
}

/** A role with its rights. */
export async function roleResources(ctx: Context, { id }: { id: string }) {
  const row = await visibleRoles(ctx)
    .select(columns)
    .select(userCount.as('userCount'))
    .where('srId', '=', id)
    .executeTakeFirst()
  if (!row) throw new Failure('not-found')
  return { ...row, permitCount: row.permits.length, can: roleActions(ctx, row) }
}

const usesRole = sql<boolean>`(
    r."srId" = any(w."roleIds")
    or exists (
      select
      from "workflowStep" s
      left join "workflowChecker" c on c."schoolId" = s."schoolId" and c."wfsId" = s."wfsId"
      where s."schoolId" = w."schoolId" and s."wfId" = w."wfId" and r."srId" in (c."wfcCheckerId", s."timeoutRoleId")
    )
  )`

/**
 * How many members roles have and how many flows and modules name them, with the first twenty of these; one statement
 * whatever their number.
 */
export const useOfRoles = ({ db, actor }: Pick<Context, 'db' | 'actor'>, srIds: readonly string[]) =>
  sql<{
    srId: string
    srName: string
    srType: string
    userCount: number
    flowCount: number
    moduleCount: number
    flows: { wfId: string; wfName: string }[]
    modules: { lsId: string; lsName: string }[]
  }>`
      select r."srId", r."srName", r."srType", users.n "userCount", flows.n "flowCount", flows.named "flows",
        modules.n "moduleCount", modules.named "modules"
      from "role" r,
        lateral (select count(*)::int n from "roleUser" u where u."schoolId" = r."schoolId" and u."srId" = r."srId")
        users,
        lateral (
          select count(*)::int n,
            coalesce(
              json_agg(json_build_object('wfId', f."wfId", 'wfName', f."wfName") order by f."wfName") filter (where
                f.at <= 20), '[]'
            ) named
          from (
            select w."wfId", w."wfName", row_number() over (order by w."wfName") at
            from "workflow" w
            where w."schoolId" = r."schoolId" and ${usesRole}
          ) f
        ) flows,
        lateral (
          select count(*)::int n,
            coalesce(
              json_agg(json_build_object('lsId', m."lsId", 'lsName', m."lsName") order by m."lsName") filter (where
                m.at <= 20), '[]'
            ) named
          from (
            select c."lsId", c."lsName", row_number() over (order by c."lsName") at
            from "curriculum" c
            where c."schoolId" = r."schoolId" and c."ownerRoleId" = r."srId"
          ) m
        ) modules
      where r."schoolId" = ${actor.schoolId} and r."srId" = any(${srIds}::uuid[])
      order by r."srSort"`
    .execute(db)
    .then(({ rows }) => rows)

/** Whether a role could be deleted, and what stands in the way. */
export async function verifyRole(ctx: Context, { id }: { id: string }) {
  const [use] = await useOfRoles(ctx, [id])
  if (!use) throw new Failure('not-found')
  const { srId: _, srName: __, srType, ...rest } = use
  return {
    ...rest,
    builtIn: srType === roleType.builtIn,
    canDelete: srType !== roleType.builtIn && whatUses(use) === '',
  }
}

/** `3 名成员、2 个使用它的流程`; empty where nothing does. */
export const whatUses = ({
  userCount,
  flowCount,
  moduleCount,
}: {
  userCount: number
  flowCount: number
  moduleCount: number
}): string =>
  (
    [
      [userCount, '名成员'],
      [flowCount, '个使用它的流程'],
      [moduleCount, '个由它负责的课程体系'],
    ] as const
  )
    .flatMap(([count, unit]) => (count > 0 ? [`${figure(count)} ${unit}`] : []))
    .join('、')

/**
 * Every right for the role editor, and whether the caller may put it into a role: only what they hold for the whole
 * school.
 */
export async function menuTree({ actor }: Context): Promise<OwnRightsTree> {
  const held = (permit: string) =>
    !actor.permits.has(permit) ? 'none' : actor.scopeFor(permit as `${string}:${string}`).whole ? 'whole' : 'part'
  return rightsTree().map(({ title, pages }) => ({
    title,
    pages: pages.map((page) => ({
      ...page,
      elements: page.elements.map((element) => ({ ...element, held: held(element.permit) })),
    })),
  }))
}

/** Options of the role drop-down. */
export const roleOptions = (ctx: Context) =>
  visibleRoles(ctx)
    .select(['srId', 'srName', 'srCode', 'dataScope', 'srType'])
    .where('enable', '=', enableStatus.enabled)
    .orderBy('srSort')
    .orderBy('srName')
    .execute()

const choice = ['role.srId', 'role.srName', 'role.srCode'] as const

/**
 * The roles in whose name a course may be brought in: one's own, or for a course one may see those of the person who
 * made it.
 */
export async function rolesToActionFor(ctx: Context, { liId }: { liId?: string | undefined }) {
  const { db, actor } = ctx
  const lesson = liId
    ? await from({ db, actor }, 'lesson')
        .select('lesson.createBy')
        .where('lesson.liId', '=', liId)
        .where((or) =>
          or.or([
            or('lesson.liPrincipalId', '=', actor.suId),
            inScope(actor.scopeFor('lesson:list'), {
              college: 'lesson.liCollegeId',
              department: 'lesson.liDepartmentId',
              path: 'lesson.lsPath',
            }),
          ]),
        )
        .executeTakeFirst()
    : undefined
  return visibleRoles(ctx)
    .innerJoin('roleUser', withinSchool('roleUser.srId', 'role.srId'))
    .select(choice)
    .where('role.enable', '=', enableStatus.enabled)
    .where('roleUser.suId', '=', lesson?.createBy ?? actor.suId)
    .orderBy('role.srSort')
    .execute()
}

/** With a role, those of its members that fit; without one, the roles and the people that do. */
export async function findRolesOrUsers(ctx: Context, { srId, search }: Checked<typeof roleApi.search>) {
  const users = (condition: RawBuilder<boolean>, most: number) => {
    let query = from(ctx, 'person')
      .leftJoin('college', withinSchool('college.scId', 'person.suiCollegeId'))
      .leftJoin('schoolClass', withinSchool('schoolClass.scClassId', 'person.scClassId'))
      .select(personColumns)
      .where(condition)
    if (srId)
      query = query.where((at) =>
        at.exists(
          at
            .selectFrom('roleUser')
            .select(sql`1`.as('one'))
            .whereRef('roleUser.schoolId', '=', 'person.schoolId')
            .whereRef('roleUser.suId', '=', 'person.suId')
            .where('roleUser.srId', '=', srId),
        ),
      )
    return query.orderBy('person.suiNumber').limit(most).execute()
  }
  let roles = visibleRoles(ctx).select(choice).where('role.enable', '=', enableStatus.enabled)
  if (search) roles = roles.where(contains('role.srName', search))
  return {
    roles: srId ? [] : await roles.orderBy('srSort').limit(maxFoundRoles).execute(),
    users: srId || search ? await pickPeople(ctx, search ? [search] : [], maxFoundRoles, users) : [],
  }
}
