import type { Kysely } from 'kysely'
import { backfill } from '../core/database/backfill.ts'

export const isStepwise = true

/**
 * Whoever is removed leaves neither nation, kind of document, origin, specialty nor remark. Removal has cleared them
 * only lately, and erasure is of graduates who are not removed: of people who were removed before, nothing else ever
 * would.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const columns = ['suiNation', 'suiIdType', 'provinceId', 'cityId', 'areaId', 'specialty', 'remark']
  await backfill(db, {
    name: '202611270210-forget-the-removed',
    table: 'person',
    key: ['schoolId', 'suId'],
    set: columns.map((column) => `"${column}" = null`).join(', '),
    where: `"delFlag" <> '0' and coalesce(${columns.map((column) => `"${column}"::text`).join(', ')}) is not null`,
  })
}
