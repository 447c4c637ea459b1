import { personType } from '../../contract/core/codes/school.ts'
import type { PublicContext } from '../core/request/context.ts'
import { newId } from '../core/base/ids.ts'
import { inTransaction } from '../core/request/transaction.ts'
import { moduleRows } from '../rules/curriculum/templates.service.ts'
import { openAccounts, setPassword } from '../school/people/accounts.service.ts'
import { grantRole, seedRoles } from '../school/roles/grants.service.ts'
import { seedTerms } from '../school/school/terms.service.ts'
import { circleClassSeed, curriculumSeed, labelSeed, levelSeed, newsTypeSeed } from './seeds.ts'

interface NewSchool {
  schoolId: string
  schName: string
  schCode?: string
  schMotto?: string
  /** The first administrator; they must change the password at first sign-in unless `keepPassword`. */
  admin: { username: string; name: string; password: string; keepPassword?: boolean }
  /** False leaves curriculum and labels empty; the school is to choose another tree. */
  withCurriculum?: boolean
}

/** Ids of what a new school starts with, by the codes of its seeds. */
export interface SchoolStart {
  schoolId: string
  adminId: string
  roles: Record<string, string>
  /** Module code -> lsId; `code/child name` -> lsId of a child. */
  curriculum: Record<string, string>
  labels: Record<string, string>
}

/**
 * Makes a school with its built-in roles, levels, terms of two school years, default curriculum, labels and first
 * administrator; all or nothing.
 */
export function createSchool(ctx: PublicContext, school: NewSchool): Promise<SchoolStart> {
  return inTransaction(ctx, async (tx) => {
    const { schoolId } = school
    const now = tx.clock.now()
    await tx.db
      .insertInto('school')
      .values({
        schoolId,
        schName: school.schName,
        schCode: school.schCode ?? '',
        schMotto: school.schMotto ?? '',
        createTime: now,
        updateTime: now,
      })
      .execute()
    await tx.db
      .insertInto('lessonLevel')
      .values(levelSeed.map(([llId, llName, llFactor], llSort) => ({ schoolId, llId, llName, llFactor, llSort })))
      .execute()
    await seedTerms(tx, schoolId)
    await tx.db
      .insertInto('circleClass')
      .values(
        circleClassSeed.map((ccName, ccSort) => ({
          schoolId,
          ccId: newId(),
          ccName,
          ccSort,
          createTime: now,
          updateTime: now,
        })),
      )
      .execute()
    await tx.db
      .insertInto('newsType')
      .values(
        newsTypeSeed.map((ntName, ntSort) => ({
          schoolId,
          ntId: newId(),
          ntName,
          ntSort,
          createTime: now,
          updateTime: now,
        })),
      )
      .execute()
    const roles = await seedRoles(tx.db, schoolId)
    const { curriculum, labels } =
      school.withCurriculum === false ? { curriculum: {}, labels: {} } : await seedTrees(tx, schoolId)
    const adminId = await addStaff(tx, schoolId, { suiNumber: school.admin.username, suiName: school.admin.name })
    await setPassword(
      tx,
      schoolId,
      adminId,
      school.admin.password,
      school.admin.keepPassword ? undefined : { days: 30 },
    )
    await grantRole(tx.db, schoolId, roles['SCHOOL_ADMIN']!, adminId)
    return { schoolId, adminId, roles, curriculum, labels }
  })
}

/** Adds a member of staff (suiType 3) with an account that has no password yet. */
async function addStaff(
  ctx: PublicContext,
  schoolId: string,
  person: { suiNumber: string; suiName: string; suiType?: string; suiCollegeId?: string | null },
): Promise<string> {
  const suId = newId()
  const suiType = person.suiType ?? personType.staff
  await ctx.db
    .insertInto('person')
    .values({
      schoolId,
      suId,
      suiType,
      suiName: person.suiName,
      suiNumber: person.suiNumber,
      suiCollegeId: person.suiCollegeId ?? null,
      createTime: ctx.clock.now(),
      updateTime: ctx.clock.now(),
    })
    .execute()
  await openAccounts(ctx, schoolId, [{ suId, suiNumber: person.suiNumber, suiName: person.suiName, suType: suiType }])
  return suId
}

async function seedTrees(ctx: PublicContext, schoolId: string) {
  const nodes = moduleRows(curriculumSeed)
  await ctx.db
    .insertInto('curriculum')
    .values(nodes.map((node) => ({ ...node, schoolId })))
    .execute()
  const codes = new Map(nodes.map(({ lsId, lsCode }) => [lsId, lsCode]))
  const curriculum = Object.fromEntries(
    nodes.map(({ lsId, lsPid, lsCode, lsName }) => [lsPid ? `${codes.get(lsPid)}/${lsName}` : lsCode, lsId]),
  )
  const labels: Record<string, string> = {}
  const rows = labelSeed.flatMap(({ children, ...group }, place) => {
    const sqlPid = (labels[group.sqlName] = newId())
    const below = children.map((label, sqlSort) => ({
      ...label,
      schoolId,
      sqlId: (labels[label.sqlName] = newId()),
      sqlPid: sqlPid as string | null,
      sqlSort,
    }))
    return [{ ...group, schoolId, sqlId: sqlPid, sqlPid: null as string | null, sqlSort: place }, ...below]
  })
  await ctx.db.insertInto('qualityLabel').values(rows).execute()
  return { curriculum, labels }
}
