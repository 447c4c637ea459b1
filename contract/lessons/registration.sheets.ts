import { dictionary } from '../core/dictionary.ts'
import { sheet } from '../core/sheets.ts'

const words = (entries: readonly (readonly [string, string])[]) => entries.map(([, label]) => label)

/** Participants of a course. */
export const applySheet = sheet({
  kind: 'lessonApply',
  title: '课程参与人员',
  version: 1,
  columns: [
    { key: 'suiNumber', label: '学号', required: true, max: 50, width: 18 },
    { key: 'suiName', label: '姓名', required: true, max: 50, hint: '须与学号一致' },
    { key: 'partakeMode', label: '参与方式', kind: 'choice', choices: words(dictionary.partake_mode), hint: '不填为参与者' },
    { key: 'remark', label: '备注', max: 200, width: 30 },
  ],
})

/** Attendance of a course's participants. Absence is not entered: it follows from the submitted result. */
export const signSheet = sheet({
  kind: 'signIn',
  title: '课程签到',
  version: 1,
  columns: [
    { key: 'suiNumber', label: '学号', required: true, max: 50, width: 18 },
    { key: 'suiName', label: '姓名', required: true, max: 50, hint: '须与学号一致' },
    { key: 'laSignStatus', label: '签到状态', kind: 'choice', choices: words(dictionary.sign_status.filter(([value]) => value !== '0' && value !== '5')), hint: '不填为已签到' },
    { key: 'signInTime', label: '签到时间', kind: 'moment', hint: '不填为活动开始时间', width: 20 },
  ],
})
