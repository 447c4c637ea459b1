import { sql } from 'kysely'
import type { DictionaryType } from '../../../contract/core/dictionary.ts'
import { fromHundredths, labelIn } from '../../../contract/core/fields.ts'
import { supplementFacts } from '../../../contract/programme/supplements/supplements.schema.ts'
import { wordsOf, type ContentField } from '../../core/base/submitted-content.ts'
import type { Context } from '../../core/request/context.ts'
import type { SupplementWorld } from './supplement-lookups.queries.ts'
import type { ReachedSupplement } from './supplements.queries.ts'

type Fact = keyof typeof supplementFacts

const dictionaries: Partial<Record<Fact, DictionaryType>> = {
  lisType: 'sup_type',
  lisPartakeMode: 'partake_mode',
}

/** What a record says as it is submitted, field by field in words, with the hours it gives (in hundredths). */
export async function supplementContent(
  ctx: Context,
  { places, levels }: SupplementWorld,
  supplement: ReachedSupplement,
  hours: number,
): Promise<ContentField[]> {
  const names = new Map([
    ...(await fileNames(ctx, supplement.lisProofs)),
    [supplement.suId, `${supplement.suiName}（${supplement.suiNumber}）`],
    [supplement.lsId, places.get(supplement.lsId)?.fullName ?? supplement.lsId],
    [supplement.lisLevel, levels.get(supplement.lisLevel)?.llName ?? supplement.lisLevel],
  ])
  const { lisHoursDeclared } = supplement
  const told = { ...supplement, lisHoursDeclared: lisHoursDeclared === null ? null : fromHundredths(lisHoursDeclared) }
  return [
    ...(Object.keys(supplementFacts) as Fact[]).map((field) => ({
      field,
      label: labelIn(supplementFacts[field]) ?? field,
      value: wordsOf(told[field], { dictionary: dictionaries[field] }, namesFor(field, names)),
    })),
    { field: 'lisHours', label: '认定学时', value: `${fromHundredths(hours)} 学时` },
  ]
}

/** Only fields of ids are told by name: a level's code may be somebody's rank. */
const named: readonly Fact[] = ['suId', 'lsId', 'lisLevel', 'lisProofs']
const noNames: ReadonlyMap<string, string> = new Map()
const namesFor = (field: Fact, names: ReadonlyMap<string, string>) => (named.includes(field) ? names : noNames)

const fileNames = async ({ db, actor }: Context, ids: readonly string[]): Promise<[string, string][]> =>
  ids.length === 0
    ? []
    : (
        await sql<{ fileId: string; fileName: string }>`
          select "fileId", "fileName"
          from "file"
          where "schoolId" = ${actor.schoolId} and "fileId" = any(${ids}::uuid[])`.execute(db)
      ).rows.map(({ fileId, fileName }) => [fileId, fileName])
