import type pg from 'pg'

/** Field of an input -> table and column in which a search for it looks. */
const columns: Record<string, readonly [table: string, column: string]> = {
  suiName: ['person', 'suiName'],
  suName: ['person', 'suiName'],
  suiNumber: ['person', 'suiNumber'],
  numberOrName: ['person', 'suiName'],
  targetName: ['person', 'suiName'],
  search: ['person', 'suiName'],
  lisName: ['supplement', 'lisName'],
  lisAward: ['supplement', 'lisAward'],
  certNo: ['supplement', 'certNo'],
  refuseReason: ['supplement', 'refuseReason'],
  liName: ['lesson', 'liName'],
  scName: ['college', 'scName'],
  scCode: ['college', 'scCode'],
  smName: ['major', 'smName'],
  smCode: ['major', 'smCode'],
  scClassName: ['schoolClass', 'scClassName'],
  sdName: ['department', 'sdName'],
  srName: ['role', 'srName'],
  createName: ['information', 'createName'],
  iiTitle: ['information', 'iiTitle'],
  ciName: ['circle', 'ciName'],
  ccName: ['circleClass', 'ccName'],
  niTitle: ['news', 'niTitle'],
  ntName: ['newsType', 'ntName'],
  bizName: ['approval', 'bizName'],
  startName: ['approval', 'startName'],
  esName: ['evaluation', 'esName'],
  atName: ['awardTemplate', 'atName'],
  trName: ['transformation', 'trName'],
  wfName: ['workflow', 'wfName'],
  actor: ['auditLog', 'actorName'],
  action: ['auditLog', 'action'],
  ip: ['auditLog', 'ip'],
  requestId: ['auditLog', 'requestId'],
}

/** A word that nothing holds, of characters that much holds. */
const unknownWord = '大学生学大'

/**
 * Words that people might search a field for, out of the data: two characters that the most rows hold, two that about a
 * sixth of them do, one whole value, and a word that none holds.
 */
export async function wordsOf(pool: pg.Pool, schoolId: string): Promise<(field: string) => Promise<string[]>> {
  const known = new Map<string, Promise<string[]>>()
  const find = async ([table, column]: readonly [string, string]): Promise<string[]> => {
    const { rows } = await pool.query<{ often: string | null; sixth: string | null; whole: string | null }>(
      `with "some" as (
         select "${column}" as "value"
         from "${table}"
         where "schoolId" = $1 and "${column}" <> ''
         order by hashtext("${column}"), 1
         limit 5000
       ), "pairs" as (
         select substr(s."value", at, 2) as "word", count(*) as "n"
         from "some" s, generate_series(1, greatest(1, length(s."value") - 1)) at
         group by 1
       )
       select
         (select "word" from "pairs" order by "word" ~ '^[一-龥]+$' desc, "n" desc, "word" limit 1) as "often",
         (select "word" from "pairs" order by "word" ~ '^[一-龥]+$' desc, abs("n" - (select count(*) from "some") / 6.0), "word" limit 1) as "sixth",
         (select "value" from "some" group by 1 order by count(*), hashtext("value"), 1 limit 1) as "whole"`,
      [schoolId],
    )
    const { often, sixth, whole } = rows[0]!
    return [...new Set([often, sixth, whole, unknownWord])].filter((word) => word !== null)
  }
  return async (field) => {
    const place = columns[field]
    if (!place) return []
    const key = place.join()
    return known.get(key) ?? known.set(key, find(place)).get(key)!
  }
}
