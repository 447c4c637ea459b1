import { sql } from 'kysely'
import type { SupplementHint } from '../../../contract/programme/supplements/supplements.schema.ts'
import type { Context } from '../../core/request/context.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import { supplementScopeColumns } from './supplements.queries.ts'

/** What a record, saved or not, may be told from others by. */
interface Resembling {
  lisId?: string | undefined
  suId?: string | undefined
  lisName?: string | undefined
  lisObtainDate?: string | undefined
  certNo?: string | undefined
  lisProofs: readonly string[]
}

interface Found {
  lisId: string
  lisName: string
  lisObtainDate: string
  suiName: string
  suiNumber: string
  lisStatus: string
  isSeen: boolean
  sameStudent: boolean
  sameName: boolean
  sameDate: boolean
  sameCert: boolean
  sameFile: boolean
}

/** Most records told of one kind of likeness. */
const maxHints = 10

/**
 * Records that look like this one: the same certificate number, a proof with the same content, the same student and
 * name. What lies outside of the asking person's area is told without names.
 */
export async function dupHints(ctx: Context, wanted: Resembling): Promise<SupplementHint[]> {
  const { schoolId } = ctx.actor
  const isOwn = wanted.suId === ctx.actor.suId
  const { lisId = null, suId = null, lisName = '', lisObtainDate = '', certNo = '', lisProofs } = wanted
  const { rows } = await sql<Found>`
      with files as (
        select o."fileId"
        from "file" f
        join "file" o on o."schoolId" = f."schoolId" and o."sha256" = f."sha256"
        where f."schoolId" = ${schoolId} and f."fileId" = any(${lisProofs}::uuid[])
      ), held as (select array(select "fileId" from files) as "ids"),
        alike as (
          (
            select "lisId"
            from "supplement"
            where "schoolId" = ${schoolId} and "suId" = ${suId}::uuid and "lisName" = ${lisName} and "delFlag" = '0'
          )
          union (
            select "lisId"
            from "supplement"
            where "schoolId" = ${schoolId} and "certNo" = ${certNo} and "certNo" <> '' and "delFlag" = '0'
            limit 50
          )
          union (
            select s."lisId"
            from "supplement" s, held
            where s."schoolId" = ${schoolId} and s."lisProofs" && held."ids" and s."delFlag" = '0'
            limit 50
          )
        )
      select supplement."lisId", "lisName", "lisObtainDate", person."suiName", person."suiNumber", "lisStatus",
        (${inScope(ctx.scope, supplementScopeColumns)} or supplement."createBy" = ${ctx.actor.suId}::uuid) as "isSeen",
        supplement."suId" is not distinct from ${suId}::uuid as "sameStudent", "lisName" = ${lisName} as "sameName",
        "lisObtainDate"::text = ${lisObtainDate} as "sameDate",
        ("certNo" = ${certNo} and "certNo" <> '') as "sameCert", "lisProofs" && held."ids" as "sameFile"
      from alike
      join "supplement" on supplement."schoolId" = ${schoolId} and supplement."lisId" = alike."lisId"
      cross join held
      join "person" on person."schoolId" = supplement."schoolId" and person."suId" = supplement."suId"
      where supplement."lisId" is distinct from ${lisId}::uuid
      order by supplement."createTime" desc, supplement."lisId"
      limit 30`.execute(ctx.db)
  return [
    ...rows
      .filter((row) => row.sameStudent && row.sameName && row.sameDate)
      .map((row) => hint('warning', row, '同一学生已有同名、同日期的补录', isOwn)),
    ...rows.filter((row) => row.sameCert).map((row) => hint('warning', row, `证书编号 ${certNo} 已用于补录`, isOwn)),
    ...rows.filter((row) => row.sameFile).map((row) => hint('warning', row, '证明材料与另一补录的文件完全相同', isOwn)),
    ...rows
      .filter((row) => row.sameStudent && row.sameName && !row.sameDate)
      .map((row) => hint('info', row, '同一学生已有同名补录，日期不同', isOwn)),
  ].slice(0, maxHints)
}

const hint = (
  level: SupplementHint['level'],
  { isSeen, lisId, suiName, suiNumber, lisName, lisObtainDate }: Found,
  what: string,
  isOwn: boolean,
): SupplementHint => ({
  level,
  lisId: isSeen ? lisId : null,
  text: isSeen
    ? `${what}：${suiName}（${suiNumber}）“${lisName}”，${lisObtainDate}`
    : `${what}（${isOwn ? '属于其他同学，请核对是否填错；确属您本人的请联系学院说明' : '不在您的管理范围内，请联系校级管理员核对'}）`,
})
