import { sql } from 'kysely'
import { z } from 'zod'
import { call } from '../contract/core/call.ts'
import { fileOutput } from '../contract/core/file.ts'
import type { SheetColumn } from '../contract/core/sheets.ts'
import { exportList, inBatches } from '../server/core/export/exports.ts'
import { routes } from '../server/core/request/routes.ts'

/**
 * No list of one person's work has 100,000 rows yet (the longest that can be exported are the 40,000 students), so the
 * bar for such an export is held against a list that has them: participations of the whole school, read and written as
 * the participants of a course are.
 */
export const exportApi = {
  registrations: call('GET', '/bench/registrations', {
    summary: '导出参与记录',
    permit: 'lesson:export',
    gives: 'file',
    input: z.object({ rows: z.coerce.number() }),
    output: fileOutput,
  }),
}

const columns = [
  { key: 'suiNumber', label: '学号' },
  { key: 'suiName', label: '姓名' },
  { key: 'scName', label: '学院', width: 22 },
  { key: 'scClassName', label: '班级', width: 20 },
  { key: 'suiGrade', label: '年级' },
  { key: 'liName', label: '课程', width: 30 },
  { key: 'laStatus', label: '报名状态' },
  { key: 'applyTime', label: '报名时间', kind: 'moment' },
  { key: 'laSignStatus', label: '签到状态' },
  { key: 'signInTime', label: '签到时间', kind: 'moment' },
  { key: 'laResult', label: '结果' },
  { key: 'awardName', label: '奖项' },
  { key: 'laHours', label: '学时', kind: 'amount' },
  { key: 'laCredit', label: '学分', kind: 'amount' },
  { key: 'laPoints', label: '积分', kind: 'amount' },
] as const satisfies readonly SheetColumn[]

export const exportRoutes = routes(exportApi, {
  registrations(ctx, { rows }) {
    const { schoolId } = ctx.actor
    let left = rows
    const batches = inBatches(async (last: { laId: string } | undefined) => {
      const page = await sql<Record<(typeof columns)[number]['key'], string | number | null> & { laId: string }>`
          select r."laId", p."suiNumber", p."suiName", o."scName", k."scClassName", p."suiGrade", l."liName",
            r."laStatus", r."applyTime", r."laSignStatus", r."signInTime", r."laResult", r."awardName", r."laHours",
            r."laCredit", r."laPoints"
          from (
            select *
            from "registration"
            where "schoolId" = ${schoolId}
              and "laId" > ${last?.laId ?? '00000000-0000-0000-0000-000000000000'}::uuid
              and "delFlag" = '0'
            order by "laId"
            limit ${Math.min(500, left)}
          ) r
          join "lesson" l on l."schoolId" = r."schoolId" and l."liId" = r."liId"
          join "person" p on p."schoolId" = r."schoolId" and p."suId" = r."suId"
          left join "college" o on o."schoolId" = p."schoolId" and o."scId" = p."suiCollegeId"
          left join "schoolClass" k on k."schoolId" = p."schoolId" and k."scClassId" = p."scClassId"
          order by r."laId"`.execute(ctx.db)
      left -= page.rows.length
      return page.rows
    })
    return exportList(ctx, { title: '参与记录', columns, rows: batches, filter: { rows, reason: '测量导出的用时' } })
  },
})
