import { sql } from 'kysely'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { dataScope } from '../../../contract/core/codes/school.ts'
import { areaText } from '../../../contract/school/roles/area-text.ts'
import type { ControlArea } from '../../../contract/school/roles/roles.schema.ts'
import { dayOf } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { namedAreas } from './areas.service.ts'
import { scopeOf, type AreaTarget, type Grant } from './grants.service.ts'
import { mayAct } from '../people/may-act.ts'

/** A membership of a role as it stands, whether or not it gives anything now. */
export interface Membership extends Grant {
  suId: string
  suiName: string
  dataScope: string
  /** Why it gives no rights, or, where it does, whether they reach nothing: see `membership` in the contract. */
  state: 'active' | 'disabled' | 'ended' | 'empty'
  area: ControlArea
  areaText: string
  grantTime: string
  grantName: string | null
  endDate: string | null
}

/** Memberships give rights unless their role is off or their last day is over. */
export const inForce = ({ state }: Pick<Membership, 'state'>): boolean => state === 'active' || state === 'empty'

/** All memberships of some people, or of everybody who holds a right in force: two statements whatever their number. */
export async function membershipsOf(
  { db, actor, clock }: Pick<Context, 'db' | 'actor' | 'clock'>,
  who: { suIds: readonly string[] } | { permit: string },
): Promise<Membership[]> {
  const { schoolId } = actor
  const today = dayOf(clock.now())
  const people =
    'suIds' in who
      ? sql`u."suId" = any(${who.suIds}::uuid[])`
      : sql`u."suId" in (
          select h."suId"
          from "roleUser" h
          join "role" o on o."schoolId" = h."schoolId" and o."srId" = h."srId"
          join "person" q on q."schoolId" = h."schoolId" and q."suId" = h."suId"
          join "account" c on c."schoolId" = h."schoolId" and c."suId" = h."suId" and ${mayAct('q', 'c')}
          where h."schoolId" = ${schoolId}
            and o."enable" = '1'
            and ${who.permit} = any(o."permits")
            and (h."endDate" is null or h."endDate" >= ${today}::date)
          order by o."srSort", h."suId"
          limit 200
        )`
  const { rows } = await sql<
    Omit<Membership, 'scope' | 'state' | 'area' | 'areaText'> & { enable: string; targets: AreaTarget[] }
  >`
      select u."suId", p."suiName", r."srId", r."srName", r."srCode", r."dataScope", r."permits", r."enable",
        u."grantTime", u."endDate", g."suiName" "grantName",
        coalesce(
          (
            select json_agg(
              json_build_object('caType', a."caType", 'caTarget', a."caTarget") order by a."caType", a."caTarget"
            )
            from "controlArea" a
            where a."schoolId" = u."schoolId" and a."srId" = u."srId" and a."suId" = u."suId"
          ), '[]'
        ) "targets"
      from "roleUser" u
      join "role" r on r."schoolId" = u."schoolId" and r."srId" = u."srId"
      join "person" p on p."schoolId" = u."schoolId" and p."suId" = u."suId"
      left join "person" g on g."schoolId" = u."schoolId" and g."suId" = u."grantedBy"
      where u."schoolId" = ${schoolId} and ${people}
      order by r."srSort", r."srName", p."suiNumber"`.execute(db)
  const areas = await namedAreas(
    db,
    schoolId,
    rows.map(({ targets }) => targets),
  )
  return rows.map(({ targets, enable, ...row }, at) => {
    const scope = scopeOf(row.dataScope, targets)
    const state =
      enable !== enableStatus.enabled
        ? 'disabled'
        : row.endDate && row.endDate < today
          ? 'ended'
          : !scope.whole && scope.areas.length === 0 && row.dataScope !== dataScope.self
            ? 'empty'
            : 'active'
    return { ...row, scope, state, area: areas[at]!, areaText: areaText(row.dataScope, areas[at]!.names) }
  })
}
