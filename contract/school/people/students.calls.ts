import { z } from 'zod'
import { yesNo } from '../../core/codes/platform.ts'
import { codesOf } from '../../core/codes/code-list.ts'
import { studentChangeCause, studentChangeKind, studentStatus } from '../../core/codes/school.ts'
import { call } from '../../core/call.ts'
import { valuesOf } from '../../core/dictionary.ts'
import { choice, day, done, id, ids, optionalText, pick, version, integer } from '../../core/fields.ts'
import { exportReason } from '../../core/exports.ts'
import { fileCall } from '../../core/file.ts'
import { paged, paging, sortedBy } from '../../core/paging.ts'
import { studentState } from '../../platform/outbox/events.ts'
import { grade } from '../organisation/classes.calls.ts'
import { idCardFault } from './id-card.ts'
import {
  accountFacts,
  accountsOf,
  accountSwitch,
  homePlace,
  personActions,
  personFacts,
  personFields,
  personFilters,
  personNumber,
  secretDay,
  similarInput,
  similarPeople,
} from './people.fields.ts'

/**
 * A student as the form sends them: without `suId` a new one. An absent field is empty; masked fields sent back masked
 * stay.
 */
const studentForm = z
  .strictObject({
    suId: id('学生').optional(),
    version: version.optional(),
    suiNumber: personNumber('学号'),
    ...personFields,
    ...homePlace,
    suiAddress: optionalText('家庭住址', 200),
    suiCollegeId: choice('学院'),
    majorId: choice('专业'),
    suiGrade: grade,
    scClassId: choice('班级'),
    suiEduLevel: pick('层次', valuesOf('edu_level')).optional(),
    suiStudyYears: integer('学制', 1, 9).optional(),
    suiEnterDate: day('入学日期').optional(),
    suiGraduateDate: day('预计毕业日期').optional(),
    suiStatus: pick('学籍状态', valuesOf('student_status')).default(studentStatus.enrolled),
    suiCampus: optionalText('校区', 50),
    suiDorm: optionalText('宿舍', 50),
    leagueJoinDate: secretDay('入团日期'),
    partyJoinDate: secretDay('入党日期'),
    isVolunteerRegistered: pick('注册志愿者', valuesOf('yes_no')).default(yesNo.no),
    volunteerNo: optionalText('志愿者编号', 30),
  })
  .superRefine((form, issue) => {
    const fault = idCardFault(form)
    if (fault) issue.addIssue({ code: 'custom', path: ['suiIdCard'], message: fault })
    if (form.suiEnterDate && form.suiGraduateDate && form.suiGraduateDate <= form.suiEnterDate)
      issue.addIssue({ code: 'custom', path: ['suiGraduateDate'], message: '毕业日期须晚于入学日期' })
  })

/** A student as the list shows them: no phone, no papers. */
const studentRow = z.object({
  suId: z.string(),
  suiName: z.string(),
  suNickname: z.string(),
  suiNumber: z.string(),
  suiSex: z.string(),
  /** Masked: it says only whether it is known. */
  birth: z.string().nullable(),
  suiCollegeId: z.string().nullable(),
  suiCollegeName: z.string().nullable(),
  majorId: z.string().nullable(),
  majorName: z.string().nullable(),
  scClassId: z.string().nullable(),
  scClassName: z.string().nullable(),
  suiGrade: z.string().nullable(),
  suiStatus: z.string(),
  suiCredibility: z.number(),
  /** As `dictionary.warn_level`; calculated every night. */
  warnLevel: z.string(),
  /** Only in rows that the asking person may see sensitive facts of. */
  suiPolitical: z.string().nullable().optional(),
  ...accountFacts,
  version: z.number(),
  can: personActions,
})
export type StudentRow = z.output<typeof studentRow>

export const studentDetail = z.object({
  ...personFacts,
  majorId: z.string().nullable(),
  majorName: z.string().nullable(),
  scClassId: z.string().nullable(),
  scClassName: z.string().nullable(),
  suiGrade: z.string().nullable(),
  counselorName: z.string().nullable(),
  /** As `dictionary.warn_level`; calculated every night. */
  warnLevel: z.string(),
  isLeagueSecretary: z.boolean(),
  provinceId: z.string().nullable(),
  cityId: z.string().nullable(),
  areaId: z.string().nullable(),
  homePlaceName: z.string(),
  suiAddress: z.string().nullable(),
  suiEduLevel: z.string().nullable(),
  suiStudyYears: z.number().nullable(),
  suiEnterDate: z.string().nullable(),
  suiGraduateDate: z.string().nullable(),
  suiCampus: z.string().nullable(),
  suiDorm: z.string().nullable(),
  leagueJoinDate: z.string().nullable(),
  partyJoinDate: z.string().nullable(),
  isVolunteerRegistered: z.string(),
  volunteerNo: z.string().nullable(),
  suiCredibility: z.number(),
  /** Until when registration is closed to them; null where it is open. */
  blackUntil: z.string().nullable(),
  /** Sums of the ledger, as decimal text. */
  totalHours: z.string(),
  totalCredit: z.string(),
  volunteerHours: z.string(),
})
export type StudentDetail = z.output<typeof studentDetail>

/** The filters of the list of students. */
export const studentFilters = {
  ...sortedBy('suiNumber', 'suiName', 'suiGrade', 'suiCredibility', 'createTime'),
  ...personFilters,
  majorId: id('专业').optional(),
  scClassId: id('班级').optional(),
  suiGrade: grade.optional(),
  suiStatus: pick('学籍状态', valuesOf('student_status')).optional(),
  warnLevel: pick('预警等级', valuesOf('warn_level')).optional(),
  /** Whether the account is on and has been activated (`1`), or is on and waits for that (`0`). */
  activated: pick('账号激活', valuesOf('yes_no')).optional(),
  credibilityMin: integer('诚信分下限', 0, 1000).optional(),
  credibilityMax: integer('诚信分上限', 0, 1000).optional(),
}

export const studentApi = {
  list: call('POST', '/sysUserInfo/studentUserInfoList', {
    summary: '学生列表',
    permit: 'student:list',
    writes: false,
    input: paging.extend(studentFilters),
    output: paged(studentRow),
  }),
  exportList: fileCall('POST', '/sysUserInfo/studentUserInfoExport', {
    summary: '导出学生',
    permit: 'student:export',
    needsFreshCode: true,
    input: paging.extend({ ...studentFilters, reason: exportReason }),
  }),
  detail: call('GET', '/sysUserInfo/getUserInfoEdit/{id}', {
    summary: '学生详情',
    permit: 'student:list',
    input: z.object({ id: id('学生') }),
    output: studentDetail,
  }),
  /** Transfers, leaves, returns and departures, newest first. */
  changes: call('GET', '/sysUserInfo/studentChanges', {
    summary: '学籍异动记录',
    permit: 'student:list',
    input: paging.extend({ suId: id('学生') }),
    output: paged(
      z.object({
        chId: z.string(),
        changeKind: z.enum(codesOf(studentChangeKind)),
        changeCause: z.enum(codesOf(studentChangeCause)),
        wasState: studentState,
        newState: studentState,
        operatorName: z.string(),
        createTime: z.string(),
      }),
    ),
  }),
  save: call('POST', '/sysUserInfo/studentUserInfoAddOrEdit', {
    summary: '保存学生',
    permit: 'student:edit',
    input: studentForm,
    output: z.object({ suId: z.string() }),
  }),
  remove: call('DELETE', '/sysUserInfo/studentUserInfoDelete', {
    summary: '删除学生',
    permit: 'student:delete',
    input: z.strictObject({ ids }),
    output: done,
  }),
  switch: call('POST', '/sysUserInfo/studentAccountSwitch', {
    summary: '启用或停用学生账号',
    permit: 'student:edit',
    input: accountSwitch,
    output: done,
    forAll: accountsOf('studentUserInfoList'),
  }),
  similar: call('POST', '/sysUserInfo/studentSimilar', {
    summary: '核对重复学生',
    permit: 'student:edit',
    writes: false,
    input: similarInput,
    output: similarPeople,
  }),
}
