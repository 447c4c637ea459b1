import { sql } from 'kysely'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { dataScope as dataScopeCodes, roleType } from '../../../contract/core/codes/school.ts'
import { allPermits } from '../../../contract/index.ts'
import type { Area, Scope } from '../../../contract/core/scope.ts'
import { dayOf } from '../../core/base/clock.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { compiledOnce } from '../../core/database/compiled-once.ts'
import type { Db } from '../../core/database/pool.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { newId } from '../../core/base/ids.ts'
import { expandPermits, roleSeeds } from './role-seeds.ts'

/** What one role gives one person: rights, and the part of the school they hold for. */
export interface Grant {
  srId: string
  srName: string
  srCode: string
  permits: string[]
  scope: Scope
}

/** The field of an area that holds the targets of a kind. */
export const areaFields = {
  college: 'scIds',
  major: 'smIds',
  class: 'scClassIds',
  department: 'sdIds',
  grade: 'grades',
  curriculum: 'lsIds',
} as const satisfies Record<string, keyof Area>
export type AreaKind = keyof typeof areaFields
/** One target of a control area, as it is stored. */
export type AreaTarget = { caType: AreaKind; caTarget: string }

/**
 * The grants of a person: one statement, whatever the number of roles. Disabled roles and memberships that have ended
 * give nothing.
 */
export async function grantsOf(
  { db, clock }: Pick<PublicContext, 'db' | 'clock'>,
  schoolId: string,
  suId: string,
): Promise<Grant[]> {
  const rows = await rolesOf(db, { schoolId, suId, today: dayOf(clock.now()) })
  return rows.map(({ srId, srName, srCode, permits, dataScope, areas }) => ({
    srId,
    srName,
    srCode,
    permits: grantable(permits),
    scope: scopeOf(dataScope, areas),
  }))
}

const rolesOf = compiledOnce((db, person: { schoolId: string; suId: string; today: string }) =>
  from({ db, schoolId: person.schoolId }, 'roleUser')
    .innerJoin('role', withinSchool('role.srId', 'roleUser.srId'))
    .select(['role.srId', 'role.srName', 'role.srCode', 'role.permits', 'role.dataScope'])
    .select(
      sql<AreaTarget[]>`coalesce(
          (
            select json_agg(json_build_object('caType', a."caType", 'caTarget', a."caTarget"))
            from "controlArea" a
            where a."schoolId" = "roleUser"."schoolId"
              and a."srId" = "roleUser"."srId"
              and a."suId" = "roleUser"."suId"
          ), '[]'
        )`.as('areas'),
    )
    .where('roleUser.suId', '=', person.suId)
    .where('role.enable', '=', enableStatus.enabled)
    .where((or) => or.or([or('roleUser.endDate', 'is', null), or('roleUser.endDate', '>=', person.today)]))
    .orderBy('role.srSort'),
)

/**
 * The rights among these that a role can give. A row may name others: it came with a school from another installation,
 * or an earlier version had them. Rights over the installation come from its settings alone.
 */
export const grantable = (permits: readonly string[]): string[] => permits.filter((permit) => allPermits.has(permit))

/**
 * The scope that a role's data scope and a member's control area make together. Without any target it covers nothing.
 */
export function scopeOf(dataScope: string, targets: readonly AreaTarget[]): Scope {
  if (dataScope === dataScopeCodes.school && targets.length === 0) return { whole: true, areas: [] }
  if (dataScope === dataScopeCodes.self || targets.length === 0) return { whole: false, areas: [] }
  const area: Area = { scIds: [], smIds: [], scClassIds: [], sdIds: [], grades: [], lsIds: [] }
  for (const { caType, caTarget } of targets) area[areaFields[caType]].push(caTarget)
  return { whole: false, areas: [area] }
}

/**
 * What grants let a person see under each right, looked up once a right: a page of a list asks for each row and action.
 */
export function scopesUnder(grants: readonly Grant[]): (permit: string) => Scope {
  const scopes = new Map<string, Scope>()
  return (permit) => {
    const known = scopes.get(permit)
    if (known) return known
    const scope = scopeUnder(grants, permit)
    scopes.set(permit, scope)
    return scope
  }
}

/** What all grants with a right let a person see, together. */
export function scopeUnder(grants: readonly Grant[], permit: string): Scope {
  const holding = permit.includes(':') ? grants.filter(({ permits }) => permits.includes(permit)) : grants
  if (holding.some(({ scope }) => scope.whole)) return { whole: true, areas: [] }
  return { whole: false, areas: holding.flatMap(({ scope }) => scope.areas) }
}

/** Writes the built-in roles of a new school and returns their ids by code. */
export async function seedRoles(db: Db, schoolId: string): Promise<Record<string, string>> {
  const rows = roleSeeds.map((seed, srSort) => ({
    ...seed,
    schoolId,
    srId: newId(),
    srType: roleType.builtIn,
    srSort,
    permits: expandPermits(seed.permits, allPermits.keys()),
  }))
  await db.insertInto('role').values(rows).execute()
  return Object.fromEntries(rows.map(({ srCode, srId }) => [srCode, srId]))
}

/**
 * Gives the built-in roles of all schools the rights that this version of the program seeds them with; nobody edits
 * those by hand.
 */
export async function refreshBuiltInRoles(db: Db): Promise<void> {
  for (const { srCode, permits } of roleSeeds) {
    await db
      .updateTable('role')
      .set({ permits: expandPermits(permits, allPermits.keys()) })
      .where('srCode', '=', srCode)
      .where('srType', '=', roleType.builtIn)
      .execute()
  }
}

/** Makes a person a member of a role, with the targets of their control area. */
export async function grantRole(
  db: Db,
  schoolId: string,
  srId: string,
  suId: string,
  targets: readonly AreaTarget[] = [],
): Promise<void> {
  await db
    .insertInto('roleUser')
    .values({ schoolId, srId, suId })
    .onConflict((on) => on.doNothing())
    .execute()
  if (targets.length > 0)
    await db
      .insertInto('controlArea')
      .values(targets.map((target) => ({ schoolId, srId, suId, ...target })))
      .onConflict((on) => on.doNothing())
      .execute()
}
