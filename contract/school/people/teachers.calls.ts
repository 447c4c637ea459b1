import { z } from 'zod'
import { personType, teacherStatus } from '../../core/codes/school.ts'
import { call } from '../../core/call.ts'
import { valuesOf } from '../../core/dictionary.ts'
import { exportReason } from '../../core/exports.ts'
import { done, flag, id, ids, optionalText, pick, version } from '../../core/fields.ts'
import { fileCall } from '../../core/file.ts'
import { paged, paging, sortedBy } from '../../core/paging.ts'
import { personOption, under } from '../organisation/organisation.schema.ts'
import { idCardFault } from './id-card.ts'
import {
  accountFacts,
  accountsOf,
  accountSwitch,
  personActions,
  personFacts,
  personFields,
  personFilters,
  personNumber,
  similarInput,
  similarPeople,
} from './people.fields.ts'

/** A teacher or other member of staff as the form sends them; they belong to a college, to departments, or to both. */
const teacherForm = z
  .strictObject({
    suId: id('教师').optional(),
    version: version.optional(),
    suiNumber: personNumber('工号'),
    ...personFields,
    suiCollegeId: id('学院').optional(),
    sdIds: z.array(id('部门')).max(20, '最多选择 20 个部门').default([]).meta({ label: '部门' }),
    title: pick('职称', valuesOf('teacher_title')).optional(),
    teacherType: pick('教师类型', valuesOf('teacher_type')).optional(),
    post: optionalText('职务', 50),
    suiStatus: pick('在职状态', valuesOf('teacher_status')).default(teacherStatus.employed),
  })
  .superRefine((form, issue) => {
    const fault = idCardFault(form)
    if (fault) issue.addIssue({ code: 'custom', path: ['suiIdCard'], message: fault })
    if (!form.suiCollegeId && form.sdIds.length === 0)
      issue.addIssue({ code: 'custom', path: ['suiCollegeId'], message: '请选择学院或部门' })
  })

const teacherRow = z.object({
  suId: z.string(),
  suiName: z.string(),
  suNickname: z.string(),
  suiNumber: z.string(),
  suiSex: z.string(),
  /** Masked: it says only whether it is known. */
  birth: z.string().nullable(),
  /** `'2'` teacher, `'3'` other staff. */
  suiType: z.string(),
  suiCollegeId: z.string().nullable(),
  suiCollegeName: z.string().nullable(),
  departments: z.array(z.string()),
  roles: z.array(z.string()),
  title: z.string().nullable(),
  teacherType: z.string().nullable(),
  post: z.string().nullable(),
  suiStatus: z.string(),
  /** Counselor of at least one class. */
  isCounselor: z.boolean(),
  /** Only in rows that the asking person may see sensitive facts of. */
  suiPolitical: z.string().nullable().optional(),
  ...accountFacts,
  version: z.number(),
  can: personActions,
})
export type TeacherRow = z.output<typeof teacherRow>

export const teacherDetail = z.object({
  ...personFacts,
  suiType: z.string(),
  sdIds: z.array(z.string()),
  departments: z.array(z.object({ sdId: z.string(), sdName: z.string(), post: z.string() })),
  title: z.string().nullable(),
  teacherType: z.string().nullable(),
  post: z.string().nullable(),
  /** Classes they are counselor or head teacher of. */
  classes: z.array(z.object({ scClassId: z.string(), scClassName: z.string(), scId: z.string(), smId: z.string() })),
  guideLessonCount: z.number(),
  guideCircleCount: z.number(),
  /** Hours of the guided courses that are completed, as decimal text. */
  totalGuideHours: z.string(),
})
export type TeacherDetail = z.output<typeof teacherDetail>

const filters = {
  ...sortedBy('suiNumber', 'suiName', 'createTime'),
  ...personFilters,
  sdId: id('部门').optional(),
  title: pick('职称', valuesOf('teacher_title')).optional(),
  teacherType: pick('教师类型', valuesOf('teacher_type')).optional(),
  suiStatus: pick('在职状态', valuesOf('teacher_status')).optional(),
  isCounselor: flag('带班辅导员').optional(),
}

export const teacherApi = {
  list: call('POST', '/sysUserInfo/teacherUserInfoList', {
    summary: '教师列表',
    permit: 'teacher:list',
    writes: false,
    input: paging.extend(filters),
    output: paged(teacherRow),
  }),
  exportList: fileCall('POST', '/sysUserInfo/teacherUserInfoExport', {
    summary: '导出教师',
    permit: 'teacher:export',
    needsFreshCode: true,
    input: paging.extend({ ...filters, reason: exportReason }),
  }),
  detail: call('GET', '/sysUserInfo/getTeacherInfoEdit/{id}', {
    summary: '教师详情',
    permit: 'teacher:list',
    input: z.object({ id: id('教师') }),
    output: teacherDetail,
  }),
  save: call('POST', '/sysUserInfo/teacherUserInfoAddOrEdit', {
    summary: '保存教师',
    permit: 'teacher:edit',
    input: teacherForm,
    output: z.object({ suId: z.string() }),
  }),
  remove: call('DELETE', '/sysUserInfo/teacherUserInfoDelete', {
    summary: '删除教师',
    permit: 'teacher:delete',
    input: z.strictObject({ ids }),
    output: done,
  }),
  switch: call('POST', '/sysUserInfo/teacherAccountSwitch', {
    summary: '启用或停用教师账号',
    permit: 'teacher:edit',
    input: accountSwitch,
    output: done,
    forAll: accountsOf('teacherUserInfoList'),
  }),
  similar: call('POST', '/sysUserInfo/teacherSimilar', {
    summary: '核对重复教师',
    permit: 'teacher:edit',
    writes: false,
    input: similarInput,
    output: similarPeople,
  }),
  search: call('POST', '/sysUserInfo/getUserInfoBySearch', {
    summary: '按姓名或学工号查找人员',
    permit: 'signed-in',
    cost: 'search',
    writes: false,
    /** The first 20 that fit; `suIds` asks for the names of people already chosen. */
    input: z.object({
      search: z.string().trim().max(50).optional(),
      suiType: pick('人员类型', [personType.student, personType.teacher]).optional(),
      suIds: ids.optional(),
      /** Only people whom this right of the person who asks covers. */
      under,
    }),
    output: z.array(personOption),
  }),
}
