import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { accountStatus } from '../../../contract/core/codes/school.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import type { Area } from '../../../contract/core/scope.ts'
import { allPermits } from '../../../contract/index.ts'
import type { accessApi } from '../../../contract/school/roles/access.calls.ts'
import {
  reachOf,
  recordKindNames,
  type AccessAnswer,
  type RecordKind,
  type UserAccess,
} from '../../../contract/school/roles/access.schema.ts'
import { rightTitle } from '../../../contract/school/roles/rights-tree.ts'
import type { Actor, Context } from '../../core/request/context.ts'
import { scopeIncludes, type Location } from '../../core/request/scope-check.ts'
import type { KnownRecord, RecordSource } from '../../core/request/record-kind.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import { areaOf, knownParents } from './areas.service.ts'
import { explainAccess, type Subject } from './explain-access.ts'
import { scopesUnder, scopeUnder } from './grants.service.ts'
import { personScopeColumns } from './members.queries.ts'
import { inForce, membershipsOf, type Membership } from './memberships.queries.ts'
import { visibleRoles } from './roles.queries.ts'
import { personColumns } from '../organisation/person-columns.ts'
import { hasGraduated } from '../people/may-act.ts'

/**
 * How the records are found that rights reach, by their kind; handed in, because some of them belong to floors above.
 */
export type RecordSources = Readonly<Record<RecordKind, RecordSource>>

/**
 * What a person may see and do: their memberships and, right by right, the roles that give it, what they cover and how
 * many rows they see.
 */
export async function userAccess(
  ctx: Context,
  { suId }: Checked<typeof accessApi.view>,
  sources: RecordSources,
): Promise<UserAccess> {
  const { suiStatus: _, ...person } = await personInReach(ctx, suId)
  const memberships = await membershipsOf(ctx, { suIds: [suId] })
  const subject = actorOf(ctx, person, memberships)
  const counted = new Map<string, Promise<number>>()
  const countOnce = (kind: RecordKind, permit: `${string}:${string}`) => {
    const scope = subject.scopeFor(permit)
    const key = `${kind} ${JSON.stringify(scope)}`
    const known = counted.get(key) ?? sources[kind].count({ ...ctx, actor: subject, scope })
    counted.set(key, known)
    return known
  }
  const rights = [...subject.permits].map(async (permit) => {
    const giving = memberships.filter((one) => inForce(one) && one.permits.includes(permit))
    const { by, rows } = reachOf(permit)
    const text =
      by === 'area'
        ? [...new Set(giving.map((one) => one.areaText || '未设置'))].join('；')
        : by === 'task'
          ? '由流程指派'
          : '全校配置'
    return {
      permit,
      srIds: giving.map(({ srId }) => srId),
      areaText: text,
      rows: rows ?? null,
      count: rows ? await countOnce(rows, permit as `${string}:${string}`) : null,
    }
  })
  return {
    person,
    memberships: memberships.map(({ permits, scope: __, suId: ___, suiName: ____, ...row }) => ({
      ...row,
      permitCount: permits.length,
    })),
    rights: await Promise.all(rights),
  }
}

/** Records to try a right on: those that the caller's right to see roles covers. */
export const accessRecords = async (
  ctx: Context,
  { kind, search }: Checked<typeof accessApi.records>,
  sources: RecordSources,
) => (await sources[kind].find(ctx, search)).map(({ id, name, hint }) => ({ id, name, hint }))

/**
 * Tries a right of a person, on a record or in general, and says why it does or does not hold and who could give it.
 */
export async function testAccess(
  ctx: Context,
  { suId, permit, kind, id }: Checked<typeof accessApi.test>,
  sources: RecordSources,
): Promise<AccessAnswer> {
  if (!allPermits.has(permit)) throw invalidInput([{ field: 'permit', msg: `没有名为“${permit}”的权限` }])
  const reach = reachOf(permit)
  if (id && (!kind || !reach.kinds.includes(kind)))
    throw invalidInput([{ field: 'kind', msg: kind ? `该权限不针对${recordKindNames[kind]}` : '请选择记录类型' }])
  const person = await personInReach(ctx, suId)
  const record = kind && id ? await sources[kind].one(ctx, id) : undefined
  if (id && !record) throw new Failure('not-found')
  const memberships = await membershipsOf(ctx, { suIds: [suId] })
  const subject = actorOf(ctx, person, memberships)
  const personal =
    kind && record
      ? await sources[kind].relations?.(
          { ...ctx, actor: subject, scope: subject.scopeFor(permit as `${string}:${string}`) },
          record.id,
        )
      : undefined
  const known: Subject | undefined = kind &&
    record && {
      title: `${recordKindNames[kind]}“${record.name}”`,
      hint: record.hint,
      place: record.location,
      relations: personal?.relations ?? [],
      hasTask: personal?.hasTask ?? false,
      ...(isPlaceFor(permit, kind) && { area: placeArea(kind, record) }),
    }
  const parents = await knownParents(ctx, [
    ...memberships.flatMap(({ scope }) => scope.areas),
    ...(known?.area ? [known.area] : []),
  ])
  const answer = explainAccess({
    who: person.suiName,
    right: rightTitle(permit),
    reach,
    subject: known,
    parents,
    accountOff: whyNotActive(person),
    holdings: memberships.map((one) => ({
      srName: one.srName,
      has: one.permits.includes(permit),
      off: one.state === 'disabled' ? '该角色已停用' : one.state === 'ended' ? `有效期至 ${one.endDate}，已到期` : null,
      scope: one.scope,
      areaText: one.areaText,
    })),
  })
  const isMissing = answer.missing === 'right' || answer.missing === 'area'
  return {
    ...answer,
    acts: subject.permits.has(permit) && personal ? personal.acts : [],
    givers: isMissing
      ? await giversOf(
          ctx,
          permit,
          suId,
          reach.by === 'area' ? record?.location : undefined,
          answer.missing === 'right',
        )
      : { total: 0, people: [], roles: [] },
  }
}

/** A college or major that stands for the rows in it, not for itself. */
const isPlaceFor = (permit: string, kind: RecordKind): boolean =>
  (kind === 'college' || kind === 'major') && !permit.startsWith(`${kind}:`)
const placeArea = (kind: RecordKind, { id }: KnownRecord): Area =>
  areaOf([{ caType: kind === 'college' ? 'college' : 'major', caTarget: id }])

/** Who may give a right over a place: people who hold it there, and the right to give, there too. */
async function giversOf(
  ctx: Context,
  permit: string,
  suId: string,
  place: Location | undefined,
  wantsRoles: boolean,
): Promise<AccessAnswer['givers']> {
  const [memberships, roles] = await Promise.all([
    membershipsOf(ctx, { permit: 'role:grant' }),
    wantsRoles
      ? visibleRoles(ctx)
          .select(['srId', 'srName'])
          .where('enable', '=', enableStatus.enabled)
          .where(sql<boolean>`${permit} = any("permits")`)
          .orderBy('srSort')
          .limit(10)
          .execute()
      : [],
  ])
  const people = [...new Set(memberships.map((one) => one.suId))].filter((one) => one !== suId)
  const able = people.flatMap((one) => {
    const own = memberships.filter((membership) => membership.suId === one && inForce(membership))
    const reaches = ['role:grant', permit].every(
      (right) =>
        own.some(({ permits }) => permits.includes(right)) && (!place || scopeIncludes(scopeUnder(own, right), place)),
    )
    return reaches
      ? [
          {
            suId: one,
            suiName: own[0]!.suiName,
            srNames: own.filter(({ permits }) => permits.includes('role:grant')).map(({ srName }) => srName),
          },
        ]
      : []
  })
  return { total: able.length, people: able.slice(0, 5), roles }
}

/** Why somebody's roles give them nothing at all; null where they do. */
function whyNotActive(person: {
  suiName: string
  suiType: string
  suiStatus: string
  suStatus: string
}): string | null {
  if (person.suStatus !== accountStatus.active) return `${person.suiName} 的账号已停用，不能登录。`
  return hasGraduated(person) ? `${person.suiName} 已毕业，账号只读，不再具有角色的权限。` : null
}

async function personInReach({ db, actor, scope }: Context, suId: string) {
  const person = await from({ db, actor }, 'person')
    .innerJoin('account', withinSchool('account.suId', 'person.suId'))
    .leftJoin('college', withinSchool('college.scId', 'person.suiCollegeId'))
    .leftJoin('schoolClass', withinSchool('schoolClass.scClassId', 'person.scClassId'))
    .select([...personColumns, 'person.suiStatus', 'account.suStatus'])
    .where('person.suId', '=', suId)
    .where(inScope(scope, personScopeColumns))
    .executeTakeFirst()
  if (!person) throw new Failure('not-found')
  return person
}

/** The person as requests of their own would find them. */
function actorOf(
  { actor }: Context,
  { suId, suiName }: { suId: string; suiName: string },
  memberships: readonly Membership[],
): Actor {
  const grants = memberships.filter(inForce)
  return {
    schoolId: actor.schoolId,
    suId,
    suNickname: suiName,
    suLoginName: '',
    sessionId: '',
    mustChangePwd: false,
    permits: new Set(grants.flatMap(({ permits }) => permits)),
    roleIds: grants.map(({ srId }) => srId),
    scopeFor: scopesUnder(grants),
  }
}
