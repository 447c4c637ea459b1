import { signStatus } from '../../core/codes/programme.ts'
import { dictionary } from '../../core/dictionary.ts'
import { sheet } from '../../core/sheets.ts'

const words = (entries: readonly (readonly [string, string])[]) => entries.map(([, label]) => label)

/** Participants of a course. */
export const applySheet = sheet({
  kind: 'lessonApply',
  title: '课程参与人员',
  version: 1,
  columns: [
    { key: 'suiNumber', isCode: true, label: '学号', required: true, max: 50, width: 18 },
    { key: 'suiName', label: '姓名', required: true, max: 50, hint: '须与学号一致' },
    {
      key: 'partakeMode',
      label: '参与方式',
      kind: 'choice',
      choices: words(dictionary.partake_mode),
      hint: '不填为参与者',
    },
    {
      key: 'teamName',
      label: '队伍',
      max: 30,
      hint: '按团队报名的课程须填，同名的为一队；参与方式填团队队长的是队长，没有则为第一名',
    },
    { key: 'awardName', label: '奖项', max: 100, hint: '活动结束后可填，须为本课程奖励模板中的奖项' },
    { key: 'signed', label: '是否签到', kind: 'choice', choices: ['是', '否'], hint: '签到开放后可填' },
    {
      key: 'laHours',
      label: '学时',
      kind: 'amount',
      max: 200,
      hint: '学校允许时可填，不超过评价规则的上限；不填按评价规则计算',
    },
    { key: 'remark', label: '备注', max: 200, width: 30 },
  ],
})

/** Attendance of a course's participants. Absence is not entered: it follows from the submitted result. */
export const signSheet = sheet({
  kind: 'signIn',
  title: '课程签到',
  version: 1,
  columns: [
    { key: 'suiNumber', isCode: true, label: '学号', required: true, max: 50, width: 18 },
    { key: 'suiName', label: '姓名', required: true, max: 50, hint: '须与学号一致' },
    {
      key: 'laSignStatus',
      label: '签到状态',
      kind: 'choice',
      choices: words(
        dictionary.sign_status.filter(([value]) => value !== signStatus.notSigned && value !== signStatus.absent),
      ),
      hint: '不填为已签到',
    },
    { key: 'signInTime', label: '签到时间', kind: 'moment', hint: '不填为活动开始时间', width: 20 },
  ],
})
