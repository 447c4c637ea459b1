import { z } from 'zod'
import { option } from '../../core/fields.ts'

/** Who made a record and when it was changed last, and its version for the next edit. */
export const kept = { createName: z.string(), createTime: z.string(), updateTime: z.string(), version: z.number() }

/** What may be done to a row now; buttons obey it. */
export const can = z.array(z.enum(['edit', 'delete', 'member', 'resetPwd', 'grant']))

/** A college as its list shows it and its form edits it. */
export const collegeRow = z.object({
  scId: z.string(),
  scName: z.string(),
  scCode: z.string(),
  scShort: z.string(),
  scType: z.string(),
  scLeader: z.string(),
  scPhone: z.string(),
  scSort: z.number(),
  enable: z.string(),
  majorCount: z.number(),
  classCount: z.number(),
  studentCount: z.number(),
  ...kept,
  can,
})
export type CollegeRow = z.output<typeof collegeRow>

export const majorRow = z.object({
  smId: z.string(),
  smName: z.string(),
  smCode: z.string(),
  scId: z.string(),
  scName: z.string(),
  eduLevel: z.string(),
  years: z.number(),
  scSort: z.number(),
  classCount: z.number(),
  studentCount: z.number(),
  ...kept,
  can,
})
export type MajorRow = z.output<typeof majorRow>

/** A class; `scId` is its college, `scClassId` the class itself. */
export const classRow = z.object({
  scClassId: z.string(),
  scClassName: z.string(),
  scClassCode: z.string(),
  scId: z.string(),
  scName: z.string(),
  smId: z.string(),
  smName: z.string(),
  scClassGrade: z.string(),
  scClassSort: z.number(),
  counselorId: z.string().nullable(),
  counselorName: z.string().nullable(),
  headTeacherId: z.string().nullable(),
  headTeacherName: z.string().nullable(),
  /** The student who leads the class's league branch. */
  leagueSecretaryId: z.string().nullable(),
  leagueSecretaryName: z.string().nullable(),
  studentCount: z.number(),
  ...kept,
  can,
})
export type ClassRow = z.output<typeof classRow>

export const departmentRow = z.object({
  sdId: z.string(),
  sdName: z.string(),
  sdCode: z.string(),
  sdPid: z.string().nullable(),
  parentName: z.string().nullable(),
  sdType: z.string(),
  sdLeaderId: z.string().nullable(),
  sdLeaderName: z.string().nullable(),
  /** `'1'` where the department guides circles and courses as their unit in charge. */
  isGuideUnit: z.string(),
  sdSort: z.number(),
  userCount: z.number(),
  childCount: z.number(),
  ...kept,
  can,
})
export type DepartmentRow = z.output<typeof departmentRow>

/** A department with everything below it; `userCount` counts its own members only. */
export interface DepartmentNode {
  sdId: string
  sdPid: string | null
  sdName: string
  sdCode: string
  sdType: string
  version: number
  userCount: number
  children: DepartmentNode[]
}
export const departmentNode: z.ZodType<DepartmentNode> = z.object({
  sdId: z.string(),
  sdPid: z.string().nullable(),
  sdName: z.string(),
  sdCode: z.string(),
  sdType: z.string(),
  version: z.number(),
  userCount: z.number(),
  children: z.array(z.lazy(() => departmentNode)),
})

export const departmentUserRow = z.object({
  sdId: z.string(),
  suId: z.string(),
  suiName: z.string(),
  suiNumber: z.string(),
  suiType: z.string(),
  collegeName: z.string().nullable(),
  post: z.string(),
  /** Where the department stands among those of the person. */
  sdSort: z.number(),
  /** Where the person stands among those of the department. */
  memberSort: z.number(),
})
export type DepartmentUserRow = z.output<typeof departmentUserRow>

/** A person as pickers show them: enough to tell two of the same name apart, and nothing more. */
export const personOption = z.object({
  suId: z.string(),
  suiName: z.string(),
  suiNumber: z.string(),
  suiType: z.string(),
  collegeName: z.string().nullable(),
  className: z.string().nullable(),
})
export type PersonOption = z.output<typeof personOption>

/** Colleges with their majors and these with their classes, for choosing places. */
export const placeTree = z.array(
  option.extend({ children: z.array(option.extend({ children: z.array(option.extend({ grade: z.string() })) })) }),
)

/**
 * A right under whose area the options of a drop-down are wanted, `student:edit` for instance; without it the whole
 * school's are given.
 */
export const under = z
  .string()
  .regex(/^[a-zA-Z]{1,30}:[a-zA-Z]{1,30}$/, '权限不正确')
  .transform((value) => value as `${string}:${string}`)
  .optional()
