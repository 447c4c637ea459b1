import { sql } from 'kysely'
import { Failure } from '../../../../contract/core/failure.ts'
import { peopleText } from '../../../core/base/people-text.ts'
import type { Context } from '../../../core/request/context.ts'

interface LockedParticipant {
  laId: string
  version: number
  laStatus: string
  laSignStatus: string
  laResult: string
  suiName: string
  suiNumber: string
}

/** Locks the participants that an import wrote; refuses where somebody has changed or deleted one of them since. */
export async function lockUnchanged(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  liId: string,
  written: readonly { laId: string; version: number }[],
): Promise<LockedParticipant[]> {
  const { rows } = await sql<LockedParticipant>`
    select t."laId", t."version", t."laStatus", t."laSignStatus", t."laResult", p."suiName", p."suiNumber"
    from "registration" t
    join "person" p on p."schoolId" = t."schoolId" and p."suId" = t."suId"
    where t."schoolId" = ${actor.schoolId}
      and t."liId" = ${liId}::uuid
      and t."delFlag" = '0'
      and t."laId" = any(${written.map(({ laId }) => laId)}::uuid[])
    order by t."laId"
    for update of t`.execute(db)
  const versions = new Map(written.map(({ laId, version }) => [laId, version]))
  const used = rows.find(({ laId, version }) => versions.get(laId) !== version)
  if (used || rows.length < written.length)
    throw new Failure('import-undo-late', {
      what: used ? `${peopleText([used])}的参与记录在导入之后已被修改` : '部分记录已删除',
    })
  return rows
}
