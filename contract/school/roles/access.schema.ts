import { z } from 'zod'
import { personOption } from '../organisation/organisation.schema.ts'
import { controlArea } from './roles.schema.ts'

/** What a right may be tried on. */
export const recordKinds = ['student', 'teacher', 'class', 'major', 'college', 'department', 'lesson'] as const
export type RecordKind = (typeof recordKinds)[number]
export const recordKindNames: Record<RecordKind, string> = {
  student: '学生',
  teacher: '教师',
  class: '班级',
  major: '专业',
  college: '学院',
  department: '部门',
  lesson: '课程',
}

/** What decides over the rows of a right: the area of the role that gives it, an approval task, or nothing (`none`). */
export interface RightReach {
  by: 'area' | 'task' | 'none'
  /** What it may be tried on: its rows, and the larger places they lie in. */
  kinds: readonly RecordKind[]
  /** What its rows are, where they are counted. */
  rows?: RecordKind
}

const config: RightReach = { by: 'none', kinds: [] }
const people = ['student', 'teacher', 'class', 'major', 'college'] as const

/** By the right's noun, or by the right itself where it differs from the others of its noun. */
const reaches: Record<string, RightReach> = {
  student: { by: 'area', kinds: ['student', 'class', 'major', 'college'], rows: 'student' },
  transcript: { by: 'area', kinds: ['student', 'class', 'major', 'college'], rows: 'student' },
  teacher: { by: 'area', kinds: ['teacher', 'college'], rows: 'teacher' },
  pii: { by: 'area', kinds: people },
  audit: { by: 'area', kinds: people },
  role: { by: 'area', kinds: people },
  class: { by: 'area', kinds: ['class', 'major', 'college'], rows: 'class' },
  major: { by: 'area', kinds: ['major', 'college'], rows: 'major' },
  college: { by: 'area', kinds: ['college'], rows: 'college' },
  department: { by: 'area', kinds: ['department'] },
  lesson: { by: 'area', kinds: ['lesson', 'college'], rows: 'lesson' },
  approval: { by: 'task', kinds: ['lesson'] },
  label: config,
  award: config,
  workflow: config,
  transformation: config,
  model: config,
  school: config,
  'curriculum:list': config,
  'evaluation:list': config,
  'role:edit': config,
  'role:delete': config,
}

/** What decides over the rows of a right; configuration of the school as a whole knows no areas. */
export const reachOf = (permit: string): RightReach =>
  reaches[permit] ?? reaches[permit.split(':')[0]!] ?? { by: 'area', kinds: [] }

/** Why a membership gives nothing: its role is off, its last day is over, or its role needs an area and it has none. */
const membershipState = z.enum(['active', 'disabled', 'ended', 'empty'])

export const membership = z.object({
  srId: z.string(),
  srName: z.string(),
  srCode: z.string(),
  dataScope: z.string(),
  state: membershipState,
  permitCount: z.number(),
  area: controlArea,
  areaText: z.string(),
  grantTime: z.string(),
  grantName: z.string().nullable(),
  endDate: z.string().nullable(),
})
export type MembershipRow = z.output<typeof membership>

/**
 * A right somebody holds: the roles that give it, what they cover together, and how many rows they see under it, their
 * own included.
 */
const heldRight = z.object({
  permit: z.string(),
  srIds: z.array(z.string()),
  areaText: z.string(),
  rows: z.enum(recordKinds).nullable(),
  count: z.number().nullable(),
})
export type HeldRight = z.output<typeof heldRight>

export const userAccess = z.object({
  person: personOption.extend({ suStatus: z.string() }),
  memberships: z.array(membership),
  rights: z.array(heldRight),
})
export type UserAccess = z.output<typeof userAccess>

/** Whether a right reaches a record, and why: `part` where the record is a place of which only a part is covered. */
export const accessAnswer = z.object({
  verdict: z.enum(['yes', 'part', 'no']),
  /** What is missing where the answer is not yes. */
  missing: z.enum(['right', 'area', 'task', 'account']).nullable(),
  reasons: z.array(z.string()),
  /** What they may do to the course now, where one was asked about. */
  acts: z.array(z.string()),
  /** Who could give what is missing, and through which roles. */
  givers: z.object({
    total: z.number(),
    people: z.array(z.object({ suId: z.string(), suiName: z.string(), srNames: z.array(z.string()) })),
    roles: z.array(z.object({ srId: z.string(), srName: z.string() })),
  }),
})
export type AccessAnswer = z.output<typeof accessAnswer>
