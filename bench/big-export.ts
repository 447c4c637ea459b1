import { sql } from 'kysely'
import { z } from 'zod'
import { call } from '../contract/core/call.ts'
import { fileOutput } from '../contract/core/file.ts'
import { amount, moment, text } from '../server/core/export/columns.ts'
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
  text('学号', 'suiNumber'),
  text('姓名', 'suiName'),
  text('学院', 'scName', 22),
  text('班级', 'scClassName', 20),
  text('年级', 'suiGrade'),
  text('课程', 'liName', 30),
  text('报名状态', 'laStatus'),
  moment('报名时间', 'applyTime'),
  text('签到状态', 'laSignStatus'),
  moment('签到时间', 'signInTime'),
  text('结果', 'laResult'),
  text('奖项', 'awardName'),
  amount('学时', 'laHours'),
  amount('学分', 'laCredit'),
  amount('积分', 'laPoints'),
]
type Texts = Record<
  'suiNumber' | 'suiName' | 'suiGrade' | 'liName' | 'laStatus' | 'applyTime' | 'laSignStatus' | 'laResult',
  string
>
type Row = Texts &
  Record<'scName' | 'scClassName' | 'signInTime' | 'awardName', string | null> &
  Record<'laHours' | 'laCredit' | 'laPoints', number> & { laId: string }

export const exportRoutes = routes(exportApi, {
  registrations(ctx, { rows }) {
    const { schoolId } = ctx.actor
    let left = rows
    const batches = inBatches(async (last: { laId: string } | undefined) => {
      const page = await sql<Row>`
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
