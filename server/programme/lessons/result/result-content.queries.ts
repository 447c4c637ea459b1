import { sql } from 'kysely'
import { applyStatus, partakeMode, resultStatus } from '../../../../contract/core/codes/programme.ts'
import { labelOf } from '../../../../contract/core/dictionary.ts'
import { fromHundredths } from '../../../../contract/core/fields.ts'
import { wordsOf, type ContentField } from '../../../core/base/submitted-content.ts'
import type { Context } from '../../../core/request/context.ts'

interface Row {
  suId: string
  suiName: string
  suiNumber: string
  laSignStatus: string
  laResult: string
  awardName: string
  partakeMode: string
  laHours: number
}

/**
 * What a result says as it is submitted: its summary, and of every participant how they came and what they are given.
 */
export async function resultContent(
  { db, actor }: Context,
  liId: string,
  resultSummary: string,
): Promise<ContentField[]> {
  const { rows } = await sql<Row>`
    select r."suId", p."suiName", p."suiNumber", r."laSignStatus", r."laResult", r."awardName", r."partakeMode",
      r."laHours"
    from "registration" r
    join "person" p on p."schoolId" = r."schoolId" and p."suId" = r."suId"
    where r."schoolId" = ${actor.schoolId}
      and r."liId" = ${liId}::uuid
      and r."delFlag" = '0'
      and r."laStatus" = ${sql.lit(applyStatus.accepted)}
    order by p."suiNumber"`.execute(db)
  return [
    { field: 'resultSummary', label: '结果说明', value: wordsOf(resultSummary) },
    ...rows.map((row) => ({
      field: `participant.${row.suId}`,
      label: `${row.suiName} ${row.suiNumber}`,
      value: given(row),
      none: '不在名单中',
    })),
  ]
}

/** `已签到，获奖（一等奖），3 学时`; how they took part only where it is not the usual way. */
const given = ({ laSignStatus, laResult, awardName, partakeMode: mode, laHours }: Row): string =>
  [
    mode === partakeMode.participant ? '' : labelOf('partake_mode', mode),
    labelOf('sign_status', laSignStatus),
    laResult === resultStatus.awarded && awardName ? `获奖（${awardName}）` : labelOf('result_status', laResult),
    laHours > 0 ? `${fromHundredths(laHours)} 学时` : '',
  ]
    .filter(Boolean)
    .join('，')
