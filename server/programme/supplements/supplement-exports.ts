import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import type { SheetColumn } from '../../../contract/core/sheets.ts'
import type { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { exportList, inBatches } from '../../core/export/exports.ts'
import { matchingSupplements, supplementRows } from './supplement-list.queries.ts'

const batch = 500

const columns = [
  { key: 'suiNumber', label: '学号' },
  { key: 'suiName', label: '姓名' },
  { key: 'scName', label: '学院', width: 22 },
  { key: 'scClassName', label: '班级', width: 20 },
  { key: 'suiGrade', label: '年级' },
  { key: 'lisName', label: '名称', width: 32 },
  { key: 'lsName', label: '模块', width: 24 },
  { key: 'lisType', label: '类型' },
  { key: 'lisLevelName', label: '级别' },
  { key: 'lisPartakeMode', label: '参与方式' },
  { key: 'lisAward', label: '奖项' },
  { key: 'lisOrg', label: '主办单位', width: 22 },
  { key: 'lisObtainDate', label: '获得日期', kind: 'date' },
  { key: 'certNo', label: '证书编号', width: 20 },
  { key: 'lisHours', label: '学时', kind: 'amount' },
  { key: 'lisCredit', label: '学分', kind: 'amount' },
  { key: 'lisStatus', label: '状态' },
  { key: 'refuseReason', label: '驳回原因', width: 24 },
  { key: 'lisPublictySdate', label: '公示开始', kind: 'moment' },
  { key: 'lisPublictyEdate', label: '公示结束', kind: 'moment' },
  { key: 'source', label: '来源' },
  { key: 'createName', label: '录入人' },
  { key: 'createTime', label: '录入时间', kind: 'moment' },
] as const satisfies readonly SheetColumn[]

/** The records that the list would show, as a workbook. */
export function exportSupplements(ctx: Context, filters: Checked<typeof supplementApi.exportList>) {
  const rows = inBatches(async (last: { lisId: string } | undefined) => {
    let keys = matchingSupplements(ctx, filters).select('supplement.lisId')
    if (last) keys = keys.where('supplement.lisId', '>', last.lisId)
    const page = keys.orderBy('supplement.lisId').limit(batch)
    const found = await supplementRows(ctx)
      .where(sql<boolean>`"supplement"."lisId" in (${page})`)
      .orderBy('supplement.lisId')
      .execute()
    return found.map((row) => ({
      ...row,
      lisType: labelOf('sup_type', row.lisType),
      lisPartakeMode: labelOf('partake_mode', row.lisPartakeMode),
      lisStatus: labelOf('sup_status', row.lisStatus),
      source: labelOf('sup_source', row.source),
      lsPath: undefined,
      initiated: undefined,
    }))
  })
  return exportList(ctx, { title: '补录一览', columns, rows, filter: filters })
}
