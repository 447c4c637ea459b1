import { z } from 'zod'
import type { Call } from '../../contract/core/call.ts'
import { circleApplyType } from '../../contract/core/codes/programme.ts'
import { flowCheckerType, flowStepType } from '../../contract/core/codes/rules.ts'
import { personSex } from '../../contract/core/codes/school.ts'
import { newId } from '../core/base/ids.ts'

/** The kinds of record that calls name by id. */
export type RecordName =
  | 'secretary'
  | 'college'
  | 'major'
  | 'class'
  | 'department'
  | 'student'
  | 'teacher'
  | 'role'
  | 'lesson'
  | 'registration'
  | 'team'
  | 'supplement'
  | 'award'
  | 'evaluation'
  | 'label'
  | 'curriculum'
  | 'flow'
  | 'flowCategory'
  | 'circle'
  | 'circleClass'
  | 'circleApply'
  | 'news'
  | 'newsType'
  | 'question'
  | 'message'
  | 'letter'
/** One record of every kind: those of one part of a school. */
export type Records = Readonly<Record<RecordName, string>>

type Json = {
  type?: string | string[]
  properties?: Record<string, Json>
  required?: string[]
  items?: Json
  anyOf?: Json[]
  allOf?: Json[]
  enum?: unknown[]
  const?: unknown
  format?: string
  minimum?: number
  minItems?: number
  pattern?: string
  label?: string
  moment?: boolean
  day?: boolean
  amount?: boolean
  flag?: boolean
}

const byField: Record<string, RecordName> = {
  scId: 'college',
  suiCollegeId: 'college',
  liCollegeId: 'college',
  collegeId: 'college',
  collegeIdList: 'college',
  smId: 'major',
  majorId: 'major',
  scClassId: 'class',
  classId: 'class',
  sdId: 'department',
  liDepartmentId: 'department',
  liId: 'lesson',
  lisId: 'supplement',
  laId: 'registration',
  laIds: 'registration',
  teamId: 'team',
  teamIds: 'team',
  captainId: 'student',
  atId: 'award',
  atIds: 'award',
  esId: 'evaluation',
  sqlId: 'label',
  lsId: 'curriculum',
  wfId: 'flow',
  wfIds: 'flow',
  wfcId: 'flowCategory',
  srId: 'role',
  liPrincipalId: 'teacher',
  userId: 'teacher',
  ciId: 'circle',
  ciIds: 'circle',
  ccId: 'circleClass',
  ccIds: 'circleClass',
  ciClass: 'circleClass',
  caId: 'circleApply',
  cpiPersonId: 'student',
  cpiPersonIds: 'student',
  personIds: 'student',
  teacherIds: 'teacher',
  niId: 'news',
  niIds: 'news',
  ntId: 'newsType',
  ntIds: 'newsType',
  qId: 'question',
  qIds: 'question',
  iiId: 'message',
  iiIds: 'message',
  iurIds: 'letter',
  agentId: 'teacher',
  reporterSuId: 'student',
  toSuId: 'teacher',
}
const byLabel: Record<string, RecordName> = {
  学院: 'college',
  专业: 'major',
  班级: 'class',
  部门: 'department',
  学生: 'student',
  教师: 'teacher',
  人员: 'teacher',
  角色: 'role',
  课程: 'lesson',
  报名记录: 'registration',
  补录记录: 'supplement',
  奖励模板: 'award',
  评价规则: 'evaluation',
  体系: 'curriculum',
  课程体系: 'curriculum',
  流程: 'flow',
  流程分类: 'flowCategory',
  收件人: 'student',
  签到负责人: 'teacher',
}
/** What a call's `ids`, and the `suIds` it calls records, are: told by the api it stands in. */
const byGroup: Record<string, RecordName> = {
  学院: 'college',
  专业: 'major',
  班级: 'class',
  部门: 'teacher',
  学生: 'student',
  教师: 'teacher',
  角色: 'role',
  角色成员: 'teacher',
  课程: 'lesson',
  补录: 'supplement',
  参与人员: 'registration',
  奖励模板: 'award',
  评价体系: 'evaluation',
  素质标签: 'label',
  课程体系: 'curriculum',
  审批流程: 'flow',
  成绩单: 'student',
}
/** Whom a call means by `suIds` where the records of its api are no people. */
const peopleOf: Record<string, RecordName> = { 参与人员: 'student', 队伍: 'student', 补录: 'student', 圈子: 'student' }
/** The field by which the form of an api names the record it edits. */
const ownIds = [
  'scId',
  'smId',
  'scClassId',
  'sdId',
  'suId',
  'srId',
  'liId',
  'lisId',
  'wfId',
  'wfcId',
  'sqlId',
  'ciId',
  'niId',
]
const fieldOfGroup: Record<string, string> = {
  学院: 'scId',
  专业: 'smId',
  班级: 'scClassId',
  部门: 'sdId',
  学生: 'suId',
  教师: 'suId',
  角色: 'srId',
  课程: 'liId',
  补录: 'lisId',
  审批流程: 'wfId',
  素质标签: 'sqlId',
}

/** Values that only the field's name says. */
const texts: Record<string, unknown> = {
  lisLevel: '5',
  grade: '2024',
  scClassGrade: '2024',
  suiGrade: '2024',
  permit: 'student:list',
  liLevel: '6',
  esLessonLevel: '6',
  id: '110000',
  birth: '2005-03-04',
  sdtType: 'sex',
  suiSex: personSex.male,
  kind: 'student',
  suiNumber: 'MATRIX',
  suiPhone: '13800000000',
  oldPassword: 'Wrong-2026',
  newPassword: 'Other-2026x',
  errorId: 'x'.repeat(32),
  tab: 'todo',
  address: 'https://events.example.edu.cn/in',
}

const schemas = new WeakMap<Call, Json>()
function schemaOf(call: Call): Json {
  const known = schemas.get(call) ?? (z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' }) as Json)
  schemas.set(call, known)
  return known
}

/** Inputs that a schema does not tell: fields that others make necessary. */
const wishes: Record<string, (records: Records) => Record<string, unknown>> = {
  '/lessonsInfoAC/save': () => ({ applyStart: '2026-11-25 08:00:00', applyEnd: '2026-11-30 08:00:00' }),
  '/schoolInfo/provinceFigures': () => ({ startTime: '2026-09-01', endTime: '2026-09-30' }),
  '/evaluationSystem/add': () => ({ levels: [{ esLessonLevel: '6', baseHours: '1' }] }),
  '/sysUserInfo/teacherUserInfoAddOrEdit': ({ college }) => ({ suiCollegeId: college }),
  '/sysRole/leagueSecretaryAdd/{srId}/{suId}': ({ secretary }) => ({ srId: secretary }),
  '/sysRole/leagueSecretaryAdd': ({ secretary }) => ({ srId: secretary }),
  '/sysRole/leagueSecretaryDelete': ({ secretary }) => ({ srId: secretary }),
  '/transcript/getStuScore': ({ student }) => ({ suId: student }),
  '/circleInfo/BuildNewCircle': ({ student, teacher, college }) => ({
    ciCollegeId: college,
    personIds: [student],
    teacherIds: [teacher],
  }),
  '/circleInfo/updateCircleInfo': ({ college }) => ({ ciCollegeId: college }),
  '/circleApplyInfo/apply': () => ({ caType: circleApplyType.dissolution }),
  '/lessonsQuestion/add': ({ lesson }) => ({ liId: lesson }),
  '/identity/save': () => ({ settings: { address: 'https://cas.example.edu.cn/cas' } }),
  '/newsInfo/addNewsInfo': () => ({ niDetail: '<p>矩阵中的内容</p>' }),
  '/newsInfo/updateNewsInfo': () => ({ niDetail: '<p>矩阵中的内容</p>' }),
  '/sysUser/acceptNotice': () => ({ version: 1 }),
  // one in force would keep everybody of the school from anything else
  '/SchoolInfoT/publishPrivacyNotice': () => ({ version: 999, content: '矩阵中的告知。'.repeat(10) }),
  '/workFlow/saveWorkInfo': () => ({ steps: [step] }),
  '/workFlow/addCloneInfo': ({ flow }) => ({ fromWfId: flow, steps: [step] }),
}
const step = {
  wfsNodeName: 'PUBLISH',
  wfsStepName: '步骤',
  wfsStepType: flowStepType.anyOne,
  wfsCheckerType: flowCheckerType.startersCollege,
}

export interface Sample {
  input: Record<string, unknown>
  /** Whether it names records at all, and whether it takes several at once. */
  names: boolean
  several: boolean
  /** Fields that name records of a kind nobody has made for it: what they answer says nothing about scopes. */
  unknown: string[]
}

/**
 * A plausible input of a call, naming records of `records` (and, where it takes several, of `more` beside them):
 * required fields, and for a form the record it edits.
 */
export function sampleInput(call: Call, group: string, records: Records, more?: Records): Sample {
  const schema = schemaOf(call)
  const sample: Sample = { input: {}, names: false, several: false, unknown: [] }
  const fields = Object.entries(schema.properties ?? {})
  const isForm = fields.some(([name]) => name === 'version')
  const wanted = new Set([
    ...(schema.required ?? []),
    ...(isForm ? ['version', ...ownIds.filter((name) => name === fieldOfGroup[group])] : []),
  ])
  for (const [name, field] of fields) if (wanted.has(name)) sample.input[name] = valueOf(name, field)
  if (fields.some(([name]) => name === 'pageSize')) sample.input['pageSize'] = 200
  const special = wishes[call.path]?.(records)
  if (special) {
    sample.names = true
    Object.assign(sample.input, special)
  }
  return sample

  function idOf(name: string, label: string | undefined, from: Records): string {
    const byItsLabel = byLabel[label ?? '']
    const kind = ['id', 'ids'].includes(name)
      ? (byItsLabel ?? byGroup[group])
      : ['suId', 'suIds'].includes(name)
        ? (byItsLabel ?? peopleOf[group] ?? byGroup[group])
        : (byField[name] ?? byItsLabel)
    if (!kind) {
      sample.unknown.push(name)
      return newId()
    }
    sample.names = true
    return from[kind]
  }
  function valueOf(name: string, field: Json, label = field.label ?? field.items?.label): unknown {
    if (field.enum) return field.enum[0]
    if (field.const !== undefined) return field.const
    if (field.format === 'uuid') return idOf(name, label, records)
    if (field.moment) return /end|edate/i.test(name) ? '2026-12-20 23:59:59' : '2026-12-10 00:00:00'
    if (field.day) return name === 'birth' ? '2005-03-04' : '2026-12-10'
    if (field.amount) return '1'
    if (field.flag) return '1'
    const choices = field.anyOf ?? field.allOf
    if (choices) return valueOf(name, choices.find(({ type }) => type === 'array') ?? choices[0]!, label)
    switch (Array.isArray(field.type) ? field.type[0] : field.type) {
      case 'array': {
        if (field.items?.format !== 'uuid') return [valueOf(name, field.items ?? {}, label)]
        sample.several = true
        return [idOf(name, label, records), ...(more ? [idOf(name, label, more)] : [])]
      }
      case 'object':
        return Object.fromEntries(
          Object.entries(field.properties ?? {})
            .filter(([key]) => (field.required ?? []).includes(key))
            .map(([key, value]) => [key, valueOf(key, value)]),
        )
      case 'integer':
      case 'number':
        return name === 'version' ? 0 : Math.max(field.minimum ?? 1, 1)
      case 'boolean':
        return true
      default:
        return texts[name] ?? '矩阵中的内容'
    }
  }
}
