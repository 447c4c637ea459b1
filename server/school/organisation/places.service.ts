import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'

type DbAndActor = Pick<Context, 'db' | 'actor'>

/** Refuses colleges that the school does not have. */
export async function assertColleges(ctx: DbAndActor, scIds: string[]): Promise<void> {
  const rows = await from(ctx, 'college').select('scId').where(anyOf('scId', scIds)).execute()
  if (rows.length !== new Set(scIds).size) throw invalidInput([{ field: 'scId', msg: '所选学院不存在或已删除' }])
}

/** Refuses a major that is not of the college. */
export async function assertMajorOfCollege(ctx: DbAndActor, smId: string, scId: string): Promise<void> {
  const row = await from(ctx, 'major').select('scId').where('smId', '=', smId).executeTakeFirst()
  if (!row) throw invalidInput([{ field: 'smId', msg: '所选专业不存在或已删除' }])
  if (row.scId !== scId) throw new Failure('major-not-of-college')
}

interface StudentPlace {
  suiCollegeId: string
  majorId: string
  scClassId: string
  suiGrade: string
}

/**
 * Refuses a student's place unless the class is of the major, of the year, and the major of the college. One statement.
 */
export async function assertConsistentPlace(
  ctx: DbAndActor,
  { suiCollegeId, majorId, scClassId, suiGrade }: StudentPlace,
): Promise<void> {
  const row = await from(ctx, 'schoolClass')
    .innerJoin('major', withinSchool('major.smId', 'schoolClass.smId'))
    .select(['schoolClass.smId', 'major.scId', 'schoolClass.scClassGrade', 'schoolClass.scClassName'])
    .where('schoolClass.scClassId', '=', scClassId)
    .executeTakeFirst()
  if (!row) throw invalidInput([{ field: 'scClassId', msg: '所选班级不存在或已删除' }])
  if (row.smId !== majorId)
    throw new Failure('class-not-of-major', {}, { errors: [{ field: 'scClassId', msg: '所选班级不属于所选专业' }] })
  if (row.scId !== suiCollegeId)
    throw new Failure('major-not-of-college', {}, { errors: [{ field: 'majorId', msg: '所选专业不属于所选学院' }] })
  if (row.scClassGrade !== suiGrade)
    throw invalidInput([{ field: 'suiGrade', msg: `班级“${row.scClassName}”是 ${row.scClassGrade} 级的班级` }])
}
