import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import type { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { amount, code, day, moment, text } from '../../core/export/columns.ts'
import { exportList, inBatches } from '../../core/export/exports.ts'
import { matchingSupplements } from './supplement-filters.queries.ts'
import { supplementRows } from './supplement-list.queries.ts'

const batch = 500

const columns = [
  text('学号', 'suiNumber'),
  text('姓名', 'suiName'),
  text('学院', 'scName', 22),
  text('班级', 'scClassName', 20),
  text('年级', 'suiGrade'),
  text('名称', 'lisName', 32),
  text('模块', 'lsName', 24),
  code('类型', 'sup_type', 'lisType'),
  text('级别', 'lisLevelName'),
  code('参与方式', 'partake_mode', 'lisPartakeMode'),
  text('奖项', 'lisAward'),
  text('主办单位', 'lisOrg', 22),
  day('获得日期', 'lisObtainDate'),
  text('证书编号', 'certNo', 20),
  amount('学时', 'lisHours'),
  amount('学分', 'lisCredit'),
  code('状态', 'sup_status', 'lisStatus'),
  text('驳回原因', 'refuseReason', 24),
  moment('公示开始', 'lisPublictySdate'),
  moment('公示结束', 'lisPublictyEdate'),
  code('来源', 'sup_source', 'source'),
  text('录入人', 'createName'),
  moment('录入时间', 'createTime'),
]

/** The records that the list would show, as a workbook. */
export function exportSupplements(ctx: Context, filters: Checked<typeof supplementApi.exportList>) {
  const rows = inBatches(async (last: { lisId: string } | undefined) => {
    let keys = matchingSupplements(ctx, filters).select('supplement.lisId')
    if (last) keys = keys.where('supplement.lisId', '>', last.lisId)
    const page = keys.orderBy('supplement.lisId').limit(batch)
    return supplementRows(ctx)
      .where(sql<boolean>`"supplement"."lisId" in (${page})`)
      .orderBy('supplement.lisId')
      .execute()
  })
  return exportList(ctx, { title: '补录一览', columns, rows, filter: filters })
}
