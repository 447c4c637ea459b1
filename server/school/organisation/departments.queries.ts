import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { departmentApi } from '../../../contract/school/organisation/departments.calls.ts'
import type { DepartmentNode } from '../../../contract/school/organisation/organisation.schema.ts'
import { allowedActions } from '../../core/request/scope-check.ts'
import type { Context } from '../../core/request/context.ts'
import { asPage, contains, countOf, offsetOf } from '../../core/database/paging.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { listOrder } from '../../core/database/sorting.ts'
import { personColumns, isNamed } from './person-columns.ts'

type Filters = Checked<typeof departmentApi.list>

const rights = { edit: 'department:edit', delete: 'department:delete', member: 'department:member' } as const
const sortable = {
  sdSort: 'department.sdSort',
  sdName: 'department.sdName',
  sdCode: 'department.sdCode',
  createTime: 'department.createTime',
}

/** All departments of the school: they lie in no college, and their tree is open to everybody in it. */
export const visibleDepartments = (ctx: Pick<Context, 'db' | 'actor'>) => from(ctx, 'department')

/** The departments a writing act may touch: those in the scope of its right. */
export const ownDepartments = (ctx: Pick<Context, 'db' | 'actor' | 'scope'>) =>
  visibleDepartments(ctx).where(inScope(ctx.scope, { department: 'department.sdId' }))

/** Members whom the caller may see: those of a department or of a college in their area. */
const visibleMembers = ({ db, actor, scope }: Pick<Context, 'db' | 'actor' | 'scope'>) =>
  from({ db, actor }, 'departmentUser')
    .innerJoin('person', withinSchool('person.suId', 'departmentUser.suId'))
    .where('person.delFlag', '=', sql.lit(yesNo.no))
    .where(
      inScope(scope, {
        department: 'departmentUser.sdId',
        college: 'person.suiCollegeId',
        major: 'person.majorId',
        class: 'person.scClassId',
      }),
    )

const withPlace = (query: ReturnType<typeof visibleMembers>) =>
  query
    .leftJoin('college', withinSchool('college.scId', 'person.suiCollegeId'))
    .leftJoin('schoolClass', withinSchool('schoolClass.scClassId', 'person.scClassId'))
    .select(['departmentUser.sdId', ...personColumns])
    .select(['departmentUser.post', 'departmentUser.sdSort', 'departmentUser.memberSort'])

const userCount = sql<number>`(
    select count(*)::int
    from "departmentUser" x
    where x."schoolId" = "department"."schoolId" and x."sdId" = "department"."sdId"
  )`
const childCount = sql<number>`(
    select count(*)::int
    from "department" x
    where x."schoolId" = "department"."schoolId" and x."sdPid" = "department"."sdId"
  )`

function matching(ctx: Context, { sdName, sdId, sdPid, sdType, topOnly }: Filters) {
  let query = visibleDepartments(ctx)
  if (sdName) query = query.where(contains('department.sdName', sdName))
  if (sdId) query = query.where('department.sdId', '=', sdId)
  if (sdPid) query = query.where('department.sdPid', '=', sdPid)
  if (sdType) query = query.where('department.sdType', '=', sdType)
  if (topOnly) query = query.where('department.sdPid', 'is', null)
  return query
}

/** A page of departments: two statements. */
export async function listDepartments(ctx: Context, input: Filters) {
  const [rows, total] = await Promise.all([
    matching(ctx, input)
      .leftJoin('department as parent', withinSchool('parent.sdId', 'department.sdPid'))
      .leftJoin('person as leader', withinSchool('leader.suId', 'department.sdLeaderId'))
      .select([
        'department.sdId',
        'department.sdName',
        'department.sdCode',
        'department.sdPid',
        'parent.sdName as parentName',
        'department.sdType',
        'department.sdLeaderId',
        'leader.suiName as sdLeaderName',
      ])
      .select(['department.isGuideUnit', 'department.sdSort', userCount.as('userCount'), childCount.as('childCount')])
      .select(['department.createName', 'department.createTime', 'department.updateTime', 'department.version'])
      .orderBy(listOrder(input, sortable))
      .orderBy('department.sdCode')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(matching(ctx, input)),
  ])
  return asPage(
    rows.map((row) => ({ ...row, can: allowedActions(ctx.actor, rights, { department: row.sdId }) })),
    total,
    input,
  )
}

/** The whole tree, with one statement. */
export async function departmentTree(ctx: Context): Promise<DepartmentNode[]> {
  const rows = await visibleDepartments(ctx)
    .select(['sdId', 'sdPid', 'sdName', 'sdCode', 'sdType', 'version', userCount.as('userCount')])
    .orderBy('sdSort')
    .orderBy('sdCode')
    .execute()
  const nodes = new Map(rows.map((row) => [row.sdId, { ...row, children: [] as DepartmentNode[] }]))
  const top: DepartmentNode[] = []
  for (const node of nodes.values()) (node.sdPid ? nodes.get(node.sdPid)!.children : top).push(node)
  return top
}

/** A page of a department's members. */
export async function listDepartmentUsers(ctx: Context, input: Checked<typeof departmentApi.users>) {
  const { sdId, search } = input
  await assertExists(ctx, sdId)
  let query = visibleMembers(ctx).where('departmentUser.sdId', '=', sdId)
  if (search) query = query.where(isNamed(search))
  const [rows, total] = await Promise.all([
    withPlace(query)
      .orderBy(
        listOrder(input, {
          memberSort: 'departmentUser.memberSort',
          suiNumber: 'person.suiNumber',
          suiName: 'person.suiName',
        }),
      )
      .orderBy('person.suiNumber')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
  ])
  return asPage(
    rows.map(({ className: _, ...row }) => row),
    total,
    input,
  )
}

/** All members of a department the caller may see in their order, at most 1000. */
export async function departmentUserOptions(ctx: Context, { id }: { id: string }) {
  await assertExists(ctx, id)
  const rows = await withPlace(visibleMembers(ctx).where('departmentUser.sdId', '=', id))
    .orderBy('departmentUser.memberSort')
    .orderBy('person.suiNumber')
    .limit(1000)
    .execute()
  return rows.map(asOption)
}

/** What stands right below a department (or at the top), or, with a search, everything in the school that fits it. */
export async function childrenAndUsers(ctx: Context, { sdId, search }: Checked<typeof departmentApi.childrenAndUsers>) {
  if (sdId) await assertExists(ctx, sdId)
  let departments = visibleDepartments(ctx)
  let members = visibleMembers(ctx)
  if (search) departments = departments.where(contains('department.sdName', search))
  else departments = departments.where('department.sdPid', sdId ? '=' : 'is', sdId ?? null)
  if (sdId) members = members.where('departmentUser.sdId', '=', sdId)
  if (search) members = members.where(isNamed(search))
  const [found, users] = await Promise.all([
    departments
      .select(['sdId', 'sdName', userCount.as('userCount'), childCount.as('childCount')])
      .orderBy('sdSort')
      .orderBy('sdCode')
      .limit(200)
      .execute(),
    sdId || search ? withPlace(members).orderBy('person.suiNumber').limit(200).execute() : [],
  ])
  const once = new Map(users.map((user) => [user.suId, asOption(user)]))
  return { departments: found, users: [...once.values()] }
}

const asOption = ({
  suId,
  suiName,
  suiNumber,
  suiType,
  collegeName,
  className,
}: {
  suId: string
  suiName: string
  suiNumber: string
  suiType: string
  collegeName: string | null
  className: string | null
}) => ({
  suId,
  suiName,
  suiNumber,
  suiType,
  collegeName,
  className,
})

/** The departments a person belongs to, if they are somebody the caller may see. */
export async function relationsOf(ctx: Context, { id }: { id: string }) {
  const person = await personInReach(ctx, id).select(['suId', 'suiName']).executeTakeFirst()
  if (!person) throw new Failure('not-found')
  const relations = await from(ctx, 'departmentUser')
    .innerJoin('department', withinSchool('department.sdId', 'departmentUser.sdId'))
    .select(['departmentUser.sdId', 'sdName', 'post', 'departmentUser.sdSort'])
    .where('departmentUser.suId', '=', id)
    .orderBy('departmentUser.sdSort')
    .orderBy('sdName')
    .execute()
  return { ...person, relations }
}

/** A person in the area: by their college or class, or by a department they belong to. */
export const personInReach = ({ db, actor, scope }: Pick<Context, 'db' | 'actor' | 'scope'>, suId: string) =>
  from({ db, actor }, 'person')
    .where('person.suId', '=', suId)
    .where((or) =>
      or.or([
        inScope(scope, { college: 'person.suiCollegeId', major: 'person.majorId', class: 'person.scClassId' }),
        or.exists(
          or
            .selectFrom('departmentUser')
            .select(sql`1`.as('one'))
            .whereRef('departmentUser.schoolId', '=', 'person.schoolId')
            .whereRef('departmentUser.suId', '=', 'person.suId')
            .where(inScope(scope, { department: 'departmentUser.sdId' })),
        ),
      ]),
    )

/** The departments the caller may act for, and which of them the course names. */
export async function departmentsInScope(ctx: Context, { liId }: { liId?: string | undefined }) {
  const rows = await visibleDepartments(ctx)
    .innerJoin('departmentUser', withinSchool('departmentUser.sdId', 'department.sdId'))
    .leftJoin('lesson', (join) =>
      join
        .onRef('lesson.schoolId', '=', 'department.schoolId')
        .onRef('lesson.liDepartmentId', '=', 'department.sdId')
        .on('lesson.liId', '=', liId ?? null),
    )
    .select(['department.sdId', 'department.sdName', 'departmentUser.post', 'lesson.liId'])
    .where('departmentUser.suId', '=', ctx.actor.suId)
    .orderBy('departmentUser.sdSort')
    .orderBy('department.sdName')
    .execute()
  return rows.map(({ liId: named, ...row }) => ({ ...row, checked: named !== null }))
}

async function assertExists(ctx: Context, sdId: string): Promise<void> {
  if (!(await visibleDepartments(ctx).select('sdId').where('sdId', '=', sdId).executeTakeFirst()))
    throw new Failure('not-found')
}
