import { sql } from 'kysely'
import type { AuditKind } from '../../../contract/core/dictionary.ts'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { anyOf } from '../database/any-of.ts'
import type { Context } from '../request/context.ts'
import { updatedColumns } from '../request/stamp-columns.ts'
import { auditMany } from './audit.ts'

interface Kind<R> {
  table: AuditKind
  id: keyof R & string
  name: keyof R & string
  /** What the trail calls them: 启用奖励模板. */
  what: string
}

/** Enables or disables those of the rows that are not so already, each with a row of the trail. */
export async function enableRows<R extends { enable: string }>(
  tx: Context,
  { table, id, name, what }: Kind<R>,
  rows: readonly R[],
  enable: string,
): Promise<{ affected: number }> {
  const changing = rows.filter((row) => row.enable !== enable)
  if (changing.length === 0) return { affected: 0 }
  const { updateBy, updateTime, version } = updatedColumns(tx)
  const ids = changing.map((row) => String(row[id]))
  await sql`
    update ${sql.table(table)}
    set "enable" = ${enable}, "updateBy" = ${updateBy}, "updateTime" = ${updateTime}, "version" = ${version}
    where "schoolId" = ${tx.actor.schoolId} and ${anyOf(id, ids)}`.execute(tx.db)
  await auditMany(
    tx,
    changing.map((row) => ({
      action: `${enable === enableStatus.enabled ? '启用' : '停用'}${what}`,
      bizType: table,
      bizId: String(row[id]),
      bizName: String(row[name]),
      before: { enable: row.enable },
      after: { enable },
    })),
  )
  return { affected: changing.length }
}
