import { dictionary } from '../../core/dictionary.ts'
import { sheet } from '../../core/sheets.ts'

export const circleMemberSheet = sheet({
  kind: 'circleMember',
  title: '圈子成员',
  version: 1,
  columns: [
    {
      key: 'ciName',
      label: '圈子名称',
      aliases: ['圈子', '社团', '社团名称', '圈子编号'],
      required: true,
      max: 50,
      width: 26,
      hint: '名称或编号',
    },
    {
      key: 'suiNumber',
      isCode: true,
      label: '学号',
      aliases: ['学生学号', '学工号'],
      required: true,
      max: 30,
      width: 16,
    },
    { key: 'suiName', label: '姓名', aliases: ['学生姓名'], max: 50, width: 12, hint: '用于核对，可以不填' },
    {
      key: 'cmRole',
      label: '职务',
      kind: 'choice',
      choices: dictionary.circle_member_role.map(([, label]) => label),
      width: 10,
      hint: '不填为会员',
    },
  ],
})
