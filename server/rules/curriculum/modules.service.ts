import { enableStatus, yesNo } from '../../../contract/core/codes/platform.ts'
import type { StarRule } from '../../../contract/rules/curriculum/star-rule.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'

/** A module: a top node of the curriculum with what graduation asks of it, in hundredths. */
export interface Module {
  lsId: string
  lsName: string
  required: boolean
  minHours: number
  /** What its stars ask for; null: the usual. */
  starRule: StarRule | null
}

/** The modules of the school in their order: the open ones, or with `closed` all there ever were. */
export async function modulesOf(ctx: Context, { closed = false } = {}): Promise<Module[]> {
  let query = from(ctx, 'curriculum')
    .select(['lsId', 'lsName', 'required', 'minHours', 'starRule'])
    .where('lsPid', 'is', null)
  if (!closed) query = query.where('enable', '=', enableStatus.enabled)
  const rows = await query.orderBy('lsSort').orderBy('lsId').execute()
  return rows.map((row) => ({
    ...row,
    required: row.required === yesNo.yes,
    starRule: row.starRule as StarRule | null,
  }))
}

/** The names of all nodes by id. */
export async function nodeNames(ctx: Context): Promise<Map<string, string>> {
  const rows = await from(ctx, 'curriculum').select(['lsId', 'lsName']).execute()
  return new Map(rows.map(({ lsId, lsName }) => [lsId, lsName]))
}
