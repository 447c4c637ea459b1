import { z } from 'zod'
import { grade } from '../organisation/classes.calls.ts'
import { id } from '../../core/fields.ts'
import { personOption } from '../organisation/organisation.schema.ts'

const chosen = (label: string) => z.array(id(label)).max(500, `一次最多选择 500 个${label}`).default([]).meta({ label })

/**
 * The part of the school that a member's role covers, as it is set: places add up, years and curriculum nodes narrow.
 */
export const areaInput = {
  scIds: chosen('学院'),
  smIds: chosen('专业'),
  scClassIds: chosen('班级'),
  sdIds: chosen('部门'),
  grades: z.array(grade).max(30).default([]).meta({ label: '年级' }),
  lsIds: chosen('课程体系'),
}

/** A control area as it is answered, with the names of its targets. */
export const controlArea = z.object({
  scIds: z.array(z.string()),
  smIds: z.array(z.string()),
  scClassIds: z.array(z.string()),
  sdIds: z.array(z.string()),
  grades: z.array(z.string()),
  lsIds: z.array(z.string()),
  names: z.array(z.object({ kind: z.string(), target: z.string(), name: z.string() })),
})
export type ControlArea = z.output<typeof controlArea>

export const roleRow = z.object({
  srId: z.string(),
  srName: z.string(),
  srCode: z.string(),
  /** `'1'` built in, `'2'` made by the school. */
  srType: z.string(),
  srDesc: z.string(),
  srSort: z.number(),
  enable: z.string(),
  dataScope: z.string(),
  userCount: z.number(),
  permitCount: z.number(),
  createTime: z.string(),
  updateTime: z.string(),
  version: z.number(),
  can: z.array(z.enum(['edit', 'copy', 'delete', 'grant'])),
})
export type RoleRow = z.output<typeof roleRow>

/** A member of a role: over what, since when and by whom, and the last day on which it holds. */
export const memberRow = z.object({
  srId: z.string(),
  srName: z.string(),
  srCode: z.string(),
  dataScope: z.string(),
  ...personOption.shape,
  suStatus: z.string(),
  grantTime: z.string(),
  /** Who gave it; null where the program did. */
  grantName: z.string().nullable(),
  /** The last day on which it holds; null: until it is taken back. */
  endDate: z.string().nullable(),
  area: controlArea,
  can: z.array(z.enum(['grant'])),
})
export type MemberRow = z.output<typeof memberRow>

const right = z.object({ permit: z.string(), name: z.string(), acts: z.array(z.string()), opens: z.boolean() })
const treeOf = <R extends z.ZodType>(element: R) =>
  z.array(
    z.object({
      title: z.string(),
      pages: z.array(z.object({ path: z.string(), title: z.string(), elements: z.array(element) })),
    }),
  )

/**
 * Every right by group and page: the one that opens the page and those of its buttons, each with the actions it allows.
 */
export const rightsTree = treeOf(right)
export type RightsTree = z.output<typeof rightsTree>

/**
 * The same for the role editor. Only what the caller holds for the `whole` school may be put into a role, which may be
 * given to anybody anywhere.
 */
export const ownRightsTree = treeOf(right.extend({ held: z.enum(['whole', 'part', 'none']) }))
export type OwnRightsTree = z.output<typeof ownRightsTree>

/** What stands in the way of deleting a role; at most twenty of each are named. */
export const roleUse = z.object({
  canDelete: z.boolean(),
  builtIn: z.boolean(),
  userCount: z.number(),
  flowCount: z.number(),
  moduleCount: z.number(),
  flows: z.array(z.object({ wfId: z.string(), wfName: z.string() })),
  modules: z.array(z.object({ lsId: z.string(), lsName: z.string() })),
})
