import { sql } from 'kysely'
import { flowType } from '../../../contract/core/codes/rules.ts'
import { invalidInput } from '../../../contract/core/failure.ts'
import type { Context } from '../../core/request/context.ts'
import type { SubjectFacts } from './checkers.service.ts'
import type { FlowCase } from './choose-flow.ts'

interface Trial {
  wfType: string
  suId: string
  lsId: string
  liLevel: string
  credit: number
}

/**
 * What a case to be tried means: which flow it asks for, and where it would lie if the person started it themselves.
 */
export async function caseOf(
  ctx: Context,
  { wfType, suId, lsId, liLevel, credit }: Trial,
): Promise<{ wanted: FlowCase; facts: SubjectFacts; suiName: string }> {
  const { schoolId } = ctx.actor
  const { rows } = await sql<{
    suiName: string | null
    collegeId: string | null
    classId: string | null
    departmentId: string | null
    roleIds: string[]
    lsPath: string[] | null
    hasLevel: boolean
  }>`
    select p."suiName", p."suiCollegeId" as "collegeId", p."scClassId" as "classId",
      (
        select d."sdId"
        from "departmentUser" d
        where d."schoolId" = ${schoolId} and d."suId" = p."suId"
        order by d."sdId"
        limit 1
      ) as "departmentId",
      array(
        select u."srId"::text
        from "roleUser" u
        join "role" r on r."schoolId" = u."schoolId" and r."srId" = u."srId" and r."enable" = '1'
        where u."schoolId" = ${schoolId} and u."suId" = p."suId"
      ) as "roleIds",
      (select c."lsPath" from "curriculum" c where c."schoolId" = ${schoolId} and c."lsId" = ${lsId}::uuid) as
      "lsPath",
      exists (select 1 from "lessonLevel" v where v."schoolId" = ${schoolId} and v."llId" = ${liLevel}) as "hasLevel"
    from (select 1) as one
    left join "person" p on p."schoolId" = ${schoolId} and p."suId" = ${suId}::uuid and p."delFlag" = '0'`.execute(
    ctx.db,
  )
  const { suiName, collegeId, classId, departmentId, roleIds, lsPath, hasLevel } = rows[0]!
  const faults = [
    ...(suiName === null ? [{ field: 'suId', msg: '该发起人不存在或已删除' }] : []),
    ...(lsPath === null ? [{ field: 'lsId', msg: '该课程体系不存在' }] : []),
    ...(hasLevel ? [] : [{ field: 'liLevel', msg: '该级别不存在' }]),
  ]
  if (faults.length > 0) throw invalidInput(faults)
  return {
    suiName: suiName!,
    wanted: { wfType, initiatorRoleIds: roleIds, lsPath: lsPath!, level: liLevel, credit },
    facts: {
      initiatorId: suId,
      lsPath: lsPath!,
      collegeId,
      classId,
      // nobody is responsible for a supplement record, and it lies in no department
      ...(wfType === flowType.supplement
        ? { departmentId: null, principalId: null }
        : { departmentId, principalId: suId }),
      teacherIds: [],
    },
  }
}
