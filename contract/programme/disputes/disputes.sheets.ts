import { dictionary } from '../../core/dictionary.ts'
import { sheet } from '../../core/sheets.ts'

/** Disputes about one course, as they were handed in on paper or by mail (docs/rules.md R18). */
export const disputeSheet = sheet({
  kind: 'question',
  title: '质疑名单',
  version: 1,
  columns: [
    { key: 'suiNumber', isCode: true, label: '学号', required: true, max: 50, width: 18, hint: '提出质疑的学生' },
    {
      key: 'qType',
      label: '质疑类型',
      required: true,
      kind: 'choice',
      choices: dictionary.question_type.map(([, label]) => label),
      width: 20,
    },
    { key: 'qContent', label: '内容', required: true, max: 1000, width: 40, hint: '5 至 1000 个字' },
    { key: 'qAward', label: '申请奖项', max: 50, hint: '仅漏记、记错可填' },
    {
      key: 'targetNumber',
      isCode: true,
      label: '被质疑人学号',
      max: 50,
      width: 18,
      hint: '漏记、记错不填为本人；其他类型不填为质疑课程',
    },
  ],
})
